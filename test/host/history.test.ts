// History: a conversation that is first heard of is asked about once, within a time; what was said there is context and
// facts, never a decision.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { unpackDecisions } from '../../src/host/kernel/log-row.ts';
import type { CommitFault } from '../../src/store/memory/open.ts';
import type { Platform } from './fake-surface.ts';
import { START, type Line, World, type WorldOptions } from './world.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

interface Past {
  afterMs?: number;
  fails?: boolean;
}

async function withPast(past: Past = {}, options: WorldOptions = {}): Promise<World> {
  w = new World(options);
  w.platform.history = { events: new Map(), afterMs: 0, ...past };
  return w.open();
}

/** Said before anybody listened, so many minutes ago. */
function said(minutesAgo: number, text: string, line: Line = {}): Record<string, unknown> {
  const event = { ...w.event(text, { id: `h${minutesAgo}`, ...line }), at: START - minutesAgo * 60_000 };
  const { events } = w.platform.history as NonNullable<Platform['history']>;
  const where = line.in ?? 'C1';
  events.set(where, [...(events.get(where) ?? []), event]);
  return event;
}

const keys = async () => (await w.logged()).map(({ key }) => key);
const seen = (started: Record<string, unknown>) =>
  ((started['seen'] ?? []) as { eventId: string }[]).map(({ eventId }) => eventId);
const byAge = (count: number) => Array.from({ length: count }, (_, n) => `h${count - n}`);

