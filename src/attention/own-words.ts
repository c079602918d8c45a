// The author's own words: a message without what it only shows. Code (spans, fences, indented blocks) and quoted lines
// mention nobody, call nobody and ask for nothing. They are found as chat platforms render them, once per message.
// Emphasis goes too: "**lead**, can you look?" calls as "lead, can you look?" does.

/** Stands where code was, so that "thanks for `x`" is not read as bare thanks. It is in no list of words. */
export const CODE = '\uFFFC';

/** Without one of these the text shows nothing. */
const MAY_SHOW = /[`>~&\n*]/;

export function ownWords(text: string): string {
  if (!MAY_SHOW.test(text)) return text;
  const quoted = text.includes('>') || text.includes('&gt;') ? withoutQuotes(text) : text;
  const fenced = quoted.includes('`') || quoted.includes('~~~') ? withoutCode(quoted) : quoted;
  const shown = AFTER_BLANK_LINE.test(fenced) ? withoutIndented(fenced) : fenced;
  return shown.includes('*') ? shown.replace(EMPHASIS, '$1') : shown;
}

/** In pairs: "jane*" corrects a word. Underscores are left alone, because names have them: "_ethan_". */
const EMPHASIS = /\*+(\S(?:[^*\n]*[^\s*])?)\*+/g;

const QUOTE = /^ {0,3}(?:>|&gt;)/;
const QUOTE_TO_THE_END = /^ {0,3}(?:>>>|&gt;&gt;&gt;)/;

function withoutQuotes(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => QUOTE.test(line));
  if (first < 0) return text;
  const later = lines.slice(first + 1);
  // ">>>" quotes all that follows. Below it, further lines with ">" show that each line is marked on its own.
  const rest = QUOTE_TO_THE_END.test(lines[first] ?? '') && !text.includes('`');
  if (rest && !later.some((line) => QUOTE.test(line))) return lines.slice(0, first).join('\n');
  return lines.filter((line) => !QUOTE.test(line)).join('\n');
}

/** Backticks in pairs of equal length, three or more on any lines; "~~~" on lines of their own. */
function withoutCode(text: string): string {
  let kept = '';
  let from = 0;
  for (let at = nextFence(text, 0); at >= 0; ) {
    const end = text[at] === '`' ? backtickedEnd(text, at) : tildedEnd(text, at);
    if (end > at) {
      kept += text.slice(from, at) + CODE;
      from = end;
    }
    at = nextFence(text, Math.max(end, runEnd(text, at)));
  }
  return kept + text.slice(from);
}

function nextFence(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '`') return at;
    if (text[at] === '~' && text.startsWith('~~~', at) && opensLine(text, at)) return at;
  }
  return -1;
}

function runEnd(text: string, at: number): number {
  let end = at;
  while (text[end] === text[at]) end++;
  return end;
}

/** The line has nothing but spaces before this place. */
function opensLine(text: string, at: number): boolean {
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trim() === '';
}

/** Where the code that begins here ends. -1: the backticks are only backticks. */
function backtickedEnd(text: string, at: number): number {
  const opened = runEnd(text, at);
  const marks = opened - at;
  if (marks >= 3) {
    const fence = text.slice(at, opened);
    const close = text.indexOf(text.includes(fence, opened) ? fence : '```', opened);
    if (close >= 0) return runEnd(text, close);
    return opensLine(text, at) ? text.length : -1;
  }
  const paragraph = text.indexOf('\n\n', opened);
  const last = paragraph < 0 ? text.length : paragraph;
  for (let close = text.indexOf('`', opened); close >= 0 && close < last; ) {
    const closed = runEnd(text, close);
    if (closed - close === marks) return closed;
    close = text.indexOf('`', closed);
  }
  return -1;
}

/** A fence of tildes needs its end: people also draw lines with them. */
function tildedEnd(text: string, at: number): number {
  for (let close = text.indexOf('\n', at); close >= 0; close = text.indexOf('\n', close + 1)) {
    let begin = close + 1;
    while (text[begin] === ' ') begin++;
    if (text.startsWith('~~~', begin)) return runEnd(text, begin);
  }
  return -1;
}

const AFTER_BLANK_LINE = /\n[ \t]*\n(?: {4}|\t)/;
const INDENTED = /^(?: {4}|\t)/;
const LIST_ITEM = /^\s*(?:[-*+•]|\d+[.)])\s/;

/** Indented code follows a blank line. Inside a list such a line belongs to its item. */
function withoutIndented(text: string): string {
  const kept: string[] = [];
  let [blank, inList, inCode] = [false, false, false];
  for (const line of text.split('\n')) {
    const empty = line.trim() === '';
    const indented = INDENTED.test(line) && !empty;
    if (!empty) {
      inCode = indented && !inList && (inCode || blank);
      if (!indented) inList = LIST_ITEM.test(line);
    }
    kept.push(inCode && !empty ? CODE : line);
    blank = empty;
  }
  return kept.join('\n');
}
