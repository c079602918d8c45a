// The invariants of a sound store, each as a query that finds violations, in the same words as SQLite's. They repair
// nothing.
import { columnName, indexedFields, TABLES } from '../columns.ts';
import { cannotMove, endedButDue, offerCannotMove } from '../stuck-words.ts';
import { type Connections, type Statement, WHOLE_TABLE_MS } from './connections.ts';

/** How many findings of one kind are shown. The rest are counted. */
const SHOWN_MAX = 5;
const ENDED = "('settled', 'superseded', 'dead_lettered')";
const OFFER_OPEN = `(${parsed('o.doc')} ->> 'open')`;

interface Invariant {
  /** Returns one row per violation, which says where. */
  broken: string;
  words: (where: string) => string;
}

const INVARIANTS: readonly Invariant[] = [
  {
    // Up to the last row that was removed, rows that something needs stand alone: retention leaves them.
    broken: `SELECT conversation FROM log GROUP BY conversation HAVING count(DISTINCT seq) <> count(*)
             UNION
             SELECT conversation FROM log
             WHERE position > coalesce((SELECT value FROM meta WHERE name = 'cut'), 0)
             GROUP BY conversation HAVING count(*) <> max(seq) - min(seq) + 1`,
    words: (where) => `the log of conversation ${where} has a gap or a repeated seq`,
  },
  {
    broken: `SELECT key FROM delivery WHERE (open = 1) <> (state NOT IN ${ENDED})`,
    words: (where) => `delivery ${where} is marked open but ended, or closed but not ended`,
  },
  {
    broken: `SELECT key FROM delivery d WHERE open = 1 AND NOT EXISTS (SELECT FROM log WHERE log.key = d.source)`,
    words: (where) => `open delivery ${where} is about an event that is not in the log`,
  },
  {
    broken: `SELECT key FROM outbox s WHERE due_at IS NULL AND (state IN ('sending', 'unknown') OR state = 'awaiting_approval'
             AND NOT EXISTS (SELECT FROM inbox i WHERE i.key = 'approval:' || s.key AND i.open = 1))`,
    words: (where) => cannotMove(`send ${where}`),
  },
  {
    broken: `SELECT key FROM delivery WHERE due_at IS NULL AND state = 'handed'`,
    words: (where) => cannotMove(`delivery ${where}`),
  },
  {
    broken: `SELECT key FROM delivery d WHERE due_at IS NULL AND state = 'held' AND NOT EXISTS
             (SELECT FROM offer o WHERE o.key = d.source AND ${OFFER_OPEN} = '1')`,
    words: (where) => cannotMove(`delivery ${where}`),
  },
  {
    broken: `SELECT key FROM offer o WHERE due_at IS NULL AND ${OFFER_OPEN} = '1'`,
    words: offerCannotMove,
  },
  {
    broken: `SELECT 'send ' || key FROM outbox WHERE due_at IS NOT NULL AND state IN ('visible', 'failed', 'lost', 'cancelled')
             UNION ALL SELECT 'delivery ' || key FROM delivery WHERE due_at IS NOT NULL AND open = 0
             UNION ALL SELECT 'offer ' || key FROM offer o WHERE due_at IS NOT NULL AND ${OFFER_OPEN} = '0'`,
    words: endedButDue,
  },
  {
    broken: `SELECT key FROM delivery WHERE ended IS DISTINCT FROM CASE WHEN open = 0 THEN state END`,
    words: (where) => `delivery ${where}: its columns differ from its content`,
  },
];

/** Rows that one statement parses. A million of them in one took 25 seconds, and whoever read the log waited behind it. */
const PAGE_ROWS = 20_000;

interface ColumnCheck {
  /** From a position on: the last position of a page and how many rows it has, and then one row per violation. */
  page: string;
  words: Invariant['words'];
}

/** Columns are copies of fields of the JSON. An index over a wrong copy hides rows. */
const COLUMNS: readonly ColumnCheck[] = TABLES.map((table) => {
  const fields = ['key', ...indexedFields(table), ...(table === 'log' ? ['at'] : [])];
  const differs = fields.map(
    (field) => `${columnName(field)} IS DISTINCT FROM ${copied(field, `${parsed('doc')} ->> '${field}'`)}`,
  );
  return {
    page: `WITH page AS MATERIALIZED (SELECT * FROM "${table}" WHERE position > $1 ORDER BY position LIMIT ${PAGE_ROWS})
      SELECT max(position)::text, count(*)::int FROM page
      UNION ALL SELECT key, NULL FROM page
        WHERE CASE WHEN pg_input_is_valid(doc, 'json') THEN ${differs.join(' OR ')} ELSE true END`,
    words: (where) => `${table} ${where}: its columns differ from its content`,
  };
});

/** PostgreSQL reads no text that has a zero character in it, wherever that is. No column has one. */
function parsed(doc: string): string {
  return `replace(${doc}, '\\u0000', '\\u0001')::json`;
}

function copied(field: string, value: string): string {
  if (field === 'dueAt' || field === 'at') return `(${value})::float8`;
  return field === 'seq' || field === 'open' ? `(${value})::numeric` : `(${value})`;
}

export async function checkRows(connections: Connections): Promise<string[]> {
  const findings: string[] = [];
  const found = (where: readonly string[], words: Invariant['words']): void => {
    findings.push(...where.slice(0, SHOWN_MAX).map(words));
    if (where.length > SHOWN_MAX) findings.push(`… and ${where.length - SHOWN_MAX} more of that kind`);
  };
  for (const [number, { broken, words }] of INVARIANTS.entries()) {
    const statement = { name: `check_${number}`, text: broken };
    const rows = await connections.readLong<[string]>(statement, [], WHOLE_TABLE_MS);
    found(
      rows.map(([where]) => where),
      words,
    );
  }
  for (const [number, { page, words }] of COLUMNS.entries()) {
    const statement = { name: `check_columns_${number}`, text: page };
    found(await differing(connections, statement), words);
  }
  return findings;
}

async function differing(connections: Connections, statement: Statement): Promise<string[]> {
  const keys: string[] = [];
  for (let after = '-1'; ; ) {
    const rows = await connections.readLong<[text: string | null, count: number | null]>(statement, [after]);
    const [page, ...wrong] = rows.toSorted(([, a], [, b]) => Number(a === null) - Number(b === null));
    keys.push(...wrong.flatMap(([key]) => key ?? []));
    const [last, count] = page ?? [null, 0];
    if (last === null || (count ?? 0) < PAGE_ROWS) return keys;
    after = last;
  }
}
