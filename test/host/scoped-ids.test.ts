// The edges of scoped ids: data from before ids were scoped, very long ids, exported events, history, records that come
// before their event, and what a conversation costs whose ids others use too.
import { afterEach, describe, expect, it } from 'vitest';
import { scopedId } from '../../src/host/kernel/event-id.ts';
import type { ChatEvent } from '../../src/protocol/chat-event.ts';
import { type Line, World, world } from './world.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

const C1 = 'c/web/w/C1';
const C2 = 'c/web/w/C2';
const ids = async () => (await w.logged()).map(({ key }) => key);

/** An event as hosts stored it before ids were scoped: under the very id of its source, whatever that was. */
async function storedBefore(id: string, line: Line = {}): Promise<void> {
  const event = w.event('said long ago', line) as ChatEvent;
  await w.host.committer.commit(await w.host.committer.prepare({ ...event, eventId: id }, 'web', 'host'));
}

describe('an event from before ids were scoped', () => {
  it.each(['act_7', 'evt_1/claimed', 'turn:1', `x~${'a'.repeat(12)}`])(
    '%s is known by its source again',
    async (id) => {
      w = await world();
      await storedBefore(id);
      const [again] = await w.ingest(w.event('said long ago', { id }));
      expect(again).toEqual({ eventId: id, status: 'repeat', seq: 1 });
      const [other] = await w.ingest(w.event('said now', { id, by: 'bob' }));
      expect(other).toMatchObject({ eventId: scopedId(C1, id), sourceId: id, status: 'accepted' });
    },
  );

  it('does not keep a tick or the record of a turn from being written', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const asked = await w.say('@lead look');
    for (let seq = 3; seq < 30; seq++) await storedBefore(`tick:${C1}:${seq}`, { in: 'C2', by: 'mallory' });
    for (const phase of ['started', 'ended'])
      await storedBefore(`turn:t1:${phase}:lead:${C1}`, { by: 'mallory' });
    await w.advance(2_500);
    await lead.start('t1', asked);
    await lead.call('chat.claim', { inReplyTo: asked, ttlMs: 60_000 });
    await w.advance(120_000);
    await lead.end('t1', 'answered');
    expect((await w.logged('turn')).map(({ key }) => key)).toEqual(
      ['started', 'ended'].map((phase) => scopedId(C1, `turn:t1:${phase}:lead:${C1}`)),
    );
    const ticks = await w.logged('tick');
    expect(ticks.map(({ conversation }) => conversation)).toEqual([C1]);
  });
});

describe('a very long id', () => {
  it('is used in two conversations, and told from one with the same beginning', async () => {
    w = await world();
    const [one, two] = [`${'x'.repeat(255)}1`, `${'x'.repeat(255)}2`];
    const results = await w.ingest(
      w.event('a', { id: one }),
      w.event('b', { id: two }),
      w.event('c', { id: one, in: 'C2' }),
      w.event('d', { id: two, in: 'C2' }),
    );
    expect(results.map(({ status }) => status)).toEqual(Array(4).fill('accepted'));
    expect(new Set(await ids()).size).toBe(4);
    expect((await ids()).every((id) => id.length <= 256)).toBe(true);
    const [again] = await w.ingest(w.event('d', { id: two, in: 'C2' }));
    expect(again).toEqual({ ...results[3], status: 'repeat' });
    await w.edit(two, 'e', { in: 'C2', id: 'edit' });
    const edit = (await w.logged('edit')).map(({ record }) => record.event);
    expect(edit).toMatchObject([{ targetEventId: results[3]?.eventId }]);
  });
});

describe('events of an exported log', () => {
  it('are brought in under the ids that are free here, and their names follow', async () => {
    w = await world();
    const there = scopedId(C1, '42');
    const results = await w.ingest(w.event('exported', { id: there, more: { sourceId: '42' } }));
    expect(results).toEqual([{ eventId: '42', status: 'accepted', seq: 1 }]);
    await w.react(there, 'agree', { by: 'bob' });
    const [message, reaction] = (await w.logged()).map(({ record }) => record.event);
    expect(message).not.toHaveProperty('sourceId');
    expect(reaction).toMatchObject({ targetEventId: '42' });
    expect(await w.ingest(w.event('exported', { id: '42' }))).toMatchObject([{ status: 'repeat' }]);
  });
});

