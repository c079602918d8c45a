// Slips of the keyboard in the words of requests: two letters swapped, one left out, one doubled. Only long words are
// completed, because a short one with a letter less is often another word.
// Invariant: a word that stands in any list is never taken for a slip of another.

import { LANGUAGES, entries } from './compile.ts';
import { tokenize } from './tokenize.ts';

/** Letters may be swapped from this length on, and left out or doubled from the second. */
const MIN_SWAPPED = 4;
const MIN_LOST = 6;

const LATIN = /^[a-z]+$/;

/** Real words that are one slip away from a listed one. */
const WORDS = new Set(
  entries(
    `admit, apple, asia, beta, bits, carla, cases, chain, demand, demands, enter, exist, exits, false, form, genre,
    grade, heir, import, large, lasts, leve, lave, manifest, march, meters, mood, opts, parse, parses, parts, poser, pots,
    public, reed, relies, resets, responds, retries, rise, rite, salt, saying, scare, soho, sorts, spot, star, three, tops,
    trail, trial, tying, unite, veil, vein, vile, votes, wider`,
  ),
);

/** The slips of `words`. None of `known` is one. */
export function typosOf(words: ReadonlySet<string>, known: ReadonlySet<string>): ReadonlyMap<string, string> {
  const listed = new Set([...known, ...WORDS, ...generalWords()]);
  const typos = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const word of words) {
    if (word.length < MIN_SWAPPED || !LATIN.test(word)) continue;
    for (const typo of slipsOf(word)) {
      if (listed.has(typo)) continue;
      if (typos.has(typo) && typos.get(typo) !== word) ambiguous.add(typo);
      typos.set(typo, word);
    }
  }
  for (const typo of ambiguous) typos.delete(typo);
  return typos;
}

function slipsOf(word: string): string[] {
  const slips: string[] = [];
  for (let i = 0; i + 1 < word.length; i++) {
    slips.push(word.slice(0, i) + word.charAt(i + 1) + word.charAt(i) + word.slice(i + 2));
  }
  if (word.length < MIN_LOST) return slips;
  for (let i = 1; i < word.length; i++) slips.push(word.slice(0, i) + word.slice(i + 1));
  for (let i = 0; i < word.length; i++) slips.push(word.slice(0, i + 1) + word.slice(i));
  return slips;
}

function generalWords(): string[] {
  return Object.values(LANGUAGES).flatMap((words) =>
    Object.values(words).flatMap((list) => tokenize(list.replaceAll(/[{}|,]/g, ' ')).words),
  );
}
