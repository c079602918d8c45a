// The statements that write one table. They use what the batch knows of the stored row: a new row is inserted without a
// lookup, and of a known row only the changed columns are rewritten. SQLite rewrites an index for every column that an
// UPDATE names, changed or not; a delivery has five indexes and is updated four times in its life.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type AnyRow, NotNew, type RowChange, rowText } from '../batch.ts';
import { columnName, columnValue, indexedFields } from '../columns.ts';
import type { TableName } from '../tables.ts';
import { isRepeatedKey } from './errors.ts';

export class TableWriter {
  readonly #db: DatabaseSync;
  readonly #table: TableName;
  readonly #fields: readonly string[];
  readonly #insert: StatementSync;
  readonly #upsert: StatementSync;
  readonly #remove: StatementSync;
  /** The key says which fields change, as bits. */
  readonly #updates = new Map<number, StatementSync>();

  constructor(db: DatabaseSync, table: TableName) {
    this.#db = db;
    this.#table = table;
    this.#fields = indexedFields(table);
    const changing = [...this.#fields.map(columnName), 'doc'];
    const columns = ['position', 'key', ...changing];
    const insert = `INSERT INTO "${table}" (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
    const sets = changing.map((name) => `${name} = excluded.${name}`);
    this.#insert = db.prepare(insert);
    this.#upsert = db.prepare(`${insert} ON CONFLICT (key) DO UPDATE SET ${sets.join(', ')}`);
    this.#remove = db.prepare(`DELETE FROM "${table}" WHERE key = ?`);
  }

  write(change: RowChange): void {
    const { row, stored, assumedNew, reinserted } = change;
    if (row === undefined || reinserted) {
      const { changes } = this.#remove.run(change.key);
      if (assumedNew && changes > 0) throw new NotNew(change.table, change.key);
    }
    if (row === undefined) return;
    if (reinserted || assumedNew || stored === null) this.#put(change, row);
    else if (stored === undefined) this.#upsert.run(...this.#values(change, row));
    else this.#update(change, row, stored);
  }

  #put(change: RowChange, row: AnyRow): void {
    try {
      this.#insert.run(...this.#values(change, row));
    } catch (error) {
      throw change.assumedNew && isRepeatedKey(error) ? new NotNew(change.table, change.key) : error;
    }
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
    values.push(rowText(change), change.key);
    let statement = this.#updates.get(changed);
    if (statement === undefined) {
      const names = this.#fields.filter((_, at) => (changed & (1 << at)) !== 0).map(columnName);
      const sets = [...names, 'doc'].map((name) => `${name} = ?`);
      statement = this.#db.prepare(`UPDATE "${this.#table}" SET ${sets.join(', ')} WHERE key = ?`);
      this.#updates.set(changed, statement);
    }
    statement.run(...values);
  }
}
