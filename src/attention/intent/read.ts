// Makes units of tokens. A unit is the longest listed entry at a place, or an unlisted word; names and decoration are
// stripped. A reading sums up what the rules need: which roles occur, and which of them in a place where they count.
// Invariant: every token is in exactly one unit or stripped, so a rule can check what the whole message is made of.

import { type Entry, NOT_AN_ENTRY, TRIE } from './compile.ts';
import { CORE_TRIE, SKIPS, TYPOS, WORTH } from './request-words.ts';
import { BREAK, LINK, type TextTokens, tokenize } from './tokenize.ts';
import { ROLE } from './words/shape.ts';

export const UNLISTED = -1;

export interface TextReading {
  /** The roles of each unit. UNLISTED for a word in no list. */
  units: number[];
  /** The BREAK before each unit. */
  breaks: number[];
  /** Roles of the first unit that is no lead-in. */
  lead: number;
  /** All roles that occur anywhere. */
  any: number;
  /** Roles that count only at the start or end of a sentence or clause, and that occur there. */
  placed: number;
  asked: boolean;
  /** Words of the message. An entry of several words counts as several. */
  size: number;
  hasLink: boolean;
}

/** It has every bit set, so test for it before testing a role. */
export const bitsOf = (unit: number): number => (unit === UNLISTED ? 0 : unit);

/** Roles that may come before the real start of a sentence: "ok thanks, so how do I". */
const LEAD_IN =
  ROLE.filler | ROLE.ack | ROLE.yes | ROLE.no | ROLE.thanks | ROLE.praise | ROLE.closer | ROLE.contrast;
/** A command with an object is a request about the object: "cancel that booking". */
const ORDER = ROLE.imperative | ROLE.cancel;
const OBJECT_START = ROLE.joiner | ROLE.glue;

export function read(folded: string): TextReading {
  return readTokens(tokenize(folded));
}

export function readTokens(tokens: TextTokens): TextReading {
  const reading: TextReading = {
    units: [],
    breaks: [],
    lead: 0,
    any: 0,
    placed: 0,
    asked: tokens.asked,
    size: tokens.words.length,
    hasLink: false,
  };
  segment(tokens, reading);
  place(reading, tokens.endBreak);
  return reading;
}

const MAX_CACHED_NAMES = 1000;
const cachedNames = new Map<string, readonly string[]>();

function nameWords(name: string): readonly string[] {
  let words = cachedNames.get(name);
  if (words === undefined) {
    words = tokenize(name).words;
    if (cachedNames.size >= MAX_CACHED_NAMES) cachedNames.clear();
    cachedNames.set(name, words);
  }
  return words;
}

/** The same tokens without the names, wherever they stand. The break before a name moves to the word behind it. */
export function withoutNames(tokens: TextTokens, names: readonly string[]): TextTokens {
  if (names.length === 0) return tokens;
  const { words, breaks } = tokens;
  const named = names.map(nameWords);
  if (!words.some((_, i) => nameLength(named, words, i) > 0)) return tokens;
  const kept: TextTokens = { ...tokens, words: [], breaks: [], questions: [], quotes: [] };
  let carried: number = BREAK.none;
  /** For each place in the old list, the place in the new one. */
  const moved: number[] = [];
  for (let i = 0; i < words.length; ) {
    const length = nameLength(named, words, i);
    for (let k = 0; k < length; k++) moved.push(kept.words.length);
    carried = Math.max(carried, breaks[i] ?? 0);
    if (length > 0) {
      i += length;
      continue;
    }
    moved.push(kept.words.length);
    kept.words.push(words[i] ?? '');
    kept.breaks.push(carried);
    carried = BREAK.none;
    i++;
  }
  kept.endBreak = Math.max(carried, tokens.endBreak);
  kept.questions = tokens.questions.map((at) => moved[at] ?? kept.words.length);
  kept.quotes = tokens.quotes.map((at) => moved[at] ?? kept.words.length);
  return kept;
}

function segment(tokens: TextTokens, reading: TextReading): void {
  const { words, breaks } = tokens;
  let carried: number = BREAK.none;
  let i = 0;
  while (i < words.length) {
    const word = words[i] ?? '';
    carried = Math.max(carried, breaks[i] ?? 0);
    const matched = longest(tokens, i);
    if (matched === 0 && isDecoration(word)) {
      i++;
      continue;
    }
    const unit = matched === 0 ? UNLISTED : matchedBits;
    if (word === LINK) reading.hasLink = true;
    reading.units.push(unit);
    reading.breaks.push(carried);
    reading.any |= bitsOf(unit);
    carried = BREAK.none;
    i += matched === 0 ? 1 : matched;
  }
}

// The second result of `longest`. It is a variable, because an object per token is too slow here. Set before it is
// read.
let matchedBits = 0;

