// A cut within a line that is too long: after a sentence, else between words, else between letters. What reads as one
// (a link, a mention, a code span, words in bold) stays in one piece.

import { type Span, codeSpans } from '../../protocol/text-lines.ts';

/** The part ends at `end`, the next begins at `next`. Between them is blank space. */
export interface Cut {
  end: number;
  next: number;
}

export interface CutRules {
  text: string;
  from: number;
  /** The cut should not be before this. */
  least: number;
  /** In code every blank counts, and nothing is a sentence. */
  isCode: boolean;
}

/** `isWhole`: it cuts nothing in two. Undefined: there is no letter to cut after. */
export function cutInLine(
  { text, from: start, least, isCode }: CutRules,
  lineEnd: number,
  until: number,
): (Cut & { isWhole: boolean }) | undefined {
  const from = start + blankAt(text, start, until);
  const kept = isCode ? [] : keptTogether(text, from, Math.min(lineEnd, until + REACH));
  const isFree = (at: number): boolean => spanAround(kept, at) === undefined;
  const blanks = blankCuts(text, from, until, isCode).filter(({ end, next }) => isFree(end) && isFree(next));
  const full = blanks.filter(({ end }) => end >= least);
  const sentence = isCode ? undefined : full.findLast(({ end }) => endsSentence(text, from, end));
  const best = sentence ?? full.at(-1);
  if (best !== undefined) return { ...best, isWhole: true };
  const letters = letterCut(text, from, until, kept);
  if (letters >= least) return { end: letters, next: letters, isWhole: true };
  const early = blanks.at(-1) ?? (letters > from ? { end: letters, next: letters } : undefined);
  if (early !== undefined) return { ...early, isWhole: true };
  const anyLetter = letterEnd(text, from, until);
  return anyLetter <= from ? undefined : { end: anyLetter, next: anyLetter, isWhole: false };
}

/** How much blank space begins here. A part of nothing else would be empty. */
export function blankAt(text: string, from: number, until: number): number {
  const said = text.slice(from, until);
  return said.length - said.trimStart().length;
}

/** How far after the cut the end of a link is looked for. */
const REACH = 4_000;

const SENTENCE = /[.!?…。！？][)"'”’»」』*_]?$/u;
/** At the start of a message this would be a list, a quotation, a heading, a table or a fence. */
const WOULD_BEGIN_BLOCK = /^(?:[-*+]\s|>|#{1,6}\s|\||\d{1,9}[.)]\s|```|~~~)/;
const WIDE_STOP = /[。！？]/u;

function endsSentence(text: string, from: number, end: number): boolean {
  return SENTENCE.test(text.slice(Math.max(from, end - 3), end));
}

/** Neither a blank, nor a further stop, nor what would begin a block follows. */
function isWithinText(text: string, at: number): boolean {
  return !/^[\s。！？]/u.test(text.charAt(at)) && !WOULD_BEGIN_BLOCK.test(text.slice(at, at + 12));
}

/** Where there is blank space, and after a full stop that needs none. */
function blankCuts(text: string, from: number, until: number, isCode: boolean): Cut[] {
  const cuts: Cut[] = [];
  for (let at = from + 1; at <= until; at++) {
    if (!isCode && WIDE_STOP.test(text.charAt(at - 1)) && isWithinText(text, at))
      cuts.push({ end: at, next: at });
    if (text[at] !== ' ' && text[at] !== '\t') continue;
    let next = at;
    while (text[next] === ' ' || text[next] === '\t') next++;
    const isEnd = next >= text.length || text[next] === '\n';
    if (!isEnd && !WOULD_BEGIN_BLOCK.test(text.slice(next, next + 12)))
      cuts.push(isCode ? { end: Math.min(next, until), next: Math.min(next, until) } : { end: at, next });
    at = next - 1;
  }
  return cuts;
}

const TOGETHER = [
  // links and pictures
  /!?\[[^[\]\n]{0,1000}\]\([^()\s]{0,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?(?: "[^"\n]{0,200}")?\)/g,
  /<[^<>\s]{1,2000}>/g,
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>]{1,3000}/gi,
  // mentions
  /[@#][\p{L}\p{N}_](?:[\p{L}\p{N}_./-]{0,100}[\p{L}\p{N}_])?/gu,
  // a mark that would be a fence at the start of a message
  /\S(?:`{3,}|~{3,})/g,
  // emphasis
  /(\*\*|__|~~)(?=\S)[^*_~\n]{1,300}\1/g,
];

/** What must stay in one piece, between the two places: in order, without overlaps. */
function keptTogether(text: string, from: number, until: number): Span[] {
  const said = text.slice(from, until);
  const spans = codeSpans(said);
  for (const pattern of TOGETHER) {
    for (const { index, 0: found } of said.matchAll(pattern))
      spans.push({ start: index, end: index + found.length });
  }
  const kept: Span[] = [];
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    const before = kept.at(-1);
    if (before !== undefined && start + from < before.end) before.end = Math.max(before.end, end + from);
    else kept.push({ start: start + from, end: end + from });
  }
  return kept;
}

/** The span that a cut here would cut in two. */
function spanAround(spans: readonly Span[], at: number): Span | undefined {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.start ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  const span = spans[low - 1];
  return span !== undefined && at < span.end ? span : undefined;
}

/** How much before a cut is read to find where a letter begins. */
const LETTER_WINDOW = 1_000;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Between two words that have no blank space between them, else between two letters. `from`: nowhere. */
function letterCut(text: string, from: number, until: number, kept: readonly Span[]): number {
  for (const end of [wordEnd, letterEnd]) {
    const at = end(text, from, until);
    // What must stay whole begins the next part.
    const cut = spanAround(kept, at)?.start ?? at;
    if (cut > from && !WOULD_BEGIN_BLOCK.test(text.slice(cut, cut + 12))) return cut;
  }
  return from;
}

function wordEnd(text: string, from: number, until: number): number {
  return segmentEnd(words, text, from, until);
}

function letterEnd(text: string, from: number, until: number): number {
  const at = segmentEnd(graphemes, text, from, until);
  if (at > from) return at;
  const isPair = (text.codePointAt(until - 1) ?? 0) > 0xffff;
  return isPair ? until - 1 : until;
}

/** The last place up to `until` where a segment begins. `from` if there is none. */
function segmentEnd(segmenter: Intl.Segmenter, text: string, from: number, until: number): number {
  const start = Math.max(from, until - LETTER_WINDOW);
  const window = text.slice(start, until + LETTER_WINDOW);
  const segment = segmenter.segment(window).containing(until - start);
  return segment === undefined || segment.index === 0 ? from : start + segment.index;
}
