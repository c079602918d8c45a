// A text that is too long for one message becomes several, so that people read the same. It is cut between paragraphs if
// it can be, else between lines, sentences, words. A code fence that is cut is closed and opened again. No letter,
// emoji, link, mention or code span is cut, unless it alone is too long for a message.
import { type Cut, blankAt, cutInLine } from './cut-in-line.ts';
import { QUOTE, type TextLine, textLines } from '../../protocol/text-lines.ts';

/** One message of a text. The text is `gap + body` of all parts, joined. */
export interface TextPart {
  /** Blank space before it that is not shown. */
  gap: string;
  /** Added so that it stands alone: a fence opened again, the mark of a quotation. */
  opened: string;
  body: string;
  /** Added: the end of a fence that goes on in the next part. */
  closed: string;
}

/** A text is asked about several times while each of its parts is posted, and takes half a millisecond a message to cut. */
const LAST_SPLITS_MAX = 4;
const lastSplits: {
  text: string;
  maxChars: number;
  maxParts: number;
  texts: readonly string[] | undefined;
}[] = [];

/**
 * The texts of the messages, each of at most `maxChars`. Undefined: it needs more than `maxParts`. The same text and
 * limits always give the same parts.
 */
export function splitText(text: string, maxChars: number, maxParts: number): readonly string[] | undefined {
  if (text.length <= maxChars) return [text];
  const known = lastSplits.find(
    (split) => split.maxChars === maxChars && split.maxParts === maxParts && split.text === text,
  );
  if (known !== undefined) return known.texts;
  const texts = splitAnew(text, maxChars, maxParts);
  lastSplits.unshift({ text, maxChars, maxParts, texts });
  lastSplits.length = Math.min(lastSplits.length, LAST_SPLITS_MAX);
  return texts;
}

function splitAnew(text: string, maxChars: number, maxParts: number): readonly string[] | undefined {
  if (text.trim() === '') return [text.slice(0, maxChars)];
  for (const fill of FILLS) {
    const parts = cutText(text, maxChars, fill);
    if (parts.length <= maxParts) return parts.map(({ opened, body, closed }) => opened + body + closed);
  }
  return undefined;
}

/** How full a message is to be at least. Where that makes too many, they are filled up. */
const FILLS = [0.5, 0.9, 0.99] as const;

export function cutText(text: string, maxChars: number, fill: number = FILLS[0]): TextPart[] {
  const lines = textLines(text);
  const last = text.trimEnd().length;
  const parts: TextPart[] = [];
  const first = text.length - text.trimStart().length;
  let from = lineAt(lines, first).start;
  let shown = 0;
  while (from < last) {
    const line = lineAt(lines, from);
    if (line.fence === undefined && blankAt(text, from, from + maxChars) >= maxChars / 2)
      from += blankAt(text, from, last);
    const opened = openingAt(text, line, from, maxChars);
    const room = Math.max(1, maxChars - opened.length);
    const cut =
      last - from <= room
        ? { end: last, next: text.length }
        : bestCut({ text, lines, from, room, maxChars, fill });
    const closed = last === cut.end ? '' : closingOf(lineAt(lines, cut.next), maxChars);
    parts.push({ gap: text.slice(shown, from), opened, body: text.slice(from, cut.end), closed });
    shown = cut.end;
    from = cut.next;
  }
  return parts;
}

/** What a part begins with that is cut out of a fence or a quotation. */
function openingAt(text: string, line: TextLine, from: number, maxChars: number): string {
  const quote = from === line.start ? '' : (QUOTE.exec(text.slice(line.start, line.end))?.[0] ?? '');
  const { fence } = line;
  if (fence === undefined) return fits(quote, maxChars) ? quote : '';
  // The info string may be as long as a message. The fence is what matters.
  const opener = fits(fence.opener, maxChars) ? fence.opener : fence.closer;
  return fits(opener + quote, maxChars) ? `${opener}\n${quote}` : '';
}

/** What a part ends with when the next begins on this line. */
function closingOf({ fence }: TextLine, maxChars: number): string {
  return fence === undefined || !fits(fence.closer, maxChars) ? '' : `\n${fence.closer}`;
}

