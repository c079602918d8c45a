// The log as a list of any length, of which only the visible part is loaded. When the host counts the rows (no filter,
// or one conversation), the list is indexed: every row has its place, and a jump loads that page. With other filters it
// is chained: from the newest back, page by page. New rows are read from the log, never from the news about them.
import type { LogEntry, LogPage } from '../../protocol/operator-api.ts';
import { Folds, type ShownRow } from './folds.ts';

export type PagePlace = { last: true } | { offset: number } | { before: string } | { after: string };
export type AskForPage = (where: PagePlace, limit: number) => Promise<LogPage>;

export const LOG_LIMITS = {
  pageRows: 100,
  /** Rows kept in memory. The farthest from the screen are dropped and read again when needed. */
  rowsKept: 20_000,
  /** Pages on their way at once. Dragging the scrollbar asks for many and needs only the last. */
  asking: 2,
  /** Rows that a browser's scroll area can hold without losing precision. Older ones are found by filter. */
  rowsShown: 250_000,
  /** Pages that are searched for the first rows of a filter. */
  sparsePages: 20,
  catchUpPages: 10,
} as const;

export interface LogState {
  kind: 'opening' | 'indexed' | 'chained';
  count: number;
  /** Chained: there are older rows to load. */
  older: boolean;
  /** Chained: how many rows were added in front since it was opened. */
  inFront: number;
  error: unknown;
  /** Increases with every change. */
  version: number;
}

const OPENING: LogState = {
  kind: 'opening',
  count: 0,
  older: false,
  inFront: 0,
  error: undefined,
  version: 0,
};

export class LogWindow {
  readonly #ask: AskForPage;
  readonly #changed: () => void;
  #state: LogState = OPENING;
  #rows = new Map<number, LogEntry>();
  /** Indexed: how many of the oldest rows are not shown. */
  #base = 0;
  #tail: string | undefined;
  #front: string | undefined;
  #wanted: [first: number, last: number] = [0, 0];
  #asking = new Set<number>();
  #catchingUp: Promise<void> | undefined;
  #again = false;
  #closed = false;

  readonly #folds: Folds;

  constructor(ask: AskForPage, changed: () => void, folds = new Folds(false)) {
    this.#ask = ask;
    this.#changed = changed;
    this.#folds = folds;
  }

  get state(): LogState {
    return this.#state;
  }

  rowAt(index: number): LogEntry | undefined {
    return this.#rows.get(index + this.#first);
  }

  /** The row with this key of the log. It stays the same while rows are added in front. */
  rowOf(key: number): LogEntry | undefined {
    return this.#rows.get(key);
  }

  /** How many places the list has, with its signs folded. */
  get places(): number {
    return this.#folds.shownOf(this.#state.count);
  }

  shownAt(place: number): ShownRow {
    return this.#folds.at(place, this.#first);
  }

  placeOf(key: number): { place: number; foldsAbove: number } {
    return this.#folds.placeOf(key, this.#first);
  }

  foldsBefore(place: number): number {
    return this.#folds.foldsBefore(place, this.#first);
  }

  toggleFold(start: number): void {
    this.#folds.toggle(start);
    this.#become({});
  }

