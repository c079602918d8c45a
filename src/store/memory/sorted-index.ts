// One index of one table in memory: for each combination of compared values, the rows in order. New rows mostly belong
// at the end, so adding is cheap. Everything else is a binary search.
import { columnValue, type IndexShape } from '../columns.ts';

export interface Entry {
  key: string;
  position: number;
  order: number;
}

export interface IndexedRow {
  key: string;
  position: number;
  fields: object;
}

export class SortedIndex {
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
