// Checks look at every row of a store that may be large, some thousands of rows in a statement.
import { expect, it } from 'vitest';
import { sharedSchema } from './host-nodes.ts';

/** More than a page. */
const ROWS = 20_003;

it('what is wrong is found on every page', async () => {
  const schema = sharedSchema();
  const store = await schema.open();
  const client = await schema.client();
  await client.query(
    `INSERT INTO prompt (position, key, version, conversation, doc)
      SELECT n, 'p' || n, 1, 'c', json_build_object('key', 'p' || n, 'conversation', 'c')::text
      FROM generate_series(1, ${ROWS}) AS n`,
  );
  expect(await store.check()).toEqual([]);
  await client.query(`UPDATE prompt SET conversation = 'other' WHERE position IN (1, ${ROWS})`);
  expect(await store.check()).toEqual(
    ['p1', `p${ROWS}`].map((key) => `prompt ${key}: its columns differ from its content`),
  );
});
