// deliver, through the wire: at least once, in conversation order, within the window, until acknowledged.
import { afterEach, describe, expect, it } from 'vitest';
import { unpackDecisions } from '../../src/host/kernel/log-row.ts';
import { LANE_ITEMS } from '../../src/host/deliver/backlog.ts';
import { chatEventSchema } from '../../src/protocol/chat-event.ts';
import { METHODS } from '../../src/protocol/methods.ts';
import type { Handed } from './harness.ts';
import { type World, world } from './world.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

const ids = (events: readonly Handed[]): string[] => events.map(({ eventId }) => eventId);
const attempts = (events: readonly Handed[]) => events.map(({ reliability }) => reliability.attempt);

describe('a session', () => {
  it('starts with initialize; anything before it is refused by name [C2A-06-02/initialize/starts-the-session]', async () => {
    w = await world();
    const lead = await w.harness('lead');
    expect(lead.initialized).toMatchObject({ protocolVersion: '2026-06-02', agent: 'agent:lead' });
    expect(METHODS.initialize.result.safeParse(lead.initialized).success).toBe(true);
    const { memoryPair } = await import('../../src/transport/memory.ts');
    const { createPeer } = await import('../../src/transport/peer.ts');
    const [ours, theirs] = memoryPair({ clock: w.clock });
    const early = createPeer(ours, { clock: w.clock });
    await Promise.all([w.host.connect(theirs, { kind: 'agent', agent: 'lead' }), early.start()]);
    for (const [method, params] of [
      ['tools/list', {}],
      ['tools/call', { name: 'chat.list_events' }],
      ['turn/started', { turnId: 't', eventIds: ['e'] }],
      ['turn/ended', { turnId: 't', outcome: 'silent' }],
    ] as const) {
      expect(await early.request(method, params)).toMatchObject({
        error: { data: { name: 'not_initialized' } },
      });
    }
    early.close();
    await w.drain();
  });

  it('is initialized once: a second initialize is refused and does not fence it', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const again = await lead.request('initialize', { protocolVersion: '2026-06-02' });
    expect(again).toMatchObject({ error: { data: { name: 'invalid_request' } } });
    await w.advance(1_000);
    expect(lead.closed).toBeUndefined();
  });

  it('that ends before it was attached leaves no ghost behind', async () => {
    w = await world();
    const { memoryPair } = await import('../../src/transport/memory.ts');
    const { createPeer } = await import('../../src/transport/peer.ts');
    const [ours, theirs] = memoryPair({ clock: w.clock });
    const brief = createPeer(ours, { clock: w.clock });
    await Promise.all([w.host.connect(theirs, { kind: 'agent', agent: 'lead' }), brief.start()]);
    await brief.request('initialize', { protocolVersion: '2026-06-02' });
    brief.close();
    await w.drain();
    await w.advance(10);
    expect(w.host.courier.connected('lead')).toBe(false);
  });

  it('of a surface ingests over the wire in the words of the protocol', async () => {
    w = await world();
    const { memoryPair } = await import('../../src/transport/memory.ts');
    const { createPeer } = await import('../../src/transport/peer.ts');
    const [ours, theirs] = memoryPair({ clock: w.clock });
    const peer = createPeer(ours, { clock: w.clock });
    await Promise.all([w.host.connect(theirs, { kind: 'surface', surface: 'web' }), peer.start()]);
    const early = await peer.request('ingest/events', { events: [w.event('early')] });
    expect(early).toMatchObject({ error: { data: { name: 'not_initialized' } } });
    await peer.request('initialize', { protocolVersion: '2026-06-02' });
    const event = w.event('@lead hello?');
    const outcome = await peer.request('ingest/events', { events: [event, event, { eventId: 'x' }] });
    const result = outcome.ok ? outcome.result : undefined;
    expect(METHODS['ingest/events'].result.safeParse(result).success).toBe(true);
    expect(result).toMatchObject({
      events: [
        { status: 'stored', sequence: 1 },
        { status: 'duplicate', sequence: 1 },
        { status: 'refused' },
      ],
    });
    const many = await peer.request('ingest/events', { events: Array.from({ length: 501 }, () => event) });
    expect(many).toMatchObject({ error: { data: { name: 'too_large' } } });
    peer.close();
    await w.drain();
  });
});

