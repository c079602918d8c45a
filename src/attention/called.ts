// Whom a message calls by name, without an @. A name calls at the start of the message ("lead: …", "hey lead can you …")
// or at its end ("…, lead?"); in the middle it is talk about somebody (but see called-later.ts). A name at the start wins over
// one at the end.
// Read once per message, for all agents and for everybody who has spoken.
import { CONNECTIVES, LINKS, OPENERS, OPENERS_UNSPACED, isEveryday } from './call-words.ts';
import { CODE } from './own-words.ts';
import { isPutToReader, isSubject, isVocative } from './spoken-about.ts';
import {
  BLANKS,
  FIRST_SYMBOL,
  type FoundName,
  type KnownNames,
  lastWord,
  nameAt,
  nameBefore,
  skip,
  speakerAt,
  wordEnd,
} from './spoken-names.ts';
import { shortKey } from './state.ts';
import { isBehindTag, isUnbounded, isWordChar, namesAt } from './text.ts';

export interface Call {
  /** The keys of those who are called, in order. */
  keys: readonly string[];
  at: 'head' | 'end' | 'later';
  /** "lead:" or "lead,": the name stands for a mention. */
  marked: boolean;
}

/** Words before the first name that are looked at. */
const MAX_OPENERS = 5;
/** Names in a row that are looked at. */
const MAX_NAMES = 8;

export function calledIn(spoken: string, names: KnownNames): Call | undefined {
  const head = headOf(spoken, names);
  return head === 'taken' ? undefined : (head ?? callAtEnd(spoken, names));
}

// The start.

/** `taken`: the message begins with an @, which is read as a mention. */
function headOf(text: string, names: KnownNames): Call | 'taken' | undefined {
  let at = skipDecoration(text);
  let connected = false;
  for (let opened = 0; opened <= MAX_OPENERS && at < text.length; opened++) {
    if (text[at] === '@' && text[at + 1] === ' ') at = skip(text, at + 1, BLANKS);
    const char = text[at] ?? '';
    if (char === '@' || (char === '<' && text[at + 1] === '@')) return tagAt(text, at, names);
    const called = isWordChar(char) ? callAtHead(text, at, names) : callInBrackets(text, at, names);
    if (called !== undefined && (called.marked || !connected)) return called;
    const end = char === CODE ? at + 1 : openerEnd(text, at);
    if (end === at) return undefined;
    connected ||= char === CODE || CONNECTIVES.has(text.slice(at, end));
    at = skip(text, end, SEPARATORS);
  }
  return undefined;
}

/** What opens a bracket, a question or an exclamation. */
const BEFORE_WORD = `${BLANKS}(¿¡`;
const SEPARATORS = ' \t\n\u3000,.!…、。-–—~:)';

/** An emoji, a dash or a bracket in front of the first word. Code is no decoration. */
function skipDecoration(text: string): number {
  let at = 0;
  for (; at < text.length; at++) {
    const char = text[at] ?? '';
    const isSymbol = char.charCodeAt(0) >= FIRST_SYMBOL && !isWordChar(char) && char !== CODE;
    if (!isSymbol && !SEPARATORS.includes(char) && !BEFORE_WORD.includes(char)) break;
  }
  return at;
}

/** Behind the words that may stand before a name: "ok, and lead, can you look?". */
export function skipOpeners(text: string, from: number): number {
  let at = skip(text, from, SEPARATORS);
  for (let opened = 0; opened <= MAX_OPENERS && at < text.length; opened++) {
    const end = openerEnd(text, at);
    if (end === at) break;
    at = skip(text, end, SEPARATORS);
  }
  return at;
}

function openerEnd(text: string, at: number): number {
  if (isUnbounded(text[at] ?? '')) {
    const unspaced = OPENERS_UNSPACED.exec(text.slice(at, at + 16));
    if (unspaced !== null) return at + unspaced[0].length;
  }
  const end = wordEnd(text, at);
  const word = text.slice(at, end);
  return OPENERS.has(word) || CONNECTIVES.has(word) ? end : at;
}

const RAW_TAG = /^<@[!&]?([^\s>|]+)[^>]*>/;
const HANDLE = /^@(\p{L}[\p{L}\p{N}_.-]*)(?=[\s,:!?]|$)/u;

/** An @ in front that nobody known has calls somebody unknown. */
function tagAt(text: string, at: number, names: KnownNames): Call | 'taken' {
  if (names.resolved) return 'taken';
  const raw = RAW_TAG.exec(text.slice(at, at + 64))?.[1];
  if (raw !== undefined) {
    const known = namesAt(raw, 0, names.tags)?.end === raw.length;
    return known ? 'taken' : { keys: [shortKey(raw)], at: 'head', marked: true };
  }
  if (text[at] !== '@' || namesAt(text, at + 1, names.tags) !== undefined) return 'taken';
  const speaker = speakerAt(text, at + 1, names);
  if (speaker !== undefined) return { keys: speaker.keys, at: 'head', marked: true };
  const handle = HANDLE.exec(text.slice(at, at + 64))?.[1];
  return handle === undefined ? 'taken' : { keys: [shortKey(handle)], at: 'head', marked: true };
}

