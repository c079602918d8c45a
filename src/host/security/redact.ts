// Secrets out of text before a model, a log or a page sees it: a cheap look for anchors, the
// maintained rules and our own on a hit, and the exact values this host was configured with. Synchronous throughout,
// so that a logger can use it.
import { findByMaintainedRules, loadMaintainedRules } from './maintained-rules.ts';
import { findByOwnRules } from './own-rules.ts';
import { hasLongRun, mayHoldSecret } from './secret-anchors.ts';
import { mergeSpans, redact, type Span, type Spans } from './spans.ts';

export { REDACTED, redact, type Span, type Spans } from './spans.ts';

export interface Redactor {
  findSecrets: (text: string) => Spans;
  /** Finds and cuts out in one go, for what is not stored: log lines, error messages. */
  clean: (text: string) => string;
  /** Loads the maintained rules now instead of on the first hit. */
  warm: () => void;
  /** Positions in `exact` of values too short to look for: warn about them by name, never by value. */
  tooShort: readonly number[];
}

export const REDACT_LIMITS = {
  /** A shorter value would be found in ordinary words. */
  exactChars: 6,
} as const;

export function createRedactor({ exact = [] }: { exact?: readonly string[] } = {}): Redactor {
  const needles = [...new Set(exact.filter(longEnough).flatMap(spellings))];
  // Generated secrets are long runs themselves: most texts need not be searched for any of them.
  const runs = needles.filter((needle) => /^[!-~]*$/.test(needle) && hasLongRun(needle));
  const others = needles.filter((needle) => !runs.includes(needle));
  const findAll = (text: string): Spans => {
    const configured = findExact(text, runs.length > 0 && hasLongRun(text) ? needles : others);
    if (!mayHoldSecret(text)) return mergeSpans(configured);
    return mergeSpans([...configured, ...findByOwnRules(text), ...findByMaintainedRules(text)]);
  };
  return {
    findSecrets: findAll,
    clean: (text) => redact(text, findAll(text)),
    warm: loadMaintainedRules,
    tooShort: exact.flatMap((value, index) => (longEnough(value) ? [] : [index])),
  };
}

/** Spans of everything that looks like a secret, in order, none overlapping. */
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

/** As it is, inside an address, inside JSON. */
function spellings(value: string): string[] {
  return [value, encodeURIComponent(value.toWellFormed()), JSON.stringify(value).slice(1, -1)];
}
