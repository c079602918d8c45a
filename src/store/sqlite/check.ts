// The invariants of a sound store, each as a query that finds violations. `earshot doctor` runs them in the worker,
// on a read-only connection. They repair nothing.
import type { DatabaseSync } from 'node:sqlite';
import { columnName, indexedFields, TABLES } from '../columns.ts';
import { cannotMove, endedButDue, offerCannotMove } from '../stuck-words.ts';

/** How many findings of one kind are shown. The rest are counted. */
const SHOWN_MAX = 5;
const ENDED = "('settled', 'superseded', 'dead_lettered')";

interface Invariant {
  /** Returns one row per violation. The first column says where. */
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
    broken: `SELECT key FROM delivery WHERE open <> (state NOT IN ${ENDED})`,
    words: (where) => `delivery ${where} is marked open but ended, or closed but not ended`,
  },
  {
    broken: `SELECT key FROM delivery d WHERE open = 1 AND NOT EXISTS (SELECT 1 FROM log WHERE log.key = d.source)`,
    words: (where) => `open delivery ${where} is about an event that is not in the log`,
  },
  {
    broken: `SELECT key FROM outbox s WHERE due_at IS NULL AND (state IN ('sending', 'unknown') OR state = 'awaiting_approval'
             AND NOT EXISTS (SELECT 1 FROM inbox i WHERE i.key = 'approval:' || s.key AND i.open = 1))`,
    words: (where) => cannotMove(`send ${where}`),
  },
  {
    broken: `SELECT key FROM delivery WHERE due_at IS NULL AND state = 'handed'`,
    words: (where) => cannotMove(`delivery ${where}`),
  },
  {
    broken: `SELECT key FROM delivery d WHERE due_at IS NULL AND state = 'held' AND NOT EXISTS
             (SELECT 1 FROM offer o WHERE o.key = d.source AND json_extract(o.doc, '$.open') = 1)`,
    words: (where) => cannotMove(`delivery ${where}`),
  },
  {
    broken: `SELECT key FROM offer WHERE due_at IS NULL AND json_extract(doc, '$.open') = 1`,
    words: offerCannotMove,
  },
  {
    broken: `SELECT 'send ' || key FROM outbox WHERE due_at IS NOT NULL AND state IN ('visible', 'failed', 'lost', 'cancelled')
             UNION ALL SELECT 'delivery ' || key FROM delivery WHERE due_at IS NOT NULL AND open = 0
             UNION ALL SELECT 'offer ' || key FROM offer WHERE due_at IS NOT NULL AND json_extract(doc, '$.open') = 0`,
    words: endedButDue,
  },
];

export function checkStore(db: DatabaseSync): string[] {
  const damage = db
    .prepare('PRAGMA quick_check')
    .all()
    .map((row) => String(row.quick_check));
  const findings = damage.filter((line) => line !== 'ok').map((line) => `the file is damaged: ${line}`);
  for (const { broken, words } of [...INVARIANTS, ...columnInvariants()]) {
    findings.push(...report(db.prepare(broken).all(), words));
  }
  return findings;
}

/** Columns are copies of fields of the JSON. An index over a wrong copy hides rows. */
function columnInvariants(): Invariant[] {
  return TABLES.map((table) => {
    const differs = ['key', ...indexedFields(table)].map(
      (field) => `${columnName(field)} IS NOT json_extract(doc, '$.${field}')`,
    );
    return {
      broken: `SELECT key FROM "${table}" WHERE NOT json_valid(doc) OR ${differs.join(' OR ')}`,
      words: (where) => `${table} ${where}: its columns differ from its content`,
    };
  });
}

function report(rows: Record<string, unknown>[], words: (where: string) => string): string[] {
  const lines = rows.slice(0, SHOWN_MAX).map((row) => words(String(Object.values(row)[0])));
  return rows.length > SHOWN_MAX ? [...lines, `… and ${rows.length - SHOWN_MAX} more of that kind`] : lines;
}
