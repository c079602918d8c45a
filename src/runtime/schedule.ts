// Runs work after every callback that is already due, as a port: work that collects until then is done at once.
// `nextTurn` uses Node's event loop; a simulator passes its own.

export type Schedule = (run: () => void) => void;

export const nextTurn: Schedule = (run) => {
  setImmediate(run);
};

/** Lets everything that is due run first. Long work waits for it now and then. */
export function aTurn(schedule: Schedule = nextTurn): Promise<void> {
  return new Promise(schedule);
}

/** Turns between two slices of long work. From its source to its agent an event takes three, so it meets one slice at most. */
const TURNS_BETWEEN = 4;

export async function someTurns(schedule: Schedule): Promise<void> {
  for (let turn = 0; turn < TURNS_BETWEEN; turn++) await aTurn(schedule);
}

/** Resolves when the caller may do its next slice: at once, unless another was just done. */
export type NextSlice = () => Promise<void>;

/**
 * Slices of long reads. A page of a hundred events takes tens of milliseconds to read, to search for secrets and to write as
 * JSON, and several calls are worked on at once. So each call is done in slices, and slices of all calls take turns: one at
 * a time, in the order in which they were asked for, with turns of the event loop between them.
 */
export function createSlices(schedule: Schedule): NextSlice {
  let free = Promise.resolve();
  return () => {
    const mine = free;
    free = mine.then(() => someTurns(schedule));
    return mine;
  };
}
