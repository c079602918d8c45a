// Reads an agent's message sentence by sentence: which of them ask their reader for something, and what they are about.
// Models close nearly everything with an offer ("let me know if you need anything else"), and an offer asks nothing.
// Content words are what is left without politeness and glue. Numbers, ids, names and links are content in any language.
import { foldText, hashText, isUnbounded } from '../text.ts';
import { type Entry, NOT_AN_ENTRY, TRIE } from './compile.ts';
import { withoutPatience } from './patience.ts';
import { type TextReading, isDecoration, readTokens, withoutNames } from './read.ts';
import { BREAK, HEAD_CHARS, LINK, TAIL_CHARS, type TextTokens, tokenize } from './tokenize.ts';
import { ROLE } from './words/shape.ts';

export interface Asking {
  /** A sentence says something and asks nothing, be it only "done". Thanks and offers of help say nothing. */
  says: boolean;
  /** Nothing but orders by their first word. A report may read like one: "run 19 completed". */
  orders: boolean;
  /** Hashes of the content words of the sentences that ask, and of the others. Each at most once. */
  asked: readonly number[];
  told: readonly number[];
  /**
   * What is asked, with what it is about: "Marek is blocked by the mailer. Can you help?" Figures belong to it wherever
   * they stand; the words of the other sentences only if the question has hardly any of its own.
   */
  matter: readonly number[];
  /** Numbers, ids and links, and the names in the sentences that ask. */
  figures: readonly number[];
}

/** Content words kept of the sentences that ask, and of the others. The rest of a long message is not compared. */
const MOST_WORDS = 48;

/** `names`: of those who talk. They are no content, because each message of an exchange has another one. */
export function readAsking(text: string, folded: string, names: readonly string[]): Asking {
  const asked: Words = new Map();
  const told: Words = new Map();
  const named = capitalised(text);
  let says = false;
  const sentences = sentencesOf(folded).map((sentence) => {
    const tokens = withoutNames(tokenize(sentence), names);
    return { sentence, tokens, reading: readTokens(tokens), kind: kindOf(sentence, tokens) };
  });
  // Beside a question or a request, what begins like an order is a report.
  const orders = sentences.every(({ kind }) => kind !== 'asks');
  for (const { sentence, tokens, reading, kind } of sentences) {
    const words = contentOf(sentence, tokens);
    if (kind === 'says' || (kind === 'orders' && !orders)) {
      says ||= tokens.words.length > 0 && !isCourtesy(reading, words);
      add(told, words, named);
    } else if (words.length > 0) add(asked, words, named);
    // Politeness alone is its own content, so that asking it again is asking the same again.
    else add(asked, [tokens.words.join(' ')], named);
  }
  const around =
    asked.size === 0 ? [] : [...told].flatMap(([word, kind]) => (kind === 'figure' ? [word] : []));
  const figures = [...asked].flatMap(([word, kind]) => (kind === 'word' ? [] : [word]));
  const matter = [...asked.keys(), ...(asked.size <= FEW_WORDS ? told.keys() : around)];
  return {
    says,
    orders,
    asked: [...asked.keys()],
    told: [...told.keys()],
    matter: [...new Set(matter)],
    figures: [...new Set([...figures, ...around])],
  };
}

/** A question of so few words takes its matter from the sentences around it. */
const FEW_WORDS = 2;

const COURTESY = ROLE.thanks | ROLE.offer;
/** Beside thanks or an offer a sentence says something only with a figure, or with so many words and no question. */
const WORDS_OF_MATTER = 3;

function isCourtesy(reading: TextReading, words: readonly string[]): boolean {
  if ((reading.any & COURTESY) === 0 || words.some(isFigure)) return false;
  return reading.asked || words.length < WORDS_OF_MATTER;
}

/** Whether a message is nothing but thanks and offers of help. */
export function onlyCourtesy(folded: string): boolean {
  if ((readTokens(tokenize(folded)).any & COURTESY) === 0) return false;
  return sentencesOf(folded).every((sentence) => {
    const tokens = tokenize(sentence);
    if (tokens.words.length === 0) return true;
    return isCourtesy(readTokens(tokens), contentOf(sentence, tokens));
  });
}

/** Whether a message that reads as a question or a request only offers help, or asks for patience. */
export function onlyOffers(folded: string): boolean {
  const tokens = tokenize(folded);
  if ((readTokens(tokens).any & ROLE.offer) === 0 && withoutPatience(tokens) === tokens) return false;
  return sentencesOf(folded).every((sentence) => kindOf(sentence) === 'says');
}

/** The sentences that ask or order something. */
export function askingSentences(folded: string): string[] {
  return sentencesOf(folded).filter((sentence) => kindOf(sentence) !== 'says');
}

/** Whether a message that reads as a request has nothing of one but its first word. */
export function onlyOrders(folded: string): boolean {
  return sentencesOf(folded).every((sentence) => kindOf(sentence) !== 'asks');
}

const DIGIT = /\d/;

/** `figure`: a number, an id or a link. In scripts where every noun has a capital letter, nouns are names. */
type Words = Map<number, 'word' | 'name' | 'figure'>;

