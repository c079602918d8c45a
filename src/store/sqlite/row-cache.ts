// Deliveries and sends as they were last written, the newest few thousand: a delivery is read again milliseconds after
// it was made, when its acknowledgement comes, and a send three times on its way out (reading and parsing rows was 9% of
// the path, 4.5% with this). Only what is durable is in here, and rows are never changed in place.
import type { AnyRow, Changes } from '../batch.ts';
import type { TableName } from '../tables.ts';

/** Of each table and generation; about 1.5 KB a row. */
const ROWS_MAX = 2_048;

/** Two generations instead of an order of use: nothing is moved on reading, and the older is dropped whole. */
class Generations {
  #young = new Map<string, AnyRow>();
  #old = new Map<string, AnyRow>();

  get(key: string): AnyRow | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  put(key: string, row: AnyRow | undefined): void {
    if (row === undefined) {
      this.#young.delete(key);
      this.#old.delete(key);
      return;
    }
    if (this.#young.size >= ROWS_MAX) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, row);
  }
}

export class RowCache {
  #tables: Partial<Record<TableName, Generations>> = {};

  constructor() {
    this.clear();
  }

  get(table: TableName, key: string): AnyRow | undefined {
    return this.#tables[table]?.get(key);
  }

  /** Called when the batch is durable. */
  keep({ rows }: Changes): void {
    for (const { table, key, row } of rows) this.#tables[table]?.put(key, row);
  }

  clear(): void {
    this.#tables = { delivery: new Generations(), outbox: new Generations() };
  }
}
