// Splits a folded text into tokens in one scan: words in scripts with spaces, single characters in others. It drops
// mentions, quoted lines and emoticons. A link is one token that no list has, and punctuation becomes the break before
// the next token. Invariant: linear, never throws, and reads at most HEAD_CHARS + TAIL_CHARS.

import { CHAR, CLASS_OF } from './char-class.ts';

/** The start and the end of a message show its intent. The middle of a long text is not read. */
export const HEAD_CHARS = 600;
export const TAIL_CHARS = 300;

/** The break before a token, weakest first. */
export const BREAK = { none: 0, comma: 1, colon: 2, sentence: 3 } as const;

export interface TextTokens {
  words: string[];
  /** For each word, the strongest BREAK between it and the word before. */
  breaks: number[];
  /** The strongest BREAK after the last word. */
  endBreak: number;
  /** There is a question mark outside links. */
  asked: boolean;
  /** For each question mark, how many words stand before it. */
  questions: number[];
  /** For each quotation mark, how many words stand before it. */
  quotes: number[];
}

export const LINK = '\u0000link';

export function tokenize(folded: string): TextTokens {
  const text = bound(folded);
  const out: TextTokens = {
    words: [],
    breaks: [],
    endBreak: BREAK.none,
    asked: false,
    questions: [],
    quotes: [],
  };
  const length = text.length;
  let i = 0;
  while (i < length) {
    const code = text.charCodeAt(i);
    switch (CLASS_OF[code] ?? CHAR.symbol) {
      case CHAR.word:
        i = takeWord(text, i, out);
        break;
      case CHAR.space:
        i++;
        break;
      case CHAR.mark:
        i = punctuation(text, i, code, out);
        break;
      case CHAR.unspaced:
        push(out, text.charAt(i++));
        break;
      default:
        i = symbol(text, i, code, out);
    }
  }
  // A question mark at the end always asks.
  if (!out.asked && text.includes('?')) out.asked = text.trimEnd().endsWith('?');
  return out;
}

function bound(folded: string): string {
  const cut =
    folded.length <= HEAD_CHARS + TAIL_CHARS
      ? folded
      : `${folded.slice(0, HEAD_CHARS)}\n${folded.slice(-TAIL_CHARS)}`;
  return cut.includes('\u2019') ? cut.replaceAll('\u2019', "'") : cut;
}

function push(out: TextTokens, word: string): void {
  out.words.push(word);
  out.breaks.push(out.endBreak);
  out.endBreak = BREAK.none;
}

function raise(out: TextTokens, level: number): void {
  if (level > out.endBreak) out.endBreak = level;
}

function isWordCode(code: number): boolean {
  return CLASS_OF[code] === CHAR.word;
}

function takeWord(text: string, from: number, out: TextTokens): number {
  const end = wordEnd(text, from, text.length);
  if (isLink(text, from, end)) {
    push(out, LINK);
    return spaceEnd(text, end);
  }
  push(out, text.slice(from, end));
  return end;
}

/** An apostrophe between letters is part of the word. */
function wordEnd(text: string, from: number, length: number): number {
  let i = from + 1;
  while (i < length) {
    const code = text.charCodeAt(i);
    if (!isWordCode(code) && !(code === 39 && i + 1 < length && isWordCode(text.charCodeAt(i + 1)))) break;
    i++;
  }
  return i;
}

function isLink(text: string, start: number, end: number): boolean {
  const code = text.charCodeAt(end);
  if (code === 58) return text.charCodeAt(end + 1) === 47 && text.charCodeAt(end + 2) === 47;
  return code === 46 && end - start === 3 && text.startsWith('www', start);
}

function spaceEnd(text: string, from: number): number {
  let i = from;
  while (i < text.length && text.charCodeAt(i) > 0x20 && text.charCodeAt(i) !== 0x3000) i++;
  return i;
}

