// A commit of another node that has done everything but the last step: its positions are taken and its locks are held.
import type pg from 'pg';
import { Batch } from '../../src/store/batch.ts';
import { COMMIT, commitParameters } from '../../src/store/postgres/commit-parameters.ts';
import { Known } from '../../src/store/postgres/known.ts';
import type { Unit } from '../../src/store/store.ts';
import { codec } from '../contract/store-rows.ts';
import type { StoreSchema } from './store-schema.ts';

/** The unit has seen the newest states. The caller ends the transaction. */
export async function almostCommit(schema: StoreSchema, unit: Unit<unknown>): Promise<pg.Client> {
  const client = await schema.client();
  const known = await newestStates(client, unit.states);
  const source = {
    loadState: (key: string) => (known.state(key)?.version === 0 ? undefined : known.state(key)),
    loadRow: () => undefined,
    mayWrite: () => undefined,
  };
  const batch = new Batch(source, 1_000, 0);
  batch.run(unit, 0);
  const node = { id: 'slow', epoch: 1, nextBatch: 1 };
  const locks = new Set(unit.states);
  const values = commitParameters({ changes: batch.changes(), known, codec, locks, node });
  await client.query(`INSERT INTO node (id, epoch, batch) VALUES ('slow', 1, 0) ON CONFLICT DO NOTHING`);
  await client.query('BEGIN');
  await client.query({ text: COMMIT.text, values: [...values] });
  return client;
}

async function newestStates(client: pg.Client, keys: readonly string[]): Promise<Known> {
  const known = new Known();
  for (const key of keys) known.setState(key);
  const { rows } = await client.query<{ key: string; version: string; text: string }>(
    'SELECT key, version, text FROM state WHERE key = ANY ($1)',
    [keys],
  );
  for (const { key, version, text } of rows)
    known.setState(key, { value: codec.decode(key, text), wakeAt: null, version: Number(version) });
  return known;
}
