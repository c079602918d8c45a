// The words that search compares, the same in every store. Letters and digits make words; accents, case and width are
// dropped. In scripts without spaces, and in Korean with its particles, each character is a word. A word that somebody
// searches for is then a run of characters. The last word may be the beginning of a longer one, because people search
// while they type.
import type { LogRow } from './tables.ts';

const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{N}]+?(?=[^\p{L}\p{N}]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|$)/gu;

/** Longer queries are cut. Nobody types them. */
const SOUGHT_WORDS_MAX = 16;
/** A shorter last word is sought as it is. Nearly every text has a word that begins with a given letter. */
const BEGINNING_CHARS = 2;

export function foldWords(text: string): string[] {
  return fold(text).match(WORD) ?? [];
}

/** One run for each word that the person typed. A text matches when it has every run. */
export function soughtRuns(words: string): string[][] {
  return words
    .split(/\s+/u)
    .map(foldWords)
    .filter((run) => run.length > 0)
    .slice(0, SOUGHT_WORDS_MAX);
}

/** The text that search looks at: a message without its secrets. Undefined for every other record. */
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
  return runs.every((run, index) => {
    const end = index === runs.length - 1 && isBeginning(run) ? '' : ' ';
    return joined.includes(` ${run.join(' ')}${end}`);
  });
}

/** The same as a query of SQLite's full-text search. */
export function ftsQuery(runs: readonly (readonly string[])[]): string {
  return runs
    .map((run, index) => `"${run.join(' ')}"${index === runs.length - 1 && isBeginning(run) ? '*' : ''}`)
    .join(' AND ');
}

/** Whether the last run of a query also finds longer words. */
export function isBeginning(run: readonly string[]): boolean {
  return (run.at(-1) ?? '').length >= BEGINNING_CHARS;
}

/** NFKD separates the accents, but also takes Korean syllables apart. NFKC puts those together again. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}+/gu, '')
    .normalize('NFKC')
    .toLowerCase();
}
