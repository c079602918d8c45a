// Guesses the language of a message, so that what the host says about it is in the same one. Scripts of one language
// decide at once; the others are told apart by the words of requests. A guess may be wrong, and then it is English.
import { foldText } from '../text.ts';
import { clausesOf } from './request-clauses.ts';
import { LANGUAGE_ORDER, type RequestLanguage } from './request-words.ts';
import { tokenize } from './tokenize.ts';

/** A longer text says no more about its language. */
const READ_CHARS = 500;

/** Japanese before Chinese: it is written with Han characters too. */
const SCRIPTS: readonly (readonly [RegExp, RequestLanguage])[] = [
  [/\p{Script=Hangul}/u, 'ko'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Han}/u, 'zh'],
];

export function languageOf(text: string): RequestLanguage {
  const read = text.slice(0, READ_CHARS).toWellFormed();
  for (const [script, language] of SCRIPTS) if (script.test(read)) return language;
  const { languages } = clausesOf(tokenize(foldText(read)));
  const most = Math.max(...languages);
  // Where two languages have as many words, the first counts, and English is the first.
  return most === 0 ? 'en' : (LANGUAGE_ORDER[languages.indexOf(most)] ?? 'en');
}
