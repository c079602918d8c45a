// Compiles the word lists of all languages into one trie, once, at module load. A token is a word in scripts with
// spaces and a character in scripts without. The reader walks the trie to the longest entry, one Map lookup per
// token. Invariant: the reader knows only these lists. No word is spelled in code.

import { de } from './words/de.ts';
import { en } from './words/en.ts';
import { es } from './words/es.ts';
import { fr } from './words/fr.ts';
import { ja } from './words/ja.ts';
import { ko } from './words/ko.ts';
import { pt } from './words/pt.ts';
import { type IntentWords, ROLE } from './words/shape.ts';
import { symbols } from './words/symbols.ts';
import { zh } from './words/zh.ts';
import { tokenize } from './tokenize.ts';

export interface Entry {
  /** Roles of the entry that ends here. -1: none ends here. 0: a neutral entry does. */
  bits: number;
  next: Map<string, Entry> | undefined;
}

export const NOT_AN_ENTRY = -1;

export const newTrie = (): Entry => ({ bits: NOT_AN_ENTRY, next: undefined });

/**
 * People leave apostrophes out ("thats all", "dont"), so both spellings are entered. Not these: they become other
 * words.
 */
const OTHER_WORD = new Set([
  "we're",
  "we'll",
  "i'll",
  "he'll",
  "she'll",
  "we'd",
  "i'd",
  "it's",
  "l'info",
  "qu'est",
]);

export const LANGUAGES: Record<string, IntentWords> = { en, es, fr, de, pt, ja, ko, zh, symbols };

export const TRIE: Entry = compile(Object.values(LANGUAGES));

/** "a {b|} c" → "a b c", "a c". */
export function expand(pattern: string): string[] {
  const open = pattern.indexOf('{');
  if (open < 0) return [pattern.replace(/\s+/g, ' ').trim()];
  const close = pattern.indexOf('}', open);
  const before = pattern.slice(0, open);
  const after = pattern.slice(close + 1);
  const choices = pattern.slice(open + 1, close).split('|');
  return choices.flatMap((choice) => expand(before + choice + after));
}

/** Every entry of one list, written out. */
export function entries(list: string): string[] {
  return list
    .split(',')
    .flatMap(expand)
    .filter((entry) => entry !== '');
}

function compile(languages: readonly IntentWords[]): Entry {
  const root = newTrie();
  for (const words of languages) {
    const lists = new Map(Object.entries(words));
    for (const [role, bits] of Object.entries(ROLE)) {
      for (const pattern of (lists.get(role) ?? '').split(',')) insert(root, pattern, bits);
    }
  }
  return root;
}

/**
 * Walks all alternatives of a pattern at once, part by part, and gives the places where they end. Writing every entry
 * out first took about twice as long.
 */
export function addEntry<E extends Entry>(root: E, pattern: string, made: () => E): Iterable<E> {
  let ends = new Set<E>([root]);
  for (const part of pattern.split(/[{}]/)) {
    const choices = part.split('|').flatMap(spellings);
    const next = new Set<E>();
    for (const end of ends) {
      for (const choice of choices) next.add(walk(end, choice, made));
    }
    ends = next;
  }
  ends.delete(root);
  return ends;
}

function insert(root: Entry, pattern: string, bits: number): void {
  for (const end of addEntry(root, pattern, newTrie)) {
    end.bits = end.bits === NOT_AN_ENTRY ? bits : end.bits | bits;
  }
}

function spellings(choice: string): string[][] {
  const words = tokenize(choice).words;
  const canDrop = words.some((word) => word.includes("'")) && !words.some((word) => OTHER_WORD.has(word));
  return canDrop ? [words, words.map((word) => word.replaceAll("'", ''))] : [words];
}

function walk<E extends Entry>(from: E, words: readonly string[], made: () => E): E {
  let node = from;
  for (const word of words) {
    node.next ??= new Map();
    let child = node.next.get(word) as E | undefined;
    if (child === undefined) {
      child = made();
      node.next.set(word, child);
    }
    node = child;
  }
  return node;
}
