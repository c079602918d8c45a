// The normal form of a text for search: what a reader sees, without the disguises. Whoever looks for a word or a secret
// in a text that people wrote looks in this form, so that full-width letters, zero-width characters or a soft hyphen
// hide nothing. `plainForm` is for comparing words. `undisguised` and `joinedLines` are for cutting: they keep the way
// back to the offsets of the original.

/** Compatibility forms made plain, invisible characters removed, white space collapsed, case folded. */
export function plainForm(text: string): string {
  // Some letters are made up of compatibility letters only when they are folded, so the form is taken again at the end.
  const seen = text.toWellFormed().normalize('NFKC').replace(INVISIBLE, '');
  return folded(seen).normalize('NFKC').replace(BLANKS, ' ').trim();
}

/** Case folding as far as JavaScript has it: through capitals, so that "ß" meets "SS", and with one sigma. */
function folded(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

/** Control characters that are no white space, format characters, and all that nobody sees. */
const INVISIBLE = /(?![\t\n\v\f\r\u0085])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const BLANKS = /[\s\u0085]+/g;

/** A text made from another one. Offsets are in UTF-16 code units. */
export interface Rewritten {
  text: string;
  /** Where in the original the passage from `start` to `end` of `text` stands, with what was taken out of it. */
  original(start: number, end: number): [start: number, end: number];
  /** Whether something was taken out or replaced inside the passage. */
  isChanged(start: number, end: number): boolean;
}

/** Without invisible characters, and with plain letters and digits for their look-alikes. Undefined: it has none. */
export function undisguised(text: string): Rewritten | undefined {
  return mayBeDisguised(text) && DISGUISE.test(text) ? rewrite(text, DISGUISES, plainRun) : undefined;
}

/** In one line: without line breaks, the blanks around them and the marks of a quotation. Undefined: it is one line. */
export function joinedLines(text: string): Rewritten | undefined {
  return LINE_BREAK.test(text) ? rewrite(text, LINE_BREAKS, () => '') : undefined;
}

function plainRun(run: string): string {
  return run.toWellFormed().normalize('NFKC').replace(INVISIBLE, '');
}

// Invisible characters; then whatever looks like a letter or digit of ASCII and is another: superscripts, modifier
// letters, letter-like signs, Roman numerals, enclosed, full-width and mathematical ones. Written as UTF-16 code units,
// because a pattern without the flag `u` takes half the time.
const BASIC = [
  String.raw`\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\xaa\xb2\xb3\xb9\xba\u017f\u02b0-\u02b8\u02e0-\u02e3\u034f`,
  String.raw`\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f\u1d2c-\u1d6a`,
  String.raw`\u1d9b-\u1dbf\u200b-\u200f\u202a-\u202e\u2060-\u209c\u2100-\u214f\u2160-\u217f\u2460-\u24ea\u2800`,
  String.raw`\u2c7c\u2c7d\u3164\ua7f1-\ua7f4\ufb00-\ufb06\ufe00-\ufe0f\ufe33\ufe34\ufe4d-\ufe4f\ufeff\uff0d-\uff19`,
  String.raw`\uff20-\uff3a\uff3f\uff41-\uff5a\uffa0\ufff0-\ufffb`,
].join('');
const DISGUISED = [
  `[${BASIC}]`,
  String.raw`\ud801\udfa5|\ud804[\udcbd\udccd]|\ud80d[\udc30-\udc3f]|\ud82f[\udca0-\udca3]|\ud833[\udcd6-\udcf9]`,
  String.raw`\ud834[\udd73-\udd7a]|\ud835[\udc00-\udfff]|\ud83c[\udd00-\uddad]|\ud83e[\udff0-\udff9]`,
  String.raw`[\udb40-\udb43][\udc00-\udfff]`,
].join('|');
/** A code unit that may begin a disguise. Some emoji begin with the same. */
const FIRST_UNIT = new RegExp(
  String.raw`[${BASIC}\ud801\ud804\ud80d\ud82f\ud833-\ud835\ud83c\ud83e\udb40-\udb43]`,
);
const DISGUISE = new RegExp(DISGUISED);
// Full-width punctuation is ordinary in some scripts, so it alone does not count as a disguise.
const DISGUISES = new RegExp(String.raw`(?:${DISGUISED}|[\uff01-\uff5e])+`, 'g');
const LINE_BREAK = /[\n\r\v\f\u0085\u2028\u2029]/;
const LINE_BREAKS = /[ \t]{0,8}[\n\r\v\f\u0085\u2028\u2029][\s\u0085>|]*/g;

const NOT_PLAIN = /[^\t-\r -~]/;
const UNITS = 0x1_00_00;
let firstUnits: Uint8Array | undefined;

/** Every text is asked this: by a small pattern first, then by a look into a table, where a large one is slow. */
function mayBeDisguised(text: string): boolean {
  const first = text.search(NOT_PLAIN);
  if (first < 0) return false;
  firstUnits ??= Uint8Array.from({ length: UNITS }, (_, unit) =>
    FIRST_UNIT.test(String.fromCharCode(unit)) ? 1 : 0,
  );
  for (let at = first; at < text.length; at++) if (firstUnits[text.charCodeAt(at)] === 1) return true;
  return false;
}

/** Replaces every match. A passage that begins or ends inside of one stands for the whole of it. */
function rewrite(text: string, matches: RegExp, replacement: (run: string) => string): Rewritten {
  /** Of each replaced run: where it began and ended, before and after. */
  const runs: { from: number; to: number; outFrom: number; outTo: number }[] = [];
  let out = '';
  let at = 0;
  for (const { index, 0: run } of text.matchAll(matches)) {
    out += text.slice(at, index);
    at = index + run.length;
    const outFrom = out.length;
    out += replacement(run);
    runs.push({ from: index, to: at, outFrom, outTo: out.length });
  }
  out += text.slice(at);
  /** The number of runs that begin before this offset of the result. */
  const before = (offset: number): number => {
    let [low, high] = [0, runs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((runs[middle]?.outFrom ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const originalAt = (offset: number, isEnd: boolean): number => {
    const run = runs[before(isEnd ? offset : offset + 1) - 1];
    if (run === undefined) return offset;
    if (offset >= run.outTo) return run.to + offset - run.outTo;
    return isEnd ? run.to : run.from;
  };
  return {
    text: out,
    original: (start, end) => [originalAt(start, false), originalAt(end, true)],
    isChanged: (start, end) =>
      before(end) > before(start + 1) || isWithin(runs[before(start + 1) - 1], start),
  };
}

function isWithin(run: { outFrom: number; outTo: number } | undefined, offset: number): boolean {
  return run !== undefined && offset < run.outTo;
}
