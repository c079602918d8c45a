// Which way corrections move the dial, how sure that is, and that a few or contrary ones move nothing.
import { describe, expect, it } from 'vitest';
import { type Weighed, SURE_ENOUGH, fitDial } from './tune-fit.ts';

const BALANCED = { attention: 50, bias: 0 };
const many = (count: number, answer: boolean, from: number, to: number): Weighed[] =>
  Array.from({ length: count }, (_, n) => ({
    probability: Math.round(from + ((to - from) * n) / Math.max(1, count - 1)),
    answer,
  }));
const mixed = (count: number) => [...many(count, false, 510, 700), ...many(count, true, 560, 900)];
const width = ({ interval: { low, high } }: ReturnType<typeof fitDial>) => high - low;

/** What a dial and a bias together ask of a line: lower wakes the agent more often. */
const cut = ({ attention, bias }: { attention: number; bias: number }): number => {
  const asked = (100 - attention) / 100;
  return 1 / (1 + Math.exp(-(Math.log(asked / (1 - asked)) - bias)));
};

describe('corrections', () => {
  it('that say "quiet" make it quieter', () => {
    const found = fitDial(many(40, false, 520, 690), [], BALANCED);
    expect(cut(found.dial)).toBeGreaterThan(cut(BALANCED));
    expect(found.sure).toBeGreaterThanOrEqual(SURE_ENOUGH);
    expect(found.right.fitted).toBeGreaterThan(found.right.now);
  });

  it('that say "answer" make it keener', () => {
    const found = fitDial(many(40, true, 300, 480), [], BALANCED);
    expect(cut(found.dial)).toBeLessThan(cut(BALANCED));
    expect(found.sure).toBeGreaterThanOrEqual(SURE_ENOUGH);
  });

  it('that contradict each other leave it in doubt', () => {
    const both = [...many(20, false, 400, 600), ...many(20, true, 400, 600)];
    expect(fitDial(both, [], BALANCED).sure).toBeLessThan(SURE_ENOUGH);
  });

  it('move it less where many lines like them were answered and nobody complained', () => {
    const complaints = many(12, false, 520, 700);
    const alone = fitDial(complaints, [], BALANCED);
    const among = fitDial(complaints, many(5_000, true, 505, 900), BALANCED);
    expect(cut(among.dial)).toBeLessThan(cut(alone.dial));
  });

  it('give an interval that narrows as they grow', () => {
    expect(width(fitDial(mixed(50), [], BALANCED))).toBeLessThan(width(fitDial(mixed(5), [], BALANCED)));
  });

  it('are fitted the same each time', () => {
    const some = [...many(15, false, 505, 720), ...many(9, true, 250, 610)];
    expect(fitDial(some, [], BALANCED)).toEqual(fitDial(some, [], BALANCED));
  });
});
