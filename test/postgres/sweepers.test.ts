// Two hosts on one PostgreSQL sweep at the same time, though a lease lets only one: it may have been lost a moment ago. One
// has read what is due and commits only after the other has done it. test/host/two-sweepers.test.ts has more cases, in memory.
import { expect, it, vi } from 'vitest';
import { until } from '../server/up.ts';
import { message, type OneServer, twoServers } from './two-servers.ts';

const LONG = { timeout: 120_000 };
const DIGEST_MS = 1_500;

type Two = Awaited<ReturnType<typeof twoServers>>;

async function say({ host }: OneServer, event: Record<string, unknown>): Promise<void> {
  const [result] = await host.ingest([event], 'dev');
  expect(result).toMatchObject({ status: 'accepted' });
}

/** Both sweep only when they are told to. */
async function halted(settings = {}): Promise<Two> {
  const two = await twoServers(settings);
  const { here, there } = two;
  await until(async () => here.store.nodes.holds('sweep') || there.store.nodes.holds('sweep'));
  await Promise.all([here.host.sweep.stop(), there.host.sweep.stop()]);
  return two;
}

/** `there` reads what is due, and is held up before it commits. Meanwhile `here` does it all. */
async function bothSweep({ here, there }: Two): Promise<void> {
  const transact = there.store.transact.bind(there.store);
  const read = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const held = vi.spyOn(there.store, 'transact').mockImplementation(async (unit) => {
    read.resolve();
    await goesOn.promise;
    return transact(unit);
  });
  const swept = there.host.sweep.round();
  await read.promise;
  await here.host.sweep.round();
  held.mockRestore();
  goesOn.resolve();
  await swept;
  await Promise.all([here, there].map(({ host }) => host.sweep.round()));
}

const later = (server: OneServer, ms: number): Promise<true> => {
  const at = server.store.clock.now() + ms;
  return until(async () => server.store.clock.now() > at);
};

it('a digest is made once', LONG, async () => {
  const two = await halted({ limits: { digestMs: DIGEST_MS } });
  const { here } = two;
  await say(here, message('built', { author: { id: 'ci', kind: 'system' }, subtype: 'log' }));
  await later(here, DIGEST_MS);
  await bothSweep(two);
  const asked = await here.store.scan('delivery', 'byAgent', { eq: ['lead'], limit: 10 });
  expect(asked.filter(({ mode }) => mode === 'digest')).toHaveLength(1);
});

it('a claim that lapses is ticked once', LONG, async () => {
  const two = await halted();
  const { here } = two;
  const { token } = await here.tokens.issue({ kind: 'agent', subject: 'lead', label: '' });
  await say(here, message('asked', { text: '@lead can you check?' }));
  const params = { name: 'chat.claim', arguments: { inReplyTo: 'asked', ttlMs: 1_000 } };
  const answer = await fetch(`${here.url}/c2a`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  expect(await answer.json()).toMatchObject({ result: { structuredContent: { token: expect.any(Number) } } });
  await later(here, 1_000);
  await bothSweep(two);
  const log = await here.store.scan('log', 'byPosition', { limit: 100 });
  expect(log.filter(({ type }) => type === 'tick')).toHaveLength(1);
});
