// Redaction: cuts secrets out of a text before a model, a log or a page sees it. It looks for the exact secrets of this
// host's configuration; where the prefilter says so, it also runs the maintained rules and our own. The spans of an
// event are found once and stored, and every reader cuts them out of the stored text. All of it is synchronous, so
// that a logger can use it.
import { joinedLines, type Rewritten, undisguised } from '../../protocol/plain-form.ts';
import { findByMaintainedRules, loadMaintainedRules } from './maintained-rules.ts';
import { findByOwnRules, madeByMachine, RULES_ACROSS_LINES } from './own-rules.ts';
import { hasLongRun, mayHoldSecret } from './secret-anchors.ts';

/** Offsets of one secret in a text, in UTF-16 code units, end exclusive. LogRow.secrets stores them in this form. */
export type Span = readonly [start: number, end: number];
export type Spans = readonly Span[];

export const REDACTED = '[redacted]';

export interface Redactor {
  findSecrets: (text: string) => Spans;
  /** Finds secrets and cuts them out, for texts that are not stored: log lines, error messages. */
  clean: (text: string) => string;
  /** A further secret of this host, from now on. */
  learn: (value: string) => void;
  /** Loads the maintained rules now and not when a text first needs them. */
  warm: () => void;
  /** Positions in `exact` of values that are too short to search for. Warn about them by name, never by value. */
  tooShort: readonly number[];
}

export const REDACT_LIMITS = {
  /** The least length of an exact value. A shorter one would match inside ordinary words. */
  exactChars: 6,
  /** Texts without a secret that are remembered (a power of two), and how long one may be. Names and ids come again and again. */
  remembered: 4_096,
  rememberedChars: 256,
} as const;

export function createRedactor({ exact = [] }: { exact?: readonly string[] } = {}): Redactor {
  let { needles, runs, others } = needlesOf(exact);
  const known = new Set(exact);
  const configured = (text: string): Spans =>
    findExact(text, runs.length > 0 && hasLongRun(text) ? needles : others);
  const findIn = (text: string): Spans => {
    const exactly = configured(text);
    if (!mayHoldSecret(text)) return exactly;
    return [...exactly, ...findByOwnRules(text), ...findByMaintainedRules(text)];
  };
  const findAll = (text: string): Spans => {
    const found = findIn(text);
    if (!NOT_PLAIN.test(text)) return mergeSpans(found);
    const plain = undisguised(text);
    const inPlain = plain === undefined ? NONE : findIn(plain.text);
    const read = plain?.text ?? text;
    const joined = joinedLines(read);
    const across = joined === undefined ? NONE : acrossLines(read, joined, configured(joined.text));
    if (plain === undefined) return mergeSpans(across.length === 0 ? found : [...found, ...across]);
    return mergeSpans([
      ...found,
      ...[...inPlain, ...across].map(([start, end]) => plain.original(start, end)),
    ]);
  };
  const innocent: string[] = Array.from({ length: REDACT_LIMITS.remembered }, () => '');
  const findOnce = (text: string): Spans => {
    if (text.length < REDACT_LIMITS.exactChars) return NONE;
    if (text.length > REDACT_LIMITS.rememberedChars) return findAll(text);
    const slot = slotOf(text);
    if (innocent[slot] === text) return NONE;
    const found = findAll(text);
    if (found.length === 0) innocent[slot] = text;
    return found;
  };
  return {
    findSecrets: findOnce,
    clean: (text) => redact(text, findOnce(text)),
    learn(value) {
      if (known.has(value)) return;
      known.add(value);
      innocent.fill('');
      ({ needles, runs, others } = needlesOf([...known]));
    },
    warm: loadMaintainedRules,
    tooShort: exact.flatMap((value, index) => (longEnough(value) ? [] : [index])),
  };
}

/** Neither in disguise nor in several lines: nearly every text and id. */
const NOT_PLAIN = /[^ -~]/;

