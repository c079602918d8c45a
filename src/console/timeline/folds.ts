// Which rows of the log are folded away: signs that only say that something goes on, such as typing or the marks of a
// turn. A run of them is one row that opens. Rows keep their index in the log; this file translates it to the place on
// the screen and back, for the rows that have been loaded. A row that was never loaded counts as a row of its own.
import type { LogEntry } from '../../protocol/operator-api.ts';

/** A failed turn is no sign: it is what people look for. */
export function isSign({ type, outcome }: Pick<LogEntry, 'type' | 'outcome'>): boolean {
  return SIGNS.has(type) && outcome !== 'failed';
}

const SIGNS: ReadonlySet<string> = new Set(['typing', 'turn', 'tick', 'membership', 'progress']);

/** A run of signs: `length` rows from `start` on. Open: its rows follow the row that folds them again. */
export interface Run {
  start: number;
  length: number;
  open: boolean;
}

export type ShownRow = { kind: 'fold'; run: Run } | { kind: 'row'; index: number };

/** A run with how it lies on the screen. */
interface PlacedRun extends Run {
  /** How many places all runs up to this one have saved. */
  saved: number;
}

export class Folds {
  #runs: PlacedRun[] = [];
  #on: boolean;

  /** `on` false folds nothing: somebody filters for these very rows. */
  constructor(on = true) {
    this.#on = on;
  }

  clear(): void {
    this.#runs = [];
  }

  /** These rows have been loaded, from this index on. Telling them twice changes nothing. */
  note(start: number, rows: readonly LogEntry[]): void {
    if (!this.#on) return;
    for (let at = 0; at < rows.length; at++) {
      let end = at;
      while (end < rows.length && isSign(rows[end] as LogEntry)) end++;
      if (end > at) this.#add(start + at, end - at);
      at = end;
    }
    this.#place();
  }

  toggle(start: number): void {
    this.#runs = this.#runs.map((run) => (run.start === start ? { ...run, open: !run.open } : run));
    this.#place();
  }

  /** The places on the screen for `count` rows of the log. */
  shownOf(count: number): number {
    return count - (this.#runs.at(-1)?.saved ?? 0);
  }

  /** What is at a place on the screen. `first` is the index of the oldest row. */
  at(place: number, first: number): ShownRow {
    const found = this.#last((run, before) => run.start - first - before <= place);
    if (found === undefined) return { kind: 'row', index: first + place };
    const { run, before } = found;
    const into = place - (run.start - first - before);
    if (into === 0) return { kind: 'fold', run };
    if (into < shownRows(run)) return { kind: 'row', index: run.start + into - 1 };
    return { kind: 'row', index: first + place + run.saved };
  }

  /** The place of a row of the log, or of the fold that holds it, and how many folds are above it. */
  placeOf(index: number, first: number): { place: number; foldsAbove: number } {
    const found = this.#last((run) => run.start <= index);
    if (found === undefined) return { place: index - first, foldsAbove: 0 };
    const { run, before, number } = found;
    const start = run.start - first - before;
    if (index >= run.start + run.length) return { place: index - first - run.saved, foldsAbove: number + 1 };
    return run.open
      ? { place: start + 1 + index - run.start, foldsAbove: number + 1 }
      : { place: start, foldsAbove: number };
  }

  /** How many of the places before this one are folds. */
  foldsBefore(place: number, first: number): number {
    const found = this.#last((run, before) => run.start - first - before < place);
    return found === undefined ? 0 : found.number + 1;
  }

  /** The last run for which this holds. It holds for all runs before that one. */
  #last(
    holds: (run: PlacedRun, savedBefore: number) => boolean,
  ): { run: PlacedRun; before: number; number: number } | undefined {
    let [low, high] = [0, this.#runs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const run = this.#runs[middle] as PlacedRun;
      if (holds(run, this.#runs[middle - 1]?.saved ?? 0)) low = middle + 1;
      else high = middle;
    }
    const run = this.#runs[low - 1];
    if (run === undefined) return undefined;
    return { run, before: this.#runs[low - 2]?.saved ?? 0, number: low - 1 };
  }

  /** Joins it with the runs that it touches or overlaps. */
  #add(start: number, length: number): void {
    const end = start + length;
    let from = this.#runs.findIndex((run) => run.start + run.length >= start);
    if (from < 0) from = this.#runs.length;
    let to = from;
    let joined: Run = { start, length, open: false };
    while (to < this.#runs.length && (this.#runs[to] as Run).start <= end) {
      const run = this.#runs[to] as Run;
      const begin = Math.min(joined.start, run.start);
      const close = Math.max(joined.start + joined.length, run.start + run.length);
      joined = { start: begin, length: close - begin, open: joined.open || run.open };
      to++;
    }
    this.#runs.splice(from, to - from, { ...joined, saved: 0 });
  }

  #place(): void {
    let saved = 0;
    for (const run of this.#runs) {
      saved += run.length - shownRows(run);
      run.saved = saved;
    }
  }
}

function shownRows({ length, open }: Run): number {
  return open ? length + 1 : 1;
}
