// The log in SQLite as log-reads.ts reads it: pages by position on a read-only connection, and counts over the index of
// conversations, whose entries have the position and no text.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { LogSource, RawLogRow } from '../log-reads.ts';

const ROWS = 'SELECT position, doc FROM log WHERE position > ? AND position < ?';
/** In one conversation seq and position have the same order, and the index is sorted by seq already. */
const ROWS_OF_ONE =
  'SELECT position, doc FROM log WHERE conversation = ? AND position > ? AND position < ? ORDER BY seq';
const COUNT = 'SELECT count(*) AS n FROM log INDEXED BY log_by_conversation';

export function logSource(db: DatabaseSync, said: NonNullable<LogSource['said']>): LogSource {
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const number = (sql: string, name: string, ...values: (string | number)[]): number | undefined => {
    const value = prepared(sql).get(...values)?.[name];
    return value === undefined ? undefined : Number(value);
  };
  const count = (conversation: string | undefined, before: number | undefined): number => {
    if (conversation === undefined)
      return before === undefined
        ? (number(COUNT, 'n') ?? 0)
        : (number(`${COUNT} WHERE position < ?`, 'n', before) ?? 0);
    const until = before ?? Number.MAX_SAFE_INTEGER;
    return number(`${COUNT} WHERE conversation = ? AND position < ?`, 'n', conversation, until) ?? 0;
  };
  return {
    said,
    count,
    page(conversation, { after, before, limit, descending }) {
      const way = descending ? 'DESC' : 'ASC';
      const rows =
        conversation === undefined
          ? prepared(`${ROWS} ORDER BY position ${way} LIMIT ?`).all(after, before, limit)
          : prepared(`${ROWS_OF_ONE} ${way} LIMIT ?`).all(conversation, after, before, limit);
      return rows as unknown as RawLogRow[];
    },
    nth(conversation, offset) {
      if (conversation !== undefined) {
        const sql = 'SELECT position FROM log WHERE conversation = ? ORDER BY seq LIMIT 1 OFFSET ?';
        return number(sql, 'position', conversation, offset);
      }
      // Starts at the nearer end, because SQLite walks over all rows in between.
      const fromEnd = count(undefined, undefined) - 1 - offset;
      if (fromEnd < 0) return undefined;
      const [way, steps] = fromEnd < offset ? ['DESC', fromEnd] : ['ASC', offset];
      return number(`SELECT position FROM log ORDER BY position ${way} LIMIT 1 OFFSET ?`, 'position', steps);
    },
  };
}
