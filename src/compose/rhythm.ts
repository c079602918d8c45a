// How somebody writes: how often they soon add a line to what they have just said, and after how long. The compose window
// waits longer for those who do it within seconds. For those who take longer, an answer that is ready waits: meanwhile the
// model has worked, so they lose less time than in a window. Pure, like the fold: whoever sees every line of a conversation
// folds it, one for each author. Bounded: ten small counts.

export interface Rhythm {
  readonly lastAt: number;
  /** They have been answered since. What they say next is another thought. */
  readonly answered: boolean;
  /** Lines that count, at most `fullLines`. */
  readonly lines: number;
  /** How many of these came within each of `GAP_EDGES_MS` of the line before. */
  readonly gaps: readonly number[];
}

export const RHYTHM_LIMITS = {
  /** Then everything is halved, so that old habits fade. */
  fullLines: 32,
  /** Whoever has said less is unknown. */
  knownLines: 3,
} as const;

/** The drafts let a window wait for 5 s. */
export const WINDOW_EDGES_MS = [1_000, 2_000, 3_000, 4_000, 5_000];
/** Longer than the last one, a gap counts for nothing: an answer should come. */
export const GAP_EDGES_MS = [...WINDOW_EDGES_MS, 7_500, 10_000, 15_000, 20_000, 30_000];

const LONGEST_GAP_MS = Math.max(...GAP_EDGES_MS);

/** A share of lines, in whole numbers. */
interface Share {
  added: number;
  of: number;
}
/** Who adds something to fewer lines than these is waited for as usual. */
const FOR_WINDOW: Share = { added: 1, of: 4 };
/**
 * Waiting with a ready answer takes longer, so it must be likelier to pay: with one line in four nearly every second answer
 * came later than before, with this share every third one does (docs/scoring.md, Thoughts).
 */
const FOR_ANSWER: Share = { added: 3, of: 10 };
/** Nine gaps of ten are waited for. */
const COVERED = 0.9;

export function noteSaid(before: Rhythm | undefined, at: number): Rhythm {
  if (before === undefined) return { lastAt: at, answered: false, lines: 0, gaps: GAP_EDGES_MS.map(() => 0) };
  const full = before.lines >= RHYTHM_LIMITS.fullLines;
  const gaps = full ? before.gaps.map((count) => count >> 1) : before.gaps;
  const lines = (full ? before.lines >> 1 : before.lines) + 1;
  const place = before.answered ? -1 : placeOf(at - before.lastAt);
  return {
    lastAt: at,
    answered: false,
    lines,
    gaps: place < 0 ? gaps : gaps.with(place, (gaps[place] ?? 0) + 1),
  };
}

/** The first edge that the gap is within; -1 for a longer one. */
function placeOf(gapMs: number): number {
  if (gapMs > LONGEST_GAP_MS) return -1;
  return GAP_EDGES_MS.findIndex((edge) => gapMs <= edge);
}

export function noteAnswered(before: Rhythm): Rhythm {
  return before.answered ? before : { ...before, answered: true };
}

/** Within what time they usually add something, for a window. Undefined: they seldom do, or nobody knows yet. */
export function goesOnMs(rhythm: Rhythm | undefined): number | undefined {
  return within(rhythm, WINDOW_EDGES_MS, FOR_WINDOW);
}

/** The same, for whoever takes longer than a window may wait. Undefined: they do not. */
export function addsWithinMs(rhythm: Rhythm | undefined): number | undefined {
  const ms = within(rhythm, GAP_EDGES_MS, FOR_ANSWER);
  return ms !== undefined && ms > Math.max(...WINDOW_EDGES_MS) ? ms : undefined;
}

function within(rhythm: Rhythm | undefined, edges: readonly number[], share: Share): number | undefined {
  if (rhythm === undefined || rhythm.lines < RHYTHM_LIMITS.knownLines) return undefined;
  const { lines, gaps } = rhythm;
  let added = 0;
  for (let i = 0; i < edges.length; i++) added += gaps[i] ?? 0;
  if (added * share.of < lines * share.added) return undefined;
  let covered = 0;
  return edges.find((_, i) => (covered += gaps[i] ?? 0) >= added * COVERED);
}
