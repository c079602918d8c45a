// Reads rows by key and by index, on the connections that read. Every scan names one of the indexes of tables.ts.
import { columnName, indexShape } from '../columns.ts';
import type { ScanRange } from '../store.ts';
import type { TableName } from '../tables.ts';
import type { Connections, Statement } from './connections.ts';

export interface RawRow {
  position: number;
  doc: string;
}

/** Longer scans do not stand in the way of short reads. */
const SHORT_ROWS_MAX = 256;
/** Larger limits are cut: PostgreSQL counts rows with 64 bits, and nobody means so many. */
const LIMIT_MAX = 2 ** 31;
const ENDED: ReadonlySet<string | number> = new Set(['settled', 'superseded', 'dead_lettered']);

export class RowReader {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async get(table: TableName, key: string): Promise<string | undefined> {
    const statement = { name: `get_${table}`, text: `SELECT doc FROM "${table}" WHERE key = $1` };
    const [row] = await this.#connections.read<[string]>(statement, [key]);
    return row?.[0];
  }

  async scan(table: TableName, index: string, range: ScanRange): Promise<RawRow[]> {
    const { eq, order } = indexShape(table, index);
    const given = range.eq ?? [];
    if (given.length !== eq.length) {
      throw new Error(
        `${table}.${index} compares ${eq.join(', ') || 'nothing'}: ${given.length} values given`,
      );
    }
    const statement = scanStatement(table, index, range);
    const values = [...given, ...boundsOf(order, range), limitOf(range.limit)];
    const rows =
      range.limit > SHORT_ROWS_MAX
        ? await this.#connections.readLong<[string, string]>(statement, values)
        : await this.#connections.read<[string, string]>(statement, values);
    return rows.map(toRawRow);
  }
}

export function toRawRow([position, doc]: [string, string]): RawRow {
  return { position: Number(position), doc };
}

export function limitOf(limit: number): number {
  return Math.max(0, Math.min(limit, LIMIT_MAX));
}

/** Positions are whole. A bound between two of them excludes as many. */
export function wholeBound(value: number, way: 'after' | 'before'): string {
  const whole = way === 'after' ? Math.floor(value) : Math.ceil(value);
  return String(BigInt(Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, whole))));
}

function boundsOf(order: string, { after, before }: ScanRange): (string | number)[] {
  const low = after ?? Number.MIN_SAFE_INTEGER;
  const high = before ?? Number.MAX_SAFE_INTEGER;
  return order === 'dueAt' ? [low, high] : [wholeBound(low, 'after'), wholeBound(high, 'before')];
}

export function scanStatement(table: TableName, index: string, range: ScanRange): Statement {
  const { eq, order } = indexShape(table, index);
  const column = columnName(order);
  const [after, before, limit] = [1, 2, 3].map((at) => `$${eq.length + at}`);
  const way = range.descending === true ? 'DESC' : 'ASC';
  const by = column === 'position' ? `position ${way}` : `${column} ${way}, position ${way}`;
  const { conditions, note } = compared(table, index, eq, range);
  const where = [...conditions, `${column} > ${after}`, `${column} < ${before}`];
  return {
    name: `scan_${table}_${index}_${way}${note}`,
    text: `SELECT position, doc FROM "${table}" WHERE ${where.join(' AND ')} ORDER BY ${by} LIMIT ${limit}`,
  };
}

/**
 * No index of deliveries has their state or whether they are open. A state that is final stands in `ended`; all others are
 * open, and the indexes of open deliveries are named by their condition.
 */
function compared(
  table: TableName,
  index: string,
  eq: readonly string[],
  { eq: given = [] }: ScanRange,
): { conditions: string[]; note: string } {
  const conditions = eq.map((field, at) => `${columnName(field)} = $${at + 1}`);
  if (table !== 'delivery') return { conditions, note: '' };
  if (index === 'byState') {
    const [state = ''] = given;
    return ENDED.has(state)
      ? { conditions: [...conditions, 'ended = $1'], note: '_ended' }
      : { conditions: [...conditions, 'open = 1'], note: '_open' };
  }
  if (index === 'openByAgent' && given[1] === 1)
    return { conditions: [...conditions, 'open = 1'], note: '_open' };
  return { conditions, note: '' };
}
