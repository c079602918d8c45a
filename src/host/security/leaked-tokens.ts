// Tokens of this host that somebody writes in chat. Whoever reads along could use one, so it is revoked in the unit that
// stores the event. Only the whole token counts: a row is found by the hash of all of it, so nobody can revoke another's
// token by guessing or by its first letters.
import { joinedLines, undisguised } from '../../protocol/plain-form.ts';
import { TOKEN_CHARS, TOKEN_IN_TEXT, tokenKey } from './tokens.ts';

/** Tokens that are looked up for one event. */
export const LEAKED_MAX = 64;

/** The keys of everything in the value that has the shape of a token, also in disguise and across lines. */
export function tokenKeysIn(value: unknown): readonly string[] {
  const found = new Set<string>();
  collect(value, found);
  return found.size === 0 ? NONE : [...found].slice(0, LEAKED_MAX).map(tokenKey);
}

const NONE: readonly string[] = [];

function collect(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') {
    if (value.length >= TOKEN_CHARS) collectText(value, found);
  } else if (typeof value === 'object' && value !== null) {
    for (const key in value) collect((value as Record<string, unknown>)[key], found);
  }
}

function collectText(text: string, found: Set<string>): void {
  const plain = undisguised(text)?.text ?? text;
  const forms = [text, plain, joinedLines(plain)?.text ?? plain];
  for (const form of new Set(forms)) {
    if (!form.includes('ear_')) continue;
    for (const [token] of form.matchAll(TOKEN_IN_TEXT)) found.add(token);
  }
}
