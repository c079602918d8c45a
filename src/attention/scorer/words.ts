// What lines are about, in a few bytes. Every word that says something becomes a code of twelve bits, kept as two
// characters. Two lines about the same thing share codes; two different words share one by chance once in 4,096.

import type { Scanned } from './line.ts';
import { RARITY } from './word-rarity.ts';

/** The codes of a line's words, and how much each says: 1, or 2 for long words and figures. */
export type WordCodes = readonly WordCode[];

export interface WordCode {
  code: number;
  weight: number;
}

export const CODE_COUNT = 4_096;
/** More words of one line are not kept. */
const MOST = 8;

/** Words that are everywhere. */
export const COMMON: ReadonlySet<string> = new Set(
  `the a an and or but if then so to of in on for with at by from as is are was were be been it its this that these those i im
me my you your u he she they we us our them his her not no yes yeah do does did dont doesnt didnt have has had can cant could
would should will just what which who how why when where there here about into out up down over all any some one than too very
also only more much most other get got use using used like know think want need make see say said ok okay well now still good
really even thats ive ill id youre theres whats isnt wont thanks thank please pls hi hello hey lol oh ah hmm right try work
works thing things something anything because way back then else same time new maybe sure
der die das ein eine und oder aber wenn dann so zu von auf mit bei aus als ist sind war es ich du er sie wir ihr mich mir dich
dir nicht kein ja nein was wer wie wo wann warum noch schon auch nur mal doch habe hat haben kann danke bitte den dem des im am
le la les un une des et ou mais si de du en au aux avec par pour sur est sont je tu il elle nous vous ils ne pas que qui quoi
ce cette ca oui non merci el los las una y o pero con por para es son yo no que se lo al del os as um uma e mas com em na do da
eu voce nao sim`.split(/\s+/),
);
/** A shorter word says nothing, unless it is a figure. */
export const SHORT = 3;
const LONG = 6;
const LONG_WEIGHT = 2;
const SHORT_WEIGHT = 1;

export function wordCodes(words: readonly string[]): WordCodes {
  const found: WordCode[] = [];
  for (const word of words) {
    const figure = FIGURE.test(word);
    if (word.length < SHORT && !figure && word.charCodeAt(0) < 128) continue;
    if (!COMMON.has(word)) addCode(found, hashOf(word), word.length, figure);
  }
  return found;
}

/** Adds the code of a word that is not everywhere. `figure`: there is a digit in it. */
export function addCode(found: WordCode[], hash: number, length: number, figure: boolean): void {
  const code = ((hash >>> 20) ^ hash) & (CODE_COUNT - 1);
  for (const other of found) if (other.code === code) return;
  found.push({ code, weight: length >= LONG || figure ? LONG_WEIGHT : SHORT_WEIGHT });
}

const FIGURE = /\d/;

/** FNV-1a. */
export const HASH_START = 0x811c9dc5 | 0;
export const HASH_STEP = 0x01000193;

export function hashOf(word: string): number {
  let hash = HASH_START;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), HASH_STEP);
  return hash;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const VALUES = new Uint8Array(128);
for (let i = 0; i < DIGITS.length; i++) VALUES[DIGITS.charCodeAt(i)] = i;

/** The newest words in front, each once, at most `limit`. What says most is kept first. */
export function withWords(kept: string, line: WordCodes, limit: number): string {
  const signs: number[] = [];
  if (line.length <= MOST) write(signs, line);
  else {
    write(signs, line, LONG_WEIGHT);
    write(signs, line, SHORT_WEIGHT);
  }
  const newest = signs.length;
  for (let at = 0; at + 1 < kept.length && signs.length < limit * 2; at += 2) {
    const high = kept.charCodeAt(at);
    const low = kept.charCodeAt(at + 1);
    if (!holds(signs, newest, high, low)) signs.push(high, low);
  }
  if (signs.length > limit * 2) signs.length = limit * 2;
  // In one piece: the words are read sign by sign.
  return String.fromCharCode(...signs);
}

/** Adds the codes, two signs each, until there are MOST: all of them, or those of one weight. */
function write(signs: number[], line: WordCodes, only?: number): void {
  for (const { code, weight } of line) {
    if (signs.length >= MOST * 2) return;
    if (only !== undefined && weight !== only) continue;
    signs.push(DIGITS.charCodeAt(code >> 6), DIGITS.charCodeAt(code & 63));
  }
}

function holds(signs: readonly number[], end: number, high: number, low: number): boolean {
  for (let at = 0; at < end; at += 2) if (signs[at] === high && signs[at + 1] === low) return true;
  return false;
}

// One for all lines: they are marked, asked and cleared without waiting. By code, and by the first of its two signs: most
// kept words have another one, and the second sign is not even read.
const marks = new Uint8Array(CODE_COUNT);
const firstSigns = new Uint8Array(128);

/** How much of a line is in the kept words of a speaker. */
export interface Overlap {
  /** Whose, by the place among the speakers. */
  place: number;
  /** By weight, and by rarity. */
  weight: number;
  rarity: number;
  /** By rarity, of the newest of the kept words. */
  newest: number;
}

/** So many of the kept words are most likely of the speaker's last line. */
const NEWEST = 5;
const NO_OVERLAP: readonly Overlap[] = [];

