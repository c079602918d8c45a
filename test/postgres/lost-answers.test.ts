// The connection is lost while a commit is under way. Every caller gets one answer, the true one, and nothing is stored
// twice.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store, Unit } from '../../src/store/store.ts';
import { logRow, put } from '../contract/store-rows.ts';
import { cases } from '../long.ts';
import { COMMIT_MARK, type Cut, CuttingProxy } from './cutting-proxy.ts';
import { StoreSchema } from './store-schema.ts';

const CUTS = cases(10, 50);
const NOTHING = { agents: [], deliveries: [], surfaces: [], sweeps: false };
const ignore = (): void => undefined;

let schema: StoreSchema;
let proxy: CuttingProxy;
beforeEach(async () => {
  schema = new StoreSchema();
  proxy = await CuttingProxy.to(schema.url);
});
afterEach(async () => {
  await schema.dispose();
  await proxy.close();
});

/** One message: the next seq of the room, and its row. Run twice it would be two. */
function saying(): Unit<number> {
  return {
    states: ['room'],
    run(view) {
      const seq = ((view.state('room') as number | undefined) ?? 0) + 1;
      const row = logRow(`m${seq}`, { seq });
      return {
        writes: [
          { state: 'room', value: seq },
          { table: 'log', row },
        ],
        result: seq,
      };
    },
  };
}

async function seqsOf(store: Store): Promise<number[]> {
  return (await store.scan('log', 'byConversation', { eq: ['room'], limit: 10_000 })).map(({ seq }) => seq);
}

describe.each([
  ['guessing', false],
  ['locking', true],
])('a connection that is cut during a commit, %s', (_, lockFirst) => {
  it.each<Cut>(['answer_lost', 'at_once', 'not_sent'])(
    '%s: every caller is answered once, and nothing is stored twice',
    async (cut) => {
      const store = await schema.open({ url: proxy.url, lockFirst });
      const answers: number[] = [];
      for (let time = 0; time < CUTS; time++) {
        proxy.cutNext(cut, lockFirst ? COMMIT_MARK.end : COMMIT_MARK.call);
        answers.push(...(await Promise.all([1, 2, 3].map(() => store.transact(saying())))));
        answers.push(await store.transact(saying()));
      }
      const all = Array.from({ length: CUTS * 4 }, (_each, index) => index + 1);
      expect(proxy.cuts).toBe(CUTS);
      expect(answers).toEqual(all);
      expect(await seqsOf(store)).toEqual(all);
      expect(await store.state('room')).toBe(all.length);
    },
  );
});

it('a commit that arrives after its node has asked what became of it is refused', async () => {
  const store = await schema.open({ url: proxy.url });
  await put(store, { state: 'room', value: 0 });
  proxy.cutNext('late');
  expect(await store.transact(saying())).toBe(1);
  // The same batch as before, on the old connection. The node has a new epoch by now.
  expect(await proxy.deliver()).toContain('EA003');
  expect(await seqsOf(store)).toEqual([1]);
  expect(await store.transact(saying())).toBe(2);
});

it('a lost commit is found also when its node was taken for dead before it asked', async () => {
  const store = await schema.open({ url: proxy.url, node: 'a' });
  const other = await schema.open();
  await put(store, { state: 'room', value: 0 });
  proxy.cutNext('unanswered');
  const asked = store.transact(saying());
  await expect.poll(() => seqsOf(other)).toEqual([1]);
  // Its beat hears of that first, and takes a new epoch while the commit still waits for its answer.
  const operator = await schema.client();
  await operator.query(`UPDATE node SET epoch = epoch + 1 WHERE id = 'a'`);
  await new Promise<void>((resolve) => {
    store.nodes.announce({ version: '1' });
    store.nodes.follow({ watch: () => NOTHING, found: ignore, hinted: ignore, fenced: resolve });
  });
  await proxy.deliver();
  expect(await asked).toBe(1);
  expect(await seqsOf(other)).toEqual([1]);
  expect(await store.transact(saying())).toBe(2);
});

it('readers go on after their connections were cut', async () => {
  const store = await schema.open();
  await store.transact(saying());
  const operator = await schema.client();
  for (let time = 0; time < 3; time++) {
    expect(await seqsOf(store)).toEqual([1]);
    for (const pid of await schema.backends(operator))
      await operator.query('SELECT pg_terminate_backend($1)', [pid]);
  }
  expect(await seqsOf(store)).toEqual([1]);
});

it('callers hear that nobody knows when the database does not come back', async () => {
  const store = await schema.open({ url: proxy.url, patienceMs: 0 });
  await store.transact(saying());
  proxy.cutNext('late');
  const asked = store.transact(saying());
  // Nothing answers any more.
  proxy.refuse();
  await expect(asked).rejects.toMatchObject({ kind: 'unknown', retryable: true });
  proxy.accept();
  await proxy.deliver();
  const seq = await store.transact(saying());
  expect(await seqsOf(store)).toEqual(Array.from({ length: seq }, (_, index) => index + 1));
});
