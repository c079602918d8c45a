// The learned scorer: `score(parameters, features) -> probability`. Boosted trees over whole numbers: every threshold,
// leaf and step is an integer, so the same features give the same bits on every machine.
import { type Cuts, MOST_LEAVES, NODE_SIZE, STEP_BITS, STEP_MASK, cutsOf, firstOf, rule } from './cuts.ts';

export { NODE_SIZE };

/** One version of what was learned, as its file has it. Once released it is never changed: records name it. */
export interface LearnedParameters {
  readonly version: number;
  /** The features by name, in the order of their numbers. An older version may know fewer. */
  readonly features: string;
  /** The score of a line of which nothing is known. Scores are log-odds, in units of 1/SCORE_ONE. */
  readonly bias: number;
  /**
   * Nodes of NODE_SIZE numbers: feature, limit, the node when the value is at most the limit, the node when it is more, and
   * the mean score of the lines that came here. A leaf has the feature -1. A tree begins with its first node.
   */
  readonly trees: readonly string[];
  /** Features that count by themselves, and how much one of each adds to the score. */
  readonly plain?: Readonly<Record<string, number>>;
}

/** The same, ready to score: all nodes in one run. */
export interface ScorerParameters {
  readonly version: number;
  readonly features: readonly string[];
  readonly bias: number;
  readonly nodes: ArrayLike<number>;
  /** The first node of each tree. */
  readonly roots: readonly number[];
  /** Places of features that count by themselves, and how much one of each adds. */
  readonly plain: readonly (readonly [place: number, weight: number])[];
}

/** Log-odds of 1. */
export const SCORE_ONE = 4_096;
/** A probability of 1. Probabilities are told in thousandths. */
export const PROBABILITY_ONE = 1_000;

export function unpacked({
  version,
  features,
  bias,
  trees,
  plain = {},
}: LearnedParameters): ScorerParameters {
  const names = features.split(' ');
  const nodes: number[] = [];
  const roots: number[] = [];
  for (const tree of trees) {
    const first = nodes.length / NODE_SIZE;
    roots.push(first);
    for (const [index, number] of tree.split(' ').map(Number).entries()) {
      const isPlace = index % NODE_SIZE === 2 || index % NODE_SIZE === 3;
      nodes.push(isPlace ? number + first : number);
    }
  }
  return {
    version,
    features: names,
    bias,
    nodes: Int32Array.from(nodes),
    roots,
    plain: Object.entries(plain).map(([name, weight]) => [names.indexOf(name), weight] as const),
  };
}

/** One for each version in use. */
const laidOut = new WeakMap<ScorerParameters, Cuts>();

function cutsFor(parameters: ScorerParameters): Cuts {
  let cuts = laidOut.get(parameters);
  if (cuts === undefined) laidOut.set(parameters, (cuts = cutsOf(parameters)));
  return cuts;
}

export function score(parameters: ScorerParameters, features: ArrayLike<number>): number {
  const cuts = cutsFor(parameters);
  rule(cuts, features);
  let sum = parameters.bias;
  for (const [place, weight] of parameters.plain) sum += (features[place] ?? 0) * weight;
  const { leaves, scores } = cuts;
  for (let tree = 0, first = 0; tree < leaves.length; tree++, first += MOST_LEAVES) {
    sum += scores[first + firstOf(leaves[tree] ?? 0)] ?? 0;
  }
  return sum;
}

/**
 * What each feature added to the score, or took away: on the way through a tree, the change of the mean from node to
 * node is due to the feature that was asked there. The shares and the trees' own means add up to the score. Features that were
 * scored last must not have changed since, and the answer is used again for the next.
 */
export function shares(parameters: ScorerParameters, features: ArrayLike<number>): Int32Array {
  const cuts = cutsFor(parameters);
  if (cuts.of !== features) rule(cuts, features);
  const { leaves, usualShares, stepsFrom, steps, shares: found } = cuts;
  found.set(usualShares);
  for (const [place, weight] of parameters.plain)
    found[place] = (found[place] ?? 0) + (features[place] ?? 0) * weight;
  for (let tree = 0, first = 0; tree < leaves.length; tree++, first += MOST_LEAVES) {
    const leaf = first + firstOf(leaves[tree] ?? 0);
    const end = stepsFrom[leaf + 1] ?? 0;
    for (let at = stepsFrom[leaf] ?? 0; at < end; at++) {
      const step = steps[at] ?? 0;
      const feature = step & STEP_MASK;
      found[feature] = (found[feature] ?? 0) + (step >> STEP_BITS);
    }
  }
  return found;
}

/** 1,000 / (1 + e^-x) at x = 0, 1/8, 2/8 … 8. Between two of them it is a straight line. */
const LOGISTIC = [
  500, 531, 562, 593, 622, 651, 679, 706, 731, 755, 777, 798, 818, 835, 852, 867, 881, 893, 905, 915, 924,
  932, 940, 947, 953, 958, 963, 967, 971, 974, 977, 980, 982, 984, 986, 988, 989, 990, 991, 992, 993, 994,
  995, 995, 996, 996, 997, 997, 998, 998, 998, 998, 998, 999, 999, 999, 999, 999, 999, 999, 999, 1_000, 1_000,
  1_000, 1_000,
];
const STEP = SCORE_ONE / 8;

/** In thousandths, by table. */
export function probabilityOf(sum: number): number {
  const size = Math.abs(sum);
  const at = Math.floor(size / STEP);
  const from = LOGISTIC[at] ?? PROBABILITY_ONE;
  const to = LOGISTIC[at + 1] ?? PROBABILITY_ONE;
  const above = from + Math.floor(((to - from) * (size - at * STEP)) / STEP);
  return sum < 0 ? PROBABILITY_ONE - above : above;
}
