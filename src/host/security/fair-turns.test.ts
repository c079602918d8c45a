// Turns at the door: a few of each caller at a time, in the order in which they came.
import { expect, it } from 'vitest';
import { createFairTurns } from './fair-turns.ts';

function door(aTurn: number) {
  const due: (() => void)[] = [];
  const turns = createFairTurns(aTurn, (run) => void due.push(run));
  const begun: string[] = [];
  return {
    turns,
    begun,
    due,
    ask: async (who: string, name: string): Promise<void> => {
      await turns.take(who);
      begun.push(name);
    },
    turn: async (): Promise<void> => {
      for (const run of due.splice(0)) run();
      for (let tick = 0; tick < 3; tick++) await Promise.resolve();
    },
  };
}

it('a crowd of one caller begins two at a time; another begins at once, and nothing is left over', async () => {
  const { turns, begun, due, ask, turn } = door(2);
  for (let n = 0; n < 5; n++) void ask('crowd', `crowd ${n}`);
  void ask('other', 'other 0');
  await Promise.resolve();
  expect(begun).toEqual(['crowd 0', 'crowd 1', 'other 0']);
  expect(turns.waiting('crowd')).toBe(3);
  void ask('crowd', 'crowd 5');
  await turn();
  expect(begun.slice(3)).toEqual(['crowd 2', 'crowd 3']);
  await turn();
  expect(begun.slice(5)).toEqual(['crowd 4', 'crowd 5']);
  await turn();
  expect(due).toEqual([]);
  expect(turns.waiting('crowd')).toBe(0);
  void ask('crowd', 'crowd 6');
  await Promise.resolve();
  expect(begun.at(-1)).toBe('crowd 6');
});