/** What is added takes at most a quarter of a message. */
function fits(added: string, maxChars: number): boolean {
  return added.length <= maxChars / 4;
}

function lineAt(lines: readonly TextLine[], at: number): TextLine {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lines[middle]?.start ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return lines[low] ?? { start: 0, end: 0, fence: undefined, isMark: false };
}

interface Piece {
  text: string;
  lines: readonly TextLine[];
  from: number;
  room: number;
  maxChars: number;
  fill: number;
}

/** The latest cut of the best kind that leaves the part full enough. Else the best there is. */
function bestCut(piece: Piece): Cut {
  const { text, from, room, fill } = piece;
  const between = cutsBetweenLines(piece);
  const least = from + room * fill;
  const full = between.find((cut) => cut !== undefined && cut.end >= least);
  if (full !== undefined) return full;
  const inLine = cutTooLong(piece, least);
  if (inLine?.isWhole === true) return inLine;
  return between.find((cut) => cut !== undefined) ?? inLine ?? anywhere(text, from, room);
}

/** The cut in the first line that does not fit any more. */
function cutTooLong(
  { text, lines, from, room, maxChars }: Piece,
  least: number,
): ReturnType<typeof cutInLine> {
  const endFor = (line: TextLine): number => from + room - closingOf(line, maxChars).length;
  const line = lines.find((one) => one.end > endFor(one));
  if (line === undefined || line.isMark) return undefined;
  const start = Math.max(from, line.start);
  const until = endFor(line);
  const isCode = line.fence !== undefined;
  return start < until ? cutInLine({ text, from: start, least, isCode }, line.end, until) : undefined;
}

function anywhere(text: string, from: number, room: number): Cut {
  const at = from + room;
  const isPair = (text.codePointAt(at - 1) ?? 0) > 0xffff;
  const end = isPair && room > 1 ? at - 1 : at;
  return { end, next: end };
}

/** Kinds of places between two lines, the best first. */
const KINDS = { block: 0, line: 1, inside: 2, never: 3 } as const;

/** The latest cut of each kind. */
function cutsBetweenLines({ text, lines, from, room, maxChars }: Piece): (Cut | undefined)[] {
  const found: (Cut | undefined)[] = [undefined, undefined, undefined];
  for (let index = lines.indexOf(lineAt(lines, from)); index < lines.length - 1; index++) {
    const line = lines[index];
    const after = lines[index + 1];
    if (line === undefined || after === undefined || line.end > from + room) break;
    if (text.slice(Math.max(from, line.start), line.end).trim() === '') continue;
    if (line.end - from + closingOf(after, maxChars).length > room) continue;
    const next = after.fence === undefined ? afterBlankLines(text, lines, index + 1) : index + 1;
    const kind = kindOf(text, line, lines[next], next > index + 1);
    const start = lines[next]?.start;
    if (kind !== KINDS.never && start !== undefined) found[kind] = { end: line.end, next: start };
  }
  return found;
}

function afterBlankLines(text: string, lines: readonly TextLine[], from: number): number {
  let index = from;
  while (index < lines.length - 1 && isBlank(text, lines[index])) index++;
  return index;
}

function isBlank(text: string, line: TextLine | undefined): boolean {
  return line !== undefined && text.slice(line.start, line.end).trim() === '';
}

/** The line under a heading or under the head of a table: it means nothing alone. */
const UNDERLINE = /^[\s|:=-]+$/;
/** A line of a table, or one that belongs to what stands above it. */
const BELONGS = /^(?:\s|\||>)/;

function kindOf(text: string, line: TextLine, next: TextLine | undefined, isBlankBetween: boolean): number {
  if (next === undefined) return KINDS.never;
  const { fence } = next;
  // A part that begins with the end of a fence, or ends with its beginning, shows an empty box.
  if (fence !== undefined) return line.isMark || next.isMark ? KINDS.never : KINDS.inside;
  const said = text.slice(next.start, next.end);
  if (!isBlankBetween && UNDERLINE.test(said)) return KINDS.never;
  if (BELONGS.test(said)) return KINDS.inside;
  return isBlankBetween ? KINDS.block : KINDS.line;
}