function punctuation(text: string, i: number, code: number, out: TextTokens): number {
  switch (code) {
    case 63: // ?
    case 0x61f: // ؟
      out.questions.push(out.words.length);
      out.asked = true;
      raise(out, BREAK.sentence);
      return i + 1;
    case 0xbf: // ¿
      out.asked = true;
      raise(out, BREAK.sentence);
      return i + 1;
    case 10:
    case 13:
    case 33: // !
    case 59: // ;
    case 0xa1: // ¡
    case 0x2026: // …
    case 0x3002: // 。
      raise(out, BREAK.sentence);
      return code === 10 ? quoteEnd(text, i + 1) : i + 1;
    case 46: // a full stop ends a sentence; the dot in "3.5" or "a.txt" does not
      if (i + 1 >= text.length || text.charCodeAt(i + 1) <= 0x2e) raise(out, BREAK.sentence);
      return i + 1;
    case 62: // >
      return i === 0 ? quoteEnd(text, i) : i + 1;
    case 60: // <@U123>
      return text.charCodeAt(i + 1) === 64 ? closing(text, i) : i + 1;
    case 64: // @name
      return mentionEnd(text, i + 1);
    case 44: // ,
    case 0x3001: // 、
    case 0x60c:
    case 40: // (
    case 45: // -
    case 0x2013:
    case 0x2014:
      if (code !== 45 || text.charCodeAt(i + 1) === 0x20 || text.charCodeAt(i + 1) === 45)
        raise(out, BREAK.comma);
      return i + 1;
    case 58: // :
      return colon(text, i, out);
    case 34: // "
    case 96: // `
    case 0xab: // «
    case 0xbb: // »
    case 0x201c: // “
    case 0x201d: // ”
    case 0x201e: // „
    case 0x300c: // 「
    case 0x300d: // 」
    case 0x300e: // 『
    case 0x300f: // 』
      out.quotes.push(out.words.length);
      return i + 1;
    default:
      return i + 1;
  }
}

function colon(text: string, i: number, out: TextTokens): number {
  const end = emoticonEnd(text, i);
  if (end > 0) return end;
  raise(out, BREAK.colon);
  return i + 1;
}

/** Skips lines that quote somebody else: they are not the author's words. */
function quoteEnd(text: string, from: number): number {
  if (text.charCodeAt(from) !== 62) return from;
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

function closing(text: string, from: number): number {
  const end = text.indexOf('>', from);
  return end < 0 ? from + 1 : end + 1;
}

function mentionEnd(text: string, from: number): number {
  let i = from;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    const joins = (code === 45 || code === 46) && isWordCode(text.charCodeAt(i + 1));
    if (!isWordCode(code) && !joins) break;
    i++;
  }
  return i;
}

/** The length of an emoticon such as ":d", ":-p" or ":3", whose letter or digit is no word. 0 if there is none. */
function emoticonEnd(text: string, i: number): number {
  const at = text.charCodeAt(i + 1) === 45 ? i + 2 : i + 1;
  const mouth = text.charCodeAt(at);
  const isMouth = mouth === 100 || mouth === 112 || mouth === 111 || mouth === 51;
  return isMouth && !isWordCode(text.charCodeAt(at + 1)) ? at + 1 : 0;
}

/** An emoji is one token per code point. Joiners, variation selectors and skin tones are dropped. */
function symbol(text: string, i: number, code: number, out: TextTokens): number {
  if (code >= 0xd800 && code < 0xdc00 && i + 1 < text.length) {
    const low = text.charCodeAt(i + 1);
    const skin = code === 0xd83c && low >= 0xdffb && low <= 0xdfff;
    if (!skin) push(out, text.slice(i, i + 2));
    return i + 2;
  }
  if (code === 0x2753 || code === 0x2754 || code === 0x2049) out.asked = true;
  else if (code < 0xfe00 || code > 0xfe0f) push(out, text.charAt(i));
  return i + 1;
}
