// Reads a zip through its directory, one file at a time: stored or deflated, also in the 64-bit form that a large export
// has. Nothing is written to disk, so a name can point nowhere. What a file unpacks to is bounded and its sum is checked.
import type { FileHandle } from 'node:fs/promises';
import { crc32, inflateRawSync } from 'node:zlib';
import { IMPORT_LIMITS, megabytes } from './limits.ts';

export interface ZipEntry {
  path: string;
  /** Unpacked, as the zip says. */
  bytes: number;
  packed: number;
  method: number;
  encrypted: boolean;
  crc: number;
  offset: number;
}

/** A file, or the whole zip, that cannot be read. The message says why, to follow "NAME: ". */
export class Unreadable extends Error {}

const END = 0x06054b50;
const END_64_AT = 0x07064b50;
const END_64 = 0x06064b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const COMMENT_BYTES = 65_535;
const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;
const CUT_OFF = 'it is cut off or no zip: download it again';

export async function zipEntries(file: FileHandle): Promise<ZipEntry[]> {
  const { size } = await file.stat();
  const { at, bytes, count } = await directoryOf(file, size);
  if (count > IMPORT_LIMITS.files || bytes > IMPORT_LIMITS.directoryBytes || at + bytes > size)
    throw new Unreadable(CUT_OFF);
  const directory = await bytesAt(file, at, bytes);
  const entries: ZipEntry[] = [];
  for (let from = 0; from + 46 <= bytes && directory.readUInt32LE(from) === ENTRY; ) {
    const [name, extra, comment] = [28, 30, 32].map((field) => directory.readUInt16LE(from + field));
    const next = from + 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
    if (next > bytes) throw new Unreadable(CUT_OFF);
    entries.push(entryAt(directory, from, name ?? 0, extra ?? 0));
    from = next;
  }
  if (entries.length < count) throw new Unreadable(CUT_OFF);
  return entries;
}

export async function unzip(
  file: FileHandle,
  entry: ZipEntry,
  maxBytes: number = IMPORT_LIMITS.fileBytes,
): Promise<Buffer> {
  const { packed, bytes, method, offset, crc, encrypted } = entry;
  if (encrypted) throw new Unreadable('it has a password: unpack it first and name the folder');
  if (method !== 0 && method !== 8)
    throw new Unreadable(`it is packed in a way (${method}) that is not read here: unpack it first`);
  if (bytes > maxBytes || packed > maxBytes) throw tooLarge(maxBytes);
  const head = await bytesAt(file, offset, 30);
  if (head.readUInt32LE(0) !== LOCAL) throw new Unreadable(CUT_OFF);
  const data = await bytesAt(file, offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28), packed);
  const content = method === 0 ? data : inflated(data, bytes);
  if (content.length !== bytes || crc32(content) !== crc)
    throw new Unreadable('its contents are damaged: download the export again');
  return content;
}

/** A file that unpacks to more than it says is stopped there. */
function inflated(data: Buffer, bytes: number): Buffer {
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, bytes) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Unreadable('it unpacks to more than it says: download the export again', { cause: error });
    throw new Unreadable('its contents are damaged: download the export again', { cause: error });
  }
}

export function tooLarge(maxBytes: number): Unreadable {
  return new Unreadable(`it is larger than ${megabytes(maxBytes)}`);
}

interface Directory {
  at: number;
  bytes: number;
  count: number;
}

/** The directory is found from the end of the file, where a comment of any length may stand. */
async function directoryOf(file: FileHandle, size: number): Promise<Directory> {
  const tailAt = Math.max(0, size - END_BYTES - COMMENT_BYTES);
  const tail = await bytesAt(file, tailAt, size - tailAt);
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END) continue;
    const count = tail.readUInt16LE(at + 10);
    const bytes = tail.readUInt32LE(at + 12);
    const offset = tail.readUInt32LE(at + 16);
    const isLarge = count === MAX_16 || bytes === MAX_32 || offset === MAX_32;
    return isLarge ? largeDirectory(file, tailAt + at) : { at: offset, bytes, count };
  }
  throw new Unreadable(CUT_OFF);
}

async function largeDirectory(file: FileHandle, end: number): Promise<Directory> {
  const pointer = await bytesAt(file, end - 20, 20);
  if (pointer.readUInt32LE(0) !== END_64_AT) throw new Unreadable(CUT_OFF);
  const large = await bytesAt(file, Number(pointer.readBigUInt64LE(8)), 56);
  if (large.readUInt32LE(0) !== END_64) throw new Unreadable(CUT_OFF);
  const [count, bytes, at] = [32, 40, 48].map((field) => Number(large.readBigUInt64LE(field)));
  return { at: at ?? 0, bytes: bytes ?? 0, count: count ?? 0 };
}

function entryAt(directory: Buffer, from: number, nameBytes: number, extraBytes: number): ZipEntry {
  const nameEnd = from + 46 + nameBytes;
  const [crc, packed, bytes] = [16, 20, 24].map((field) => directory.readUInt32LE(from + field));
  const sizes = [bytes ?? 0, packed ?? 0, directory.readUInt32LE(from + 42)];
  largeSizes(directory.subarray(nameEnd, nameEnd + extraBytes), sizes);
  return {
    path: directory.toString('utf8', from + 46, nameEnd),
    encrypted: (directory.readUInt16LE(from + 8) & 1) === 1,
    method: directory.readUInt16LE(from + 10),
    crc: crc ?? 0,
    bytes: sizes[0] ?? 0,
    packed: sizes[1] ?? 0,
    offset: sizes[2] ?? 0,
  };
}

/** Values that do not fit into 32 bits stand in the extra field 1, in the order of `sizes`. */
function largeSizes(extra: Buffer, sizes: number[]): void {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let value = at + 4;
    for (const [index, size] of sizes.entries()) {
      if (size !== MAX_32 || value + 8 > extra.length) continue;
      sizes[index] = Number(extra.readBigUInt64LE(value));
      value += 8;
    }
    return;
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  if (position < 0 || !Number.isSafeInteger(position + length)) throw new Unreadable(CUT_OFF);
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  if (bytesRead < length) throw new Unreadable(CUT_OFF);
  return buffer;
}
