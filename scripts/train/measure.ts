// Precision, recall and F1 of learned parameters on rows: what explicit signs decide counts as it is, the scorer decides
// the rest at a limit.
import { FEATURE_COUNT } from '../../src/attention/scorer/feature-names.ts';
import { type ScorerParameters, probabilityOf, score } from '../../src/attention/scorer/score.ts';
import { type Counts, type TrainingRows, count } from './rows.ts';

export interface Measured {
  precision: number;
  recall: number;
  f1: number;
}

/** In thousandths, of every row. */
export function probabilities(parameters: ScorerParameters, rows: TrainingRows): Int32Array {
  const features = new Int32Array(FEATURE_COUNT);
  return Int32Array.from({ length: rows.count }, (_, row) => {
    for (let feature = 0; feature < FEATURE_COUNT; feature++)
      features[feature] = rows.values[row * FEATURE_COUNT + feature] ?? 0;
    return probabilityOf(score(parameters, features));
  });
}

/** `isFor` says whether a row that is left to the scorer is taken as addressed. Only the chosen rooms count. */
export function measured(
  rows: TrainingRows,
  inRoom: (room: number) => boolean,
  isFor: (row: number) => boolean,
): Measured {
  const all: Counts = { tp: 0, fp: 0, fn: 0 };
  for (const [room, { tp, fp, fn }] of rows.fixed.entries()) {
    if (!inRoom(room)) continue;
    all.tp += tp;
    all.fp += fp;
    all.fn += fn;
  }
  for (let row = 0; row < rows.count; row++) {
    if (!inRoom(rows.rooms[row] ?? -1)) continue;
    const found = rows.asked[row] === 1 ? isFor(row) : rows.rule[row] === 1;
    count(all, found, rows.labels[row] === 1);
  }
  return measuresOf(all);
}

export function measuresOf({ tp, fp, fn }: Counts): Measured {
  return {
    precision: tp / Math.max(1, tp + fp),
    recall: tp / Math.max(1, tp + fn),
    f1: (2 * tp) / Math.max(1, 2 * tp + fp + fn),
  };
}

export function words({ precision, recall, f1 }: Measured): string {
  return [precision, recall, f1].map((value) => value.toFixed(4)).join(' ');
}