describe('the history of a conversation', () => {
  it('fills what is remembered when it is first heard of, and only that may exceed 20 [TC/observe/prefetch-seeds]', async () => {
    await withPast();
    const lead = await w.harness('lead');
    for (let n = 1; n <= 30; n++) said(n, `earlier ${n}`, { by: `u${n % 3}` });
    const id = await w.say('@lead what was decided?');
    expect(lead.turns.map(({ eventId }) => eventId)).toEqual([id]);
    expect(seen(await lead.start('t1', id))).toEqual(byAge(30));
    await lead.end('t1', 'answered');
    const next = await w.say('@lead and now?');
    expect(seen(await lead.start('t2', next))).toEqual([]);
    expect(w.platform.past).toHaveLength(1);
    expect(w.platform.past[0]).toMatchObject({
      place: { workspaceId: 'w', conversationId: 'C1' },
      before: START,
      limit: 50,
    });
  });

  it('is trimmed with the rest once something was observed [TC/observe/prefetch-seeds]', async () => {
    await withPast();
    const lead = await w.harness('lead');
    for (let n = 1; n <= 30; n++) said(n, `earlier ${n}`, { by: `u${n % 3}` });
    const live = await w.say('bob: lunch?', { by: 'ann' });
    const id = await w.say('@lead what was decided?');
    expect(seen(await lead.start('t1', id))).toEqual([...byAge(19), live]);
  });

  it('stands in front of the first event, in the order of the source’s clock, and asks nobody', async () => {
    await withPast({}, { agents: [{ id: 'lead' }, { id: 'builder' }] });
    const lead = await w.harness('lead');
    said(1, '@lead please deploy', { id: 'c' });
    said(3, '@builder stop', { id: 'a' });
    said(2, 'claim-ABCD-EFGH', { id: 'code' });
    said(2, 'thanks @lead', { id: 'b' });
    const live = await w.say('hello', { by: 'bob' });
    expect(await keys()).toEqual(['a', 'b', 'c', live]);
    const rows = await w.logged();
    expect(rows.slice(0, 3).map(({ decisions, record }) => [decisions, record.event.origin])).toEqual(
      [1, 2, 3].map(() => [[], 'backfill']),
    );
    expect(rows.map(({ record }) => record.at)).toEqual([3, 2, 1, 0].map((ago) => START - ago * 60_000));
    expect(lead.got).toEqual([]);
    expect(await w.deliveries('builder')).toEqual([]);
    expect(w.platform.posts).toEqual([]);
  });

  it('is read by the tools, by whom it may concern and nobody else', async () => {
    await withPast({}, { agents: [{ id: 'lead', ignore: ['human:mallory'] }, { id: 'builder' }] });
    const [lead, builder] = [await w.harness('lead'), await w.harness('builder')];
    said(3, 'the plan is kumquat', { by: 'ann' });
    said(2, 'a secret of mallory', { by: 'mallory' });
    said(1, 'I said that', { by: 'lead', byKind: 'agent' });
    const id = await w.say('@lead and?');
    const listed = async (agent: typeof lead) => {
      const read = await agent.call('chat.read_thread', { target: 'channel:C1' });
      return read.ok ? (read.result['events'] as { eventId: string }[]).map(({ eventId }) => eventId) : [];
    };
    expect(await listed(lead)).toEqual(['h3', 'h1', id]);
    expect(await listed(builder)).toEqual(['h3', 'h2', 'h1', id]);
    expect(seen(await lead.start('t1', id))).toEqual(['h3', 'h1']);
  });

  it('tells who has spoken with whom, as of then', async () => {
    await withPast();
    const lead = await w.harness('lead');
    said(4 * 60, '@lead is it up?', { by: 'ada', id: 'q1' });
    said(4 * 60 - 1, 'It is.', {
      by: 'lead',
      byKind: 'agent',
      id: 'a1',
      more: { replyTo: { eventId: 'q1' } },
    });
    said(3, '@lead is it down?', { by: 'bob', id: 'q2', in: 'C2' });
    said(2, 'It is.', {
      by: 'lead',
      byKind: 'agent',
      id: 'a2',
      in: 'C2',
      more: { replyTo: { eventId: 'q2', authorId: 'bob' } },
    });
    const old = await w.say('since when?', { by: 'ada' });
    const fresh = await w.say('since when?', { by: 'bob', in: 'C2' });
    expect(lead.turns.map(({ eventId }) => eventId)).toEqual([fresh]);
    const row = await w.store.get('log', old);
    expect(unpackDecisions(row?.decisions ?? [], old)).toMatchObject([{ directedness: 'ambient' }]);
  });

  it('holds nothing but messages of that conversation, from the last day, older than the first event', async () => {
    await withPast({}, { settings: { limits: { historyEvents: 3 } } });
    said(25 * 60, 'too old', { id: 'old' });
    said(0, 'no older than the first', { id: 'now' });
    said(-5, 'from the future', { id: 'future' });
    said(9, 'elsewhere', { id: 'elsewhere' })['conversation'] = { id: 'C9', kind: 'channel' };
    said(8, 'a reaction', { id: 'reaction' })['type'] = 'reaction';
    said(7, 'a name of the host’s own', { id: 'x/claimed' });
    said(6, 'twice', { id: 'twice' });
    said(5, 'twice', { id: 'twice' });
    for (const n of [4, 3]) said(n, `said ${n}`);
    const live = w.event('hello', { id: 'live' });
    (w.platform.history as NonNullable<Platform['history']>).events
      .get('C1')
      ?.push({ ...live, at: START - 1 }, 'not an event', null);
    await w.ingest(live);
    expect(await keys()).toEqual(['twice', 'h4', 'h3', 'live']);
    expect((await w.logged())[3]?.record.event.origin).toBeUndefined();
  });

  it('of a thread that hangs on a message carries its root', async () => {
    await withPast();
    await w.say('shall we?', { id: 'root' });
    said(1, 'yes', { id: 't0', in: 'root', kind: 'thread', parent: 'C1', by: 'bob' });
    await w.say('good', { id: 't1', in: 'root', kind: 'thread', parent: 'C1' });
    const facts = await Promise.all(['t0', 't1'].map((id) => w.store.get('log', id)));
    expect(facts.map((row) => row?.record.facts.root?.eventId)).toEqual(['root', undefined]);
    expect(w.platform.past.map(({ place }) => place)).toMatchObject([
      { conversationId: 'C1' },
      { conversationId: 'root', parentId: 'C1' },
    ]);
  });
});

