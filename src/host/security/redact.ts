// Redaction: cuts secrets out of a text before a model, a log or a page sees it. It looks for the exact secrets of this
// host's configuration; where the prefilter says so, it also runs the maintained rules and our own. The spans of an
// event are found once and stored, and every reader cuts them out of the stored text. All of it is synchronous, so
// that a logger can use it.
import { findByMaintainedRules, loadMaintainedRules } from './maintained-rules.ts';
import { findByOwnRules } from './own-rules.ts';
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
} as const;

export function createRedactor({ exact = [] }: { exact?: readonly string[] } = {}): Redactor {
  let { needles, runs, others } = needlesOf(exact);
  const known = new Set(exact);
  const findAll = (text: string): Spans => {
    const configured = findExact(text, runs.length > 0 && hasLongRun(text) ? needles : others);
    if (!mayHoldSecret(text)) return mergeSpans(configured);
    return mergeSpans([...configured, ...findByOwnRules(text), ...findByMaintainedRules(text)]);
  };
  return {
    findSecrets: findAll,
    clean: (text) => redact(text, findAll(text)),
    learn(value) {
      if (known.has(value)) return;
      known.add(value);
      ({ needles, runs, others } = needlesOf([...known]));
    },
    warm: loadMaintainedRules,
    tooShort: exact.flatMap((value, index) => (longEnough(value) ? [] : [index])),
  };
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
export function redact(text: string, spans: Spans, mark: string = REDACTED): string {
  if (spans.length === 0) return text;
  let out = '';
  let from = 0;
  for (const [start, end] of mergeSpans(spans)) {
    if (start >= text.length) break;
    out += text.slice(from, start) + mark;
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
