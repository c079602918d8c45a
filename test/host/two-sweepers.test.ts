// Two hosts on one store sweep at the same time. Whatever is due happens once, also when one of them has read what is
// due, and commits only after the other has done it.
import { afterEach, expect, it } from 'vitest';
import type { MemoryStore } from '../../src/store/memory/open.ts';
import { type World, type WorldOptions, world } from './world.ts';

let one: World;
let other: World;
/** While it is set, commits of the other host wait. */
let held: PromiseWithResolvers<void> | undefined;

afterEach(async () => {
  expect(await one.sound()).toEqual([]);
  expect(await other.sound()).toEqual([]);
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const agents = [{ id: 'lead' }, { id: 'worker', lead: 'lead' }];

function slow(store: MemoryStore): MemoryStore {
  const transact: MemoryStore['transact'] = async (unit) => {
    await held?.promise;
    return store.transact(unit);
  };
  return new Proxy(store, {
    get(target, name) {
      if (name === 'transact') return transact;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

async function twoHosts(options: WorldOptions = {}): Promise<void> {
  held = undefined;
  one = await world({ agents, ...options, shared: true });
  await one.advance(1_000);
  other = await world({ agents, ...options, beside: one, between: slow });
}

/** The other host sweeps, and is held up before it commits anything. Meanwhile this happens. */
async function whileOtherWaits(happens: () => Promise<void>): Promise<void> {
  held = Promise.withResolvers();
  const swept = other.host.sweep.round();
  await one.drain();
  await happens();
  held.resolve();
  held = undefined;
  await swept;
  await one.advance(0);
}

it('a digest is made once', async () => {
  await twoHosts({ settings: { limits: { digestMs: MINUTE } } });
  await one.host.sweep.stop();
  await other.host.sweep.stop();
  await one.say('the build is through', { byKind: 'system', by: 'ci', more: { subtype: 'log' } });
  await one.advance(2 * MINUTE);
  await whileOtherWaits(async () => {
    await one.advance(1_000);
    await one.host.sweep.round();
  });
  expect((await one.deliveries('lead')).filter(({ mode }) => mode === 'digest')).toHaveLength(1);
});

it('a host that sweeps a little later makes no digest of a few seconds', async () => {
  await twoHosts({ settings: { limits: { digestMs: MINUTE } } });
  for (let n = 0; n < 600; n++) {
    await one.say(`line ${n}`, { byKind: 'system', by: 'ci', more: { subtype: 'log' } });
    await one.advance(500);
  }
  const digests = (await one.deliveries('lead')).filter(({ mode }) => mode === 'digest');
  expect(digests).toHaveLength(5);
});

it('a claim that lapses is ticked once', async () => {
  await twoHosts();
  await one.host.sweep.stop();
  await other.host.sweep.stop();
  await one.say('@lead can you check?', { id: 'asked' });
  const lead = await one.harness('lead', { obligations: true });
  expect((await lead.call('chat.claim', { inReplyTo: 'asked', ttlMs: MINUTE })).ok).toBe(true);
  await one.advance(2 * MINUTE);
  await whileOtherWaits(async () => {
    await one.say('is it done?');
    await one.host.sweep.round();
  });
  await Promise.all([one.host.sweep.round(), other.host.sweep.round()]);
  expect(await one.logged('tick')).toHaveLength(1);
});

it('a debt comes back once, and is escalated once, in the log too', async () => {
  await twoHosts({ obligations: { returnsBeforeEscalation: 1 } });
  await one.host.sweep.stop();
  await other.host.sweep.stop();
  const obligation = { blocks: 'halted', defaultAction: 'I wait.' };
  await one.say('which database?', { id: 'owed', more: { recipients: ['worker'], obligation } });
  for (let n = 0; n < 2; n++) {
    await one.advance(16 * MINUTE);
    await whileOtherWaits(() => one.host.sweep.round());
  }
  const asked = (await one.deliveries('worker')).map(({ eventId }) => eventId);
  expect(asked.filter((id) => id.startsWith('owed/return-'))).toEqual(['owed/return-1']);
  expect(await one.logged('escalation')).toHaveLength(1);
  const told = (await one.deliveries('lead')).map(({ eventId }) => eventId);
  expect(told.filter((id) => id.startsWith('owed/escalation-'))).toHaveLength(1);
});

it('a question past its deadline is put off once, and escalated once', async () => {
  await twoHosts();
  await one.host.sweep.stop();
  await other.host.sweep.stop();
  await one.say('@worker can you check?', { id: 'asked' });
  // The first deadline that is missed asks again, the second escalates. The slower host takes no step more.
  for (const escalated of [0, 1]) {
    await one.advance(HOUR);
    await whileOtherWaits(() => one.host.sweep.round());
    expect(await one.deliveries('lead')).toHaveLength(escalated);
  }
});

it('an escalation that the slower host did not see coming is logged all the same', async () => {
  await twoHosts({ obligations: { returnsBeforeEscalation: 1 } });
  await one.host.sweep.stop();
  await other.host.sweep.stop();
  const obligation = { blocks: 'halted', defaultAction: 'I wait.' };
  await one.say('which database?', { id: 'owed', more: { recipients: ['worker'], obligation } });
  await one.advance(MINUTE);
  await one.say('which port?', { id: 'next', in: 'C2', more: { recipients: ['worker'], obligation } });
  for (const minutes of [14.5, 1.5]) {
    await one.advance(minutes * MINUTE);
    await one.host.sweep.round();
  }
  await one.advance(14 * MINUTE);
  // The second escalation is due only when the other host commits the first.
  await whileOtherWaits(() => one.advance(2 * MINUTE));
  await other.host.sweep.round();
  const logged = (await one.logged('escalation')).map(({ conversation }) => conversation);
  expect(logged.toSorted()).toEqual(['c/web/w/C1', 'c/web/w/C2']);
});