describe('the first event', () => {
  it.each([
    ['no answer comes in time', { afterMs: 60_000 }, 2_000],
    ['the surface fails', { fails: true }, 0],
  ])('goes on without a past when %s, and is not asked about again', async (_, past, waited) => {
    await withPast(past);
    const lead = await w.harness('lead');
    said(1, 'earlier');
    const first = w.host.ingest([w.event('@lead one?', { id: 'one' })], 'web');
    const second = w.host.ingest([w.event('@lead two?', { id: 'two' })], 'web');
    if (waited > 0) {
      await w.advance(waited - 1);
      expect(lead.got).toEqual([]);
      await w.advance(1);
    } else await w.advance(0);
    expect(lead.got.map(({ eventId }) => eventId)).toEqual(['one', 'two']);
    expect(await Promise.all([first, second])).toMatchObject([
      [{ status: 'accepted', seq: 1 }],
      [{ status: 'accepted', seq: 2 }],
    ]);
    await w.advance(120_000);
    expect(w.platform.past).toHaveLength(1);
    expect(w.platform.past[0]?.signal.aborted).toBe(waited > 0);
    expect((await w.logged('message')).map(({ key }) => key)).toEqual(['one', 'two']);
  });

  it('is the only one to wait; other conversations go on', async () => {
    await withPast({ afterMs: 1_000 }, { others: ['irc'] });
    said(1, 'earlier');
    const events = [w.event('first', { id: 'one' }), w.event('second', { id: 'two' })];
    const waiting = w.host.ingest(events, 'web');
    await w.drain();
    await w.host.ingest([w.event('from nobody’s past', { id: 'x', more: { platform: 'irc' } })], 'irc');
    expect(await keys()).toEqual(['x']);
    await w.advance(1_000);
    await waiting;
    expect(await keys()).toEqual(['x', 'h1', 'one', 'two']);
    expect(w.platform.past).toHaveLength(1);
  });

  it('of a surface without a past, of a known conversation, or of history itself asks nothing', async () => {
    await withPast();
    await w.say('first');
    await w.ingest({ ...w.event('long ago', { in: 'C2' }), origin: 'backfill' });
    await w.say('first of a source that brings its past', { in: 'C2' });
    await w.restart();
    await w.say('second');
    expect(w.platform.past).toHaveLength(1);
    const asks = vi.spyOn(w.store, 'state');
    await w.host.ingest([w.event('third')], 'web');
    expect(asks).not.toHaveBeenCalled();
  });

  it.each([
    ['historyEvents', { historyEvents: 0 }],
    ['historyTimeoutMs', { historyTimeoutMs: 0 }],
  ])('asks nothing where %s is 0', async (_, limits) => {
    await withPast({}, { settings: { limits } });
    said(1, 'earlier');
    await w.say('first');
    expect(w.platform.past).toEqual([]);
  });
});

describe('a crash', () => {
  it('before history is stored leaves nothing of it; it is asked for again', async () => {
    await withPast({ afterMs: 500 });
    for (const n of [3, 2, 1]) said(n, 'earlier');
    const event = w.event('first', { id: 'one' });
    void w.host.ingest([event], 'web');
    await w.advance(100);
    await w.crash();
    expect(await keys()).toEqual([]);
    const again = w.host.ingest([event], 'web');
    await w.advance(500);
    expect(await again).toMatchObject([{ status: 'accepted', seq: 4 }]);
    expect(await keys()).toEqual(['h3', 'h2', 'h1', 'one']);
  });

  it.each<[string, CommitFault, string[]]>([
    ['lost', 'lost', ['one']],
    ['kept', 'kept', ['h3', 'h2', 'h1', 'one']],
  ])('of the commit leaves all of it or nothing (%s), and the event goes in', async (_, fault, left) => {
    const faults: CommitFault[] = [];
    await withPast({}, { faults: { commit: () => faults.shift() ?? 'none' } });
    for (const n of [3, 2, 1]) said(n, 'earlier');
    faults.push(fault);
    expect(await w.ingest(w.event('first', { id: 'one' }))).toMatchObject([{ status: 'accepted' }]);
    expect(await keys()).toEqual(left);
    await w.crash();
    expect(await keys()).toEqual(left);
  });

  it('in the middle of a sync leaves all of it or nothing', async () => {
    for (const kept of [true, false]) {
      await withPast({}, { faults: { syncDelayMs: () => 50, crashKeepsUnsynced: () => kept } });
      for (const n of [3, 2, 1]) said(n, 'earlier');
      const event = w.event('first', { id: 'one' });
      void w.host.ingest([event], 'web');
      await w.advance(10);
      const crashed = w.crash();
      await w.advance(1_000);
      await crashed;
      const again = w.host.ingest([event], 'web');
      await w.advance(1_000);
      expect(await again).toMatchObject([{ status: 'accepted', seq: 4 }]);
      expect(await keys()).toEqual(['h3', 'h2', 'h1', 'one']);
      expect(await w.sound()).toEqual([]);
    }
  });
});
