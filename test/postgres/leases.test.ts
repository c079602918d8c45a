// Leases: of all nodes one has each, and nobody else can have it before that one knows that it is gone.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import type { Follower, Nodes } from '../../src/store/nodes.ts';
import type { Store } from '../../src/store/store.ts';
import { counting } from '../contract/store-rows.ts';
import { until } from '../server/up.ts';
import { StoreSchema } from './store-schema.ts';

let schema: StoreSchema;
beforeEach(() => {
  schema = new StoreSchema();
});
afterEach(() => schema.dispose());

const LEASE_MS = 3_000;
const NOTHING = { agents: [], deliveries: [], surfaces: [], sweeps: false };

interface Member {
  store: Store;
  nodes: Nodes;
  told: string[];
  /** It is silent from now on, as if it were stopped. */
  leave: () => void;
}

async function member(node: string): Promise<Member> {
  const store = await schema.open({ node, leaseMs: LEASE_MS });
  const { nodes } = store;
  const told: string[] = [];
  await nodes.want('sweep', { gained: () => void told.push('gained'), lost: () => void told.push('lost') });
  nodes.announce({ version: '1' });
  const follower: Follower = {
    watch: () => NOTHING,
    found: () => undefined,
    hinted: () => undefined,
    fenced: () => void told.push('fenced'),
  };
  return { store, nodes, told, leave: nodes.follow(follower) };
}

/** Two nodes, the one that has the lease first. A busy machine may give it to either. */
async function holderAndOther(): Promise<[Member, Member]> {
  const [a, b] = [await member('a'), await member('b')];
  return until(async () => {
    if (a.nodes.count() < 2 || b.nodes.count() < 2) return undefined;
    if (a.nodes.holds('sweep')) return [a, b];
    return b.nodes.holds('sweep') && [b, a];
  });
}

it('one node has it; given up, another has it at once', async () => {
  const [holder, other] = await holderAndOther();
  expect(other.nodes.holds('sweep')).toBe(false);
  await holder.nodes.giveUp('sweep');
  await until(async () => other.nodes.holds('sweep'));
  expect([holder.nodes.holds('sweep'), other.told.at(-1)]).toEqual([false, 'gained']);
});

it('a node that falls silent knows that it has lost it before another has it, and is fenced', async () => {
  const [holder, other] = await holderAndOther();
  expect(await holder.store.transact(counting('n'))).toBe(1);
  holder.leave();
  await until(async () => {
    // Whoever looks at both at any moment sees one holder at most.
    const both = [holder.nodes.holds('sweep'), other.nodes.holds('sweep')];
    expect(both).not.toEqual([true, true]);
    return other.nodes.holds('sweep');
  });
  await expect(holder.store.transact(counting('n'))).rejects.toMatchObject({ kind: 'unavailable' });
  expect(await holder.store.transact(counting('n'))).toBe(2);
});

it('a node whose connection was cut keeps what it has', async () => {
  const a = await member('a');
  await until(async () => a.nodes.holds('sweep'));
  const client = await schema.client();
  await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = ANY ($1)', [
    await schema.backends(client),
  ]);
  expect(await a.store.transact(counting('n'))).toBe(1);
  const since = systemClock.now();
  await until(async () => {
    expect(a.told).toEqual(['gained']);
    return systemClock.now() - since > LEASE_MS;
  });
  expect(a.nodes.holds('sweep')).toBe(true);
});
