// The time of units is the database's, whatever the clock of the machine says.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/runtime/clock.ts';
import { logRow, put, seeing } from '../contract/store-rows.ts';
import { StoreSchema } from './store-schema.ts';

const HOUR_MS = 3_600_000;

let schema: StoreSchema;
beforeEach(() => {
  schema = new StoreSchema();
});
afterEach(() => schema.dispose());

const behind: Clock = { ...systemClock, now: () => systemClock.now() - 10 * HOUR_MS };
const ahead: Clock = { ...systemClock, now: () => systemClock.now() + 10 * HOUR_MS };

it('two nodes whose clocks differ by hours see one time', async () => {
  const client = await schema.client();
  const stores = [await schema.open({ clock: behind }), await schema.open({ clock: ahead })];
  const now = seeing([], (view) => view.now);
  const times = await Promise.all(stores.map((store) => store.transact(now)));
  const { rows } = await client.query<{ ms: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms',
  );
  for (const time of times) expect(Math.abs(time - (rows[0]?.ms ?? 0))).toBeLessThan(HOUR_MS);
  for (const store of stores) expect(Math.abs(store.clock.now() - (rows[0]?.ms ?? 0))).toBeLessThan(HOUR_MS);
});

it('time does not go back behind what is stored', async () => {
  const at = systemClock.now() + HOUR_MS;
  const first = await schema.open();
  await put(first, { table: 'log', row: logRow('a', { at }) });
  await first.close();
  const again = await schema.open();
  expect(await again.transact(seeing([], (view) => view.now))).toBeGreaterThanOrEqual(at);
});

it('a place in time comes before everything at or after it, though a slower node was stored first', async () => {
  const store = await schema.open();
  for (const [key, ms] of [
    ['old', 1_000],
    ['slow', 9_000],
    ['quick', 5_000],
    ['next', 200_000],
  ] as const)
    await put(store, { table: 'log', row: logRow(key, { conversation: key, at: ms }) });
  const [, slow, , next] = await store.scan('log', 'byPosition', { limit: 9 });
  expect(await store.log.seek({ at: 4_000 })).toBe(slow?.position);
  expect(await store.log.seek({ at: 9_001 })).toBe(next?.position);
  expect(await store.log.seek({ at: 200_001 })).toBeUndefined();
});
