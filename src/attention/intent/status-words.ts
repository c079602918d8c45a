// Words that ask how far things are, in every language of the word lists. Reports use the same words, so the caller
// must know already that the message asks something.
import { LANGUAGES, entries } from './compile.ts';

const STATUS_WORDS: readonly string[] = Object.values(LANGUAGES).flatMap(({ asksStatus = '' }) =>
  entries(asksStatus),
);

const LETTER = /[\p{Script=Latin}\p{N}]/u;

/** A word counts anywhere in the text. In scripts with spaces it must be a whole word. */
export function holdsStatusWord(folded: string): boolean {
  return STATUS_WORDS.some((words) => holds(folded, words));
}

function holds(folded: string, words: string): boolean {
  const spaced = LETTER.test(words);
  for (let at = folded.indexOf(words); at >= 0; at = folded.indexOf(words, at + 1)) {
    if (!spaced || (!isLetter(folded[at - 1]) && !isLetter(folded[at + words.length]))) return true;
  }
  return false;
}

function isLetter(char: string | undefined): boolean {
  return char !== undefined && LETTER.test(char);
}
