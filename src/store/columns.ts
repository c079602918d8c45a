// Says which fields of each table are columns: exactly those that an index of tables.ts compares or orders by. All
// other fields are in the row's JSON. So a new field needs no migration, and a new index needs one.
import { INDEXES, type TableName } from './tables.ts';

export interface IndexShape {
  eq: readonly string[];
  order: string;
}

export const TABLES = Object.keys(INDEXES) as TableName[];

export function indexShape(table: TableName, index: string): IndexShape {
  const shapes: Record<string, IndexShape> = INDEXES[table];
  const shape = Object.hasOwn(shapes, index) ? shapes[index] : undefined;
  if (shape === undefined) throw new Error(`table ${table} has no index ${index}`);
  return shape;
}

/** Field names, without `key` and `position`. */
export function indexedFields(table: TableName): readonly string[] {
  return INDEXED.get(table) ?? [];
}

const INDEXED: ReadonlyMap<TableName, readonly string[]> = new Map(
  TABLES.map((table) => [table, fieldsIn(table)]),
);

function fieldsIn(table: TableName): string[] {
  const shapes: IndexShape[] = Object.values(INDEXES[table]);
  const fields = new Set(shapes.flatMap(({ eq, order }) => [...eq, order]));
  fields.delete('position');
  return [...fields];
}

export function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Fields of tables.ts that may be null. A row without such a field is not in the indexes that use it. */
const NULLABLE: ReadonlySet<string> = new Set(['dueAt', 'turnId', 'sourceId']);

/** The field's value for the database. Throws when no index could hold it. */
export function columnValue(row: object, field: string): string | number | null {
  const value = (row as Record<string, unknown>)[field];
  if ((value === undefined || value === null) && NULLABLE.has(field)) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  throw new TypeError(`${field} is indexed and must be text or a number, not ${typeof value}`);
}