/** A place by some of the letters. A table of fixed size costs a tenth of a Set that is filled and emptied. */
function slotOf(text: string): number {
  let slot = text.length;
  const step = Math.max(1, text.length >> 4);
  for (let at = text.length - 1; at >= 0; at -= step) slot = (slot * 31 + text.charCodeAt(at)) | 0;
  return (slot ^ (slot >>> 12)) & (REDACT_LIMITS.remembered - 1);
}

/** What line breaks part, as spans of the text with its lines. `exactly`: what was found exactly in the joined lines. */
function acrossLines(text: string, joined: Rewritten, exactly: Spans): Spans {
  const byRules = mayHoldSecret(joined.text) ? findByOwnRules(joined.text, RULES_ACROSS_LINES) : NONE;
  const parted = (spans: Spans): Spans =>
    spans
      .filter(([start, end]) => joined.isChanged(start, end))
      .map(([start, end]) => joined.original(start, end));
  return [...parted(exactly), ...parted(byRules).map(([start, end]) => withoutNextLines(text, start, end))];
}

const LAST_BREAK = /\s*[\n\r\v\f\u0085\u2028\u2029][\s\u0085>|]*(?<line>[^\n\r\v\f\u0085\u2028\u2029]*)$/;

/** Lines that are given back at most. Chat is untrusted, and each costs a search. */
const NEXT_LINES = 4;

/** Where the secret is one without its last line too and that line reads like a word, the line is the next sentence. */
function withoutNextLines(text: string, start: number, end: number): Span {
  let said = text.slice(start, end);
  for (let tried = 0; tried < NEXT_LINES; tried++) {
    const last = LAST_BREAK.exec(said);
    if (last === null || madeByMachine(last.groups?.['line'] ?? '')) break;
    const before = said.slice(0, last.index);
    const whole = joinedLines(before)?.text ?? before;
    const found = findByOwnRules(whole, RULES_ACROSS_LINES);
    if (!found.some(([from, to]) => from === 0 && to === whole.length)) break;
    said = before;
  }
  return [start, start + said.length];
}

function needlesOf(exact: readonly string[]): Record<'needles' | 'runs' | 'others', string[]> {
  const needles = [...new Set(exact.filter(longEnough).flatMap(spellings))];
  // A generated secret is itself a long run, so a text without a long run cannot hold one.
  const runs = needles.filter((needle) => /^[!-~]*$/.test(needle) && hasLongRun(needle));
  return { needles, runs, others: needles.filter((needle) => !runs.includes(needle)) };
}

/** The spans of everything that looks like a secret, in order, without overlaps. */
export const findSecrets: (text: string) => Spans = createRedactor().findSecrets;

const NONE: readonly Span[] = [];

function findExact(text: string, needles: readonly string[]): readonly Span[] {
  let found: Span[] | undefined;
  for (const needle of needles) {
    for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) {
      (found ??= []).push([at, at + needle.length]);
    }
  }
  return found ?? NONE;
}

function longEnough(value: string): boolean {
  return value.length >= REDACT_LIMITS.exactChars;
}

/** The value as it is, as an address writes it, and as JSON writes it. */
function spellings(value: string): string[] {
  return [value, encodeURIComponent(value.toWellFormed()), JSON.stringify(value).slice(1, -1)];
}

/** Replaces each span with the mark. Spans may overlap, and may come from an older, longer version of the text. */
export function redact(
  text: string,
  spans: Spans,
  mark: string | ((secret: string) => string) = REDACTED,
): string {
  if (spans.length === 0) return text;
  let out = '';
  let from = 0;
  for (const [start, end] of mergeSpans(spans)) {
    if (start >= text.length) break;
    out += text.slice(from, start) + (typeof mark === 'string' ? mark : mark(text.slice(start, end)));
    from = end;
  }
  return out + text.slice(from);
}

/** The same spans in order, with overlapping and touching ones joined. */
function mergeSpans(spans: Spans): Spans {
  if (spans.length < 2) return spans;
  const merged: [number, number][] = [];
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}
