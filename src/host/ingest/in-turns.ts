// Long texts take their turns. A batch of a few long events costs tens of milliseconds, and nobody else would be received
// or delivered to meanwhile. So a batch with much text in it is taken in slices, with turns of the event loop between them.
// Later batches of the same source wait behind it, so that its order is kept.
import { type Schedule, someTurns } from '../../runtime/schedule.ts';

/** Characters of one slice, and at least one event: about 2 ms. Batches of usual messages are below it. */
export const SLICE_CHARS = 60_000;

export type Take<R> = (value: unknown) => Promise<R>;

export interface SourceBatch {
  source: string;
  values: readonly unknown[];
  /** `charsOf` the values. */
  chars: number;
}

export interface InTurns {
  /** The results in the order of the values. */
  <R>(batch: SourceBatch, take: Take<R>): Promise<R[]>;
}

export function createInTurns(schedule: Schedule): InTurns {
  /** Sources with a batch that is not wholly taken. */
  const busy = new Map<string, Promise<void>>();
  return ({ source, values, chars }, take) => {
    const before = busy.get(source);
    if (before === undefined && chars <= SLICE_CHARS) return takeAll(values, take);
    const results: ReturnType<typeof take>[] = [];
    const taken = (before ?? Promise.resolve()).then(() =>
      takeSlices(values, (value) => results.push(take(value)), schedule),
    );
    busy.set(source, taken);
    return taken.then(() => {
      if (busy.get(source) === taken) busy.delete(source);
      return Promise.all(results);
    });
  };
}

/** Most batches are one event. That needs no list of promises. */
function takeAll<R>(values: readonly unknown[], take: Take<R>): Promise<R[]> {
  return values.length === 1 ? take(values[0]).then((one) => [one]) : Promise.all(values.map(take));
}

async function takeSlices(
  values: readonly unknown[],
  take: (value: unknown) => void,
  schedule: Schedule,
): Promise<void> {
  let chars = 0;
  for (const value of values) {
    if (chars > 0 && chars + charsIn(value) > SLICE_CHARS) {
      await someTurns(schedule);
      chars = 0;
    }
    chars += charsIn(value);
    take(value);
  }
  // Batches that waited begin in a turn of their own.
  await someTurns(schedule);
}

export function charsOf(values: readonly unknown[]): number {
  let chars = 0;
  for (const value of values) chars += charsIn(value);
  return chars;
}

/** The length of its text. The other fields of an event are short, or it is refused. */
function charsIn(value: unknown): number {
  const text = typeof value === 'object' && value !== null && 'text' in value ? value.text : undefined;
  return typeof text === 'string' ? text.length : 0;
}
