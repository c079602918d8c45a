import { expect, test } from 'vitest';
import { createSlices } from './schedule.ts';

/** An event loop by hand: one call is one turn. */
function handLoop() {
  let due: (() => void)[] = [];
  return {
    schedule: (run: () => void): void => void due.push(run),
    async turn(): Promise<void> {
      const now = due;
      due = [];
      for (const run of now) run();
      for (let tick = 0; tick < 8; tick++) await Promise.resolve();
    },
  };
}

test('slices of several calls are done one at a time, in order, with turns between them', async () => {
  const loop = handLoop();
  const nextSlice = createSlices(loop.schedule);
  const done: string[] = [];
  for (const call of ['a', 'b', 'c']) void nextSlice().then(() => done.push(call));
  const after: string[] = [];
  for (let turn = 0; turn < 10; turn++) {
    await loop.turn();
    after.push(done.join(''));
  }
  // The first begins at once. Four turns lie between two of them.
  expect(after).toEqual(['a', 'a', 'a', 'a', 'ab', 'ab', 'ab', 'ab', 'abc', 'abc']);
});
