// Cuts a message into clauses for request.ts. An item is the longest listed entry at a place, or an unlisted word. A
// clause ends at punctuation, before "and" and "because", and after a word that ends a reason. Words that the general
// lists know as greeting, thanks or consent go along with any request.

import { type Entry, NOT_AN_ENTRY, TRIE } from './compile.ts';
import { isDecoration } from './read.ts';
import { type RequestEntry, REQUEST_TRIE, SKIPS } from './request-words.ts';
import { BREAK, type TextTokens } from './tokenize.ts';
import { JOB, PART } from './words/requests/shape.ts';
import { ROLE } from './words/shape.ts';
import { MEANING } from './request-table.ts';

export interface Item {
  /** Parts of meaning. */
  parts: number;
  jobs: number;
  /** The languages of the message that have it. */
  languages: number;
  /** How many tokens it has. */
  size: number;
  /** It may stand in a request, as far as lists can tell. */
  listed: boolean;
  /** The general lists have it among greetings, thanks and the like. */
  social: boolean;
  thanks: boolean;
}

export interface Clause {
  items: Item[];
  /** All jobs in it. */
  jobs: number;
  /** The BREAK before it. */
  before: number;
  /** Its first token, and the one after its last. */
  start: number;
  end: number;
  /** It is the request, or part of it. */
  taken: boolean;
}

const STARTS = JOB.splits | JOB.because | JOB.if;

export function clausesOf(tokens: TextTokens): { clauses: Clause[]; languages: readonly number[] } {
  const found = entriesOf(tokens);
  const languages = countLanguages(found);
  const most = Math.max(...languages);
  let spoken = 0;
  for (const [index, count] of languages.entries()) if (count === most) spoken |= 1 << index;
  const items: Item[] = [];
  let from = 0;
  for (const one of found) {
    items.push(itemOf(one, spoken, tokens.words[from] ?? ''));
    from += one.size;
  }
  joinCalls(items);
  return { clauses: cut(items, tokens.breaks), languages };
}

/** "when" and "I mention you" are one condition, and the only one that a request may have. */
function joinCalls(items: readonly Item[]): void {
  let condition: Item | undefined;
  for (const item of items) {
    if ((item.jobs & JOB.calls) !== 0 && condition !== undefined) {
      condition.jobs = (condition.jobs & ~JOB.if) | JOB.around;
      item.parts |= PART.mention;
    }
    if ((item.jobs & JOB.if) !== 0) condition = item;
    else if ((item.jobs & JOB.around) === 0) condition = undefined;
  }
}

function cut(items: readonly Item[], breaks: readonly number[]): Clause[] {
  const clauses: Clause[] = [];
  let at = 0;
  let ended = false;
  for (const item of items) {
    const before = breaks[at] ?? 0;
    const open = clauses.at(-1);
    const end = at + item.size;
    if (open === undefined || ended || before !== BREAK.none || (item.jobs & STARTS) !== 0) {
      clauses.push({ items: [item], jobs: item.jobs, before, start: at, end, taken: false });
    } else {
      open.items.push(item);
      open.jobs |= item.jobs;
      open.end = end;
    }
    ended = (item.jobs & JOB.ends) !== 0;
    at = end;
  }
  return clauses;
}

/** The entries that begin at one place: of the lists of requests, and of the general ones. */
interface FoundEntry {
  own: RequestEntry | undefined;
  /** The parts of words that stand inside it. */
  inside: number;
  general: Entry | undefined;
  size: number;
}

function entriesOf({ words, breaks }: TextTokens): FoundEntry[] {
  const found: FoundEntry[] = [];
  for (let at = 0; at < words.length; ) {
    const own = longest(REQUEST_TRIE, words, breaks, at, SKIPS);
    const general = longest(TRIE, words, breaks, at);
    const one = {
      own: own.entry,
      inside: own.inside,
      general: general.entry,
      size: Math.max(1, own.size),
    };
    // Where both lists have something, the longer one counts, but no politeness hides a part of a request.
    const hidden = general.size > own.size && !hasParts(own.entry) && isSocial(general.entry);
    found.push(hidden ? { ...one, own: undefined, inside: 0, size: general.size } : one);
    at += hidden ? general.size : one.size;
  }
  return found;
}

