// Asking for patience is no question. "One moment, please?" is said politely and waits for nobody's answer, so nothing
// stays open after it. Read in an agent's own messages alone: a person who asks an agent to wait asks it for something.
import { type Entry, LANGUAGES, NOT_AN_ENTRY, addEntry, newTrie } from './compile.ts';
import { bitsOf, readTokens } from './read.ts';
import { BREAK, type TextTokens } from './tokenize.ts';
import { ROLE } from './words/shape.ts';

const TRIE = newTrie();
for (const { patience = '' } of Object.values(LANGUAGES)) {
  for (const pattern of patience.split(',')) {
    for (const end of addEntry(TRIE, pattern, newTrie)) end.bits = 0;
  }
}

const ASKS_IN_PLACE = ROLE.askOpening | ROLE.askFinal | ROLE.askTag;
const POLITE = ROLE.request | ROLE.please;

/** The tokens without the sentences that only ask to wait. */
export function withoutPatience(tokens: TextTokens): TextTokens {
  if (!tokens.words.some((_, i) => patienceAt(tokens, i) > 0)) return tokens;
  const kept = sentencesOf(tokens).filter((sentence) => !onlyWaits(sentence));
  return {
    ...tokens,
    words: kept.flatMap(({ words }) => words),
    breaks: kept.flatMap(({ breaks }) => breaks),
    asked: kept.some(({ asked }) => asked),
    questions: [],
    quotes: [],
  };
}

/** It asks to wait, with at most one polite word of its own, and asks nothing else. */
function onlyWaits(sentence: TextTokens): boolean {
  const rest: TextTokens = { ...sentence, words: [], breaks: [] };
  let waits = false;
  for (let i = 0; i < sentence.words.length; ) {
    const length = patienceAt(sentence, i);
    if (length > 0) waits = true;
    else {
      rest.words.push(sentence.words[i] ?? '');
      rest.breaks.push(sentence.breaks[i] ?? 0);
    }
    i += Math.max(1, length);
  }
  if (!waits) return false;
  const reading = readTokens(rest);
  if ((reading.any & ROLE.ask) !== 0 || (reading.placed & ASKS_IN_PLACE) !== 0) return false;
  return reading.units.filter((unit) => (bitsOf(unit) & POLITE) !== 0).length <= 1;
}

/** How many tokens the longest phrase at `from` has, 0 if there is none. */
function patienceAt({ words, breaks }: TextTokens, from: number): number {
  let node: Entry | undefined = TRIE;
  let length = 0;
  for (let i = from; i < words.length; i++) {
    if (i > from && (breaks[i] ?? 0) > BREAK.comma) break;
    node = node.next?.get(words[i] ?? '');
    if (node === undefined) break;
    if (node.bits !== NOT_AN_ENTRY) length = i - from + 1;
  }
  return length;
}

function sentencesOf(tokens: TextTokens): TextTokens[] {
  const { words, breaks, questions } = tokens;
  const sentences: TextTokens[] = [];
  let start = 0;
  for (let i = 1; i <= words.length; i++) {
    if (i < words.length && breaks[i] !== BREAK.sentence) continue;
    sentences.push({
      ...tokens,
      words: words.slice(start, i),
      breaks: breaks.slice(start, i),
      asked: questions.includes(i),
    });
    start = i;
  }
  return sentences;
}
