// Compiles the words of requests into two tries, once, at module load: all of them, and those without which no message
// is a request. The second is small, so a message that asks for nothing of the kind costs one lookup per word. The
// meanings of an entry are kept apart by language, because "so" and "para" mean different things in different ones.

import { addEntry, entries, type Entry, newTrie, NOT_AN_ENTRY } from './compile.ts';
import { tokenize } from './tokenize.ts';
import { typosOf } from './typos.ts';
import { COMPOUND, JOB, PART, type RequestWords } from './words/requests/shape.ts';
import { de } from './words/requests/de.ts';
import { en } from './words/requests/en.ts';
import { es } from './words/requests/es.ts';
import { fr } from './words/requests/fr.ts';
import { ja } from './words/requests/ja.ts';
import { ko } from './words/requests/ko.ts';
import { pt } from './words/requests/pt.ts';
import { symbols } from './words/requests/symbols.ts';
import { zh } from './words/requests/zh.ts';

export const REQUEST_LANGUAGES = { en, es, fr, de, pt, ja, ko, zh } as const satisfies Record<
  string,
  RequestWords
>;
export type RequestLanguage = keyof typeof REQUEST_LANGUAGES;
export const LANGUAGE_ORDER = Object.keys(REQUEST_LANGUAGES) as RequestLanguage[];

/** What an entry means in one language. */
export interface Meaning {
  /** The bit of the language, in the order of LANGUAGE_ORDER. Emoji have the bits of all. */
  language: number;
  parts: number;
  jobs: number;
}

/** Its `bits` are the languages that have it. */
export interface RequestEntry extends Entry {
  next: Map<string, RequestEntry> | undefined;
  meanings: Meaning[];
}

const P = PART;
/** One of these is in every request, or a verb of talking with one of the second. */
const CORE =
  P.go | P.exit | P.stay | P.halt | P.hush | P.back | P.backTo | P.normal | P.follow | P.mention | P.need;
const TALK = P.talk | P.speak;
const WITH_TALK = P.cease | P.not | P.noNeed | P.only | P.less | P.again | P.before | P.start | P.may;

/** What an entry of CORE_TRIE is worth. */
export const WORTH = { core: 1, talk: 2, withTalk: 4 } as const;
/** In one of these lists a form without a frame is a command, and then needs none. */
const VERB = P.go | P.exit | P.halt | P.cease | P.talk | P.speak | P.hush | P.back | P.backTo;

/** The parts whose words are found when they are misspelled. */
const MISSPELT = VERB | P.place | P.please | P.mention;

const newEntry = (): RequestEntry => ({ ...newTrie(), next: undefined, meanings: [] });

export const REQUEST_TRIE = newEntry();
export const CORE_TRIE: Entry = newTrie();

function compile(words: RequestWords, language: number): void {
  const commands = new Set<Meaning>();
  for (const [list, patterns] of Object.entries(words)) {
    const { parts, jobs } = bitsOf(list);
    for (const pattern of patterns.split(',')) {
      for (const entry of addEntry(REQUEST_TRIE, pattern, newEntry)) {
        const meaning = meaningIn(entry, language);
        meaning.parts |= parts;
        meaning.jobs |= jobs;
        if ((parts & VERB) !== 0 && (parts & P.framed) === 0) commands.add(meaning);
      }
      const worth = worthOf(parts, jobs);
      if (worth === 0) continue;
      for (const entry of addEntry(CORE_TRIE, pattern, newTrie)) {
        entry.bits = entry.bits === NOT_AN_ENTRY ? worth : entry.bits | worth;
      }
    }
  }
  for (const meaning of commands) meaning.parts &= ~P.framed;
}

function worthOf(parts: number, jobs: number): number {
  if ((parts & CORE) !== 0 || (jobs & JOB.calls) !== 0) return WORTH.core;
  const withTalk = (parts & WITH_TALK) !== 0 || (jobs & (JOB.oftener | JOB.moreOf)) !== 0;
  return ((parts & TALK) !== 0 ? WORTH.talk : 0) | (withTalk ? WORTH.withTalk : 0);
}

function meaningIn(entry: RequestEntry, language: number): Meaning {
  const known = entry.meanings.find((meaning) => meaning.language === language);
  if (known !== undefined) return known;
  const meaning = { language, parts: 0, jobs: 0 };
  entry.meanings.push(meaning);
  entry.bits = entry.bits === NOT_AN_ENTRY ? language : entry.bits | language;
  return meaning;
}

function bitsOf(list: string): { parts: number; jobs: number } {
  if (list in COMPOUND) return COMPOUND[list as keyof typeof COMPOUND];
  if (list in PART) return { parts: PART[list as keyof typeof PART], jobs: 0 };
  return { parts: 0, jobs: JOB[list as keyof typeof JOB] };
}

for (const [index, language] of LANGUAGE_ORDER.entries()) compile(REQUEST_LANGUAGES[language], 1 << index);
compile(symbols, (1 << LANGUAGE_ORDER.length) - 1);

/** Words that may stand inside another entry, with the parts that they add. */
export const SKIPS: ReadonlyMap<string, number> = new Map(
  Object.values(REQUEST_LANGUAGES).flatMap((words) =>
    entries(('skips' in words ? words.skips : undefined) ?? '').map((word) => [word, partsOf(word)]),
  ),
);

function partsOf(word: string): number {
  return (REQUEST_TRIE.next?.get(word)?.meanings ?? []).reduce(
    (all, { parts }) => all | (parts & P.please),
    0,
  );
}

/** Misspelled words of requests, and what they stand for. Only verbs, places and politeness are worth it. */
export const TYPOS: ReadonlyMap<string, string> = typosOf(wordsOf(MISSPELT), wordsOf(~0));

function wordsOf(parts: number): Set<string> {
  const words = new Set<string>();
  for (const list of Object.values(REQUEST_LANGUAGES)) {
    for (const [name, patterns] of Object.entries(list)) {
      if (parts !== ~0 && (bitsOf(name).parts & parts) === 0) continue;
      for (const word of tokenize(patterns.replaceAll(/[{}|,]/g, ' ')).words) words.add(word);
    }
  }
  return words;
}
