// What the scorer remembers of a room: its last lines, how fast people write, and of each speaker the habits, an open
// question and what their last lines were about. Folded from records that name a version of the scorer, from no others:
// so a log of before gives the state that it gave then.
import { type AttentionDraft, type AttentionState, type Line, STATE_LIMITS, type Speaker } from '../state.ts';
import { KEPT_FORMS, LINE_FORM, type ReadLine } from './line.ts';
import { withWords } from './words.ts';

export interface NotedLine {
  author: string;
  /** Whom it was for, as far as is known. '': nobody. */
  to: string;
  /** It named them. */
  explicit: boolean;
  read: ReadLine;
  /** Since the line before, or undefined for the first. */
  gapMs: number | undefined;
}

/** Call it when `noteSpeaker` has put the author in front of the speakers and counted the line. */
export function noteLine(draft: AttentionDraft, { author, to, explicit, read, gapMs }: NotedLine): void {
  const form = (read.form & KEPT_FORMS & ~LINE_FORM.explicit) | (explicit ? LINE_FORM.explicit : 0);
  const line: Line = { author, to, form };
  // Without spreads: those grow a list step by step, and throw away what they outgrow.
  const lines = draft.lines.toSpliced(0, 0, line);
  if (lines.length > STATE_LIMITS.lines) lines.pop();
  draft.lines = lines;
  if (gapMs !== undefined) draft.pace = paced(draft.pace, gapMs);
  const [first] = draft.speakers;
  if (first?.key === author) noteHabits(first, line, read, draft.n);
}

/** Whoever has just spoken is new in the draft (`noteSpeaker`), so no copy is made. */
function noteHabits(speaker: Speaker, { to, form }: Line, { codes }: ReadLine, n: number): void {
  const full = speaker.said >= STATE_LIMITS.said;
  const said = full ? speaker.said >> 1 : speaker.said;
  const called = full ? speaker.called >> 1 : speaker.called;
  speaker.said = said + 1;
  speaker.called = called + ((form & LINE_FORM.explicit) === 0 ? 0 : 1);
  if ((form & LINE_FORM.asks) !== 0 && to === '') speaker.askedN = n;
  speaker.words = withWords(speaker.words, codes, STATE_LIMITS.words);
}

/**
 * Somebody deleted a message. What they said cannot be taken apart any more, so all of it is forgotten: then a state that is
 * rebuilt from the log, in which those words are gone, is the same.
 */
export function forgotten(state: AttentionState, author: string): Pick<AttentionState, 'lines' | 'speakers'> {
  return {
    lines: state.lines.filter((line) => line.author !== author),
    speakers: state.speakers.map((speaker) =>
      speaker.key === author ? { ...speaker, said: 0, called: 0, askedN: 0, words: '' } : speaker,
    ),
  };
}

/** Goes a quarter of a power of two towards what is new, so one long pause does not make a slow room. */
const STEP = 2;

function paced(pace: number, gapMs: number): number {
  const now = eighths(gapMs);
  if (pace === 0) return now;
  return now > pace ? Math.min(now, pace + STEP) : Math.max(now, pace - STEP);
}

const SECOND_MS = 1_000;
const MOST_SECONDS = 2 ** 24;

/** The logarithm of a time in seconds, plus one, in eighths of powers of two. By shifts: the same on every machine. */
export function eighths(ms: number): number {
  const seconds = Math.min(MOST_SECONDS, Math.max(0, Math.floor(ms / SECOND_MS))) + 1;
  const power = 31 - Math.clz32(seconds);
  return power * 8 + (((seconds << 3) >>> power) & 7);
}
