// Whether a soak was flat. Slices of the run after its warm-up are put into thirds; the median of the last third must not
// be above that of the first by more than a tolerance. A median does not mind that one slice was disturbed by the machine;
// what grows with time moves all of the last ones. Memory besides V8 is compared by its lowest value instead, because malloc
// gives pages back when it likes; what leaks is never given back.
import { median } from '../measure.ts';

/** One slice of the run. Times in ms, sizes in bytes. */
export interface Slice {
  p99Ms: number;
  rss: number;
  /** What a collection leaves of the heap, and of buffers outside it. */
  heapFloor: number;
  externalFloor: number;
  /** What the process has besides V8 (native-memory.ts): SQLite's pages, buffers, what malloc keeps. Undefined: not known. */
  nativeBytes: number | undefined;
  dbBytes: number;
  /** Pages of the file that hold something. */
  dbUsedBytes: number;
  walBytes: number;
  /** For how much of the slice the host waited for a processor that others had. */
  waited: number;
}

export type Judged = Exclude<keyof Slice, 'waited'>;

export interface Compared {
  what: Judged;
  first: number;
  last: number;
  most: number;
  /** Undefined: the machine was too busy with other work to say, or it cannot be measured here. */
  isFlat: boolean | undefined;
}

const MB = 1_048_576;

/** How much more the last third may have: a share of the first, and an amount for what is small. */
export const TOLERANCES: Readonly<Record<Exclude<Judged, 'dbBytes'>, { share: number; amount: number }>> = {
  p99Ms: { share: 0.5, amount: 5 },
  rss: { share: 0.15, amount: 16 * MB },
  heapFloor: { share: 0.1, amount: 4 * MB },
  externalFloor: { share: 0.1, amount: 4 * MB },
  nativeBytes: { share: 0.1, amount: 16 * MB },
  dbUsedBytes: { share: 0.1, amount: 8 * MB },
  walBytes: { share: 0.25, amount: 64 * MB },
};
/**
 * A file keeps the size of its fullest moment, so it is not compared with itself: what is in use must be flat, and the
 * file at most so much larger than what was ever in use. More means that free pages are not used again.
 */
export const FILE_TOLERANCE = { share: 0.25, amount: 16 * MB };
/** In a slice with more of it, a time says more about the machine than about the host. */
export const CALM_WAITED = 0.1;

/** Fewer slices in a third say nothing. */
export const SLICES_MIN = 3;

/** Undefined when there are too few slices. */
export function compareThirds(slices: readonly Slice[]): Compared[] | undefined {
  const third = Math.floor(slices.length / 3);
  if (third < SLICES_MIN) return undefined;
  const [early, late] = [slices.slice(0, third), slices.slice(-third)];
  const names = Object.keys(TOLERANCES) as (keyof typeof TOLERANCES)[];
  return [...names.map((what) => grown(what, early, late)), fileOf(slices, late)];
}

function grown(what: keyof typeof TOLERANCES, early: readonly Slice[], late: readonly Slice[]): Compared {
  const isTime = what === 'p99Ms';
  const counted = (all: readonly Slice[]) =>
    isTime ? all.filter(({ waited }) => waited <= CALM_WAITED) : all;
  const [before, after] = [counted(early), counted(late)];
  const typical = what === 'nativeBytes' ? lowest : median;
  const first = typical(before.map((slice) => slice[what] ?? Number.NaN));
  const last = typical(after.map((slice) => slice[what] ?? Number.NaN));
  const { share, amount } = TOLERANCES[what];
  const most = first * (1 + share) + amount;
  const isEnough = Math.min(before.length, after.length) >= (isTime ? 2 : 1) && !Number.isNaN(first + last);
  return { what, first, last, most, isFlat: isEnough ? last <= most : undefined };
}

const lowest = (values: readonly number[]): number => Math.min(...values);

function fileOf(all: readonly Slice[], late: readonly Slice[]): Compared {
  const first = Math.max(...all.map(({ dbUsedBytes }) => dbUsedBytes));
  const last = median(late.map(({ dbBytes }) => dbBytes));
  const most = first * (1 + FILE_TOLERANCE.share) + FILE_TOLERANCE.amount;
  return { what: 'dbBytes', first, last, most, isFlat: last <= most };
}