/** The speakers whose words share something with the line, in order. */
export function overlaps(line: WordCodes, kept: readonly { readonly words: string }[]): readonly Overlap[] {
  if (line.length === 0) return NO_OVERLAP;
  for (const { code, weight } of line) {
    marks[code] = weight;
    firstSigns[DIGITS.charCodeAt(code >> 6)] = 1;
  }
  const found: Overlap[] = [];
  for (let place = 0; place < kept.length; place++) {
    const overlap = overlapWith(kept[place]?.words ?? '', place);
    if (overlap !== undefined) found.push(overlap);
  }
  for (const { code } of line) {
    marks[code] = 0;
    firstSigns[DIGITS.charCodeAt(code >> 6)] = 0;
  }
  return found;
}

function overlapWith(words: string, place: number): Overlap | undefined {
  let found: Overlap | undefined;
  for (let at = 0; at < words.length; at += 2) {
    const first = words.charCodeAt(at);
    if (firstSigns[first] !== 1) continue;
    const code = ((VALUES[first] ?? 0) << 6) | (VALUES[words.charCodeAt(at + 1)] ?? 0);
    const shared = marks[code] ?? 0;
    if (shared === 0) continue;
    const rare = RARITY[code] ?? 0;
    found ??= { place, weight: 0, rarity: 0, newest: 0 };
    found.weight += shared;
    found.rarity += rare;
    if (at < 2 * NEWEST) found.newest += rare;
  }
  return found;
}

/** How much a line says: the rarity of its words. */
export function rarityOf(line: WordCodes): number {
  let sum = 0;
  for (const { code } of line) sum += RARITY[code] ?? 0;
  return sum;
}

// A line of ASCII is read in one pass, without cutting words out of it: each word becomes a hash on the way, and what the
// lists say of it is found by that. Nearly every line is plain, and every message is read for the state, whoever it is for.
// It gives what line.ts gives in the slow way: test/properties/plain-line.test.ts compares the two.

export interface Lists {
  anywhere: ReadonlyMap<string, number>;
  first: ReadonlyMap<string, number>;
  common: ReadonlySet<string>;
  /** Bits of `first`: behind such a word the next one is a first word too, up to so many. */
  opening: number;
  openingWords: number;
  mostWords: number;
}

interface Known {
  word: string;
  anywhere: number;
  first: number;
  common: boolean;
}

const APOSTROPHE = 39;
const [ZERO, NINE] = [48, 57];
/** Slots of the table, a power of two: about four for each word of the lists. */
const SLOTS = 4_096;

/** `isWordChar` of text.ts for ASCII, and the digits among them. */
const [OTHER, LETTER, DIGIT] = [0, 1, 2];
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= ZERO && code <= NINE) return DIGIT;
  return /[A-Za-z_]/.test(String.fromCharCode(code)) ? LETTER : OTHER;
});

export function plainScanner(lists: Lists): (text: string) => Scanned | undefined {
  const table = tableOf(lists);
  const { opening, openingWords, mostWords } = lists;
  return (text) => {
    const codes: WordCode[] = [];
    let form = 0;
    let words = 0;
    let opens = true;
    for (let at = 0; at < text.length && words < mostWords; at++) {
      const from = at;
      let hash = HASH_START;
      let length = 0;
      let figure = false;
      for (; at < text.length; at++) {
        const code = text.charCodeAt(at);
        if (code > 127) return undefined;
        if (code === APOSTROPHE) continue;
        const kind = KINDS[code];
        if (kind === OTHER) break;
        if (kind === DIGIT) figure = true;
        hash = Math.imul(hash ^ code, HASH_STEP);
        length++;
      }
      if (length === 0) continue;
      const known = find(table, text, from, hash);
      if (known !== undefined) form |= known.anywhere;
      if (opens) {
        const first = known?.first ?? 0;
        form |= first;
        opens = (first & opening) !== 0 && words < openingWords;
      }
      words++;
      if (length < SHORT && !figure) continue;
      if (known?.common !== true) addCode(codes, hash, length, figure);
    }
    return { form, words, codes };
  };
}

/** By hash, in slots. Where a slot is taken the next one is. */
interface Table {
  hashes: Int32Array;
  entries: (Known | undefined)[];
}

function find({ hashes, entries }: Table, text: string, from: number, hash: number): Known | undefined {
  for (let slot = slotOf(hash); ; slot = (slot + 1) & (SLOTS - 1)) {
    const known = entries[slot];
    if (known === undefined) return undefined;
    if (hashes[slot] === hash && isAt(known.word, text, from)) return known;
  }
}

/** Whether the word that begins here is this one: two words may have one hash. */
function isAt(word: string, text: string, from: number): boolean {
  let at = from;
  for (let i = 0; i < word.length; at++) {
    const code = text.charCodeAt(at);
    if (code === APOSTROPHE) continue;
    if (code !== word.charCodeAt(i)) return false;
    i++;
  }
  while (text.charCodeAt(at) === APOSTROPHE) at++;
  return at >= text.length || KINDS[text.charCodeAt(at)] === OTHER;
}

function tableOf({ anywhere, first, common }: Lists): Table {
  const hashes = new Int32Array(SLOTS);
  const entries: (Known | undefined)[] = Array.from({ length: SLOTS }, () => undefined);
  for (const word of new Set([...anywhere.keys(), ...first.keys(), ...common])) {
    const hash = hashOf(word);
    let slot = slotOf(hash);
    while (entries[slot] !== undefined) slot = (slot + 1) & (SLOTS - 1);
    hashes[slot] = hash;
    entries[slot] = {
      word,
      anywhere: anywhere.get(word) ?? 0,
      first: first.get(word) ?? 0,
      common: common.has(word),
    };
  }
  return { hashes, entries };
}

function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}
