// Secrets in the bytes of a file. A text in UTF-8 or UTF-16 is read as one, whatever its source calls it, and cleaned like
// every other text. In other bytes (a program, a database, an image) the printable runs are searched, as one byte or as
// two bytes a character, and a secret is written over. What is compressed or encrypted cannot be searched.
import { redact, type Spans } from './redact.ts';

type FindSecrets = (text: string) => Spans;

/** The bytes as text. Undefined when they are none. */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  const utf16 = utf16Of(bytes);
  if (utf16 !== undefined) return decoded(utf16.label, bytes);
  return bytes.includes(0) ? undefined : decoded('utf-8', bytes);
}

/** With its byte order mark, or with a zero in every other byte at the beginning, as Latin letters have. */
function utf16Of(bytes: Uint8Array): { label: string } | undefined {
  if (bytes.length < 2 || bytes.length % 2 !== 0) return undefined;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { label: 'utf-16le' };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { label: 'utf-16be' };
  const start = bytes.subarray(0, LOOKED_AT);
  const zeros = [0, 0];
  for (const [at, byte] of start.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const many = start.length / 4;
  if (odd > many && even === 0) return { label: 'utf-16le' };
  return even > many && odd === 0 ? { label: 'utf-16be' } : undefined;
}

/** Bytes at the beginning by which UTF-16 without a mark is known. */
const LOOKED_AT = 512;

function decoded(label: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined; // not of this encoding
  }
}

export function cleanText(text: string, find: FindSecrets): string {
  return redact(text, find(text));
}

/** The same bytes when there is nothing to write over. */
export function cleanBytes(bytes: Uint8Array, find: FindSecrets): Uint8Array {
  let copy: Uint8Array | undefined;
  const over = (run: Run): void => {
    for (const [start, end] of find(run.text)) {
      copy ??= Uint8Array.from(bytes);
      copy.fill(STAR, run.at + start * run.width, run.at + end * run.width);
    }
  };
  for (const run of printableRuns(bytes, 1)) over(run);
  for (const run of printableRuns(bytes, 2)) over(run);
  return copy ?? bytes;
}

const STAR = 0x2a;
/** A shorter run holds no secret. */
const RUN_CHARS = 12;

interface Run {
  text: string;
  at: number;
  width: 1 | 2;
}

/** Runs of printable ASCII, one character every `width` bytes with zeros between, in either order of bytes. */
function* printableRuns(bytes: Uint8Array, width: 1 | 2): Generator<Run> {
  for (let at = 0; at < bytes.length; ) {
    let end = at;
    while (isCharAt(bytes, end, width)) end += width;
    if ((end - at) / width >= RUN_CHARS) {
      const units = bytes.subarray(at, end);
      const chars = width === 1 ? units : units.filter((_, index) => index % 2 === 0);
      yield { text: Buffer.from(chars).toString('latin1'), at, width };
    }
    at = Math.max(at + 1, end);
  }
}

function isCharAt(bytes: Uint8Array, at: number, width: 1 | 2): boolean {
  return isPrintable(bytes[at]) && (width === 1 || bytes[at + 1] === 0);
}

function isPrintable(byte: number | undefined): boolean {
  return (
    byte !== undefined && ((byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d)
  );
}
