// The part of a text around the first word that was sought, in one line, and where the sought words are in it.
import { printableLine } from '../../protocol/identity.ts';
import { foldWords, isBeginning } from '../../store/search-words.ts';

export interface Excerpt {
  excerpt: string;
  /** Start and end of each hit in the excerpt. */
  hits: [number, number][];
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** How much of the excerpt comes before the first hit. */
const LEAD_SHARE = 0.3;
const HITS_MAX = 20;

export function excerptOf(text: string, runs: readonly (readonly string[])[], chars: number): Excerpt {
  const [first] = hitsIn(text, runs);
  const lead = Math.floor(chars * LEAD_SHARE);
  const from = first === undefined || text.length <= chars ? 0 : Math.max(0, first[0] - lead);
  const cut = text.slice(from, from + chars * 2).toWellFormed();
  const excerpt = `${from > 0 ? '… ' : ''}${printableLine(cut, chars)}`;
  return { excerpt, hits: hitsIn(excerpt, runs).slice(0, HITS_MAX) };
}

function hitsIn(text: string, runs: readonly (readonly string[])[]): [number, number][] {
  const sought = new Set(runs.map((run) => run.join('')));
  const last = runs.at(-1) ?? [];
  const beginning = isBeginning(last) ? last.join('') : undefined;
  const hits: [number, number][] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const folded = foldWords(word);
    const joined = folded.join('');
    if (sought.has(joined) || (beginning !== undefined && joined.startsWith(beginning)))
      hits.push([index, index + word.length]);
    // In scripts without spaces the sought words stand inside a longer run of characters.
    else if (folded.length > 1) hits.push(...insideOf(word, joined, sought, index));
  }
  return hits;
}

function insideOf(
  word: string,
  joined: string,
  sought: ReadonlySet<string>,
  index: number,
): [number, number][] {
  // Where folding has changed the length, places cannot be compared. The whole word is marked.
  const same = joined.length === word.length;
  const hits: [number, number][] = [];
  for (const one of sought) {
    const at = joined.indexOf(one);
    if (at >= 0) hits.push(same ? [index + at, index + at + one.length] : [index, index + word.length]);
  }
  return hits.toSorted((a, b) => a[0] - b[0]).slice(0, 1);
}
