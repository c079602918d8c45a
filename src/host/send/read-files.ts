// The files of a send, from the tool call to what is stored: decoded, measured, named safely. Whatever of them reads as
// text is searched as the message is: for what was said privately, for what a person must agree to, for repeats.
import { createHash } from 'node:crypto';
import type { Attachment } from '../../protocol/delivery.ts';
import { type WireError, wireError } from '../../protocol/errors.ts';
import { printableLine } from '../../protocol/identity.ts';
import { SENT_FILE_LIMITS, type SentFile } from '../../protocol/sent-files.ts';
import type { Surface } from '../../surfaces/surface.ts';
import type { HostContext } from '../kernel/context.ts';
import type { NewFile } from '../outbox/file-row.ts';
import { decodeUtf8 } from '../read/attachment-reader.ts';
import { rasterTypeOf } from '../security/raster-type.ts';
import { redact } from '../security/redact.ts';
import type { SendInput } from './send-rules.ts';

export interface ReadFiles {
  files: readonly NewFile[];
  /** Everything in the send that reads as text. */
  words: string;
}

export async function readFiles(
  context: HostContext,
  { text, attachments = [] }: SendInput,
): Promise<{ ok: true; read: ReadFiles } | { ok: false; error: WireError }> {
  const contents = attachments.map(contentOf);
  const bytes = contents.reduce((sum, { length }) => sum + length, 0);
  if (bytes > SENT_FILE_LIMITS.bytes) return { ok: false, error: tooLarge(SENT_FILE_LIMITS.bytes, ALL) };
  const files: NewFile[] = [];
  for (const [index, attachment] of attachments.entries()) {
    const data = contents[index] ?? Buffer.alloc(0);
    files.push(await newFile(context, attachment, data));
  }
  // Whatever its type says: bytes that are UTF-8 are text.
  const words = [text, ...files.flatMap(({ name, data }) => [name, decodeUtf8(data) ?? ''])];
  return { ok: true, read: { files, words: words.join('\n') } };
}

const ALL = 'bytes in all files of one message';

function tooLarge(limit: number, unit: string): WireError {
  return wireError('too_large', { limit, unit });
}

function contentOf({ text, base64 }: SentFile): Buffer {
  return text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text.toWellFormed());
}

async function newFile(context: HostContext, given: SentFile, data: Buffer): Promise<NewFile> {
  const name = await safeName(context, given.name);
  const contentType = given.contentType?.toLowerCase() ?? typeOfName(name, given.text !== undefined);
  return fileOf(context, name, contentType, data);
}

function fileOf(context: HostContext, name: string, contentType: string, data: Buffer): NewFile {
  return {
    id: `file_${context.random.id()}`,
    kind: kindOf(contentType),
    name,
    contentType,
    bytes: data.length,
    digest: createHash('sha256').update(data).digest('base64url').slice(0, 22),
    data,
  };
}

/** A file that a person uploads. Its type is what its bytes say, or what its name says; nobody's word counts. */
export async function uploadedFile(context: HostContext, given: string, data: Buffer): Promise<NewFile> {
  const name = await safeName(context, given);
  const type = rasterTypeOf(data) ?? typeOfName(name, decodeUtf8(data) !== undefined);
  // What only calls itself a picture is none.
  const isPicture = type.startsWith('image/') && type !== 'image/svg+xml' && rasterTypeOf(data) === undefined;
  return fileOf(context, name, isPicture ? 'application/octet-stream' : type, data);
}

/** What a platform or a person's disk could take for a path, or for a hidden file, is left out. Secrets are cut out. */
async function safeName(context: HostContext, given: string): Promise<string> {
  const clean = redact(given, context.findSecrets(given));
  const [last = ''] = clean.split(/[/\\]/).slice(-1);
  const name = printableLine(last.replaceAll(/[<>:"|?*]/g, '_'), SENT_FILE_LIMITS.nameChars);
  return name.replace(/^[.\s]+/, '') || 'file';
}

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  gif: 'image/gif',
  htm: 'text/html',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  md: 'text/markdown',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  wav: 'audio/wav',
  webp: 'image/webp',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
};

function typeOfName(name: string, isText: boolean): string {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const known = Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined;
  return known ?? (isText ? 'text/plain' : 'application/octet-stream');
}

const KINDS: readonly Attachment['kind'][] = ['image', 'audio', 'video'];

function kindOf(contentType: string): Attachment['kind'] {
  return KINDS.find((kind) => contentType.startsWith(`${kind}/`)) ?? 'file';
}

/** Why the surface cannot show these files to those who are to see them; undefined when it can. */
export function cannotShow(
  surface: Surface | undefined,
  { visibility }: SendInput,
  files: readonly NewFile[],
): WireError | undefined {
  const { does, files: limits } = surface?.capabilities ?? {};
  if (does?.files !== true)
    return unsupported(`${surface?.platform ?? 'this place'} takes no files of agents`);
  if (visibility === 'ephemeral') return unsupported('a file cannot be shown to one reader alone');
  const maxBytes = limits?.maxBytes ?? Infinity;
  return files.some(({ bytes }) => bytes > maxBytes) ? tooLarge(maxBytes, 'bytes in one file') : undefined;
}

function unsupported(problem: string): WireError {
  const instead = 'Put what matters into the text and send it without attachments';
  return wireError('unsupported', { what: 'A file', problem, instead });
}

/** The text, and which files go with it. The same text with another file is another message. */
export function saidWith(text: string, files: readonly { digest: string }[]): string {
  return [text, ...files.map(({ digest }) => digest)].join(' ');
}
