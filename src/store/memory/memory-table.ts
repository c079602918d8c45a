// One table in memory, with the indexes of tables.ts. Rows are kept as JSON text: a reader gets what was really stored,
// and nobody shares an object.
import { indexedFields, indexShape } from '../columns.ts';
import type { ScanRange } from '../store.ts';
import { INDEXES, type TableName } from '../tables.ts';
import { type IndexedRow, SortedIndex } from './sorted-index.ts';

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
