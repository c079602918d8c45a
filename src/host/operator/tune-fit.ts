// Fits an agent's dial and bias to corrections. A correction says what should have been done with a line that was likely
// for the agent by so much. Lines that nobody corrected count a little too, as they were decided, so that a few complaints
// do not undo what works. How sure it is comes from drawing the corrections again, with a fixed seed.
import { ATTENTION_BIAS_MOST, SURE, engagesFrom } from '../../attention/index.ts';
import type { Fitted } from '../../protocol/tune-api.ts';
import { type Random, seededRandom } from '../../runtime/random.ts';

/** How likely the line was for the agent before any bias, in thousandths, and whether it should have answered. */
export interface Weighed {
  probability: number;
  answer: boolean;
}

export interface Dial {
  attention: number;
  bias: number;
}

export interface Fit {
  dial: Dial;
  attention: Fitted;
  bias: Fitted;
  sure: number;
  right: { now: number; fitted: number };
  interval: { low: number; high: number };
}

/** With fewer corrections nothing moves. */
export const CORRECTIONS_LEAST = 8;
/** The share of draws that must move the same way. */
export const SURE_ENOUGH = 0.9;

const DRAWS = 200;
const SEED = 18;
const LOW = 0.05;
const HIGH = 0.95;
/** What a line that nobody corrected weighs, at most; all of them together weigh no more than half the corrections. */
const UNCORRECTED = 0.1;
/** What a move costs, as a share of the corrections: half the dial, or a bias of 1. */
const STEP_COST = 0.03;

/** What is lost when the agent is woken, may answer, or is left alone, by what it should have done. */
const LOSS = {
  answer: { not: 1, unsure: 0.25, sure: 0 },
  quiet: { not: 0, unsure: 0.5, sure: 1 },
} as const;

const ATTENTIONS = Array.from({ length: 19 }, (_, index) => 5 * (index + 1));
const BIASES = Array.from({ length: 17 }, (_, index) => index * 0.25 - 2);

/** A dial with the probabilities without bias from which it wakes the agent, and from which it is sure. */
interface Cuts extends Dial {
  cut: number;
  sure: number;
}

const cutsOf = (dial: Dial): Cuts => {
  const cut = cutOf(dial);
  return { ...dial, cut, sure: Math.max(cut, shifted(SURE, dial.bias)) };
};

export function fitDial(corrected: readonly Weighed[], uncorrected: readonly Weighed[], now: Dial): Fit {
  const share = uncorrected.length === 0 ? 0 : corrected.length / (2 * uncorrected.length);
  const background = tally(uncorrected, Math.min(UNCORRECTED, share));
  const best = bestFor([tally(corrected, 1), background], corrected.length, now);
  const random = seededRandom(SEED);
  const draws = Array.from({ length: DRAWS }, () => {
    const drawn = corrected.map(() => corrected[Math.floor(random.next() * corrected.length)] as Weighed);
    return bestFor([tally(drawn, 1), background], corrected.length, now);
  });
  const way = Math.sign(cutOf(now) - cutOf(best));
  const same = draws.filter((one) => way !== 0 && Math.sign(cutOf(now) - cutOf(one)) === way);
  return {
    dial: best,
    attention: fitted(
      now.attention,
      best.attention,
      draws.map(({ attention }) => attention),
    ),
    bias: fitted(
      now.bias,
      best.bias,
      draws.map(({ bias }) => bias),
    ),
    sure: same.length / DRAWS,
    right: { now: rightUnder(corrected, now), fitted: rightUnder(corrected, best) },
    interval: shareOf(rightUnder(corrected, now), corrected.length, random),
  };
}

/** Where the true share is nine times in ten, when so many of so many were right and nothing was known before. */
function shareOf(right: number, all: number, random: Pick<Random, 'next'>): { low: number; high: number } {
  // A Beta of whole numbers is the n-th smallest of as many even draws.
  const shares = Array.from({ length: DRAWS }, () => {
    const even = Array.from({ length: all + 1 }, () => random.next()).toSorted((a, b) => a - b);
    return even[right] ?? 1;
  }).toSorted((a, b) => a - b);
  const at = (share: number): number => shares[Math.floor(share * (DRAWS - 1))] ?? 0;
  return { low: at(LOW), high: at(HIGH) };
}

function fitted(now: number, best: number, drawn: readonly number[]): Fitted {
  const sorted = drawn.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? best;
  return { now, fitted: best, low: at(LOW), high: at(HIGH) };
}

/** How many would have been decided as people want: woken, or left alone. */
function rightUnder(corrected: readonly Weighed[], dial: Dial): number {
  const cut = cutOf(dial);
  return corrected.filter(({ probability, answer }) => probability >= cut === answer).length;
}

/** Summed weights by probability: entry n is of all below n thousandths. */
interface Tally {
  answer: Float64Array;
  quiet: Float64Array;
}

const BINS = 1_001;

function tally(lines: readonly Weighed[], weight: number): Tally {
  const sums = { answer: new Float64Array(BINS + 1), quiet: new Float64Array(BINS + 1) };
  for (const { probability, answer } of lines) {
    const side = answer ? sums.answer : sums.quiet;
    side[probability + 1] = (side[probability + 1] ?? 0) + weight;
  }
  for (const side of [sums.answer, sums.quiet]) {
    for (let n = 1; n < side.length; n++) side[n] = (side[n] ?? 0) + (side[n - 1] ?? 0);
  }
  return sums;
}

function bestFor(tallies: readonly Tally[], count: number, now: Dial): Dial {
  let best = now;
  let least = lossOf(tallies, cutsOf(now));
  for (const cuts of CHOICES) {
    const { attention, bias } = cuts;
    const step = Math.abs(attention - now.attention) / 50 + Math.abs(bias - now.bias);
    const loss = lossOf(tallies, cuts) + STEP_COST * count * step;
    if (loss >= least) continue;
    least = loss;
    best = { attention, bias };
  }
  return best;
}

function lossOf(tallies: readonly Tally[], { cut, sure }: Cuts): number {
  let loss = 0;
  for (const sums of tallies) {
    for (const side of ['answer', 'quiet'] as const) {
      const below = sums[side][cut] ?? 0;
      const unsure = (sums[side][sure] ?? 0) - below;
      const above = (sums[side][BINS] ?? 0) - below - unsure;
      loss += below * LOSS[side].not + unsure * LOSS[side].unsure + above * LOSS[side].sure;
    }
  }
  return loss;
}

/** What a probability without bias must reach for the agent to be woken, in thousandths. */
function cutOf({ attention, bias }: Dial): number {
  return shifted(engagesFrom(attention), bias);
}

/** Which probability without bias becomes this one with it. */
function shifted(probability: number, bias: number): number {
  const kept = Math.min(999, Math.max(1, probability)) / 1_000;
  const odds = Math.log(kept / (1 - kept)) - Math.min(ATTENTION_BIAS_MOST, bias);
  return Math.round(1_000 / (1 + Math.exp(-odds)));
}

const CHOICES: readonly Cuts[] = ATTENTIONS.flatMap((attention) =>
  BIASES.map((bias) => cutsOf({ attention, bias })),
);
