// One table in memory, with the indexes of tables.ts. Rows are kept as JSON text: a reader gets what was really stored.
// The text is read once, for the first who asks. Readers share what was read and must not change it: its fields are frozen,
// and the check of the store finds what was changed below them (to freeze that too costs more than to read it again).
import { type IndexShape, columnValue, indexShape } from '../columns.ts';
import type { ScanRange } from '../store.ts';
import { INDEXES, type TableName } from '../tables.ts';

export interface MemoryRow {
  position: number;
  doc: string;
}

export class ReadRow implements MemoryRow {
  readonly position: number;
  readonly doc: string;
  /** Where it stands in each index, in the order of the indexes. */
  readonly places: readonly (Place | undefined)[];
  #row: object | undefined;
  #scanned: object | undefined;

  constructor(position: number, doc: string, places: readonly (Place | undefined)[]) {
    this.position = position;
    this.doc = doc;
    this.places = places;
  }

  /** What the text says. */
  get row(): object {
    this.#row ??= Object.freeze(JSON.parse(this.doc) as object);
    return this.#row;
  }

  /** True when a reader has changed what all of them share. */
  get isChanged(): boolean {
    return this.#row !== undefined && JSON.stringify(this.#row) !== this.doc;
  }

  /** The same with its position, as scans give it. */
  get scanned(): object {
    this.#scanned ??= Object.freeze({ ...this.row, position: this.position });
    return this.#scanned;
  }
}

export class MemoryTable {
  readonly #name: TableName;
  readonly #rows = new Map<string, ReadRow>();
  readonly #indexes: readonly SortedIndex[];
  readonly #byName: ReadonlyMap<string, SortedIndex>;

  constructor(name: TableName, rows: Iterable<readonly [string, MemoryRow]> = []) {
    this.#name = name;
    this.#indexes = Object.keys(INDEXES[name]).map(
      (index) => new SortedIndex(index, indexShape(name, index)),
    );
    this.#byName = new Map(this.#indexes.map((index) => [index.name, index]));
    for (const [key, { position, doc }] of rows) this.put(key, doc, position, JSON.parse(doc) as object);
  }

  get size(): number {
    return this.#rows.size;
  }

  get(key: string): ReadRow | undefined {
    return this.#rows.get(key);
  }

  /** A row that exists keeps its position. `fields` are those of the text, which the indexes read. */
  put(key: string, doc: string, given: number, fields: object): void {
    const position = this.#rows.get(key)?.position ?? given;
    this.remove(key);
    const row = { key, position, fields };
    const places = this.#indexes.map((index) => index.add(row));
    this.#rows.set(key, new ReadRow(position, doc, places));
  }

  remove(key: string): void {
    const row = this.#rows.get(key);
    if (row === undefined) return;
    for (const [at, index] of this.#indexes.entries()) index.remove(row.places[at]);
    this.#rows.delete(key);
  }

  scan(index: string, range: ScanRange): ReadRow[] {
    const sorted = this.#byName.get(index);
    const compared = sorted?.compared ?? indexShape(this.#name, index).eq;
    const eq = range.eq ?? [];
    if (eq.length !== compared.length) {
      throw new Error(
        `${this.#name}.${index} compares ${compared.join(', ') || 'nothing'}: ${eq.length} values given`,
      );
    }
    const after = range.after ?? Number.NEGATIVE_INFINITY;
    const before = range.before ?? Number.POSITIVE_INFINITY;
    const entries = sorted?.range(eq, after, before, range.limit, range.descending === true) ?? [];
    const found: ReadRow[] = [];
    for (const { key } of entries) {
      const row = this.#rows.get(key);
      if (row !== undefined) found.push(row);
    }
    return found;
  }

  entries(): Iterable<readonly [string, ReadRow]> {
    return this.#rows;
  }

  *texts(): Generator<readonly [string, MemoryRow]> {
    for (const [key, { position, doc }] of this.#rows) yield [key, { position, doc }];
  }
}

interface Entry {
  key: string;
  position: number;
  order: number;
}

interface Place {
  bucket: string;
  entry: Entry;
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
  readonly name: string;
  readonly compared: readonly string[];
  readonly #shape: IndexShape;
  readonly #buckets = new Map<string, Entry[]>();

  constructor(name: string, shape: IndexShape) {
    this.name = name;
    this.compared = shape.eq;
    this.#shape = shape;
  }

  /** Where it now stands, for its removal. Undefined: it is not in this index. */
  add(row: IndexedRow): Place | undefined {
    const place = this.#place(row);
    if (place === undefined) return undefined;
    const bucket = this.#buckets.get(place.bucket) ?? [];
    if (bucket.length === 0) this.#buckets.set(place.bucket, bucket);
    bucket.splice(findPlace(bucket, place.entry), 0, place.entry);
    return place;
  }

  remove(place: Place | undefined): void {
    if (place === undefined) return;
    const bucket = this.#buckets.get(place.bucket);
    bucket?.splice(findPlace(bucket, place.entry), 1);
    if (bucket?.length === 0) this.#buckets.delete(place.bucket);
  }

  /** Bounds are exclusive. */
  range(
    eq: readonly (string | number)[],
    after: number,
    before: number,
    limit: number,
    descending: boolean,
  ): readonly Entry[] {
    const bucket = this.#buckets.get(bucketName(eq));
    if (bucket === undefined) return [];
    const from = findPlace(bucket, { order: after, position: Number.POSITIVE_INFINITY });
    const to = Math.max(from, findPlace(bucket, { order: before, position: Number.NEGATIVE_INFINITY }));
    const most = Math.max(0, limit);
    if (descending) return bucket.slice(Math.max(from, to - most), to).toReversed();
    return bucket.slice(from, Math.min(to, from + most));
  }

  #place({ key, position, fields }: IndexedRow): Place | undefined {
    const { eq, order } = this.#shape;
    const values = eq.map((field) => columnValue(fields, field));
    const at = order === 'position' ? position : columnValue(fields, order);
    if (typeof at !== 'number' || values.includes(null)) return undefined;
    return { bucket: bucketName(values), entry: { key, position, order: at } };
  }
}

function bucketName(values: readonly unknown[]): string {
  // The common case, without the quoting. The sign keeps it apart from every JSON text.
  if (values.length === 1 && typeof values[0] === 'string') return `=${values[0]}`;
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
