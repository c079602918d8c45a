// Requests as people write them in chat, and sentences that merely contain the same words, in eight languages: one file
// per language, one message per line. The agent is called Nova. They were written before the reader was, to hold it to
// what a careful person would read, and are never changed to fit the reader.
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { pt } from './pt.ts';
import { zh } from './zh.ts';

/**
 * What a careful person reads. `leave`: go from this place. `stop`: end what you do or say. `quieter`: be silent until
 * called. `back`: speak again. `other`: none of these.
 */
export const MEANINGS = ['leave', 'stop', 'quieter', 'back', 'other'] as const;
export type Meaning = (typeof MEANINGS)[number];

export type Phrasings = Record<Meaning, string>;

/** The names of the agent in the sentences. */
export const NOVA = ['nova', 'ノバ', '노바'];

const BY_LANGUAGE: Record<string, Phrasings> = { en, es, fr, de, pt, ja, ko, zh };

export interface Phrasing {
  language: string;
  meaning: Meaning;
  text: string;
}

export const PHRASINGS: readonly Phrasing[] = Object.entries(BY_LANGUAGE).flatMap(([language, lists]) =>
  MEANINGS.flatMap((meaning) => linesOf(lists[meaning]).map((text) => ({ language, meaning, text }))),
);

export function linesOf(list: string): string[] {
  return list
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
