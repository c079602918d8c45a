// The statements behind get and scan, each prepared once. The writer's connection uses them for short reads, the
// worker's read-only connection for all others, so both answer the same.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { columnName, indexShape } from '../columns.ts';
import type { ScanRange } from '../store.ts';
import type { TableName } from '../tables.ts';
import { InConversation } from './in-conversation.ts';

export interface RawRow {
  position: number;
  doc: string;
}

const LOWEST = Number.MIN_SAFE_INTEGER;
const HIGHEST = Number.MAX_SAFE_INTEGER;

export class RowReader {
  readonly #db: DatabaseSync;
  readonly #gets = new Map<TableName, StatementSync>();
  readonly #scans = new Map<string, StatementSync>();
  #inConversation: InConversation | undefined;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  get(table: TableName, key: string): string | undefined {
    let statement = this.#gets.get(table);
    if (statement === undefined) {
      statement = this.#db.prepare(`SELECT doc FROM "${table}" WHERE key = ?`);
      this.#gets.set(table, statement);
    }
    return statement.get(key)?.doc as string | undefined;
  }

  scan(table: TableName, index: string, range: ScanRange): RawRow[] {
    const shape = indexShape(table, index);
    const eq: readonly SQLInputValue[] = range.eq ?? [];
    if (eq.length !== shape.eq.length) {
      throw new Error(
        `${table}.${index} compares ${shape.eq.join(', ') || 'nothing'}: ${eq.length} values given`,
      );
    }
    const { after = LOWEST, before = HIGHEST, descending = false, holding } = range;
    const limit = Math.max(0, range.limit);
    if (isInConversation(table, index)) {
      this.#inConversation ??= new InConversation(this.#db);
      const rows = this.#inConversation.scan({ eq: range.eq ?? [], after, before, limit, descending });
      return holding === undefined ? rows : rows.filter(({ doc }) => doc.includes(holding));
    }
    const statement = this.#scan(table, index, descending, holding !== undefined);
    const values = [...eq, after, before, limit];
    if (holding !== undefined) values.push(holding);
    return statement.all(...values) as unknown as RawRow[];
  }

  #scan(table: TableName, index: string, descending: boolean, sifted: boolean): StatementSync {
    const name = `${table} ${index} ${descending} ${sifted}`;
    let statement = this.#scans.get(name);
    if (statement === undefined) {
      const sql = scanSql(table, index, descending);
      statement = this.#db.prepare(sifted ? `SELECT * FROM (${sql}) WHERE instr(doc, ?) > 0` : sql);
      this.#scans.set(name, statement);
    }
    return statement;
  }
}

/**
 * `delivery.byAgent` has no index of its own. `open` is 0 or 1, so two ranges of the index (agent, open) merged by
 * position give the same rows. SQLite merges them without sorting, and every delivery saves an index entry.
 */
const DELIVERY_BY_AGENT = [0, 1]
  .map(
    (open) =>
      `SELECT position, doc FROM delivery WHERE agent = ?1 AND open = ${open} AND position > ?2 AND position < ?3`,
  )
  .join(' UNION ALL ');

/** That index is in parts, with statements of their own. */
export function isInConversation(table: TableName, index: string): boolean {
  return table === 'delivery' && index === 'byAgentConversation';
}

export function scanSql(table: TableName, index: string, descending: boolean): string {
  const { eq, order } = indexShape(table, index);
  const column = columnName(order);
  const where = [...eq.map((field) => `${columnName(field)} = ?`), `${column} > ?`, `${column} < ?`];
  const way = descending ? 'DESC' : 'ASC';
  if (table === 'delivery' && index === 'byAgent') {
    return `${DELIVERY_BY_AGENT} ORDER BY position ${way} LIMIT ?4`;
  }
  const by = column === 'position' ? `position ${way}` : `${column} ${way}, position ${way}`;
  return `SELECT position, doc FROM "${table}" WHERE ${where.join(' AND ')} ORDER BY ${by} LIMIT ?`;
}
