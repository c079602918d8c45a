// Gradient boosting: small trees, each grown leaf by leaf on what the trees before it left over. Plain arithmetic from one
// seed, so the same rows give the same trees.
import { NODE_SIZE, SCORE_ONE } from '../../src/attention/scorer/score.ts';
import { seededNumbers } from '../thinned-rooms.ts';

export interface BoostOptions {
  trees: number;
  leaves: number;
  rate: number;
  /** Share of the rows and of the features that each tree sees. */
  rows: number;
  features: number;
  /** Least curvature of a leaf, and how much leaves are drawn to nothing. */
  leastWeight: number;
  ridge: number;
  seed: number;
  /** By feature: 1 where more of it must not lower the score, -1 where it must not raise it. */
  monotone: readonly number[];
}

export interface Learned {
  bias: number;
  nodes: number[];
  roots: number[];
}

export interface BoostRows {
  /** Row after row, each with all its features. */
  values: Int8Array;
  features: number;
  labels: Uint8Array;
  weights: Float64Array;
}

const BINS = 256;
const OFFSET = 128;
const LEAST_GAIN = 1e-9;
const ROUNDING = 1e-9;

interface Grown {
  feature: number;
  limit: number;
  left: number;
  right: number;
  value: number;
}

interface Leaf {
  node: number;
  rows: Int32Array;
  g: number;
  h: number;
  low: number;
  high: number;
  /** By feature and value: the sums of g and h. */
  sums: Float64Array;
  best: Split | undefined;
}

interface Split {
  feature: number;
  limit: number;
  gain: number;
  left: { g: number; h: number; value: number };
  right: { g: number; h: number; value: number };
}

export function boost(data: BoostRows, options: BoostOptions, progress?: (tree: number) => void): Learned {
  const next = seededNumbers(options.seed);
  const { labels, weights } = data;
  const count = labels.length;
  let [positive, all] = [0, 0];
  for (let row = 0; row < count; row++) {
    all += weights[row] ?? 0;
    positive += (labels[row] ?? 0) * (weights[row] ?? 0);
  }
  const start = Math.log(positive / (all - positive));
  const scores = new Float64Array(count).fill(start);
  const g = new Float64Array(count);
  const h = new Float64Array(count);
  const nodes: number[] = [];
  const roots: number[] = [];
  for (let tree = 0; tree < options.trees; tree++) {
    for (let row = 0; row < count; row++) {
      const p = 1 / (1 + Math.exp(-(scores[row] ?? 0)));
      const weight = weights[row] ?? 0;
      g[row] = ((labels[row] ?? 0) - p) * weight;
      h[row] = p * (1 - p) * weight;
    }
    const sample = sampled(count, options.rows, next);
    const features = Array.from({ length: data.features }, (_, feature) => feature).filter(
      () => next() < options.features,
    );
    const grown = grow({ data, g, h, features, options }, sample);
    for (let row = 0; row < count; row++) scores[row] = (scores[row] ?? 0) + valueOf(grown, data, row);
    const first = nodes.length / NODE_SIZE;
    roots.push(first);
    for (const node of grown) {
      const isLeaf = node.feature < 0;
      nodes.push(
        node.feature,
        node.limit,
        isLeaf ? 0 : first + node.left,
        isLeaf ? 0 : first + node.right,
        Math.round(node.value * SCORE_ONE),
      );
    }
    progress?.(tree);
  }
  return { bias: Math.round(start * SCORE_ONE), nodes, roots };
}

function sampled(count: number, share: number, next: () => number): Int32Array {
  const rows = new Int32Array(count);
  let size = 0;
  for (let row = 0; row < count; row++) if (next() < share) rows[size++] = row;
  return rows.subarray(0, size);
}

function valueOf(tree: readonly Grown[], { values, features }: BoostRows, row: number): number {
  let node = tree[0];
  while (node !== undefined && node.feature >= 0) {
    node = tree[(values[row * features + node.feature] ?? 0) <= node.limit ? node.left : node.right];
  }
  return node?.value ?? 0;
}

interface Growing {
  data: BoostRows;
  g: Float64Array;
  h: Float64Array;
  features: readonly number[];
  options: BoostOptions;
}

