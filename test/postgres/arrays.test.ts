// Binary arrays, as PostgreSQL reads them.
import { afterAll, expect, it } from 'vitest';
import { type ArrayType, binaryArray } from '../../src/store/postgres/arrays.ts';
import { StoreSchema } from './store-schema.ts';

const schema = new StoreSchema();
afterAll(() => schema.dispose());

it.each<[ArrayType, readonly (string | number | null)[]]>([
  ['text', []],
  ['text', ['a', null, '', 'ünïcode 東京 \u{1F600}', '{"quoted"}', 'x'.repeat(100_000)]],
  ['smallint', [0, 1, -1, null, 32_767]],
  ['int', [0, -2_147_483_648, null]],
  ['bigint', [0, Number.MAX_SAFE_INTEGER, -1, null]],
  ['float8', [0, 12.5, -1e300, null]],
  ['float8', []],
])('an array of %s is read as it was written: case %#', async (type, values) => {
  const client = await schema.client();
  const { rows } = await client.query<{ list: unknown }>(`SELECT to_json($1::${type}[]) AS list`, [
    binaryArray(type, values),
  ]);
  expect(rows[0]?.list).toEqual(values);
});