  /** The key of the oldest row. */
  get #first(): number {
    return this.#state.kind === 'indexed' ? this.#base : -this.#state.inFront;
  }

  close(): void {
    this.#closed = true;
  }

  async open(): Promise<void> {
    this.#closed = false;
    await this.#trying(async () => {
      const page = await this.#ask({ last: true }, LOG_LIMITS.pageRows);
      this.#rows = new Map();
      this.#folds.clear();
      this.#tail = page.tailCursor ?? (page.last === null ? '0' : String(page.last.position));
      if (page.total !== null) return this.#openIndexed(page, page.total, page.offset ?? page.total);
      this.#front = page.prevCursor;
      this.#keep(0, page.log);
      this.#become({ kind: 'chained', count: page.log.length, older: this.#front !== undefined, inFront: 0 });
      await this.#fillFront();
    });
  }

  /** Tells which places are on the screen. Missing rows are loaded. */
  want(firstPlace: number, lastPlace: number): void {
    const [first, last] = [this.#indexAt(firstPlace), this.#indexAt(lastPlace)];
    this.#wanted = [first, last];
    if (this.#state.kind === 'indexed') this.#loadWanted();
    else if (this.#state.kind === 'chained' && first < LOG_LIMITS.pageRows / 2)
      void this.#trying(() => this.#loadOlder());
  }

  /** Reads the new rows. A call while one runs causes one more. */
  catchUp(): Promise<void> {
    if (this.#state.kind === 'opening')
      return this.#state.error === undefined ? Promise.resolve() : this.open();
    this.#again = true;
    this.#catchingUp ??= this.#trying(() => this.#readTail()).finally(() => (this.#catchingUp = undefined));
    return this.#catchingUp;
  }

  #openIndexed(page: LogPage, total: number, offset: number): void {
    this.#base = Math.max(0, total - LOG_LIMITS.rowsShown);
    this.#put(offset, page.log);
    this.#become({ kind: 'indexed', count: total - this.#base, older: false, inFront: 0 });
  }

  #indexAt(place: number): number {
    const shown = this.shownAt(place);
    return (shown.kind === 'row' ? shown.index : shown.run.start) - this.#first;
  }

  #keep(start: number, rows: readonly LogEntry[]): void {
    rows.forEach((row, index) => this.#rows.set(start + index, row));
    this.#folds.note(start, rows);
  }

  #put(offset: number, rows: readonly LogEntry[]): void {
    this.#keep(offset, rows);
    if (this.#rows.size <= LOG_LIMITS.rowsKept) return;
    const middle = this.#base + (this.#wanted[0] + this.#wanted[1]) / 2;
    const far = [...this.#rows.keys()].toSorted((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
    for (const index of far.slice(0, LOG_LIMITS.rowsKept / 4)) this.#rows.delete(index);
  }

  #loadWanted(): void {
    const [first, last] = this.#wanted.map((index) => index + this.#base) as [number, number];
    const end = this.#base + this.#state.count - 1;
    for (let page = pageOf(first); page <= pageOf(Math.min(last, end)); page++) {
      if (this.#asking.size >= LOG_LIMITS.asking) return;
      if (this.#asking.has(page) || this.#isLoaded(page, end)) continue;
      this.#asking.add(page);
      void this.#trying(async () => {
        try {
          const offset = page * LOG_LIMITS.pageRows;
          const answer = await this.#ask({ offset }, LOG_LIMITS.pageRows);
          this.#put(answer.offset ?? offset, answer.log);
          this.#become({});
        } finally {
          this.#asking.delete(page);
        }
        this.#loadWanted();
      });
    }
  }

  #isLoaded(page: number, end: number): boolean {
    const from = page * LOG_LIMITS.pageRows;
    const to = Math.min(from + LOG_LIMITS.pageRows - 1, end);
    for (let index = from; index <= to; index++) if (!this.#rows.has(index)) return false;
    return true;
  }

  /** A filter may match few rows, so several pages are searched before nothing is shown. */
  async #fillFront(): Promise<void> {
    for (let pages = 0; pages < LOG_LIMITS.sparsePages && !this.#closed; pages++) {
      if (this.#state.count >= LOG_LIMITS.pageRows / 2 || this.#front === undefined) return;
      await this.#loadOlder();
    }
  }

  async #loadOlder(): Promise<void> {
    const before = this.#front;
    if (before === undefined || this.#asking.size > 0) return;
    this.#asking.add(0);
    try {
      const page = await this.#ask({ before }, LOG_LIMITS.pageRows);
      const inFront = this.#state.inFront + page.log.length;
      this.#keep(-inFront, page.log);
      const count = this.#state.count + page.log.length;
      this.#front = count >= LOG_LIMITS.rowsKept ? undefined : page.prevCursor;
      this.#become({ count, inFront, older: this.#front !== undefined });
    } finally {
      this.#asking.delete(0);
    }
  }

  async #readTail(): Promise<void> {
    while (this.#again && !this.#closed) {
      this.#again = false;
      for (let pages = 0; pages < LOG_LIMITS.catchUpPages; pages++) {
        const page = await this.#ask({ after: this.#tail ?? '0' }, LOG_LIMITS.pageRows);
        const more = this.#append(page);
        if (more === 'reopen') return this.open();
        if (!more) break;
      }
    }
  }

  /** Whether there may be more to read. */
  #append(page: LogPage): boolean | 'reopen' {
    const { kind, count, inFront } = this.#state;
    this.#tail = page.nextCursor ?? page.tailCursor ?? this.#tail;
    if (kind === 'chained') {
      this.#keep(count - inFront, page.log);
      this.#become({ count: count + page.log.length });
      return page.nextCursor !== undefined;
    }
    if (page.log.length === 0) {
      this.#become({});
      return false;
    }
    // Old rows were removed meanwhile, so every index has moved.
    if (page.offset === null || page.total === null || page.offset !== this.#base + count) return 'reopen';
    this.#put(page.offset, page.log);
    this.#become({ count: page.offset + page.log.length - this.#base });
    return page.nextCursor !== undefined;
  }

  #become(change: Partial<LogState>): void {
    if (this.#closed) return;
    this.#state = { ...this.#state, error: undefined, ...change, version: this.#state.version + 1 };
    this.#changed();
  }

  async #trying(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#become({ error });
    }
  }
}

function pageOf(index: number): number {
  return Math.floor(index / LOG_LIMITS.pageRows);
}
