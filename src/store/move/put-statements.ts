// The statement that writes one page of a table with its progress: both or neither, whenever the process ends. Columns are
// worked out from the rows as in a commit (postgres/migrations/0003-commit-1.ts).
import { columnName, columnValue, indexedFields } from '../columns.ts';
import { type ArrayType, binaryArray } from '../postgres/arrays.ts';
import type { Statement, Values } from '../postgres/connections.ts';
import type { MovedTable } from './inventory.ts';
import type { StoredRow } from './source.ts';

type Value = string | number | null;
interface Column {
  name: string;
  type: ArrayType;
  of: (stored: StoredRow, row: object) => Value;
}

const TYPES: Readonly<Record<string, ArrayType>> = {
  seq: 'bigint',
  open: 'smallint',
  at: 'float8',
  dueAt: 'float8',
};

/** Besides the columns that are given. Nobody has read these deliveries here, so those that are due became so at their place. */
const DERIVED: Readonly<Partial<Record<MovedTable, readonly (readonly [name: string, value: string])[]>>> = {
  delivery: [
    ['ended', 'CASE WHEN i.open = 0 THEN i.state END'],
    ['ready', `CASE WHEN i.state = 'queued' THEN i.position END`],
  ],
};

export function putStatement(table: MovedTable): Statement {
  const columns = columnsOf(table);
  const names = columns.map(({ name }) => name);
  const derived = DERIVED[table] ?? [];
  const arrays = columns.map(({ type }, at) => `$${at + 1}::${type}[]`);
  const [reached, count, name] = [1, 2, 3].map((at) => `$${columns.length + at}`);
  const into = ['version', ...names, ...derived.map(([column]) => column)];
  const values = [
    'pg_current_xact_id()::text::bigint',
    ...names.map((column) => `i.${column}`),
    ...derived.map(([, value]) => value),
  ];
  return {
    name: `put_${table}`,
    text: `WITH put AS (INSERT INTO "${table}" (${into.join(', ')})
        SELECT ${values.join(', ')} FROM unnest(${arrays.join(', ')}) AS i(${names.join(', ')}))
      UPDATE copying SET reached = ${reached}, copied = copied + ${count}::bigint WHERE name = ${name}`,
  };
}

export function putValues(table: MovedTable, page: readonly StoredRow[]): Values {
  const parsed = page.map(({ text }) => (table === 'state' ? {} : (JSON.parse(text) as object)));
  const arrays = columnsOf(table).map(({ type, of }) =>
    binaryArray(
      type,
      page.map((stored, at) => of(stored, parsed[at] ?? {})),
    ),
  );
  return [...arrays, page.at(-1)?.place ?? null, page.length, table];
}

function columnsOf(table: MovedTable): Column[] {
  const key: Column = { name: 'key', type: 'text', of: (stored) => stored.key };
  if (table === 'state')
    return [
      key,
      { name: 'wake_at', type: 'float8', of: ({ wakeAt }) => wakeAt },
      { name: 'text', type: 'text', of: ({ text }) => text },
    ];
  const fields = [...indexedFields(table), ...(table === 'log' ? ['at'] : [])];
  return [
    { name: 'position', type: 'bigint', of: ({ place }) => Number(place) },
    key,
    ...fields.map(
      (field): Column => ({
        name: columnName(field),
        type: TYPES[field] ?? 'text',
        of: (_, row) => columnValue(row, field),
      }),
    ),
    { name: 'doc', type: 'text', of: ({ text }) => text },
  ];
}