/** How many tokens the longest entry at `from` has, 0 if there is none. An entry may span a comma, never a sentence. */
function longest(tokens: TextTokens, from: number): number {
  const { words, breaks } = tokens;
  let node: Entry | undefined = TRIE;
  let best = 0;
  for (let i = from; i < words.length; i++) {
    if (i > from && (breaks[i] ?? 0) > BREAK.comma) break;
    node = node.next?.get(words[i] ?? '');
    if (node === undefined) break;
    if (node.bits !== NOT_AN_ENTRY) {
      best = i - from + 1;
      matchedBits = node.bits;
    }
  }
  return best;
}

function nameLength(names: readonly (readonly string[])[], words: readonly string[], from: number): number {
  for (const name of names) {
    let k = 0;
    while (k < name.length && words[from + k] === name[k]) k++;
    if (k > 0 && k === name.length) return k;
  }
  return 0;
}

/** An emoji or sign that is in no list: 🎈, ★. */
export function isDecoration(word: string): boolean {
  const code = word.charCodeAt(0);
  return (code >= 0x2070 && code < 0x2c00) || (code >= 0xd83c && code <= 0xd83e);
}

/** Finds the opening and closing roles that occur where they count. */
function place(reading: TextReading, endBreak: number): void {
  const { units, breaks } = reading;
  let led = false;
  let opening = true; // only lead-in since the sentence began
  let clause = true; // only lead-in since the clause began
  let said = false; // more than lead-in since the last sentence ended
  for (let i = 0; i < units.length; i++) {
    const unit = bitsOf(units[i] ?? 0);
    const before = breaks[i] ?? 0;
    if (before >= BREAK.colon) opening = true;
    if (before !== BREAK.none) clause = true;
    if (opening) reading.placed |= unit & ROLE.askOpening;
    if (clause) {
      if ((unit & ORDER) !== 0) reading.placed |= ROLE.imperative;
      const next = i + 1 < units.length ? bitsOf(units[i + 1] ?? 0) : 0;
      if (opening && (next & OBJECT_START) !== 0) reading.placed |= unit & ROLE.nounVerb;
    }
    const after = i + 1 < units.length ? (breaks[i + 1] ?? 0) : Math.max(endBreak, BREAK.sentence);
    if (after === BREAK.sentence) {
      if (!opening || (unit & LEAD_IN) === 0) reading.placed |= unit & ROLE.askFinal;
      if (before !== BREAK.none && said) reading.placed |= unit & ROLE.askTag;
    }
    if (after === BREAK.colon) reading.placed |= unit & ROLE.label;
    said = after !== BREAK.sentence && (said || (unit & LEAD_IN) === 0);
    if ((unit & LEAD_IN) === 0) {
      if (!led) reading.lead = unit;
      led = true;
      opening = false;
      clause = false;
    }
  }
}

/** A longer message is no request to the agent itself, whatever one of its sentences says. */
const MAX_REQUEST_WORDS = 90;

/** Whether the message has the words without which there is no request to the agent itself. */
export function holdsRequest({ words, breaks }: TextTokens): boolean {
  if (words.length > MAX_REQUEST_WORDS) return false;
  let worth = 0;
  for (let i = 0; i < words.length; i++) {
    let node = CORE_TRIE.next?.get(words[i] ?? '');
    for (let k = i + 1; node !== undefined; k++) {
      if (node.bits !== NOT_AN_ENTRY) {
        worth |= node.bits;
        if ((worth & WORTH.core) !== 0 || worth === ENOUGH) return true;
      }
      if (node.next === undefined || k >= words.length || (breaks[k] ?? 0) > BREAK.comma) break;
      const word = words[k] ?? '';
      node = node.next.get(word) ?? (SKIPS.has(word) ? node : undefined);
    }
  }
  return false;
}

const ENOUGH = WORTH.talk | WORTH.withTalk;
const MIN_TYPO_LETTERS = 4;
const REPEATED = /(.)\1\1+/g;

/** The tokens with misspelled words as they were meant: "laeve", "stooop". */
export function spelled(tokens: TextTokens): TextTokens {
  let words: string[] | undefined;
  for (let i = 0; i < tokens.words.length; i++) {
    const word = tokens.words[i] ?? '';
    if (word.length < MIN_TYPO_LETTERS) continue;
    const meant = TYPOS.get(word) ?? (isDrawnOut(word) ? word.replace(REPEATED, '$1') : word);
    if (meant === word) continue;
    words ??= [...tokens.words];
    words[i] = meant;
  }
  return words === undefined ? tokens : { ...tokens, words };
}

function isDrawnOut(word: string): boolean {
  for (let i = 2; i < word.length; i++) {
    const code = word.charCodeAt(i);
    if (code === word.charCodeAt(i - 1) && code === word.charCodeAt(i - 2)) return true;
  }
  return false;
}
