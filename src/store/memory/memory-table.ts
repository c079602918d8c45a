// One table in memory, with the indexes of tables.ts. Rows are kept as JSON text: a reader gets what was really stored,
// and nobody shares an object.
import { type IndexShape, columnValue, indexShape, indexedFields } from '../columns.ts';
import type { ScanRange } from '../store.ts';
import { INDEXES, type TableName } from '../tables.ts';

export interface MemoryRow {
  position: number;
  doc: string;
}

export class MemoryTable {
  readonly #name: TableName;
  readonly #rows = new Map<string, MemoryRow & IndexedRow>();
  readonly #indexes = new Map<string, SortedIndex>();

  constructor(name: TableName, rows: Iterable<readonly [string, MemoryRow]> = []) {
    this.#name = name;
    for (const index of Object.keys(INDEXES[name])) {
      this.#indexes.set(index, new SortedIndex(indexShape(name, index)));
    }
    for (const [key, { position, doc }] of rows) this.put(key, doc, position);
  }

  get size(): number {
    return this.#rows.size;
  }

  get(key: string): MemoryRow | undefined {
    return this.#rows.get(key);
  }

  /** A row that exists keeps its position. */
  put(key: string, doc: string, position: number): void {
    const parsed = JSON.parse(doc) as Record<string, unknown>;
    const fields = Object.fromEntries(indexedFields(this.#name).map((field) => [field, parsed[field]]));
    const before = this.#rows.get(key);
    if (before !== undefined) this.remove(key);
    const row = { key, doc, fields, position: before?.position ?? position };
    this.#rows.set(key, row);
    for (const index of this.#indexes.values()) index.add(row);
  }

  remove(key: string): void {
    const row = this.#rows.get(key);
    if (row === undefined) return;
    for (const index of this.#indexes.values()) index.remove(row);
    this.#rows.delete(key);
  }

  scan(index: string, range: ScanRange): MemoryRow[] {
    const { eq: compared } = indexShape(this.#name, index);
    const eq = range.eq ?? [];
    if (eq.length !== compared.length) {
      throw new Error(
        `${this.#name}.${index} compares ${compared.join(', ') || 'nothing'}: ${eq.length} values given`,
      );
    }
    const after = range.after ?? Number.NEGATIVE_INFINITY;
    const before = range.before ?? Number.POSITIVE_INFINITY;
    const found = this.#indexes.get(index)?.range(eq, after, before) ?? [];
    const wanted = range.descending === true ? found.toReversed() : found;
    return wanted.slice(0, Math.max(0, range.limit)).flatMap(({ key }) => this.#rows.get(key) ?? []);
  }

  *entries(): Generator<readonly [string, MemoryRow]> {
    for (const [key, { position, doc }] of this.#rows) yield [key, { position, doc }];
  }
}

interface Entry {
  key: string;
  position: number;
  order: number;
}

interface IndexedRow {
  key: string;
  position: number;
  fields: object;
}

/**
 * One index: for each combination of compared values, the rows in order. New rows mostly belong at the end, so adding
 * is cheap. Everything else is a binary search.
 */
class SortedIndex {
  readonly #shape: IndexShape;
  readonly #buckets = new Map<string, Entry[]>();

  constructor(shape: IndexShape) {
    this.#shape = shape;
  }

  add(row: IndexedRow): void {
    const place = this.#place(row);
    if (place === undefined) return;
    const bucket = this.#buckets.get(place.bucket) ?? [];
    if (bucket.length === 0) this.#buckets.set(place.bucket, bucket);
    bucket.splice(findPlace(bucket, place.entry), 0, place.entry);
  }

  remove(row: IndexedRow): void {
    const place = this.#place(row);
    if (place === undefined) return;
    const bucket = this.#buckets.get(place.bucket);
    bucket?.splice(findPlace(bucket, place.entry), 1);
    if (bucket?.length === 0) this.#buckets.delete(place.bucket);
  }

  /** Bounds are exclusive. */
  range(eq: readonly (string | number)[], after: number, before: number): readonly Entry[] {
    const bucket = this.#buckets.get(bucketName(eq)) ?? [];
    const from = findPlace(bucket, { order: after, position: Number.POSITIVE_INFINITY });
    const to = findPlace(bucket, { order: before, position: Number.NEGATIVE_INFINITY });
    return bucket.slice(from, Math.max(from, to));
  }

  #place({ key, position, fields }: IndexedRow): { bucket: string; entry: Entry } | undefined {
    const { eq, order } = this.#shape;
    const values = eq.map((field) => columnValue(fields, field));
    const at = order === 'position' ? position : columnValue(fields, order);
    if (typeof at !== 'number' || values.includes(null)) return undefined;
    return { bucket: bucketName(values), entry: { key, position, order: at } };
  }
}

function bucketName(values: readonly unknown[]): string {
  return JSON.stringify(values);
}

/** The place where the entry is, or would be. */
function findPlace(bucket: readonly Entry[], entry: Pick<Entry, 'order' | 'position'>): number {
  let low = 0;
  let high = bucket.length;
  const last = bucket[high - 1];
  if (last !== undefined && isBefore(last, entry)) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = bucket[middle];
    if (found !== undefined && isBefore(found, entry)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isBefore(a: Pick<Entry, 'order' | 'position'>, b: Pick<Entry, 'order' | 'position'>): boolean {
  return a.order === b.order ? a.position < b.position : a.order < b.order;
}
