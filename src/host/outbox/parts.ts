// A send in parts. A text that is too long for one message of its surface is posted as several, one after the other and
// each under a key of its own: the send's own, then `key#2`, `key#3`. Where a surface posts files apart from the text,
// they are the last part. The row says how it is cut and which parts people see, so that a kill in between leaves no hole and shows nothing twice. It is one event in the log, once all parts
// are visible; all their platform ids belong to it.
import { type WireError, wireError } from '../../protocol/errors.ts';
import type { OutboxRow } from '../../store/tables.ts';
import type { OutboundMessage, SurfaceCapabilities } from '../../surfaces/surface.ts';
import type { StoreReader } from '../kernel/context.ts';
import { filesOf, messageBodyOf } from './outbox-row.ts';
import { splitText } from './split-text.ts';

/** How a text is cut. It is kept with the row: the limits of a surface may change while parts of it are visible. */
export interface Parts {
  maxChars: number;
  maxParts: number;
  /** The last part is the files. */
  files?: true;
  shown: readonly ShownPart[];
}

export interface ShownPart {
  number: number;
  ids: readonly string[];
}

/** `files`: it shows the files of the send, with its text or instead of one. */
export type Part = OutboundMessage['part'] & { text: string; files: boolean };

type Limits = Pick<SurfaceCapabilities, 'maxChars' | 'maxParts'>;

/** Why the surface cannot show this text; undefined when it can. */
export function tooLong(text: string, { maxChars, maxParts }: Limits): WireError | undefined {
  if (text.length <= maxChars || splitText(text, maxChars, maxParts) !== undefined) return undefined;
  const unit = maxParts === 1 ? 'characters' : `messages of ${maxChars} characters each`;
  return wireError('too_large', { limit: maxParts === 1 ? maxChars : maxParts, unit });
}

/** The row, cut into parts if it has to be. */
export function inParts(
  row: OutboxRow,
  { maxChars, maxParts, files }: Limits & Pick<SurfaceCapabilities, 'files'>,
): OutboxRow {
  const { text, parts } = messageBodyOf(row);
  if (row.kind !== 'message' || parts !== undefined) return row;
  const apart = files?.apart === true && filesOf(row).length > 0;
  if (text.length <= maxChars && !apart) return row;
  const cut: Parts = { maxChars, maxParts, ...(apart && { files: true }), shown: [] };
  return { ...row, body: { ...row.body, parts: cut } };
}

/** The first part that people do not see yet; the last one when they see all. */
export function nextPart(row: OutboxRow): Part {
  const { parts } = messageBodyOf(row);
  const texts = textsOf(row);
  const shown = new Set(parts?.shown.map(({ number }) => number));
  const next = texts.findIndex((_, index) => !shown.has(index + 1));
  const index = next < 0 ? texts.length - 1 : next;
  const files = index === texts.length - 1 && filesOf(row).length > 0;
  return { number: index + 1, of: texts.length, text: texts[index] ?? '', files };
}

/** The texts of all parts. Files that are posted apart are a part without one. */
function textsOf(row: OutboxRow): readonly string[] {
  const { text, parts } = messageBodyOf(row);
  if (parts === undefined) return [text];
  const texts = splitText(text, parts.maxChars, parts.maxParts) ?? [text];
  return parts.files === true ? [...texts, ''] : texts;
}

/** The part in which a name is written first. Nobody is pinged by every part. */
export function partNaming(row: OutboxRow, name: string): number {
  const found = textsOf(row).findIndex((text) => text.includes(`@${name}`));
  return Math.max(0, found) + 1;
}

export function isInParts(row: OutboxRow): boolean {
  return messageBodyOf(row).parts !== undefined;
}

/** The row with a part that is visible. */
export function withShownPart(row: OutboxRow, number: number, ids: readonly string[]): OutboxRow {
  const { parts } = messageBodyOf(row);
  if (parts === undefined) return row;
  const before = parts.shown.find((part) => part.number === number)?.ids ?? [];
  const part: ShownPart = { number, ids: [...new Set([...before, ...ids])] };
  const others = parts.shown.filter((other) => other.number !== number);
  const shown = [...others, part].toSorted((one, other) => one.number - other.number);
  return { ...row, body: { ...row.body, parts: { ...parts, shown } } };
}

export function isWhole(row: OutboxRow): boolean {
  const { parts } = messageBodyOf(row);
  return parts === undefined || parts.shown.length >= textsOf(row).length;
}

/** The platform ids of the visible parts, those of the last text last: that one is replied to. */
export function partIds(row: OutboxRow): string[] {
  const { parts } = messageBodyOf(row);
  if (parts === undefined) return [];
  const last = parts.files === true ? textsOf(row).length : undefined;
  const [files, texts] = [true, false].map((isFiles) =>
    parts.shown.filter(({ number }) => (number === last) === isFiles),
  );
  return [...(files ?? []), ...(texts ?? [])].flatMap(({ ids }) => ids);
}

/** Says which part a problem is about. Empty for a text in one message. */
export function partWords(row: OutboxRow): string {
  if (!isInParts(row)) return '';
  const { number, of } = nextPart(row);
  return `part ${number} of ${of}: `;
}

// Keys. An agent may give a message a key that looks like that of a part, so such a key is marked as a first part.

const NUMBERED = /^(.*)#([1-9]\d{0,3})$/s;

/** The key under which the platform gets a part. */
export function partKey(key: string, number: number): string {
  return number === 1 && !NUMBERED.test(key) ? key : `${key}#${number}`;
}

/** The send with this key on the platform, and the number of the part. */
export async function sendWithKey(
  store: StoreReader,
  key: string,
): Promise<{ row: OutboxRow; number: number } | undefined> {
  const [, base, number] = NUMBERED.exec(key) ?? [];
  const numbered = base === undefined ? undefined : await store.get('outbox', base);
  if (numbered !== undefined && Number(number) <= textsOf(numbered).length)
    return { row: numbered, number: Number(number) };
  const row = await store.get('outbox', key);
  return row === undefined ? undefined : { row, number: 1 };
}
