// Runs of words, as hashes, to find out whether a text quotes another one. A run is eight words; in scripts without
// spaces sixteen characters, which is about as much. Case, accents, punctuation, markdown and line breaks make no
// difference. Pure.
import { foldText } from '../../attention/index.ts';

export const RUN_LIMITS = {
  words: 8,
  /** In scripts without spaces. */
  chars: 16,
  /** How many of those are characters of such a script. The rest may be words between them. */
  ownChars: 12,
} as const;

/** Scripts that are written without spaces between words. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
/** One character of such a script, or one word. A link is one word, and so is a number with its signs. */
const ELEMENT = new RegExp(
  String.raw`https?:\/\/\S+|[${UNSPACED}]|(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}'’_.:/@-])+`,
  'gu',
);
const HAS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');
const SIGNS = /[^\p{L}\p{N}]+/gu;
const INVISIBLE = /\p{Cf}/gu;

/** A hash for every run in the text. None for a text that is too short to quote anything. */
export function runsOf(text: string): number[] {
  const elements = elementsOf(text);
  if (elements.length < RUN_LIMITS.words) return [];
  const runs: number[] = [];
  /** How many elements up to this one are words without a character in between. */
  let words = 0;
  /** How many of the last `chars` elements are characters. */
  let chars = 0;
  for (const [index, element] of elements.entries()) {
    const left = elements[index - RUN_LIMITS.chars];
    if (left !== undefined && isUnspaced(left)) chars--;
    if (isUnspaced(element)) {
      words = 0;
      chars++;
    } else words++;
    if (words >= RUN_LIMITS.words) runs.push(hashOf(elements, index + 1 - RUN_LIMITS.words, index + 1));
    if (chars >= RUN_LIMITS.ownChars && index + 1 >= RUN_LIMITS.chars)
      runs.push(hashOf(elements, index + 1 - RUN_LIMITS.chars, index + 1));
  }
  return runs;
}

/** A piece is worked on in one turn of the event loop: about a millisecond. */
const PIECE_CHARS = 20_000;
/** Pieces overlap, so that a run over the end of one is whole in the next. */
const OVERLAP_CHARS = 2_000;

/** A long text in pieces. Their runs are those of the whole, and a few over the cuts. */
export function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from === 0 || from + OVERLAP_CHARS < text.length; from += PIECE_CHARS)
    yield text.slice(from, from + PIECE_CHARS + OVERLAP_CHARS);
}

function elementsOf(text: string): string[] {
  const elements: string[] = [];
  for (const [found] of foldText(text).replace(INVISIBLE, '').matchAll(ELEMENT)) {
    const plain = found.replace(SIGNS, '');
    if (plain !== '') elements.push(plain);
  }
  return elements;
}

function isUnspaced(element: string): boolean {
  return HAS_UNSPACED.test(element);
}

/** cyrb53: two lanes of 32 bits. Two different runs of a few thousand share a hash once in a billion times. */
function hashOf(elements: readonly string[], from: number, to: number): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = from; at < to; at++) {
    const element = elements[at] ?? '';
    for (let i = 0; i <= element.length; i++) {
      const code = i === element.length ? 32 : element.charCodeAt(i);
      a = Math.imul(a ^ code, 2_654_435_761);
      b = Math.imul(b ^ code, 1_597_334_677);
    }
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & b) + (a >>> 0);
}
