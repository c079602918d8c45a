// Whom a message calls after its first sentence: "The build is red. Lead, can you look?", "lead: the notes please\nbuilder:
// cut the release". Most names inside a text are talk about somebody. So a name calls there only where a sentence begins
// with it and asks or orders something, or where "can you" follows it at once.
import { type Call, calledIn, isMark, rowFrom, skipOpeners } from './called.ts';
import { PLEASE, YOU_ASKED, isEveryday } from './call-words.ts';
import { askingSentences, onlyOrders } from './intent/asking.ts';
import { isSubject, isVerb } from './spoken-about.ts';
import { BLANKS, type KnownNames, lastWord, nameAt, nameBefore, skip, wordEnd } from './spoken-names.ts';
import { isUnbounded } from './text.ts';

/** Everybody whom a message calls by name, at its start or end or later in it. */
export function callsIn(spoken: string, names: KnownNames): Call | undefined {
  const first = calledIn(spoken, names);
  const later = calledLater(spoken, names);
  if (first === undefined || later === undefined) return first ?? later;
  const keys = [...new Set([...first.keys, ...later.keys])];
  return { ...first, keys };
}

/** Where a sentence or a clause begins. A dot or a colon inside a name or a number ends nothing. */
const BEGINS = /(?:[!?…。;\n]+|[.:](?=\s)|[,、])\s*/gu;
/** Most lines are one clause, and nothing begins inside them. */
const BEGINS_INSIDE = /[!?…。;\n.:,、][^!?….]/u;
/** Further places are not looked at. A long text is a paste. */
const MAX_PLACES = 64;

function calledLater(text: string, names: KnownNames): Call | undefined {
  if (!BEGINS_INSIDE.test(text)) return undefined;
  const keys: string[] = [];
  let marked = true;
  let places = 0;
  let until = 0;
  // `matchAll` would make a copy of the pattern for every message.
  BEGINS.lastIndex = 0;
  for (let mark = BEGINS.exec(text); mark !== null && ++places <= MAX_PLACES; mark = BEGINS.exec(text)) {
    if (mark.index < until) continue;
    const sign = mark[0][0] ?? '';
    if (sign === ':' && saysWho(text, mark.index, names)) continue;
    const call = callAt(text, mark.index + mark[0].length, names, CLAUSE_SIGNS.has(sign));
    if (call === undefined) continue;
    keys.push(...call.keys);
    marked &&= call.marked;
    until = call.end;
  }
  return keys.length === 0 ? undefined : { keys: [...new Set(keys)], at: 'later', marked };
}

const CLAUSE_SIGNS: ReadonlySet<string> = new Set([',', '、', ':']);

/** "bob: lead, can you look?", "she wrote: lead, can you look?". */
function saysWho(text: string, colon: number, names: KnownNames): boolean {
  return nameBefore(text, colon, names) !== undefined || isVerb(text.slice(lastWord(text, colon), colon));
}

function callAt(
  text: string,
  from: number,
  names: KnownNames,
  inSentence: boolean,
): { keys: readonly string[]; marked: boolean; end: number } | undefined {
  const at = skipOpeners(text, from);
  const first = nameAt(text, at, names);
  if (first === undefined) return undefined;
  const row = rowFrom(text, first, names);
  const end = row.at(-1)?.end ?? first.end;
  if (row.some(({ name }) => isEveryday(name))) return undefined;
  const marked = isMark(text, end);
  if (!marked && isSubject(text, end)) return undefined;
  const begin = marked ? skip(text, end, MARKS) : skip(text, end, BLANKS);
  const rest = text.slice(begin, sentenceEnd(text, begin));
  if (!asksYou(rest)) {
    if (inSentence || askingSentences(rest).length === 0) return undefined;
    if (!marked && !isUnbounded(text[end] ?? '') && !isAskedOfYou(rest) && !PLEASE.has(firstWord(rest)))
      return undefined;
  }
  if (isQuoted(text, at) || (text.startsWith(':', end) && isTranscript(text, names))) return undefined;
  const keys = row.flatMap(({ keys: some }) => some);
  return { keys, marked: marked && !onlyOrders(rest), end };
}

const MARKS = `${BLANKS}:,、`;
const ENDS = /[!?。…\n]|\.(?=\s|$)/u;

function sentenceEnd(text: string, from: number): number {
  const end = text.slice(from).search(ENDS);
  return end < 0 ? text.length : from + end + 1;
}

/** "can you", "kannst du": put to whoever was named just before. */
function asksYou(rest: string): boolean {
  const first = wordEnd(rest, 0);
  if (first === 0 || rest[first] !== ' ') return false;
  return YOU_ASKED.has(rest.slice(first + 1, wordEnd(rest, first + 1)));
}

const CLAUSE = /^[^,.;!…\n]*?\?/;
const NOT_WORD = /[^\p{L}\p{N}_]+/u;

function firstWord(text: string): string {
  return text.slice(0, wordEnd(text, 0));
}

/** "what do you think?" */
function isAskedOfYou(rest: string): boolean {
  const question = CLAUSE.exec(rest)?.[0];
  return question?.split(NOT_WORD).some((word) => YOU_ASKED.has(word)) === true;
}

const OPENING = ['“', '„', '«', '「', '『'];
const CLOSING = ['”', '»', '」', '』'];

/** Somebody else's words, as far as marks tell. */
function isQuoted(text: string, at: number): boolean {
  const before = text.slice(0, at);
  if (before.split('"').length % 2 === 0) return true;
  const last = (marks: readonly string[]): number =>
    Math.max(...marks.map((mark) => before.lastIndexOf(mark)));
  return last(OPENING) > last(CLOSING);
}

const LABEL = /^[ \t]*([^\s:]{1,40}):(?=\s)/gmu;

/** Lines that say who said them: the author is among them, or somebody speaks twice. Nobody is called in what was said. */
function isTranscript(text: string, { speakers, author }: KnownNames): boolean {
  const own = speakers.find(({ key }) => key === author)?.name;
  const labels = [...text.matchAll(LABEL)].map(([, label = '']) => label);
  return labels.some((label, i) => label === own || labels.indexOf(label) < i);
}
