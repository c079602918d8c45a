// Learns parameters from the rows of rooms and of their quieter copies. The same rows and seed give the same parameters.
import {
  FEATURE,
  FEATURES,
  FEATURE_COUNT,
  type FeatureName,
} from '../../src/attention/scorer/feature-names.ts';
import { SCORE_ONE, type ScorerParameters } from '../../src/attention/scorer/score.ts';
import { type BoostOptions, type BoostRows, boost } from './boost.ts';
import type { TrainingRows } from './rows.ts';

/** Rooms, or a quieter copy of them, and how much a row of it counts. */
export interface Copy {
  name: string;
  weight: number;
  rows: TrainingRows;
}

/** More of it must not lower the score (1), or must not raise it (-1), whatever the rooms seem to say. */
const MONOTONE: Partial<Record<FeatureName, number>> = {
  headOther: -1,
  headTheirs: 1,
  ownTo: 1,
  rule: 1,
  shared: 1,
};

export const LEARNING: Omit<BoostOptions, 'seed' | 'monotone'> = {
  trees: 250,
  leaves: 28,
  rate: 0.07,
  rows: 0.6,
  features: 0.5,
  leastWeight: 12,
  ridge: 2,
};

/**
 * These count by themselves, and are not learned: in rooms of people alone a name inside a line is too rare for trees. They
 * are the last features. `namesOther`: measured as -1.1 where author and agent are talking (docs/scoring.md).
 */
const PLAIN: Partial<Record<FeatureName, number>> = { namesOther: -SCORE_ONE };
const LEARNED_COUNT = FEATURE_COUNT - Object.keys(PLAIN).length;

/** Only from the chosen rooms. */
export function learned(
  copies: readonly Copy[],
  inRoom: (room: number) => boolean,
  seed: number,
  version: number,
): ScorerParameters {
  const monotone = FEATURES.slice(0, LEARNED_COUNT).map((name) => MONOTONE[name] ?? 0);
  const { bias, nodes, roots } = boost(gathered(copies, inRoom), { ...LEARNING, seed, monotone });
  const plain = Object.entries(PLAIN).map(
    ([name, weight]) => [FEATURE[name as FeatureName], weight] as const,
  );
  return { version, features: FEATURES, bias, nodes, roots, plain };
}

function gathered(copies: readonly Copy[], inRoom: (room: number) => boolean): BoostRows {
  const chosen = copies.flatMap(({ weight, rows }) =>
    Array.from({ length: rows.count }, (_, row) => row)
      .filter((row) => inRoom(rows.rooms[row] ?? -1))
      .map((row) => ({ rows, row, weight })),
  );
  const values = new Int8Array(chosen.length * LEARNED_COUNT);
  for (const [index, { rows, row }] of chosen.entries()) {
    const start = row * FEATURE_COUNT;
    values.set(rows.values.subarray(start, start + LEARNED_COUNT), index * LEARNED_COUNT);
  }
  return {
    values,
    features: LEARNED_COUNT,
    labels: Uint8Array.from(chosen, ({ rows, row }) => rows.labels[row] ?? 0),
    weights: Float64Array.from(chosen, ({ weight }) => weight),
  };
}
