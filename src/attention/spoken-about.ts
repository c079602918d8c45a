// Whether a name at the start or the end of a message is called, or what the message is about. The words next to the
// name tell: "lead can you look" calls, "lead can do that" and "ask lead" talk about it. Where they leave it open, the
// name calls nobody.
import {
  ABOUT_AFTER,
  ABOUT_AFTER_TWO,
  ABOUT_AFTER_UNSPACED,
  ABOUT_BEFORE,
  ABOUT_BEFORE_TWO,
  ABOUT_ENDING,
  ADVERBS,
  ASKED_BEFORE,
  ASKING_AFTER,
  ASKS_AFTER,
  CALL_AFTER_UNSPACED,
  CALL_BEFORE_UNSPACED,
  FILLERS,
  HONORIFICS,
  LINKS,
  PAST,
  YOU,
} from './call-words.ts';
import { BLANKS, FIRST_SYMBOL, lastWord, skip, wordEnd } from './spoken-names.ts';
import { isUnbounded, isWordChar } from './text.ts';

/** What may follow a called name at once. After anything else it is part of a word, a path or a quotation. */
const AFTER_NAME = ' \t\n\u3000,:;!?.…、。~-–—)|>»';

/** The name that ends here, at the start, is what the message is about: "lead did …", "lead's build", "リードは …". */
export function isSubject(text: string, at: number): boolean {
  const after = text[at];
  if (after === undefined) return false;
  if (isUnbounded(after)) {
    const rest = text.slice(at, at + 8);
    const titled = HONORIFICS.some((title) => text.endsWith(title, at));
    return ABOUT_AFTER_UNSPACED.test(rest) || !(titled || CALL_AFTER_UNSPACED.test(rest));
  }
  if (isWordChar(after)) return false;
  if (!AFTER_NAME.includes(after) && after.charCodeAt(0) < FIRST_SYMBOL) return true;
  if (SENDER.test(text.slice(at, at + 80))) return true;
  return after === ' ' && isFollowedByVerb(text, behindAside(text, skip(text, at, BLANKS)));
}

/** A pasted message says so who wrote it: "Lead <lead@example.com> wrote", "lead  10:31 AM" alone on its line. */
const SENDER = /^[ \t]+(?:<[^<>\s]+@[^<>\s]*>|\[?\d{1,2}:\d{2}(?: ?[ap]m)?\]?[ \t]*\n)/;

/** "lead (the agent) is down". */
function behindAside(text: string, at: number): number {
  const close = text[at] === '(' ? text.indexOf(')', at) : -1;
  return close < 0 ? at : skip(text, close + 1, BLANKS);
}

function isFollowedByVerb(text: string, begin: number): boolean {
  const end = wordEnd(text, begin);
  const first = text.slice(begin, end);
  const second = text.slice(end + 1, wordEnd(text, end + 1));
  if (LINKS.has(first) && first !== 'or' && first !== 'plus') return true;
  if (isVerb(first) || ABOUT_AFTER_TWO.has(`${first} ${second}`)) return true;
  if (ADVERBS.has(first)) return isVerb(second) || ASKING_AFTER.has(second);
  if (!ASKING_AFTER.has(first)) return false;
  return !ASKS_AFTER.test(`${first} ${second}`) && !isPutToReader(clauseAt(text, begin));
}

export function isVerb(word: string): boolean {
  return ABOUT_AFTER.has(word) || PAST.test(word);
}

const CLAUSE = /^[^,.;!?…\n]*[?]?/;

/** Up to the next mark. What comes after it may be for somebody else: "jane is out, can you take it?". */
function clauseAt(text: string, at: number): string {
  return CLAUSE.exec(text.slice(at))?.[0] ?? '';
}

const NOT_WORD = /[^\p{L}\p{N}_]+/u;

export function isPutToReader(text: string): boolean {
  return text.trimEnd().endsWith('?') || text.split(NOT_WORD).some((word) => YOU.has(word));
}

const BEFORE_VOCATIVE = ',;!?.…、。—–)|>»\n';

/** What stands before a name at the end makes it a call: a mark, or a word after which names are not objects. */
export function isVocative(text: string, begin: number): boolean {
  const right = text[begin - 1] ?? '';
  if (isUnbounded(right)) return CALL_BEFORE_UNSPACED.test(text.slice(Math.max(0, begin - 16), begin));
  if (BEFORE_VOCATIVE.includes(right)) return right !== '.' && right !== ')';
  if (!BLANKS.includes(right)) return false;
  let at = begin;
  while (at > 0 && BLANKS.includes(text[at - 1] ?? '')) at--;
  if (at === 0) return false;
  const before = text[at - 1] ?? '';
  if (!isWordChar(before))
    return BEFORE_VOCATIVE.includes(before) || before === '-' || before.charCodeAt(0) >= FIRST_SYMBOL;
  const word = wordBefore(text, at);
  if (ABOUT_BEFORE.has(word)) return ASKED_BEFORE.test(text.slice(Math.max(0, at - 16), at));
  return !ABOUT_ENDING.test(word) && !ABOUT_BEFORE_TWO.test(text.slice(Math.max(0, at - 16), at));
}

/** The last word that ends here or before, without a filler: "frag mal lead". */
function wordBefore(text: string, end: number): string {
  const begin = lastWord(text, end);
  const word = text.slice(begin, end);
  return FILLERS.has(word) && begin > 1 ? text.slice(lastWord(text, begin - 1), begin - 1) : word;
}
