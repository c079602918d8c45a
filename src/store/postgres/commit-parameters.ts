// From the changes of a batch to the parameters of `earshot_commit_1`: arrays sorted by key, each entry with the version
// that this node knows. The order of columns is that of the function (migrations/0003-commit-1.ts).
import { BadWrite, type Changes, type RowChange, rowText, type StateChange, stateText } from '../batch.ts';
import { columnName, columnValue, indexedFields, TABLES } from '../columns.ts';
import { compareKeys } from '../key-order.ts';
import type { StateCodec } from '../store.ts';
import type { TableName } from '../tables.ts';
import { type ArrayType, binaryArray } from './arrays.ts';
import type { Values } from './connections.ts';
import type { Known } from './known.ts';
import { BLOCK_POSITIONS } from './migrations/0002-positions.ts';

const STATE_OP = { looked: 0, put: 1, removed: 2, locked: 3 } as const;
const ROW_OP = { looked: 0, put: 1, removed: 2, replaced: 3 } as const;
/** An index holds no more in one entry. */
const INDEXED_BYTES_MAX = 2_600;

type Value = string | number | null;
type Columns = readonly (readonly [name: string, type: ArrayType])[];

const ENTRY: Columns = [
  ['rel', 'int'],
  ['key', 'text'],
  ['version', 'bigint'],
  ['op', 'smallint'],
];
const STATE_COLUMNS: Columns = [
  ['key', 'text'],
  ['version', 'bigint'],
  ['op', 'smallint'],
  ['text', 'text'],
  ['wake', 'float8'],
];
const HOT: Readonly<Partial<Record<TableName, Columns>>> = {
  log: [
    ['source_id', 'text'],
    ['conversation', 'text'],
    ['seq', 'bigint'],
    ['at', 'float8'],
  ],
  delivery: [
    ['agent', 'text'],
    ['conversation', 'text'],
    ['source', 'text'],
    ['open', 'smallint'],
    ['state', 'text'],
    ['due_at', 'float8'],
  ],
  outbox: [
    ['agent', 'text'],
    ['conversation', 'text'],
    ['surface', 'text'],
    ['state', 'text'],
    ['event_id', 'text'],
    ['turn_id', 'text'],
    ['due_at', 'float8'],
  ],
};
const SHARED: Columns = [
  ['number', 'int'],
  ['conversation', 'text'],
  ['open', 'smallint'],
  ['due_at', 'float8'],
];
/** The place of a table is its number. */
const OTHERS: readonly TableName[] = [
  'file',
  'session',
  'token',
  'pairing',
  'grant',
  'cursor',
  'offer',
  'inbox',
  'audit',
  'prompt',
  'settings',
];

const ROW_GROUPS: readonly Columns[] = [...Object.values(HOT), SHARED];
const PARAMETERS =
  4 + STATE_COLUMNS.length + ROW_GROUPS.reduce((sum, columns) => sum + ENTRY.length + columns.length + 1, 0);
export const COMMIT = {
  name: 'commit_1',
  text: `SELECT written, at_ms FROM earshot_commit_1(${Array.from({ length: PARAMETERS }, (_, at) => `$${at + 1}`).join(', ')})`,
};

export interface CommitInput {
  changes: Changes;
  known: Known;
  codec: StateCodec;
  /** States that units name to be locked. */
  locks: ReadonlySet<string>;
  node: { id: string; epoch: number; nextBatch: number };
}

/** Throws BadWrite for a change that cannot be stored. */
export function commitParameters({ changes, known, codec, locks, node }: CommitInput): Values {
  const writes = changes.rows.length > 0 || changes.states.length > 0;
  const { states, rows } = changes.onlyRead();
  const stateEntries: Value[][] = [
    ...changes.states.map((change) => stateEntry(change, known, codec)),
    ...states.map((key) => [
      key,
      known.state(key)?.version ?? 0,
      locks.has(key) ? STATE_OP.locked : STATE_OP.looked,
      null,
      null,
    ]),
  ].toSorted((a, b) => compareKeys(a[0] as string, b[0] as string));
  const groups = new Map<Columns, Value[][]>(ROW_GROUPS.map((columns) => [columns, []]));
  for (const change of changes.rows) {
    groups.get(HOT[change.table] ?? SHARED)?.push(rowEntry(change, known));
  }
  for (const ref of rows) {
    const [table, key] = ref;
    const columns = HOT[table] ?? SHARED;
    const blank = columns.map(([name]) => (name === 'number' ? OTHERS.indexOf(table) : null));
    groups.get(columns)?.push([0, key, known.row(ref)?.version ?? 0, ROW_OP.looked, ...blank, null]);
  }
  const values: (string | number | Buffer | null)[] = [
    node.id,
    node.epoch,
    writes ? node.nextBatch : null,
    changes.rows.length === 0 ? 0 : Math.floor(changes.lastPosition / BLOCK_POSITIONS) + 1,
    ...arraysOf(STATE_COLUMNS, stateEntries),
  ];
  for (const [columns, entries] of groups) {
    const sorted = entries.toSorted((a, b) => compareKeys(a[1] as string, b[1] as string));
    values.push(...arraysOf([...ENTRY, ...columns, ['doc', 'text']], sorted));
  }
  return values;
}

