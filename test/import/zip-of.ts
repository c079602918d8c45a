// Writes a zip, for tests: what the reader in src/cli/import reads. Options make the unusual and the damaged ones.
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipOptions {
  /** Stored as they are. */
  stored?: boolean;
  /** In the 64-bit form, as a zip with very many files is. */
  large?: boolean;
  /** What the directory says the unpacked size is. */
  claimedBytes?: number;
  comment?: string;
  flags?: number;
  method?: number;
}

export function zipOf(
  files: Iterable<readonly [path: string, content: string | Uint8Array]>,
  options: ZipOptions = {},
): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  let count = 0;
  for (const [path, content] of files) {
    const data = Buffer.from(content);
    const packed = options.stored === true ? data : deflateRawSync(data);
    const name = Buffer.from(path);
    const [local, entry] = headers(name, data, packed, offset, options);
    locals.push(local, name, packed);
    directory.push(entry);
    offset += local.length + name.length + packed.length;
    count++;
  }
  const listed = Buffer.concat(directory);
  return Buffer.concat([...locals, listed, endOf(count, listed.length, offset, options)]);
}

function headers(
  name: Buffer,
  data: Buffer,
  packed: Buffer,
  offset: number,
  options: ZipOptions,
): [Buffer, Buffer] {
  const method = options.method ?? (options.stored === true ? 0 : 8);
  const sizes = [crc32(data), packed.length, options.claimedBytes ?? data.length];
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(method, 8);
  for (const [index, size] of sizes.entries()) local.writeUInt32LE(size, 14 + 4 * index);
  local.writeUInt16LE(name.length, 26);
  const extra = options.large === true ? largeExtra(sizes[2] ?? 0, packed.length, offset) : Buffer.alloc(0);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(options.flags ?? 0x800, 8);
  entry.writeUInt16LE(method, 10);
  for (const [index, size] of sizes.entries()) entry.writeUInt32LE(size, 16 + 4 * index);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt16LE(extra.length, 30);
  entry.writeUInt32LE(offset, 42);
  if (options.large === true) for (const field of [20, 24, 42]) entry.writeUInt32LE(0xffffffff, field);
  return [local, Buffer.concat([entry, name, extra])];
}

function largeExtra(bytes: number, packed: number, offset: number): Buffer {
  const extra = Buffer.alloc(4 + 24 + 4);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  for (const [index, value] of [bytes, packed, offset].entries())
    extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index);
  extra.writeUInt16LE(0x5455, 28);
  return extra;
}

function endOf(
  count: number,
  bytes: number,
  at: number,
  { large = false, comment = '' }: ZipOptions,
): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  for (const field of [8, 10]) end.writeUInt16LE(large ? 0xffff : count, field);
  end.writeUInt32LE(large ? 0xffffffff : bytes, 12);
  end.writeUInt32LE(large ? 0xffffffff : at, 16);
  end.writeUInt16LE(Buffer.byteLength(comment), 20);
  const tail = Buffer.concat([end, Buffer.from(comment)]);
  if (!large) return tail;
  const wide = Buffer.alloc(56);
  wide.writeUInt32LE(0x06064b50, 0);
  for (const [index, value] of [count, count, bytes, at].entries())
    wide.writeBigUInt64LE(BigInt(value), 24 + 8 * index);
  const pointer = Buffer.alloc(20);
  pointer.writeUInt32LE(0x07064b50, 0);
  pointer.writeBigUInt64LE(BigInt(at + bytes), 8);
  return Buffer.concat([wide, pointer, tail]);
}
