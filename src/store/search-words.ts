// What search compares: words folded alike for every store and every script. Letters and digits make words; accents,
// case and width are dropped; in scripts written without spaces (and in Korean, whose particles stick) each character
// is a word, and a sought word is then a run of them.
import type { LogRow } from './tables.ts';

const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{N}]+?(?=[^\p{L}\p{N}]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|$)/gu;

/** Longer queries are cut: nobody types them. */
const SOUGHT_WORDS_MAX = 16;

export function foldWords(text: string): string[] {
  return fold(text).match(WORD) ?? [];
}

/** One run of words for each word the person typed; every run must be there. */
export function soughtRuns(words: string): string[][] {
  return words
    .split(/\s+/u)
    .map(foldWords)
    .filter((run) => run.length > 0)
    .slice(0, SOUGHT_WORDS_MAX);
}

/** The text people search in: what was said, without the secrets in it. Undefined for everything else. */
export function searchableText(row: Pick<LogRow, 'record' | 'secrets'>): string | undefined {
  const { event } = row.record;
  if ((event.type !== 'message' && event.type !== 'edit') || event.text === undefined) return undefined;
  let text = '';
  let from = 0;
  for (const [start, end] of row.secrets) {
    text += `${event.text.slice(from, start)} `;
    from = Math.max(from, end);
  }
  return text + event.text.slice(from);
}

export function containsRuns(words: readonly string[], runs: readonly (readonly string[])[]): boolean {
  const joined = ` ${words.join(' ')} `;
  return runs.every((run) => joined.includes(` ${run.join(' ')} `));
}

/** NFKC puts Korean syllables back together, which NFKD takes apart to get at the accents. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}+/gu, '')
    .normalize('NFKC')
    .toLowerCase();
}