const BRACKETS: Readonly<Record<string, string>> = { '<': '>', '[': ']', '(': ')' };

/** "<lead> the build is red". */
function callInBrackets(text: string, from: number, names: KnownNames): Call | undefined {
  const closing = BRACKETS[text[from] ?? ''];
  const inside = closing === undefined ? undefined : nameAt(text, from + 1, names);
  if (inside === undefined || text[inside.end] !== closing || isEveryday(inside.name)) return undefined;
  return { keys: inside.keys, at: 'head', marked: false };
}

function callAtHead(text: string, from: number, names: KnownNames): Call | undefined {
  const first = nameAt(text, from, names);
  if (first === undefined) return undefined;
  const row = rowFrom(text, first, names);
  const end = row.at(-1)?.end ?? first.end;
  const marked = isMark(text, end);
  if (!marked && isSubject(text, end)) return undefined;
  if (row.some(({ name }) => isEveryday(name)) && !(marked && callsBy(text, first, end))) return undefined;
  return { keys: [...new Set(row.flatMap(({ keys }) => keys))], at: 'head', marked };
}

/** The names in a row: "lead, builder: …", "lead and builder …". A mark joins only names that a mark ends. */
export function rowFrom(text: string, first: FoundName, names: KnownNames): FoundName[] {
  const row: FoundName[] = [];
  let firstMark = MAX_NAMES;
  let next: FoundName | undefined = first;
  while (next !== undefined) {
    row.push(next);
    const link = row.length < MAX_NAMES ? linkAt(text, next.end) : undefined;
    if (link === undefined) break;
    if (link.mark) firstMark = Math.min(firstMark, row.length);
    next = nameAt(text, link.end, names);
  }
  const last = row.at(-1);
  return last !== undefined && isMark(text, last.end) ? row : row.slice(0, firstMark);
}

/** What joins this name to a next one: a comma, a colon, an "and", or ", and". */
function linkAt(text: string, from: number): { mark: boolean; end: number } | undefined {
  const at = skip(text, from, BLANKS);
  const mark = isMark(text, at);
  let end = mark ? skip(text, at + 1, BLANKS) : at;
  const word = text.slice(end, Math.max(wordEnd(text, end), end + 1));
  if (LINKS.has(word)) end = skip(text, end + word.length, BLANKS);
  else if (!mark) return undefined;
  return { mark, end };
}

/** "Ok, thanks" calls nobody; "Ok: thanks" and "Ok, can you look?" call somebody of that name. */
function callsBy(text: string, { name }: FoundName, end: number): boolean {
  return !OPENERS.has(name) || text.startsWith(':', end) || isPutToReader(text);
}

export function isMark(text: string, at: number): boolean {
  const char = text[at] === ' ' ? text[at + 1] : text[at];
  return char === ':' || char === ',' || char === '、';
}

// The end.

const EMOTICON = /\s[:;=8x]'?-?[dpo3]$/;
function callAtEnd(text: string, names: KnownNames): Call | undefined {
  let tail = text.length;
  while (tail > 0 && !isWordChar(text[tail - 1] ?? '')) tail--;
  const smile = EMOTICON.exec(text.slice(Math.max(0, tail - 6), tail));
  if (smile !== null) {
    tail -= smile[0].length;
    while (tail > 0 && !isWordChar(text[tail - 1] ?? '')) tail--;
  }
  const last = nameBefore(text, tail, names);
  if (last === undefined || last.begin === 0 || isEveryday(last.name)) return undefined;
  const isTagged = (begin: number): boolean => names.resolved && isBehindTag(text, begin);
  if (isTagged(last.begin)) return undefined;
  const keys = [...last.keys];
  let begin = last.begin;
  for (let n = 1; n < MAX_NAMES; n++) {
    const before = nameBefore(text, linkBegin(text, begin), names);
    if (before === undefined || isTagged(before.begin)) break;
    keys.unshift(...before.keys);
    begin = before.begin;
  }
  return begin > 0 && isVocative(text, begin)
    ? { keys: [...new Set(keys)], at: 'end', marked: false }
    : undefined;
}

/** Where the name before a comma or an "and" would end. -1: the name stands alone. */
function linkBegin(text: string, begin: number): number {
  let at = begin;
  while (at > 0 && text[at - 1] === ' ') at--;
  if (text[at - 1] === ',') return at - 1;
  const wordAt = lastWord(text, at);
  if (!LINKS.has(text.slice(wordAt, at)) || text[wordAt - 1] !== ' ') return -1;
  return wordAt - 1;
}