describe('deliver', () => {
  it('hands every due event to the harness of its agent, and once acknowledged not again [C2A-06-02/operation/host-delivers, C2A-06-02/transport/ack]', async () => {
    w = await world({ agents: [{ id: 'lead' }, { id: 'builder' }] });
    const lead = await w.harness('lead');
    const builder = await w.harness('builder');
    const one = await w.say('@lead can you check the deploy?');
    const two = await w.say('@builder can you build it?');
    expect([ids(lead.got), ids(builder.got)]).toEqual([[one], [two]]);
    expect(METHODS['chat/deliver'].params.safeParse(lead.got[0]).success).toBe(true);
    expect(await w.ended(one)).toBe('accepted');
    await w.advance(60_000);
    expect(lead.got).toHaveLength(1);
  });

  it('hands again what is not acknowledged: same eventId and key, attempt + 1, back-off with jitter and cap [C2A-06-02/inbound/retry-same-ids, C2A-06-02/reliability/at-least-once, C2A-06-02/transport/retry, C2A-06-02/transport/keeps-event-ids]', async () => {
    w = await world({ attention: { limits: { deadlineMs: 3_600_000 } } });
    const lead = await w.harness('lead', { onDeliver: () => 'ignore' });
    const id = await w.say('@lead can you check the deploy?');
    await w.advance(600_000);
    expect(new Set(ids(lead.got))).toEqual(new Set([id]));
    expect(new Set(lead.got.map(({ reliability }) => reliability.idempotencyKey)).size).toBe(1);
    expect(attempts(lead.got)).toEqual(lead.got.map((_, index) => index + 1));
    const waits = lead.at.slice(1).map((at, index) => at - (lead.at[index] ?? 0) - 10_000);
    waits.forEach((wait, index) => {
      const full = Math.min(60_000, 500 * 2 ** index);
      expect(wait).toBeGreaterThanOrEqual(full / 2 - 1);
      expect(wait).toBeLessThanOrEqual(full + 1);
    });
    expect(waits.length).toBeGreaterThan(8);
    expect(new Set(waits.slice(-3)).size).toBe(3);
  });

  it('goes on where a lost acknowledgement left it: once the harness answers, it is over', async () => {
    w = await world();
    let deaf = true;
    const lead = await w.harness('lead', { onDeliver: () => (deaf ? 'ignore' : 'ack') });
    const id = await w.say('@lead can you check the deploy?');
    await w.advance(10_000);
    deaf = false;
    await w.advance(20_000);
    expect(attempts(lead.got)).toEqual([1, 2]);
    expect(await w.ended(id)).toBe('accepted');
  });

  it('dead-letters with a reason after the attempts, and a person hears of it', async () => {
    w = await world({
      settings: { limits: { handAttempts: 3 } },
      attention: { limits: { deadlineMs: 3_600_000 } },
    });
    const lead = await w.harness('lead', { onDeliver: () => 'ignore' });
    const id = await w.say('@lead can you check the deploy?');
    await w.advance(120_000);
    expect(attempts(lead.got)).toEqual([1, 2, 3]);
    expect(await w.ended(id)).toBe('failed(no_acknowledgement)');
    expect((await w.inbox()).map(({ kind, eventId }) => [kind, eventId])).toEqual([['dead_letter', id]]);
  });

  it('never gives up a delivery because its harness is full and says when to come back', async () => {
    w = await world({
      settings: { limits: { handAttempts: 3 } },
      attention: { limits: { deadlineMs: 3_600_000 } },
    });
    let full = true;
    const busy = {
      ok: false as const,
      error: { code: -32_010, message: 'full', data: { retryable: true, retryAfterMs: 1_000 } },
    };
    const lead = await w.harness('lead', { onDeliver: () => (full ? busy : 'ack') });
    const first = await w.say('@lead can you check the deploy?');
    const second = await w.say('@lead and the tests?');
    await w.advance(60_000);
    expect(lead.got.length).toBeGreaterThan(2 * 3);
    expect(await w.inbox()).toEqual([]);
    full = false;
    await w.advance(10_000);
    expect([await w.ended(first), await w.ended(second)]).toEqual(['accepted', 'accepted']);
  });

  it('dead-letters what the harness refuses for good, and tries again what it refuses for now', async () => {
    w = await world();
    const verdicts = [
      { ok: false as const, error: { code: -1, message: 'busy', data: { retryable: true } } },
      { ok: false as const, error: { code: -2, message: 'cannot be read', data: { retryable: false } } },
    ];
    const lead = await w.harness('lead', { onDeliver: () => verdicts.shift() ?? 'ack' });
    const id = await w.say('@lead can you check the deploy?');
    await w.advance(5_000);
    expect(lead.got).toHaveLength(2);
    expect(await w.ended(id)).toBe('failed(cannot be read)');
  });

  it.each([
    { code: -32_603, message: 'the model crashed' },
    { code: -32_010, message: 'too busy', data: 'come back later' },
  ])('tries again what a harness answers with $code, whatever else it says', async (error) => {
    w = await world();
    const verdicts = [{ ok: false as const, error }];
    const lead = await w.harness('lead', { onDeliver: () => verdicts.shift() ?? 'ack' });
    const id = await w.say('@lead can you check the deploy?');
    await w.advance(5_000);
    expect(attempts(lead.got)).toEqual([1, 2]);
    expect(await w.ended(id)).toBe('accepted');
    expect(await w.inbox()).toEqual([]);
  });

  it('counts hand-overs across sessions, so that what kills a harness is dead-lettered too', async () => {
    w = await world({ settings: { limits: { handAttempts: 3 } } });
    const id = await w.say('@lead can you check the deploy?');
    const seen: unknown[] = [];
    for (let session = 0; session < 5; session++) {
      const lead = await w.harness('lead', { onDeliver: () => 'ignore' });
      await w.advance(100);
      seen.push(...attempts(lead.got));
      lead.peer.close('lost');
      await w.drain();
    }
    expect(seen).toEqual([1, 2, 3]);
    expect(await w.ended(id)).toBe('failed(no_acknowledgement)');
  });

  it('has at most 64 deliveries unacknowledged', async () => {
    w = await world();
    const lead = await w.harness('lead', { onDeliver: () => 'ignore' });
    await w.ingest(
      ...Array.from({ length: 100 }, (_, n) => w.event(`@lead question ${n}?`, { in: `C${n}` })),
    );
    expect(lead.got).toHaveLength(64);
    await w.advance(9_000);
    expect(lead.got).toHaveLength(64);
  });

  it('keeps conversation order under redelivery, however many were in flight [C2A-06-02/transport/keeps-order]', async () => {
    w = await world();
    let deaf = true;
    const lead = await w.harness('lead', { onDeliver: () => (deaf ? 'ignore' : 'ack') });
    const said: string[] = [];
    for (let n = 0; n < 10; n++) said.push(await w.say(`@lead question ${n}?`));
    await w.advance(9_999);
    deaf = false;
    await w.advance(30_000);
    expect(ids(lead.fresh)).toEqual(said);
  });

  it('lets other conversations pass while one is resting', async () => {
    w = await world();
    const lead = await w.harness('lead', {
      onDeliver: ({ conversation }) => (conversation.id === 'bad' ? 'ignore' : 'ack'),
    });
    await w.say('@lead stuck?', { in: 'bad' });
    await w.advance(10_000);
    const fine = await w.say('@lead fine?', { in: 'good' });
    expect(ids(lead.fresh)).toEqual([fine]);
  });

  it('resumes from the last acknowledged when the harness reconnects [C2A-06-02/shutdown/resumes-from-last-ack, C2A-06-02/transport/resume, C2A-06-02/shutdown/undelivered-persist, C2A-06-02/shutdown/transport-owns-it]', async () => {
    w = await world();
    const settled = new Set<string>();
    const first = await w.harness('lead', {
      onDeliver: ({ eventId }) => (settled.size < 3 ? (settled.add(eventId), 'ack') : 'ignore'),
    });
    const said: string[] = [];
    for (let n = 0; n < 6; n++) said.push(await w.say(`@lead question ${n}?`, { in: `C${n}` }));
    for (const id of settled) await first.reply(id, `answer to ${id}`);
    first.close();
    await w.drain();
    expect(w.host.courier.connected('lead')).toBe(false);
    const late = await w.say('@lead while you were away?', { in: 'C9' });
    const second = await w.harness('lead');
    expect(ids(second.got)).toEqual([...said.slice(3), late]);
    expect(attempts(second.got)).toEqual([2, 2, 2, 1]);
  });

  it('hands everything unsettled to the next session, except what it holds, and says what is superseded', async () => {
    w = await world();
    const first = await w.harness('lead');
    const a = await w.say('@lead a?', { in: 'A' });
    const b = await w.say('@lead b?', { in: 'B' });
    const c = await w.say('@lead c?', { in: 'C' });
    first.close();
    await w.drain();
    await w.remove(c, { in: 'C' });
    const second = await w.harness('lead', { holding: [a, c, 'never-heard-of'] });
    expect(second.initialized['superseded']).toEqual([c, 'never-heard-of']);
    expect(ids(second.got)).toEqual([b]);
    expect(attempts(second.got)).toEqual([2]);
  });

  it('takes what the next session holds for acknowledged, although the acknowledgement was never stored', async () => {
    w = await world();
    await w.harness('lead', { onDeliver: () => 'ignore' });
    const id = await w.say('@lead a?');
    await w.crash();
    expect(await w.ended(id)).toBe('queued');
    const second = await w.harness('lead', { holding: [id] });
    await w.advance(0);
    expect(second.got).toEqual([]);
    expect(await w.ended(id)).toBe('accepted');
  });

  it('newest session fences the older: closed, and its calls fail', async () => {
    w = await world();
    const older = await w.harness('lead');
    const newer = await w.harness('lead');
    expect(older.closed).toBe('fenced');
    expect(await older.call('chat.list_events', {})).toMatchObject({ ok: false, error: 'closed' });
    const id = await w.say('@lead hello?');
    expect([ids(older.got), ids(newer.got)]).toEqual([[], [id]]);
  });

  it('takes a session without heartbeats for dead after three, and keeps a live one', async () => {
    w = await world();
    const dead = await w.harness('lead', { beats: false });
    await w.advance(14_900);
    expect(dead.closed).toBeUndefined();
    await w.advance(200);
    expect(dead.closed).toBe('lost');
    const live = await w.harness('lead');
    await w.advance(300_000);
    expect(live.closed).toBeUndefined();
  });

  it('a stalled harness does not delay nineteen others', async () => {
    const agents = Array.from({ length: 20 }, (_, n) => ({ id: `a${n}` }));
    w = await world({ agents });
    const harnesses = [];
    for (const { id } of agents) {
      harnesses.push(await w.harness(id, { onDeliver: () => (id === 'a0' ? 'ignore' : 'ack') }));
    }
    for (let n = 0; n < 20; n++) {
      await w.ingest(...agents.map(({ id }) => w.event(`@${id} question ${n}?`, { in: `room-${id}` })));
    }
    for (const harness of harnesses.slice(1)) {
      expect(harness.fresh).toHaveLength(20);
      expect(Math.max(...harness.at)).toBe(w.clock.now());
    }
    expect(harnesses[0]?.fresh).toEqual([]);
  });

  it('a burst of 2,000 messages from 8 senders to one slow harness arrives once, in conversation order', async () => {
    w = await world({ attention: { limits: { deadlineMs: 24 * 3_600_000 } } });
    const lead = await w.harness('lead', {
      onDeliver: () => new Promise((resolve) => w.clock.after(50, () => resolve({ ok: true, result: {} }))),
    });
    const said = new Map<string, string[]>();
    for (let n = 0; n < 250; n++) {
      const batch = Array.from({ length: 8 }, (_, s) =>
        w.event(`@lead ${n}?`, { in: `room${s}`, by: `u${s}` }),
      );
      for (const event of batch) {
        const { conversation, eventId } = chatEventSchema.parse(event);
        said.set(conversation.id, [...(said.get(conversation.id) ?? []), eventId]);
      }
      await w.host.ingest(batch, 'web');
    }
    await w.advance(60_000);
    expect(lead.got).toHaveLength(2_000);
    for (const [room, expected] of said) {
      expect(ids(lead.got.filter(({ conversation }) => conversation.id === room))).toEqual(expected);
    }
  });

  it('5,000 pending are read in pages, everything once and in order', async () => {
    w = await world({ attention: { limits: { deadlineMs: 24 * 3_600_000 } } });
    const said: string[] = [];
    for (let n = 0; n < 50; n++) {
      const batch = Array.from({ length: 100 }, () => w.event('@lead pending?', { in: `C${n % 7}` }));
      said.push(...batch.map((event) => String(event['eventId'])));
      await w.host.ingest(batch, 'web');
    }
    const lead = await w.harness('lead');
    await w.advance(1_000);
    expect(said.length).toBeGreaterThan(2 * LANE_ITEMS);
    expect(ids(lead.got)).toEqual(said);
    expect(new Set(attempts(lead.got))).toEqual(new Set([1]));
  });

  it('what comes due again while there is more to read is not lost', async () => {
    w = await world({ attention: { limits: { deadlineMs: 24 * 3_600_000 } } });
    const deferred = await w.say('@lead deferred?', { in: 'D' });
    const first = await w.harness('lead');
    await first.call('chat.defer', { inReplyTo: deferred, reason: 'later', ttlMs: 60_000 });
    first.close();
    await w.drain();
    for (let n = 0; n < 25; n++) {
      await w.host.ingest(
        Array.from({ length: 100 }, (_, i) => w.event('@lead pending?', { in: `C${i}` })),
        'web',
      );
    }
    let slow = true;
    const second = await w.harness('lead', { onDeliver: () => (slow ? 'ignore' : 'ack') });
    await w.advance(60_001);
    slow = false;
    await w.advance(120_000);
    expect(second.fresh.filter(({ conversation }) => conversation.id === 'D')).toHaveLength(1);
    expect(second.fresh).toHaveLength(2_501);
  });

  it('a harness without notify gets what must be answered buffered; the rest ends ignored and stalls nobody', async () => {
    w = await world({
      agents: [{ id: 'lead', owns: { conversations: ['T1'] } }],
    });
    const lead = await w.harness('lead', { injection: { notify: false } });
    await w.ingest(
      ...Array.from({ length: 70 }, (_, n) =>
        w.event(`note ${n}`, { in: 'T1', kind: 'thread', by: `u${n % 3}` }),
      ),
      w.event('@lead and now?', { in: 'C2' }),
    );
    expect(lead.fresh.map(({ conversation }) => conversation.id)).toEqual(['C2']);
    const rows = await w.deliveries();
    expect(rows.filter(({ why }) => why === 'capability')).toHaveLength(70);
    expect(rows.filter(({ open }) => open === 1)).toHaveLength(1);
  });

  it('a message received twice is stored once, answered once [C2A-06-02/quiet/duplicate, C2A-06-02/minimal/9-retry-and-dedupe]', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const event = w.event('@lead can you check?');
    const [first] = await w.ingest(event);
    const [again] = await w.ingest({ ...event, text: 'something else' });
    expect([first, again]).toMatchObject([
      { status: 'accepted', seq: 1 },
      { status: 'repeat', seq: 1 },
    ]);
    expect(lead.got).toHaveLength(1);
    const reply = await lead.reply(String(event['eventId']), 'Checked.');
    expect(await lead.reply(String(event['eventId']), 'Checked.')).toMatchObject({
      result: { replayed: true },
    });
    expect(reply.ok).toBe(true);
    expect(w.texts()).toEqual(['Checked.']);
  });

  it('carries the decision about every inbound to whoever listens, observed ones too [TC/decision/published, TC/observe/broadcast, TC/observe/logged]', async () => {
    w = await world({ agents: [{ id: 'lead', ignore: ['human:mallory'] }] });
    const published: unknown[] = [];
    w.host.context.bus.listen((news) => {
      if (news.type === 'logged' && news.row.type === 'message')
        published.push([news.row.key, unpackDecisions(news.row.decisions, news.row.key)]);
    });
    const a = await w.say('@lead hello?');
    const b = await w.say('just chatting', { by: 'bob' });
    const c = await w.say('@lead let me in', { by: 'mallory' });
    expect(published).toMatchObject([
      [a, [{ agent: 'lead', decision: 'engage' }]],
      [b, [{ agent: 'lead', decision: 'observe' }]],
      [c, [{ agent: 'lead', decision: 'denied' }]],
    ]);
    expect((await w.logged('message')).map(({ key }) => key)).toEqual([a, b, c]);
  });

  it('a silent event is stored and never handed [C2A-06-02/silent/never-delivered, C2A-06-02/silent/persisted-only, C2A-06-24/mode/silent-is-persisted]', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('job 17 finished', { in: 'S1', kind: 'system', byKind: 'system', by: 'ci' });
    await w.advance(60_000);
    expect(lead.got).toEqual([]);
    expect(await w.ended(id)).toBe('none');
    expect((await w.logged()).map(({ key }) => key)).toEqual([id]);
  });
});
