// A cache of the newest deliveries and sends. A delivery is read again milliseconds after it was written, when its
// acknowledgement comes, and a send is read three times on its way out. Reading and parsing a row takes 5 µs.
// Invariant: only durable rows are in it, and no row is changed in place.
import type { AnyRow, Changes, RowChange } from '../batch.ts';
import type { TableName } from '../tables.ts';

/** Rows for each table and generation, about 1.5 KB each. */
const ROWS_MAX = {
  /**
   * Written once, and not again. While a delivery waits in its lane it is in memory anyway. With 512, a third of the deliveries
   * had been dropped before their acknowledgement came, because under load the lanes hold as many as two batches.
   */
  new: 2_048,
  /** What comes next takes milliseconds or minutes, and every row that grows old in the heap costs a collection. */
  changed: 512,
} as const;

interface Cached {
  /** Undefined: it is among the changed ones, or was. */
  row: AnyRow | undefined;
  position: number;
}

/** Two generations instead of an order of use: reading moves nothing, and the older generation is dropped at once. */
class Generations {
  #young = new Map<string, Cached>();
  #old = new Map<string, Cached>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  find(key: string): Cached | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  set(key: string, cached: Cached): void {
    if (this.#young.size >= this.#max) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, cached);
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }
}

/** The rows of one table. */
class Rows {
  readonly #new = new Generations(ROWS_MAX.new);
  readonly #changed = new Generations(ROWS_MAX.changed);

  find(key: string): Cached | undefined {
    const first = this.#new.find(key);
    return first?.row === undefined ? (this.#changed.find(key) ?? first) : first;
  }

  put({ key, row, position, stored, assumedNew, reinserted }: RowChange): void {
    if (row === undefined || reinserted) {
      this.#new.delete(key);
      this.#changed.delete(key);
    }
    if (row === undefined) return;
    if (reinserted || assumedNew || stored === null) {
      this.#new.set(key, { row, position });
      return;
    }
    const first = this.#new.find(key);
    // A row that was stored before keeps its position.
    const before = first ?? this.#changed.find(key);
    this.#changed.set(key, { row, position: before?.position ?? 0 });
    // Only emptied: a Map that has a key removed for every use leaves tables behind (see StateCache).
    if (first !== undefined) first.row = undefined;
  }
}

export class RowCache {
  #tables: Partial<Record<TableName, Rows>> = {};

  constructor() {
    this.clear();
  }

  get(table: TableName, key: string): AnyRow | undefined {
    return this.#tables[table]?.find(key)?.row;
  }

  /** Where the row is stored. 0: not known here. */
  positionOf(table: TableName, key: string): number {
    return this.#tables[table]?.find(key)?.position ?? 0;
  }

  /** Called when the batch is durable. */
  keep({ rows }: Changes): void {
    for (const change of rows) this.#tables[change.table]?.put(change);
  }

  clear(): void {
    this.#tables = { delivery: new Rows(), outbox: new Rows() };
  }
}
