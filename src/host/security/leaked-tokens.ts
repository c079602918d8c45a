// Tokens of this host that somebody writes in chat. Whoever reads along could use one, so it is revoked in the unit that
// stores the event. Only the whole token counts: a row is found by the hash of all of it, so nobody can revoke another's
// token by guessing or by its first letters.
import { joinedLines, undisguised } from '../../protocol/plain-form.ts';
import { REDACT_LIMITS, type Spans } from './redact.ts';
import { TOKEN_CHARS, TOKEN_IN_TEXT, tokenKey } from './tokens.ts';

/** Tokens that are looked up for one event. */
export const LEAKED_MAX = 64;

/** The keys of everything in the value that has the shape of a token, also in disguise and across lines. */
export function tokenKeysIn(value: object, find: (text: string) => Spans): readonly string[] {
  const texts = longTexts(value, undefined)?.filter((text) => text.includes(PREFIX) || mayHide(text, find));
  if (texts === undefined || texts.length === 0) return NONE;
  const found = new Set<string>();
  for (const text of texts) collect(text, found);
  return [...found].slice(0, LEAKED_MAX).map(tokenKey);
}

const NONE: readonly string[] = [];
const PREFIX = 'ear_';

/** A token in disguise is a secret. A short text is searched in any case, and the redactor remembers the outcome. */
function mayHide(text: string, find: (text: string) => Spans): boolean {
  return text.length > REDACT_LIMITS.rememberedChars || find(text).length > 0;
}

/**
 * The strings that are long enough for a token. Most events have none, or one. Values are read as a list, because every
 * event passes here: that takes 0.1 µs, `for in` 0.7 µs.
 */
function longTexts(value: object, found: string[] | undefined): string[] | undefined {
  let all = found;
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (typeof item === 'object' && item !== null) all = longTexts(item, all);
    else if (typeof item === 'string' && item.length >= TOKEN_CHARS) {
      all ??= [];
      all.push(item);
    }
  }
  return all;
}

function collect(text: string, found: Set<string>): void {
  const plain = undisguised(text)?.text;
  const joined = joinedLines(plain ?? text)?.text;
  for (const form of [text, plain, joined]) {
    if (form === undefined || !form.includes(PREFIX)) continue;
    for (const [token] of form.matchAll(TOKEN_IN_TEXT)) found.add(token);
  }
}