function grow(growing: Growing, sample: Int32Array): Grown[] {
  const { data, options } = growing;
  const tree: Grown[] = [];
  const leafOf = (rows: Int32Array, sums: Float64Array, low: number, high: number): Leaf => {
    const [g, h] = totals(growing, rows);
    const value = clamp(step(g, h, options), low, high);
    tree.push({ feature: -1, limit: 0, left: 0, right: 0, value: value * options.rate });
    const leaf: Leaf = { node: tree.length - 1, rows, g, h, low, high, sums, best: undefined };
    leaf.best = bestSplit(leaf, growing);
    return leaf;
  };
  const open = [leafOf(sample, sumsOf(growing, sample), -Infinity, Infinity)];
  for (let leaves = 1; leaves < options.leaves; leaves++) {
    open.sort((a, b) => (b.best?.gain ?? 0) - (a.best?.gain ?? 0));
    const leaf = open.shift();
    const split = leaf?.best;
    if (leaf === undefined || split === undefined) break;
    const node = tree[leaf.node];
    if (node === undefined) break;
    const middle = (split.left.value + split.right.value) / 2;
    const direction = options.monotone[split.feature] ?? 0;
    const bounds = (isLeft: boolean): [number, number] => {
      if (direction === 0) return [leaf.low, leaf.high];
      return isLeft === direction > 0 ? [leaf.low, middle] : [middle, leaf.high];
    };
    const [low, high] = parted(data, leaf.rows, split);
    const [lowSums, highSums] = partedSums(growing, leaf.sums, low, high);
    const left = leafOf(low, lowSums, ...bounds(true));
    const right = leafOf(high, highSums, ...bounds(false));
    Object.assign(node, { feature: split.feature, limit: split.limit, left: left.node, right: right.node });
    open.push(left, right);
  }
  return tree;
}

function totals({ g, h }: Growing, rows: Int32Array): [g: number, h: number] {
  let [sumG, sumH] = [0, 0];
  for (const row of rows) {
    sumG += g[row] ?? 0;
    sumH += h[row] ?? 0;
  }
  return [sumG, sumH];
}

function parted(
  { values, features }: BoostRows,
  rows: Int32Array,
  { feature, limit }: Split,
): [low: Int32Array, high: Int32Array] {
  const isLow = (row: number): boolean => (values[row * features + feature] ?? 0) <= limit;
  return [rows.filter(isLow), rows.filter((row) => !isLow(row))];
}

function sumsOf(
  { data: { values, features: width }, g, h, features }: Growing,
  rows: Int32Array,
): Float64Array {
  const sums = new Float64Array(features.length * BINS * 2);
  for (const row of rows) {
    const [rowG, rowH, start] = [g[row] ?? 0, h[row] ?? 0, row * width];
    for (let index = 0; index < features.length; index++) {
      const at = (index * BINS + (values[start + (features[index] ?? 0)] ?? 0) + OFFSET) * 2;
      sums[at] = (sums[at] ?? 0) + rowG;
      sums[at + 1] = (sums[at + 1] ?? 0) + rowH;
    }
  }
  return sums;
}

/** Only the smaller half is summed up; the rest is what is left of the whole. */
function partedSums(
  growing: Growing,
  whole: Float64Array,
  low: Int32Array,
  high: Int32Array,
): [low: Float64Array, high: Float64Array] {
  const isLowLess = low.length < high.length;
  const less = sumsOf(growing, isLowLess ? low : high);
  const rest = whole;
  for (let at = 0; at < rest.length; at += 2) {
    const h = (rest[at + 1] ?? 0) - (less[at + 1] ?? 0);
    // What rounding leaves of nothing is nothing.
    const isNone = h < ROUNDING;
    rest[at] = isNone ? 0 : (rest[at] ?? 0) - (less[at] ?? 0);
    rest[at + 1] = isNone ? 0 : h;
  }
  return isLowLess ? [less, rest] : [rest, less];
}

function bestSplit(leaf: Leaf, { features, options }: Growing): Split | undefined {
  let best: Split | undefined;
  const { sums } = leaf;
  const whole = gainOf(leaf.g, leaf.h, options);
  for (const [index, feature] of features.entries()) {
    let [leftG, leftH] = [0, 0];
    for (let bin = 0; bin < BINS - 1; bin++) {
      const at = (index * BINS + bin) * 2;
      if (sums[at + 1] === 0) continue;
      leftG += sums[at] ?? 0;
      leftH += sums[at + 1] ?? 0;
      const [rightG, rightH] = [leaf.g - leftG, leaf.h - leftH];
      if (leftH < options.leastWeight) continue;
      if (rightH < options.leastWeight) break;
      const gain = gainOf(leftG, leftH, options) + gainOf(rightG, rightH, options) - whole;
      if (gain <= (best?.gain ?? LEAST_GAIN)) continue;
      const left = clamp(step(leftG, leftH, options), leaf.low, leaf.high);
      const right = clamp(step(rightG, rightH, options), leaf.low, leaf.high);
      if ((right - left) * (options.monotone[feature] ?? 0) < 0) continue;
      best = {
        feature,
        limit: bin - OFFSET,
        gain,
        left: { g: leftG, h: leftH, value: left },
        right: { g: rightG, h: rightH, value: right },
      };
    }
  }
  return best;
}

function step(g: number, h: number, { ridge }: BoostOptions): number {
  return g / (h + ridge);
}

function gainOf(g: number, h: number, { ridge }: BoostOptions): number {
  return (g * g) / (h + ridge);
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
