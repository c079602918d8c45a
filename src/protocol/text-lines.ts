// The lines of a text in Markdown, each with the code fence that is open where it begins. Fences in lists and in
// quotations count too: models like to put code under a step of a list. Also where code stands within a line.

/** A code fence that is open. */
export interface Fence {
  /** The line that opens it again in a new message, and the one that closes it, without their line breaks. */
  opener: string;
  closer: string;
  /** The mark with which it began. Its end is at least as long. */
  mark: string;
  /** Where the content of the list item begins in which it stands. 0: in none. */
  column: number;
  /** How far its first line is indented. */
  indent: number;
  quoted: boolean;
}

export interface TextLine {
  start: number;
  /** Without the line break. */
  end: number;
  /** What is open at its start, its own fence not counted. */
  fence: Fence | undefined;
  /** It opens or closes a fence. */
  isMark: boolean;
}

export function textLines(text: string): TextLine[] {
  const lines: TextLine[] = [];
  let context: Context = { fence: undefined, columns: [] };
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const read = readLine(text.slice(start, end), context);
    lines.push({ start, end, fence: read.fence, isMark: read.isMark });
    context = read.after;
    start = end + 1;
  }
  return lines;
}

interface Context {
  fence: Fence | undefined;
  /** Where the contents of the list items begin that are open, the innermost last. */
  columns: readonly number[];
}

interface ReadLine {
  fence: Fence | undefined;
  isMark: boolean;
  after: Context;
}

/** The marks of a quotation with which a line begins. */
export const QUOTE = /^(?: {0,3}> ?)+/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( {1,4})(?=\S)/;
const OPENER = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/;

function readLine(line: string, { fence, columns }: Context): ReadLine {
  const quote = QUOTE.exec(line)?.[0] ?? '';
  const said = line.slice(quote.length);
  const isBlank = said.trim() === '';
  const indent = indentOf(said);
  const isOver =
    fence !== undefined && (fence.quoted !== quote.length > 0 || (!isBlank && indent < fence.column));
  if (fence !== undefined && !isOver) {
    const closes = isCloser(said, fence);
    return { fence, isMark: closes, after: { fence: closes ? undefined : fence, columns } };
  }
  if (isBlank) return { fence: undefined, isMark: false, after: { fence: undefined, columns } };
  const open = columns.filter((column) => column <= indent);
  const { column, columns: inside, rest } = intoItems(said, open);
  const mark = OPENER.exec(rest);
  if (mark === null) return { fence: undefined, isMark: false, after: { fence: undefined, columns: inside } };
  const opened = fenceOf(rest, mark[1] ?? mark[2] ?? '', column, quote);
  return { fence: undefined, isMark: true, after: { fence: opened, columns: inside } };
}

/** Lists deeper than this are read as text. */
const DEEPEST_LIST = 32;

/** Goes into the list items that are open or that the line begins. */
function intoItems(
  said: string,
  open: readonly number[],
): { column: number; columns: number[]; rest: string } {
  const columns = [...open];
  let column = columns.at(-1) ?? 0;
  let rest = said.slice(column);
  for (let item = ITEM.exec(rest); item !== null && columns.length < DEEPEST_LIST; item = ITEM.exec(rest)) {
    column += item[0].length;
    columns.push(column);
    rest = rest.slice(item[0].length);
  }
  return { column, columns, rest };
}

/** Standing alone, a fence may be indented by three spaces at most. */
const DEEPEST_FENCE = 3;

function fenceOf(rest: string, mark: string, column: number, quote: string): Fence {
  const depth = Math.min(DEEPEST_FENCE, column + indentOf(rest));
  const before = quote + ' '.repeat(depth);
  return {
    opener: before + rest.trim(),
    closer: before + mark,
    mark,
    column,
    indent: column + indentOf(rest),
    quoted: quote.length > 0,
  };
}

function isCloser(said: string, { mark, column }: Fence): boolean {
  const trimmed = said.trim();
  return (
    trimmed.length >= mark.length &&
    trimmed === mark.charAt(0).repeat(trimmed.length) &&
    indentOf(said) <= column + DEEPEST_FENCE
  );
}

export function indentOf(said: string): number {
  return said.length - said.trimStart().length;
}

export interface Span {
  start: number;
  end: number;
}

/** Code within a line: backticks in pairs of equal length. */
export function codeSpans(line: string): Span[] {
  const spans: Span[] = [];
  const open = new Map<number, number>();
  for (const { index, 0: run } of line.matchAll(/`+/g)) {
    const start = open.get(run.length);
    if (start === undefined) {
      open.set(run.length, index);
      continue;
    }
    spans.push({ start, end: index + run.length });
    open.clear();
  }
  return spans;
}
