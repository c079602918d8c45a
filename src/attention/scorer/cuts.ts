// The trees of a version, laid out for speed (QuickScorer, Lucchese et al., SIGIR 2015). A tree is as many cuts as it has
// inner nodes: a cut that is passed rules out the leaves on the first side of the node, and the first leaf of a tree that
// nothing ruled out is where the walk from its root would end. The first side is where a usual value goes (usual.ts), so
// only cuts between the usual value and the value are passed. Of each value the cuts are looked up, and what led to each
// leaf is worked out beforehand. Whole numbers, so the sums are those of the walk, whatever is usual.
import type { ScorerParameters } from './score.ts';
import { OF_LINE, usualOf } from './usual.ts';

export interface Cuts {
  /** Of each feature that is asked four numbers: its place, its lowest limit, how many values differ, their place in `spans`. */
  readonly asked: Int32Array;
  /** Where those end that do not depend on the candidate. */
  readonly ofLine: number;
  /** Of each value two numbers: its first cut, and where its cuts end. */
  readonly spans: Uint16Array;
  /** Of each cut its tree, and the leaves that remain. */
  readonly trees: Places;
  readonly remain: Int32Array;
  /** Of each leaf its score. A tree has MOST_LEAVES places. */
  readonly scores: Int16Array;
  /** What each feature added, or took away, where every tree ends in its first leaf. */
  readonly usualShares: Int32Array;
  /** Of each leaf the place of its first step. They end where those of the next leaf begin. */
  readonly stepsFrom: Places;
  /** A feature, in STEP_BITS, and above them how much more it added on the way to this leaf than to the first one. */
  readonly steps: Int32Array;
  /** Scratch: the leaves of each tree that remain, for the features `of`. */
  readonly leaves: Int32Array;
  /** Scratch: of each feature what it added. */
  readonly shares: Int32Array;
  of: ArrayLike<number> | undefined;
  /** Scratch: the values that do not depend on the candidate, and what remained with them. */
  readonly lineValues: Int32Array;
  readonly lineLeaves: Int32Array;
  ruled: boolean;
}

/** The smaller the lists are, the more of them stays near the processor. */
type Places = Uint8Array | Uint16Array | Uint32Array;

function compact(places: readonly number[]): Places {
  const most = places.reduce((one, other) => Math.max(one, other), 0);
  if (most < 1 << 8) return Uint8Array.from(places);
  return most < 1 << 16 ? Uint16Array.from(places) : Uint32Array.from(places);
}

/** As 16 bits can count: eight in log-odds. */
const MOST_SCORE = 32_767;
/** As many as an integer has bits. */
export const MOST_LEAVES = 32;
/** Numbers of a node (score.ts). */
export const NODE_SIZE = 5;
/** The bits of a step that say which feature: more than there are features. */
export const STEP_BITS = 7;
export const STEP_MASK = 127;

/** An inner node. */
interface Cut {
  feature: number;
  limit: number;
  tree: number;
  remain: number;
}

export function cutsOf({ nodes, roots, features }: ScorerParameters): Cuts {
  const usual = features.map(usualOf);
  const places = roots.length * MOST_LEAVES;
  const scores = new Int16Array(places);
  const stepsFrom = Array.from({ length: places + 1 }, () => 0);
  if (features.length > STEP_MASK) throw new Error(`more than ${STEP_MASK} features`);
  const usualShares = new Int32Array(features.length);
  const steps: number[] = [];
  const inner: Cut[] = [];
  for (const [tree, root] of roots.entries()) {
    const first = tree * MOST_LEAVES;
    const added = new Int32Array(features.length);
    const addedFirst = new Int32Array(features.length);
    let leaf = 0;
    /** Answers with the leaves below the node. */
    const walk = (at: number): number => {
      const feature = nodes[at] ?? -1;
      const limit = nodes[at + 1] ?? 0;
      const score = nodes[at + 4] ?? 0;
      if (feature < 0) {
        if (leaf >= MOST_LEAVES) throw new Error(`a tree has more than ${MOST_LEAVES} leaves`);
        if (Math.abs(score) > MOST_SCORE) throw new Error(`a leaf has more than ${MOST_SCORE}`);
        scores[first + leaf] = score;
        stepsFrom[first + leaf] = steps.length;
        if (leaf === 0) {
          addedFirst.set(added);
          for (const [asked, share] of added.entries())
            usualShares[asked] = (usualShares[asked] ?? 0) + share;
        }
        for (const [asked, share] of added.entries()) {
          const more = share - (addedFirst[asked] ?? 0);
          if (more !== 0) steps.push((more << STEP_BITS) | asked);
        }
        return FIRST_LEAF >>> leaf++;
      }
      const below = (side: number): number => {
        const next = (nodes[at + side] ?? 0) * NODE_SIZE;
        const before = added[feature] ?? 0;
        added[feature] = before + (nodes[next + 4] ?? 0) - score;
        const leaves = walk(next);
        added[feature] = before;
        return leaves;
      };
      const [usually, otherwise] = (usual[feature] ?? 0) <= limit ? [AT_MOST, MORE] : [MORE, AT_MOST];
      const ruledOut = below(usually);
      inner.push({ feature, limit, tree, remain: ~ruledOut });
      return ruledOut | below(otherwise);
    };
    walk(root * NODE_SIZE);
    stepsFrom.fill(steps.length, first + leaf);
  }
  const laidOut = inOrder(inner, usual, features);
  return {
    ...laidOut,
    scores,
    usualShares,
    stepsFrom: compact(stepsFrom),
    steps: Int32Array.from(steps),
    leaves: new Int32Array(roots.length),
    shares: new Int32Array(features.length),
    of: undefined,
    lineValues: new Int32Array(laidOut.ofLine / ASKED_SIZE),
    lineLeaves: new Int32Array(roots.length),
    ruled: false,
  };
}