function add(into: Words, words: readonly string[], named: ReadonlySet<string>): void {
  for (const word of words) {
    if (into.size >= MOST_WORDS) return;
    into.set(hashText(word), isFigure(word) ? 'figure' : named.has(word) ? 'name' : 'word');
  }
}

const isFigure = (word: string): boolean => DIGIT.test(word) || word.includes('://');

const MENTIONS = /@[\p{L}\p{N}_.-]+/gu;
/** A capital letter inside a sentence: what stands before it is no mark that ends one. */
const NAMES = /(?<=[\p{L}\p{N},)'’][ "'“(]+)\p{Lu}[\p{L}\p{N}]+/gu;

/** Names, in scripts with capital letters. Where every noun has one, nouns are names too. */
function capitalised(text: string): ReadonlySet<string> {
  const head = text.slice(0, HEAD_CHARS + TAIL_CHARS).replace(MENTIONS, '.');
  return new Set([...head.matchAll(NAMES)].map(([name]) => foldText(name)));
}

const ASKS_ANYWHERE = ROLE.ask | ROLE.request | ROLE.please | ROLE.urgent | ROLE.blocker;
const ASKS_IN_PLACE = ROLE.askOpening | ROLE.askFinal;
const ORDERS_IN_PLACE = ROLE.imperative | ROLE.nounVerb;

/** "has the log." after a name states something; "has it come in" and "has it come in?" ask. */
const STATED = /[^.]\.\s*$/;

function kindOf(sentence: string, tokens: TextTokens = tokenize(sentence)): 'asks' | 'orders' | 'says' {
  const reading = readTokens(withoutPatience(tokens));
  if ((reading.any & ROLE.offer) !== 0) return 'says';
  const inPlace = STATED.test(sentence) ? ROLE.askFinal : ASKS_IN_PLACE;
  const asks = reading.asked || (reading.any & ASKS_ANYWHERE) !== 0 || (reading.placed & inPlace) !== 0;
  if (asks) return 'asks';
  return (reading.placed & ORDERS_IN_PLACE) !== 0 ? 'orders' : 'says';
}

const ENDS = /[!?。…;\n]+|\.+(?=\s|$)/gu;
const GOES_ON = /[a-z0-9]/;

/** The sentences with their marks. A mark inside a link or a number ends nothing. */
function sentencesOf(folded: string): string[] {
  const isLong = folded.length > HEAD_CHARS + TAIL_CHARS;
  const text = isLong ? `${folded.slice(0, HEAD_CHARS)}\n${folded.slice(-TAIL_CHARS)}` : folded;
  const sentences: string[] = [];
  let from = 0;
  for (const mark of text.matchAll(ENDS)) {
    const end = mark.index + mark[0].length;
    if (GOES_ON.test(text[end] ?? '') && !mark[0].includes('\n')) continue;
    sentences.push(text.slice(from, end));
    from = end;
  }
  if (from < text.length) sentences.push(text.slice(from));
  return sentences;
}

/** Words of these roles alone say nothing about the matter. */
const POLITE =
  ROLE.thanks |
  ROLE.ack |
  ROLE.praise |
  ROLE.yes |
  ROLE.no |
  ROLE.filler |
  ROLE.glue |
  ROLE.joiner |
  ROLE.closer |
  ROLE.askOpening |
  ROLE.ask |
  ROLE.askFinal |
  ROLE.request |
  ROLE.please |
  ROLE.offer |
  ROLE.contrast;

const LINKS = /(?:[a-z][a-z0-9+.-]*:\/\/|www\.)[^\s<>"')\]]+/g;
const TRAILING_MARKS = /[.,:;!?]+$/;

/** Links as they are, words in scripts with spaces, pairs of neighbouring characters in others. */
function contentOf(sentence: string, tokens: TextTokens): string[] {
  const { words, breaks } = tokens;
  const content: string[] = [];
  if (words.includes(LINK)) {
    for (const [link] of sentence.matchAll(LINKS)) content.push(link.replace(TRAILING_MARKS, ''));
  }
  let neighbour = '';
  for (let i = 0; i < words.length; ) {
    const polite = politeLength(tokens, i);
    const word = words[i] ?? '';
    if (polite > 0 || word === LINK || isDecoration(word)) {
      neighbour = '';
      i += Math.max(1, polite);
      continue;
    }
    const isChar = isUnbounded(word);
    if (!isChar) content.push(word);
    else if (neighbour !== '' && breaks[i] === BREAK.none) content.push(neighbour + word);
    neighbour = isChar ? word : '';
    i++;
  }
  return content;
}

/** How many tokens the longest entry at this place has, if it is politeness and nothing else. */
function politeLength({ words, breaks }: TextTokens, from: number): number {
  let node: Entry | undefined = TRIE;
  let length = 0;
  for (let i = from; i < words.length; i++) {
    if (i > from && (breaks[i] ?? 0) > BREAK.comma) break;
    node = node.next?.get(words[i] ?? '');
    if (node === undefined) break;
    if (node.bits !== NOT_AN_ENTRY) length = (node.bits & ~POLITE) === 0 ? i - from + 1 : 0;
  }
  return length;
}
