// Requests to be a little quieter or keener, one notch of the dial, as people write them in chat. Written before the
// words were, to hold the reader to what a careful person would read. The agent is called Nova.
import { linesOf } from '../phrasings.ts';
import { CJK } from './cjk.ts';
import { LATIN } from './latin.ts';

/**
 * What a careful person reads. `quieter`: answer here less than now. `keener`: answer here more. `exists`: a mode, to leave
 * or to stop, which is not the dial. `other`: nothing of the kind, though the words are there.
 */
export const DIAL_MEANINGS = ['quieter', 'keener', 'exists', 'other'] as const;
export type DialMeaning = (typeof DIAL_MEANINGS)[number];
export type DialPhrasings = Record<DialMeaning, string>;

export interface DialPhrasing {
  language: string;
  meaning: DialMeaning;
  text: string;
}

export const DIAL_PHRASINGS: readonly DialPhrasing[] = phrasingsOf({ ...LATIN, ...CJK });

export function phrasingsOf(lists: Readonly<Record<string, DialPhrasings>>): DialPhrasing[] {
  return Object.entries(lists).flatMap(([language, byMeaning]) =>
    DIAL_MEANINGS.flatMap((meaning) =>
      linesOf(byMeaning[meaning]).map((text) => ({ language, meaning, text })),
    ),
  );
}