/** The highest bit: the first leaf that remains is where the zeros in front of it end. */
const FIRST_LEAF = 1 << (MOST_LEAVES - 1);

/** Where a node has its next nodes. */
const [AT_MOST, MORE] = [2, 3];

/** Of each feature the cuts above the usual value from there upwards, and those below it downwards. */
function inOrder(
  inner: readonly Cut[],
  usual: readonly number[],
  names: readonly string[],
): Pick<Cuts, 'asked' | 'ofLine' | 'spans' | 'trees' | 'remain'> {
  const byFeature = usual.map((): Cut[] => []);
  for (const cut of inner) byFeature[cut.feature]?.push(cut);
  const [asked, spans]: [number[], number[]] = [[], []];
  const cuts: Cut[] = [];
  const order = [...byFeature.keys()].filter((feature) => byFeature[feature]?.length !== 0);
  const isOfLine = (feature: number): boolean => OF_LINE.has(names[feature] ?? '');
  const first = order.filter(isOfLine);
  for (const feature of [...first, ...order.filter((one) => !isOfLine(one))]) {
    const own = byFeature[feature] ?? [];
    const middle = usual[feature] ?? 0;
    own.sort((a, b) => a.limit - b.limit);
    const above = own.filter(({ limit }) => limit >= middle);
    const below = own.filter(({ limit }) => limit < middle).toReversed();
    const least = own[0]?.limit ?? 0;
    // At most the lowest limit, above the highest, and what is between.
    const size = (own.at(-1)?.limit ?? 0) - least + 2;
    asked.push(feature, least, size, spans.length);
    const start = cuts.length;
    for (let value = least; value < least + size; value++) {
      const from = value > middle ? start : start + above.length;
      const passed =
        value > middle
          ? above.filter(({ limit }) => value > limit)
          : below.filter(({ limit }) => value <= limit);
      spans.push(from, from + passed.length);
    }
    cuts.push(...above, ...below);
  }
  if (cuts.length > MOST_CUTS) throw new Error(`more than ${MOST_CUTS} cuts`);
  return {
    asked: Int32Array.from(asked),
    ofLine: first.length * ASKED_SIZE,
    spans: Uint16Array.from(spans),
    trees: compact(cuts.map(({ tree }) => tree)),
    remain: Int32Array.from(cuts, ({ remain }) => remain),
  };
}

const ASKED_SIZE = 4;
/** As 16 bits can count. */
const MOST_CUTS = 65_535;

/** Leaves in `cuts.leaves` what remains for these features. */
export function rule(cuts: Cuts, features: ArrayLike<number>): void {
  const { asked, ofLine, leaves, lineValues, lineLeaves } = cuts;
  if (isSameLine(cuts, features)) leaves.set(lineLeaves);
  else {
    leaves.fill(-1);
    ruleOut(cuts, features, 0, ofLine);
    for (let which = 0; which < lineValues.length; which++) {
      lineValues[which] = features[asked[which * ASKED_SIZE] ?? 0] ?? 0;
    }
    lineLeaves.set(leaves);
    cuts.ruled = true;
  }
  ruleOut(cuts, features, ofLine, asked.length);
  cuts.of = features;
}

/** Whether what does not depend on the candidate is as it was the last time. */
function isSameLine({ ruled, asked, lineValues }: Cuts, features: ArrayLike<number>): boolean {
  if (!ruled) return false;
  for (let which = 0; which < lineValues.length; which++) {
    if (lineValues[which] !== features[asked[which * ASKED_SIZE] ?? 0]) return false;
  }
  return true;
}

function ruleOut(cuts: Cuts, features: ArrayLike<number>, from: number, to: number): void {
  const { asked, spans, trees, remain, leaves } = cuts;
  for (let which = from; which < to; which += ASKED_SIZE) {
    const above = (features[asked[which] ?? 0] ?? 0) - (asked[which + 1] ?? 0);
    // Without branches: no processor can foresee them.
    const value = Math.min(Math.max(above, 0), (asked[which + 2] ?? 0) - 1);
    const span = (asked[which + 3] ?? 0) + 2 * value;
    const end = spans[span + 1] ?? 0;
    for (let at = spans[span] ?? 0; at < end; at++) {
      const tree = trees[at] ?? 0;
      leaves[tree] = (leaves[tree] ?? 0) & (remain[at] ?? 0);
    }
  }
}

/** The first of the leaves that remain. */
export function firstOf(leaves: number): number {
  return Math.clz32(leaves);
}
