// What a unit names is what hosts of one store wait for. Messages of different conversations must wait for nothing in
// common, and a thread only looks at its room.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHostStateCodec } from '../../src/host/attend/rebuild-state.ts';
import { attentionSettingsSchema } from '../../src/attention/index.ts';
import { openMemoryStore } from '../../src/store/memory/open.ts';
import type { Unit } from '../../src/store/store.ts';
import { type World, world } from './world.ts';

let w: World;
let units: Unit<unknown>[];

beforeEach(async () => {
  units = [];
  w = await world({
    agents: [{ id: 'lead' }],
    openStore: async ({ clock, schedule }) => {
      const codec = createHostStateCodec(attentionSettingsSchema.parse({ agents: [{ id: 'lead' }] }));
      const store = openMemoryStore({ clock, schedule, codec });
      const transact = store.transact.bind(store);
      store.transact = (unit) => {
        units.push(unit);
        return transact(unit);
      };
      return store;
    },
  });
});

afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

/** The states that the unit of this event locks, and those that it only looks at. */
async function namesOf(run: () => Promise<unknown>): Promise<{ states: string[]; reads: string[] }> {
  units = [];
  await run();
  const [first] = units;
  return { states: [...(first?.states ?? [])], reads: [...(first?.reads ?? [])] };
}

it('messages of different conversations name no state in common', async () => {
  const one = await namesOf(() => w.say('@lead which database?', { in: 'C1' }));
  const other = await namesOf(() => w.say('@lead which port?', { in: 'C2' }));
  expect(one).toEqual({ states: ['c/web/w/C1'], reads: [] });
  expect(other).toEqual({ states: ['c/web/w/C2'], reads: [] });
});

it('a thread locks its own state and looks at that of its room', async () => {
  await w.say('@lead which database?', { id: 'root' });
  const line = { in: 'root', kind: 'thread', parent: 'C1' } as const;
  expect(await namesOf(() => w.say('the red one', line))).toEqual({
    states: ['c/web/w/root'],
    reads: ['c/web/w/C1'],
  });
});

it('what an agent does in a thread never locks the room', async () => {
  await w.say('@lead which database?', { id: 'root' });
  const line = { id: 'asked', in: 'root', kind: 'thread', parent: 'C1' } as const;
  const lead = await w.harness('lead');
  await w.say('@lead the red one?', line);
  units = [];
  await lead.start('t1', 'asked');
  expect((await lead.reply('asked', 'The blue one.', { turnId: 't1' })).ok).toBe(true);
  expect((await lead.call('chat.react', { inReplyTo: 'asked', signal: 'seen' })).ok).toBe(true);
  await lead.end('t1', 'answered');
  await w.advance(0);
  const inThread = units.filter(({ states }) => states.includes('c/web/w/root'));
  expect(inThread.length).toBeGreaterThanOrEqual(4);
  expect(units.filter(({ states }) => states.includes('c/web/w/C1'))).toEqual([]);
});

it('what concerns debts names those of its own workspace alone', async () => {
  const obligation = { blocks: 'halted', defaultAction: 'I wait.' };
  const more = { recipients: ['lead'], obligation };
  const asked = await namesOf(() => w.say('which database?', { id: 'owed', more }));
  expect(asked.states).toEqual(['c/web/w/C1', 'obligations/web/w']);
  const reacted = await namesOf(() => w.react('owed', 'agree', { more: { recipient: 'agent:lead' } }));
  expect(reacted.states).toEqual(['c/web/w/C1', 'obligations/web/w']);
  const elsewhere = await namesOf(() => w.say('which port?', { more: { ...more, workspaceId: 'a/b' } }));
  expect(elsewhere.states).toEqual(['c/web/a%2Fb/C1', 'obligations/web/a%2Fb']);
});