function arraysOf(columns: Columns, entries: readonly Value[][]): Buffer[] {
  return columns.map(([, type], at) =>
    binaryArray(
      type,
      entries.map((entry) => entry[at] ?? null),
    ),
  );
}

function stateEntry(change: StateChange, known: Known, codec: StateCodec): Value[] {
  const { key, wakeAt, unitIndex } = change;
  const text = stateText(codec, change) ?? null;
  mustFit(unitIndex, [key]);
  if (text?.includes('\0') === true)
    throw new BadWrite(unitIndex, new TypeError('a state has no zero bytes'));
  const op = text === null ? STATE_OP.removed : STATE_OP.put;
  return [key, known.state(key)?.version ?? 0, op, text, wakeAt];
}

function rowEntry(change: RowChange, known: Known): Value[] {
  const { table, key, row, position, assumedNew, reinserted, unitIndex } = change;
  const version = assumedNew ? 0 : (known.row([table, key] as const)?.version ?? 0);
  const values = placesIn(table).map(({ field, type, fixed }) =>
    field === undefined || row === undefined ? fixed : valueOf(change, field, type),
  );
  mustFit(unitIndex, [key, ...values]);
  const doc = row === undefined ? null : rowText(change);
  const stays = reinserted && version > 0 ? ROW_OP.replaced : ROW_OP.put;
  return [position, key, version, row === undefined ? ROW_OP.removed : stays, ...values, doc];
}

/** What stands in a column of a table's entries: a field of the row, or always the same. */
interface Place {
  type: ArrayType;
  field: string | undefined;
  fixed: number | null;
}

const PLACES: ReadonlyMap<TableName, readonly Place[]> = new Map(
  TABLES.map((table) => [table, placesOf(table)]),
);
const placesIn = (table: TableName): readonly Place[] => PLACES.get(table) ?? [];

function placesOf(table: TableName): Place[] {
  // `at` is a column of the log, because its times do not follow its positions.
  const fields = [...indexedFields(table), ...(table === 'log' ? ['at'] : [])];
  const byColumn = new Map(fields.map((field) => [columnName(field), field]));
  return (HOT[table] ?? SHARED).map(([name, type]) => ({
    type,
    field: byColumn.get(name),
    fixed: name === 'number' ? OTHERS.indexOf(table) : null,
  }));
}

function valueOf({ row, unitIndex }: RowChange, field: string, type: ArrayType): Value {
  try {
    const value = columnValue(row ?? {}, field);
    if (value === null) return null;
    if (type === 'text') return String(value);
    const number = Number(value);
    const fits =
      type === 'float8'
        ? Number.isFinite(number)
        : Number.isSafeInteger(number) && (type !== 'smallint' || Math.abs(number) < 2 ** 15);
    if (!fits) throw new TypeError(`${field} cannot be ${value}`);
    return number;
  } catch (error) {
    throw new BadWrite(unitIndex, error);
  }
}

/** PostgreSQL would refuse the whole batch; so the unit is found here. */
function mustFit(unitIndex: number, values: readonly Value[]): void {
  const why = whyNotIndexed(values);
  if (why !== undefined) throw new BadWrite(unitIndex, why);
}

/** Undefined: an index can hold these values. */
export function whyNotIndexed(values: readonly Value[]): Error | undefined {
  let chars = 0;
  for (const value of values) {
    if (typeof value !== 'string') continue;
    chars += value.length;
    if (value.includes('\0')) return new TypeError('a key has no zero bytes');
  }
  if (chars * 3 <= INDEXED_BYTES_MAX) return undefined;
  const bytes = values.reduce<number>((sum, value) => sum + Buffer.byteLength(String(value ?? '')), 0);
  return bytes > INDEXED_BYTES_MAX
    ? new RangeError(`keys of ${bytes} bytes are too long for an index`)
    : undefined;
}
