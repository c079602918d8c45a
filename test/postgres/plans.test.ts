// Every scan walks along an index, in its order, and stops where it has enough.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scanStatement } from '../../src/store/postgres/rows.ts';
import { INDEXES, type TableName } from '../../src/store/tables.ts';
import { StoreSchema } from './store-schema.ts';

const schema = new StoreSchema();
beforeAll(async () => {
  await schema.open();
});
afterAll(() => schema.dispose());

/** Open deliveries by state: none of their indexes has the state, and there are few at a time. They are sorted. */
const SORTED = 'delivery.byState (open)';

const SCANS = (Object.keys(INDEXES) as TableName[]).flatMap((table) =>
  Object.entries(INDEXES[table] as Record<string, { eq: readonly string[] }>).flatMap(([index, { eq }]) =>
    valuesOf(eq).map((values) => ({ name: nameOf(table, index, values), table, index, values })),
  ),
);

/** A delivery's state is looked for in another place once it is final, and so is whether it is open. */
function valuesOf(eq: readonly string[]): (string | number)[][] {
  const one = (open: number, state: string): (string | number)[] =>
    eq.map((field) => (field === 'open' ? open : field === 'state' ? state : 'a'));
  return [one(1, 'queued'), one(0, 'settled')];
}

function nameOf(table: TableName, index: string, values: readonly (string | number)[]): string {
  return `${table}.${index} (${values.includes('queued') || values.includes(1) ? 'open' : 'ended'})`;
}

it.each(SCANS)('$name', async ({ name, table, index, values }) => {
  const client = await schema.client();
  await client.query(
    'SET enable_seqscan = off; SET enable_bitmapscan = off; SET plan_cache_mode = force_generic_plan',
  );
  const bounds = [0, 1_000_000, 10];
  for (const descending of [false, true]) {
    const { text } = scanStatement(table, index, { eq: values, limit: 10, descending });
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, [...values, ...bounds]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index (?:Only )?Scan/);
    expect(plan).not.toContain('Seq Scan');
    if (name !== SORTED) expect(plan).not.toContain('Sort');
  }
  await client.end();
});
