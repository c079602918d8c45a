// The statements that write one table. They use what the batch knows of the stored row: a new row is inserted without a
// lookup, and of a known row only the changed columns are rewritten. SQLite rewrites an index for every column that an
// UPDATE names, changed or not; a delivery has five indexes and is updated four times in its life.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type AnyRow, NotNew, type RowChange, rowText } from '../batch.ts';
import { columnName, columnValue, indexedFields } from '../columns.ts';
import type { TableName } from '../tables.ts';
import { isRepeatedKey } from './errors.ts';

/** The position of a stored row where that is known without looking, else 0. */
export type PositionOf = (table: TableName, key: string) => number;

export class TableWriter {
  readonly #positionOf: PositionOf;
  readonly #db: DatabaseSync;
  readonly #table: TableName;
  readonly #fields: readonly string[];
  readonly #insert: StatementSync;
  readonly #insertIfNew: StatementSync;
  readonly #upsert: StatementSync;
  readonly #remove: StatementSync;
  /** The key says which fields change, as bits. */
  readonly #updates = { key: new Map<number, StatementSync>(), position: new Map<number, StatementSync>() };

  constructor(db: DatabaseSync, table: TableName, positionOf: PositionOf) {
    this.#positionOf = positionOf;
    this.#db = db;
    this.#table = table;
    this.#fields = indexedFields(table);
    const changing = [...this.#fields.map(columnName), 'doc'];
    const columns = ['position', 'key', ...changing];
    const insert = `INSERT INTO "${table}" (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
    const sets = changing.map((name) => `${name} = excluded.${name}`);
    this.#insert = db.prepare(insert);
    this.#insertIfNew = db.prepare(`${insert} ON CONFLICT (key) DO NOTHING`);
    this.#upsert = db.prepare(`${insert} ON CONFLICT (key) DO UPDATE SET ${sets.join(', ')}`);
    this.#remove = db.prepare(`DELETE FROM "${table}" WHERE key = ? RETURNING position`);
  }

  /** Returns the position of a row that was there and is no more, else 0. */
  write(change: RowChange): number {
    const { row, assumedNew, reinserted } = change;
    const removed = row === undefined || reinserted ? this.#remove.get(change.key) : undefined;
    if (assumedNew && removed !== undefined) throw new NotNew(change.table, change.key);
    if (row !== undefined) this.#store(change, row);
    return Number(removed?.position ?? 0);
  }

  #store(change: RowChange, row: AnyRow): void {
    const { stored, assumedNew, reinserted } = change;
    if (reinserted || assumedNew || stored === null) this.#put(change, row);
    else if (stored === undefined) this.#putUnseen(change, row);
    else this.#update(change, row, stored);
  }

  #put(change: RowChange, row: AnyRow): void {
    try {
      this.#insert.run(...this.#values(change, row));
    } catch (error) {
      throw change.assumedNew && isRepeatedKey(error) ? new NotNew(change.table, change.key) : error;
    }
  }

  /** Nobody has looked whether it is there. Where it was not, its position is known from now on. */
  #putUnseen(change: RowChange, row: AnyRow): void {
    const values = this.#values(change, row);
    if (this.#insertIfNew.run(...values).changes === 0) this.#upsert.run(...values);
    else change.stored = null;
  }

  #values(change: RowChange, row: AnyRow): SQLInputValue[] {
    const values: SQLInputValue[] = [change.position, change.key];
    for (const field of this.#fields) values.push(columnValue(row, field));
    values.push(rowText(change));
    return values;
  }

  #update(change: RowChange, row: AnyRow, stored: AnyRow): void {
    const values: SQLInputValue[] = [];
    let changed = 0;
    let bit = 1;
    for (const field of this.#fields) {
      const value = columnValue(row, field);
      if (value !== columnValue(stored, field)) {
        changed |= bit;
        values.push(value);
      }
      bit <<= 1;
    }
    values.push(rowText(change));
    const position = this.#positionOf(this.#table, change.key);
    values.push(position === 0 ? change.key : position);
    this.#updating(changed, position === 0 ? 'key' : 'position').run(...values);
  }

  /** By its position a row is found without the index of keys, which is a tenth of writing it. */
  #updating(changed: number, by: 'key' | 'position'): StatementSync {
    const updates = this.#updates[by];
    let statement = updates.get(changed);
    if (statement === undefined) {
      const names = this.#fields.filter((_, at) => (changed & (1 << at)) !== 0).map(columnName);
      const sets = [...names, 'doc'].map((name) => `${name} = ?`);
      statement = this.#db.prepare(`UPDATE "${this.#table}" SET ${sets.join(', ')} WHERE ${by} = ?`);
      updates.set(changed, statement);
    }
    return statement;
  }
}
