// Reads whether a person corrects an agent: "not you", "I meant Jane", "why didn't you answer?". A message is one only if
// it is short and one of its clauses is nothing else. Who is corrected, and about what, is not read here: that needs the
// messages before it (host/attend/log-corrections.ts).
import { foldText } from '../text.ts';
import { entries } from './compile.ts';
import { ownWords } from '../own-words.ts';
import { BREAK, tokenize } from './tokenize.ts';
import { CORRECTION_WORDS, type CorrectionWords } from './words/corrections.ts';

/** `meant` is whoever is named as the one who was meant, folded. */
export type SaidCorrection = { kind: 'not_you' | 'silent' } | { kind: 'meant'; meant: string };

/** Whoever writes more says something else as well. */
const MOST_CHARS = 120;
/** Words, or characters in scripts without spaces. */
const MOST_NAME_TOKENS = 8;

/** Whether it is worth reading. Nearly every message is not. */
export function mayCorrect(text: string): boolean {
  if (text === '' || text.length > MOST_CHARS) return false;
  const folded = foldText(text);
  return CORE.test(folded) || (!ASCII.test(folded) && CORE_UNSPACED.test(folded));
}

/** `names`: what the agents are called. */
export function readCorrection(text: string, names: readonly string[]): SaidCorrection | undefined {
  if (!mayCorrect(text)) return undefined;
  const clauses = clausesOf(foldText(ownWords(text)), names);
  for (const clause of clauses) if (NOT_YOU.has(clause)) return { kind: 'not_you' };
  for (const clause of clauses) if (SILENT.has(clause)) return { kind: 'silent' };
  for (const clause of clauses) {
    const meant = meantIn(clause);
    if (meant !== undefined) return { kind: 'meant', meant };
  }
  return undefined;
}

/** "no wait, staging": the author takes back what they said last, and says it anew. */
export function takesBack(text: string): boolean {
  if (text.length > MOST_CHARS) return false;
  const { words, breaks } = tokenize(foldText(ownWords(text)));
  for (let count = 1; count <= Math.min(words.length, MOST_AMENDING); count++) {
    const isEnd = count === words.length || (breaks[count] ?? 0) > BREAK.none;
    if (isEnd && AMENDS.has(joined(words.slice(0, count)))) return true;
  }
  return false;
}

const WORDS = Object.values(CORRECTION_WORDS);
/** In one form: folded, one space between tokens, apostrophes left out as people do. */
const joined = (words: readonly string[]): string => words.join(' ').replaceAll("'", '');
const plain = (text: string): string => joined(tokenize(foldText(text)).words);
const listed = (list: keyof CorrectionWords): string[] =>
  WORDS.flatMap((words) => entries(words[list])).map(plain);

const NOT_YOU: ReadonlySet<string> = new Set(listed('notYou'));
const SILENT: ReadonlySet<string> = new Set(listed('silent'));
const AMENDS: ReadonlySet<string> = new Set(listed('amends'));
const MOST_AMENDING = Math.max(...[...AMENDS].map((entry) => entry.split(' ').length));
const AROUND: readonly string[] = [...new Set(listed('around'))].toSorted((a, b) => b.length - a.length);
const ASCII = /^[\x20-\x7e]*$/;
const CORES = WORDS.flatMap(({ core }) => entries(core)).map(foldText);
const CORE = new RegExp(`\\b(?:${CORES.filter((core) => ASCII.test(core)).join('|')})`);
const CORE_UNSPACED = new RegExp(CORES.filter((core) => !ASCII.test(core)).join('|'));

const MEANT: readonly { before: string; after: string }[] = WORDS.flatMap(({ meant }) => entries(meant))
  .map((entry) => entry.split('~').map(plain))
  .map(([before = '', after = '']) => ({ before, after }));

/** The clauses of a message, each without politeness and without the names of those who are spoken to. */
function clausesOf(folded: string, names: readonly string[]): string[] {
  const { words, breaks } = tokenize(folded);
  const clauses: string[][] = [];
  for (const [index, word] of words.entries()) {
    if (index === 0 || (breaks[index] ?? 0) > BREAK.none) clauses.push([]);
    clauses.at(-1)?.push(word);
  }
  const dropped = [...names.map(plain), ...AROUND];
  return clauses.map((clause) => trimmed(clause.join(' ').replaceAll("'", ''), dropped));
}

function trimmed(clause: string, dropped: readonly string[]): string {
  let left = clause;
  for (let before = ''; before !== left; ) {
    before = left;
    for (const word of dropped) {
      if (NOT_YOU.has(left) || SILENT.has(left)) return left;
      if (left.startsWith(`${word} `)) left = left.slice(word.length + 1);
      else if (left.endsWith(` ${word}`)) left = left.slice(0, -word.length - 1);
    }
  }
  return left;
}

function meantIn(clause: string): string | undefined {
  for (const { before, after } of MEANT) {
    const start = before === '' ? 0 : before.length + 1;
    const end = after === '' ? clause.length : clause.length - after.length - 1;
    // "I meant @jane": a tag is no word, so whom it tags is all there is.
    if (after === '' && clause === before) return '';
    if (end <= start) continue;
    if (before !== '' && !clause.startsWith(`${before} `)) continue;
    if (after !== '' && !clause.endsWith(` ${after}`)) continue;
    const meant = clause.slice(start, end);
    if (meant.split(' ').length <= MOST_NAME_TOKENS) return meant;
  }
  return undefined;
}
