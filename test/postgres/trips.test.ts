// How many statements a batch takes.
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { counting, deliveryRow, logRow, put } from '../contract/store-rows.ts';
import { until } from '../server/up.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { StoreSchema } from './store-schema.ts';

const NOTHING = { agents: [], deliveries: [], surfaces: [], sweeps: false };

let schema: StoreSchema;
let proxy: CuttingProxy;
let store: Store;
beforeEach(async () => {
  schema = new StoreSchema();
  proxy = await CuttingProxy.to(schema.url);
  store = await schema.open({ url: proxy.url });
});
afterEach(async () => {
  await schema.dispose();
  await proxy.close();
});

async function statements(run: () => Promise<unknown>): Promise<{ extended: number; simple: number }> {
  const before = { ...proxy.sent };
  await run();
  return { extended: proxy.sent.extended - before.extended, simple: proxy.sent.simple - before.simple };
}

/** A message to one agent, and its acknowledgement. */
const message = () =>
  put(
    store,
    { table: 'log', row: logRow('m') },
    { table: 'delivery', row: deliveryRow('d', { source: 'm' }) },
  );
const accepted = () =>
  store.transact({
    states: [],
    rows: [['delivery', 'd']],
    run: (view) => {
      const row = { ...deliveryRow('d'), ...view.row('delivery', 'd'), state: 'accepted' as const };
      return { writes: [{ table: 'delivery', row }], result: undefined };
    },
  });

it('a batch is one statement where this node wrote last', async () => {
  await store.transact(counting('n'));
  const batch = () => Promise.all([1, 2, 3].map(() => store.transact(counting('n'))));
  expect(await statements(batch)).toEqual({ extended: 1, simple: 0 });
  expect(await statements(message)).toEqual({ extended: 1, simple: 0 });
  expect(await statements(accepted)).toEqual({ extended: 1, simple: 0 });
});

it('it is two, in a transaction, where another node wrote lately', async () => {
  await store.transact(counting('n'));
  const other = await schema.open();
  await other.transact(counting('n'));
  // The guess fails, and what has changed is read.
  expect(await store.transact(counting('n'))).toBe(3);
  expect(await statements(() => store.transact(counting('n')))).toEqual({ extended: 2, simple: 2 });
});

it('a state that another node wrote lately is locked before the first guess', async () => {
  const other = await schema.open();
  const follower = { watch: () => NOTHING, found() {}, hinted() {}, fenced() {} };
  for (const { nodes } of [store, other]) {
    nodes.announce({ version: '1' });
    onTestFinished(nodes.follow(follower));
  }
  await until(async () => store.nodes.count() === 2);
  await store.transact(counting('own'));
  await other.transact(counting('n'));
  // It is loaded, locked and written. A guess would be two statements.
  expect(await statements(() => store.transact(counting('n')))).toEqual({ extended: 3, simple: 2 });
});

it('an accepted delivery touches no index', async () => {
  await message();
  await accepted();
  await store.close();
  const client = await schema.client();
  // Counts are written when a connection ends.
  await expect
    .poll(async () => {
      const { rows } = await client.query(
        `SELECT n_tup_upd::int AS changed, n_tup_hot_upd::int AS hot FROM pg_stat_user_tables
         WHERE schemaname = $1 AND relname = 'delivery'`,
        [schema.name],
      );
      return rows as unknown[];
    })
    .toEqual([{ changed: 1, hot: 1 }]);
});