describe('history', () => {
  it('may hold ids that other conversations use', async () => {
    w = new World({});
    w.platform.history = { events: new Map(), afterMs: 0 };
    await w.open();
    const past = (where: string) =>
      ['1', '2'].map((id, at) => ({
        ...w.event(`earlier in ${where}`, { id, in: where }),
        at: w.clock.now() - 9_000 + at,
      }));
    for (const where of ['C1', 'C2']) w.platform.history.events.set(where, past(where));
    await w.ingest(w.event('hello', { id: '3', in: 'C1' }), w.event('hello', { id: '3', in: 'C2' }));
    const inC2 = (await w.logged()).filter(({ conversation }) => conversation === C2);
    expect(inC2.map(({ key, seq }) => [key, seq])).toEqual(
      ['1', '2', '3'].map((id, at) => [scopedId(C2, id), at + 1]),
    );
    expect((await w.logged()).filter(({ conversation }) => conversation === C1)).toHaveLength(3);
  });
});

const obligation = { blocks: 'halted', defaultAction: 'I wait.' };
const question = (line: Line) =>
  w.event('which database?', { id: '42', ...line, more: { recipients: ['lead'], obligation } });
const discharge = (line: Line) =>
  w.react('42', 'done', { id: 'r1', ...line, more: { recipient: 'agent:lead' } });

async function open(): Promise<string[]> {
  const state = (await w.store.state('obligations/web/w')) as { open: { eventId: string }[] } | undefined;
  return (state?.open ?? []).map(({ eventId }) => eventId);
}

describe('a discharge that comes before its question', () => {
  it('waits for the question of its own place, whoever else asks one under that id', async () => {
    w = await world();
    await discharge({ in: 'C2' });
    await w.ingest(question({ in: 'C1' }));
    expect(await open()).toEqual(['42']);
    await w.ingest(question({ in: 'C2' }));
    expect(await open()).toEqual(['42']);
  });

  it('never closes one of another place that was there before', async () => {
    w = await world();
    await w.ingest(question({ in: 'C1' }));
    await discharge({ in: 'C2' });
    expect(await open()).toEqual(['42']);
    await w.ingest(question({ in: 'C2' }));
    expect(await open()).toEqual(['42']);
    await discharge({ in: 'C1', id: 'r2' });
    expect(await open()).toEqual([]);
  });
});

it('an edit may come under the id of its message, also where ids are shared and before the message', async () => {
  w = await world();
  await w.ingest(w.event('a', { id: '1' }), w.event('b', { id: '1', in: 'C2' }));
  const { text: _, ...edit } = w.event('', { id: '2', in: 'C2' });
  expect(await w.ingest({ ...edit, type: 'edit', targetEventId: '2', text: 'c' })).toEqual([
    { eventId: '2', status: 'accepted', seq: 2 },
  ]);
});

it('the root of a thread is the message of the thread’s own room', async () => {
  w = await world();
  const elsewhere = { platform: 'irc', workspaceId: 'w' };
  await w.ingest(
    w.event('root', { id: '42', by: 'ada' }),
    w.event('root', { id: '42', by: 'bob', more: elsewhere }),
  );
  const thread = { id: '42', kind: 'thread', parentId: 'C1' };
  await w.ingest(
    w.event('in it', { id: '1', by: 'carol', more: { conversation: thread } }),
    w.event('in it', { id: '1', by: 'carol', more: { ...elsewhere, conversation: thread } }),
  );
  const roots = (await w.logged()).flatMap(({ record: { facts } }) => facts.root ?? []);
  expect(roots).toMatchObject([
    { eventId: '42', authorId: 'ada' },
    { eventId: scopedId('c/irc/w/C1', '42'), authorId: 'bob' },
  ]);
});

it('where ids are shared, the next one is looked for before it is used', async () => {
  w = await world();
  const fresh = async (id: string, where: string) => {
    const { committer } = w.host;
    const event = w.event('x', { id, in: where }) as ChatEvent;
    return committer.unit(await committer.prepare(event, 'web', 'source')).fresh;
  };
  await w.ingest(w.event('a', { id: '1' }), w.event('b', { id: '1', in: 'C2' }));
  expect(await fresh('2', 'C1')).toEqual(['log', '2']);
  expect(await fresh('2', 'C2')).toBeUndefined();
  await w.ingest(w.event('c', { id: '2', in: 'C2' }));
  expect(await ids()).toContain('2');
});
