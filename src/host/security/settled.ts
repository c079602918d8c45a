// Which part of a text that is still being written can be shown. A secret is known by its end as often as by its
// beginning, so whatever could still become one is held back: the last word, words that only line breaks part from it
// (a secret may be wrapped), and a quoted value after a word like "password" until the quote is closed. What is shown has
// ended before a blank that no rule reaches across, and redaction has seen all of it.
import { NAMED } from './own-rules.ts';

/** The longest quoted value that is a secret, with its name before it. */
const QUOTED_CHARS = 700;
const OPEN_QUOTE = new RegExp(String.raw`${NAMED}\\?(?<quote>["'\`])`, 'gi');

const LINE_BREAK = /[\n\r\v\f\u0085\u2028\u2029]/;
const WHITE = /[\s\u0085]/;
/** Not a byte order mark: nobody sees it, so it parts nothing. */
const NO_BLANK = '\ufeff';
/** Marks of a quotation. With them and the blanks around it a line break is taken out before a search. */
const QUOTE_MARKS = '>|';
/** Scripts without blanks between words. None of their letters is in a secret. */
const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3001-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
/** An address may hold a password in any script. */
const ADDRESS = '://';

/** The length of the beginning that can be shown, once its secrets are cut out. */
export function settledChars(text: string): number {
  const word = lastWord(text);
  const settled = afterUnspaced(text, word);
  const quoted = openQuote(text);
  return quoted === undefined ? settled : Math.min(settled, quoted);
}

/** Where the last word begins, together with the words that only line breaks part from it. */
function lastWord(text: string): number {
  for (let at = text.length - 1; at > 0; at--) {
    if (WHITE.test(text[at] ?? '') || !isBlank(text[at - 1])) continue;
    let before = at - 1;
    while (before >= 0 && isBlank(text[before])) before--;
    const last = text[before];
    if (last !== undefined && !LINE_BREAK.test(last) && !QUOTE_MARKS.includes(last)) return at;
    at = before + 1;
  }
  return 0;
}

function isBlank(char: string | undefined): boolean {
  return char !== undefined && char !== NO_BLANK && WHITE.test(char) && !LINE_BREAK.test(char);
}

function afterUnspaced(text: string, word: number): number {
  for (let at = text.length - 1; at >= word; at--) {
    if (UNSPACED.test(text[at] ?? '')) return text.slice(word, at).includes(ADDRESS) ? word : at + 1;
  }
  return word;
}

/** Where the name of a quoted value stands whose quote is not closed yet. */
function openQuote(text: string): number | undefined {
  const from = Math.max(0, text.length - QUOTED_CHARS);
  for (const match of text.slice(from).matchAll(OPEN_QUOTE)) {
    const value = from + match.index + match[0].length;
    if (!text.includes(match.groups?.['quote'] ?? '', value)) return from + match.index;
  }
  return undefined;
}