function hasParts(entry: RequestEntry | undefined): boolean {
  return entry?.meanings.some(({ parts }) => parts !== 0) === true;
}

/** How many words are of each of the eight languages. */
function countLanguages(found: readonly FoundEntry[]): number[] {
  const counts = [0, 0, 0, 0, 0, 0, 0, 0];
  for (const { own, size } of found) {
    if (own === undefined) continue;
    for (let i = 0; i < counts.length; i++)
      if ((own.bits & (1 << i)) !== 0) counts[i] = (counts[i] ?? 0) + size;
  }
  return counts;
}

/** General roles that go along with any request, and those that do so in a clause of their own. */
const SOCIAL = ROLE.thanks | ROLE.ack | ROLE.praise | ROLE.yes | ROLE.filler | ROLE.closer;
const SOCIAL_CLAUSE = SOCIAL | ROLE.no | ROLE.glue | ROLE.joiner | ROLE.thanked | ROLE.please;

function isSocial(entry: Entry | undefined): boolean {
  return entry !== undefined && entry.bits !== 0 && (entry.bits & ~SOCIAL_CLAUSE) === 0;
}

/** What the entries mean in the languages of the message. Politeness counts in every language. */
function itemOf({ own, inside, general, size }: FoundEntry, spoken: number, word: string): Item {
  const social = isSocial(general);
  const item: Item = { parts: inside, jobs: 0, languages: 0, size, listed: false, social, thanks: false };
  for (const { language, parts, jobs } of own?.meanings ?? []) {
    if ((language & spoken) === 0 && parts !== PART.please) continue;
    item.parts |= parts;
    item.jobs |= jobs;
    item.languages |= language;
    item.listed = true;
  }
  if (item.listed) return item;
  const bits = general?.bits ?? 0;
  item.listed = (social && (bits & ~SOCIAL) === 0) || isDecoration(word);
  if (item.listed) item.jobs = JOB.around;
  item.social = social || item.listed;
  item.thanks = social && (bits & ROLE.thanks) !== 0;
  return item;
}

function longest<E extends Entry>(
  root: E,
  words: readonly string[],
  breaks: readonly number[],
  from: number,
  skips: ReadonlyMap<string, number> = NO_SKIPS,
): Longest<E> {
  // Nothing begins with most words, and that needs no answer of its own.
  if (root.next?.has(words[from] ?? '') !== true) return NO_ENTRY;
  const found: Longest<E> = { entry: undefined, size: 0, inside: 0 };
  let node = root;
  let inside = 0;
  for (let i = from; i < words.length; i++) {
    if (i > from && (breaks[i] ?? 0) > BREAK.comma) break;
    const word = words[i] ?? '';
    const next = node.next?.get(word) as E | undefined;
    if (next === undefined) {
      const skipped = i > from ? skips.get(word) : undefined;
      if (skipped === undefined) break;
      inside |= skipped;
      continue;
    }
    node = next;
    if (node.bits !== NOT_AN_ENTRY) {
      found.entry = node;
      found.size = i - from + 1;
      found.inside = inside;
    }
  }
  return found;
}

interface Longest<E> {
  entry: E | undefined;
  size: number;
  inside: number;
}

const NO_ENTRY: Readonly<Longest<never>> = { entry: undefined, size: 0, inside: 0 };

const NO_SKIPS: ReadonlyMap<string, number> = new Map();

const OF_ITS_OWN = MEANING & ~(PART.only | PART.again | PART.need);

/** The clause asks, tells and denies nothing. */
export function isBenign({ items, jobs }: Clause): boolean {
  if ((jobs & (JOB.if | JOB.said | JOB.never | JOB.oftener)) !== 0) return false;
  return items.every(({ listed, social, parts }) => (listed || social) && (parts & OF_ITS_OWN) === 0);
}

const LEAD_IN = JOB.around | JOB.splits;

/** The clause says why, or thanks for something. */
export function isReason({ items, jobs }: Clause): boolean {
  if ((jobs & (JOB.because | JOB.ends)) !== 0 || items.some(({ thanks }) => thanks)) return true;
  const first = items.find((item) => (item.jobs & JOB.reason) !== 0 || (item.jobs & LEAD_IN) === 0);
  return first !== undefined && ((first.jobs & JOB.reason) !== 0 || (first.parts & PART.place) !== 0);
}
