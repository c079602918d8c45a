// A harness asks a node for a session, and leaves before it is stored: the database was away, or somebody held a lock. By
// then it may have a session at another node, and that one stays the newest.
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Transport } from '../../src/transport/transport.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { memoryPair } from '../../src/transport/memory.ts';
import { listen } from '../../src/transport/transport.ts';
import { counting } from '../contract/store-rows.ts';
import { type OneServer, twoServers } from './two-servers.ts';

const PATIENT = { timeout: 30_000, interval: 20 };

/** Asks for a session. `opened` resolves with the host's answer. */
async function ask({
  host,
}: OneServer): Promise<{ far: Transport; opened: Promise<string>; gone: Promise<unknown> }> {
  const [hostSide, far] = memoryPair({ clock: systemClock });
  const { promise: opened, resolve } = Promise.withResolvers<string>();
  listen(far, { onmessage: resolve, onerror() {}, onclose: () => resolve('closed') });
  const { closed } = await host.connect(hostSide, { kind: 'agent', agent: 'lead' });
  await far.start();
  const params = { protocolVersion: '2026-06-02', clientInfo: { name: 'late' }, capabilities: {} };
  far.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }));
  return { far, opened, gone: closed };
}

/** A node that has just begun takes no session before the database has heard of it. */
async function openAt(server: OneServer): Promise<void> {
  await vi.waitFor(async () => expect(await (await ask(server)).opened).toContain('sessionId'), PATIENT);
}

it('a harness that leaves before its session is stored does not fence the one that it has elsewhere', async () => {
  const { here, there, schema } = await twoServers();
  await openAt(here);
  await openAt(there);
  const { epoch = 0 } = (await there.store.get('session', 'lead')) ?? {};
  const holder = await schema.client();
  await holder.query(`BEGIN; SELECT FROM session WHERE key = 'lead' FOR UPDATE`);
  onTestFinished(async () => void (await holder.query('ROLLBACK')));
  const left = await ask(here);
  const waiting = async (): Promise<number> => {
    const { rows } = await holder.query(
      `SELECT FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'`,
      [`earshot ${schema.name}`],
    );
    return rows.length;
  };
  await vi.waitFor(async () => expect(await waiting()).toBe(1), PATIENT);
  left.far.close('lost');
  await left.gone;
  // It is given up for now, and decided anew once the row is free.
  await vi.waitFor(async () => expect(await waiting()).toBe(0), PATIENT);
  await holder.query('ROLLBACK');
  // It comes after whatever the store has of that session.
  await here.store.transact(counting('after'));
  expect(await here.store.get('session', 'lead')).toMatchObject({ epoch, closedAt: null });
});
