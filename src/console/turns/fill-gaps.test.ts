import { expect, it } from 'vitest';
import { fillGaps } from './fill-gaps.ts';

it('puts zeros where nothing happened, over the whole period', () => {
  expect(fillGaps([100, 400], [[3, 5]], { fromMs: -150, toMs: 650, bucketMs: 100 })).toEqual([
    [-100, 0, 100, 200, 300, 400, 500, 600, 700],
    [0, 0, 3, 0, 0, 5, 0, 0, 0],
  ]);
});

it('keeps to what there is of a period that no plot can show', () => {
  expect(fillGaps([1_000, 1_200], [[1, 2]], { fromMs: 0, toMs: 1e9, bucketMs: 100 })).toEqual([
    [900, 1_000, 1_100, 1_200, 1_300],
    [0, 1, 0, 2, 0],
  ]);
});

it('draws nothing of nothing', () => {
  expect(fillGaps([], [[]], { fromMs: 0, toMs: 1_000, bucketMs: 100 })).toEqual([[], []]);
});
