// The host's own posts, handed back by the platform: known again by a mark and never attended twice, whenever they come
// and whatever was thought of the post; and what names a post by its platform's id means the event in the log.
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { decisionOf } from '../../src/host/delivery/delivery-row.ts';
import { ECHO_LIMITS } from '../../src/host/ingest/own-posts.ts';
import type { CommitFault } from '../../src/store/memory/open.ts';
import type { DeliveryRow } from '../../src/store/tables.ts';
import type { IngestResult } from '../../src/surfaces/surface.ts';
import type { Step } from './fake-surface.ts';
import type { Harness } from './harness.ts';
import { type Line, type World, type WorldOptions, world } from './world.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

const TWO: WorldOptions = { agents: [{ id: 'lead', accounts: ['U_LEAD'] }, { id: 'builder' }] };
const KEY = 'lead:k1';
const TEXT = 'Shipped, @builder please announce it.';

/** As the platform shows it: its own id, the agent's account as author. */
function echo(marks: Record<string, unknown>, line: Line = {}): Record<string, unknown> {
  return w.event(TEXT, {
    by: 'U_LEAD',
    byKind: 'agent',
    id: 'E1',
    ...line,
    more: { ...marks, ...line.more },
  });
}

const hand = async (...events: Record<string, unknown>[]): Promise<IngestResult[]> => w.ingest(...events);
const reasonOf = (row: DeliveryRow | undefined) => (row === undefined ? undefined : decisionOf(row).reason);
const said = async () => (await w.logged('message')).filter(({ author }) => author === 'agent:lead');

async function sends(lead: Harness, script: Step[] = []) {
  const id = await w.say('@lead is it out?');
  w.platform.script.push(...script);
  const to = { directedness: 'to_me', recipient: 'agent:builder' };
  const sent = lead.reply(id, TEXT, { idempotencyKey: 'k1', ...to });
  await w.drain();
  return { id, sent };
}

async function once(): Promise<void> {
  expect(await said()).toHaveLength(1);
  const [event] = await said();
  expect((await w.deliveries('builder')).filter(({ eventId }) => eventId === event?.key)).toHaveLength(1);
}

describe('an echo', () => {
  it.each([
    ['the key', { echoOf: KEY }],
    ['the platform’s id', { platformId: 'p1' }],
    ['both', { echoOf: KEY, platformId: 'p1' }],
  ])('marked with %s is a repeat of what is in the log', async (_, marks) => {
    w = await world(TWO);
    const lead = await w.harness('lead');
    const builder = await w.harness('builder');
    await sends(lead);
    const [first] = await said();
    const results = [...(await hand(echo(marks))), ...(await hand(echo(marks)))];
    expect(results).toEqual(
      [1, 2].map(() => ({ eventId: first?.key, sourceId: 'E1', status: 'repeat', seq: first?.seq })),
    );
    await once();
    expect(builder.got).toHaveLength(1);
  });

  it('is told by its mark alone: the same words of the same account are a message', async () => {
    w = await world(TWO);
    await sends(await w.harness('lead'));
    expect(await hand(echo({}), echo({ platformId: 'p9' }, { id: 'E2' }))).toMatchObject([
      { status: 'accepted' },
      { status: 'accepted' },
    ]);
    expect(await said()).toHaveLength(3);
  });

  it('that comes before the outcome proves the post, and the outcome changes nothing', async () => {
    w = await world(TWO);
    const lead = await w.harness('lead');
    const { sent } = await sends(lead, [1_000]);
    expect((await w.outbox())[0]).toMatchObject({ state: 'sending' });
    expect(await hand(echo({ echoOf: KEY }))).toMatchObject([{ status: 'repeat', seq: 2 }]);
    expect((await w.outbox())[0]).toMatchObject({ state: 'visible', platformId: 'E1' });
    expect(await sent).toMatchObject({ ok: true, result: { status: 'sent' } });
    await w.advance(60_000);
    expect((await w.outbox())[0]).toMatchObject({ state: 'visible', platformId: 'p1' });
    expect(w.platform.posts).toHaveLength(1);
    await once();
    expect(await hand(echo({ platformId: 'p1' }))).toMatchObject([{ status: 'repeat', seq: 2 }]);
  });

  it('with the platform’s id alone waits for the outcome, and what comes after it keeps its place', async () => {
    w = await world(TWO);
    const lead = await w.harness('lead');
    await sends(lead, [500]);
    const waiting = w.host.ingest([echo({ platformId: 'p1' }), w.event('thanks', { id: 'after' })], 'web');
    await w.drain();
    expect((await w.logged('message')).map(({ key }) => key)).toEqual(['e1']);
    await w.advance(500);
    expect(await waiting).toMatchObject([
      { status: 'repeat', seq: 2 },
      { eventId: 'after', status: 'accepted' },
    ]);
    await once();
  });

  it('that comes again under the other mark is known by its own id', async () => {
    w = await world(TWO);
    await sends(await w.harness('lead'), ['unknown_shown']);
    await hand(echo({ echoOf: KEY }));
    expect(await hand(echo({ platformId: 'p1' }))).toMatchObject([{ status: 'repeat' }]);
    await once();
  });

  it('with the platform’s id alone is to come again while nobody knows', async () => {
    w = await world(TWO);
    w.platform.findKnows = false;
    const lead = await w.harness('lead');
    await sends(lead, ['unknown_shown']);
    const waiting = w.host.ingest([echo({ platformId: 'p1' })], 'web');
    await w.advance(ECHO_LIMITS.waitMs);
    expect(await waiting).toMatchObject([
      { status: 'refused', error: { code: 'unavailable', retryAfterMs: ECHO_LIMITS.retryAfterMs } },
    ]);
    expect(await said()).toEqual([]);
    w.platform.findKnows = true;
    await w.advance(120_000);
    expect(await hand(echo({ platformId: 'p1' }))).toMatchObject([{ status: 'repeat' }]);
    await once();
  });

  it.each<[string, Step[], string]>([
    ['unknown', ['unknown_shown'], 'unknown'],
    ['failed for good', ['refused'], 'failed'],
    ['left for a later try', ['retry'], 'queued'],
    ['waiting to be pulled', ['pending'], 'queued'],
  ])('proves a post that was %s', async (_, script, state) => {
    w = await world(TWO);
    w.platform.findKnows = false;
    const lead = await w.harness('lead');
    await sends(lead, script);
    expect((await w.outbox())[0]).toMatchObject({ state });
    expect(await hand(echo({ echoOf: KEY, platformId: 'p7' }))).toMatchObject([{ status: 'repeat' }]);
    expect((await w.outbox())[0]).toMatchObject({ state: 'visible', platformId: 'p7', error: null });
    await w.advance(600_000);
    expect(w.platform.posts).toHaveLength(1);
    expect(w.platform.finds.length).toBeLessThanOrEqual(1);
    await once();
  });

  it('of no send of this source is refused, with what to do', async () => {
    w = await world({
      ...TWO,
      settings: { sensitive: [{ reason: 'a release', words: ['shipped'] }] },
    });
    const lead = await w.harness('lead');
    await sends(lead);
    expect((await w.outbox())[0]).toMatchObject({ state: 'awaiting_approval' });
    for (const echoOf of ['lead:never', KEY]) {
      const [result] = await hand(echo({ echoOf }));
      expect(result).toMatchObject({ status: 'refused', error: { code: 'invalid_event' } });
      expect(JSON.stringify(result)).toContain('leave it out');
    }
    expect((await w.outbox())[0]).toMatchObject({ state: 'awaiting_approval' });
    expect((await said()).map(({ key }) => key)).toEqual(['e1/ack-approval-lead']);
    const edit = { ...echo({ echoOf: KEY }), type: 'edit', targetEventId: 'p1' };
    expect(JSON.stringify(await hand(edit))).toContain('echoOf');
  });

  it('of another source’s send is refused', async () => {
    w = await world({ ...TWO, others: ['other'] });
    await sends(await w.harness('lead'), ['unknown_shown']);
    const [result] = await w.host.ingest([{ ...echo({ echoOf: KEY }), platform: 'other' }], 'other');
    expect(result).toMatchObject({
      status: 'refused',
      error: { message: expect.stringContaining('echoOf') },
    });
    expect((await w.outbox())[0]).toMatchObject({ state: 'unknown' });
    w.platform.findKnows = true;
    await w.advance(60_000);
  });

  it('of a reaction is known too', async () => {
    w = await world(TWO);
    const lead = await w.harness('lead');
    const id = await w.say('@lead is it out?');
    await lead.call('chat.react', { inReplyTo: id, signal: 'seen' });
    await w.drain();
    const [row] = await w.outbox();
    const { text: _, ...event } = echo({ echoOf: row?.key });
    const reaction = { ...event, type: 'reaction', targetEventId: id, signal: 'seen' };
    expect(await hand(reaction)).toMatchObject([{ status: 'repeat' }]);
    expect(await w.logged('reaction')).toHaveLength(1);
  });

  it.each<[string, CommitFault]>([
    ['kept', 'kept'],
    ['lost', 'lost'],
  ])('whose commit failed (%s) is to come again, and is then a repeat', async (_, fault) => {
    const faults = { next: 'none' as CommitFault };
    w = await world({
      ...TWO,
      faults: {
        commit: () => {
          const drawn = faults.next;
          faults.next = 'none';
          return drawn;
        },
      },
    });
    const lead = await w.harness('lead');
    await sends(lead, ['hang']);
    faults.next = fault;
    expect(await hand(echo({ echoOf: KEY }))).toMatchObject([{ error: { code: 'unavailable' } }]);
    expect(await hand(echo({ echoOf: KEY }))).toMatchObject([{ status: 'repeat', seq: 2 }]);
    await once();
    w.errors.length = 0;
  });
});

describe('what names a post by its platform’s id', () => {
  it('means the event in the log: edits, deletes, reactions, replies, also after a restart', async () => {
    w = await world(TWO);
    await sends(await w.harness('lead'));
    const [own] = await said();
    await w.restart();
    await w.edit('p1', 'Shipped, and announced.', { by: 'U_LEAD', byKind: 'agent', id: 'edit' });
    await w.react('p1', 'agree', { id: 'reaction' });
    await w.say('which version?', { id: 'reply', more: { replyTo: { eventId: 'p1' } } });
    const target = async (id: string) => (await w.store.get('log', id))?.record.event;
    expect(await target('edit')).toMatchObject({ targetEventId: own?.key, author: { id: 'lead' } });
    expect(await target('reaction')).toMatchObject({ targetEventId: own?.key });
    expect(await target('reply')).toMatchObject({ replyTo: { eventId: own?.key } });
    expect(reasonOf(await w.delivery('reply'))).toBe('reply');
    await w.remove('p1', { id: 'gone' });
    expect((await w.store.get('log', own?.key ?? ''))?.record.event).not.toHaveProperty('text');
    expect((await w.outbox())[0]?.body['text']).toBe('');
  });

  it('may name it as the echo was called', async () => {
    w = await world(TWO);
    await sends(await w.harness('lead'));
    await hand(echo({ echoOf: KEY }));
    await w.react('E1', 'agree', { id: 'r1' });
    await w.react('p1', 'done', { id: 'r2' });
    const [own] = await said();
    const targets = (await w.logged('reaction')).map(({ record }) => record.event);
    expect(targets).toMatchObject([{ targetEventId: own?.key }, { targetEventId: own?.key }]);
  });

  it('a thread that hangs on it is a thread on our message', async () => {
    w = await world(TWO);
    await sends(await w.harness('lead'));
    const [own] = await said();
    await w.say('and where can I read it?', { id: 't1', in: 'p1', kind: 'thread', parent: 'C1' });
    const first = await w.store.get('log', 't1');
    expect(first?.record.facts.root).toMatchObject({ eventId: own?.key, authorId: 'lead' });
    expect(reasonOf(await w.delivery('t1'))).toBe('reply');
  });

  it('in another conversation means nothing', async () => {
    w = await world(TWO);
    await sends(await w.harness('lead'));
    await w.say('hello', { in: 'C2' });
    await w.react('p1', 'agree', { id: 'r1', in: 'C2' });
    expect((await w.store.get('log', 'r1'))?.record.event).toMatchObject({ targetEventId: 'p1' });
  });

  it('and overtakes the outcome of the post, waits for it', async () => {
    w = await world(TWO);
    await sends(await w.harness('lead'), [500]);
    const waiting = w.edit('p1', 'Shipped.', { by: 'U_LEAD', byKind: 'agent', id: 'edit' });
    await w.advance(500);
    await waiting;
    const [own] = await said();
    expect((await w.store.get('log', 'edit'))?.record.event).toMatchObject({ targetEventId: own?.key });
  });

  it('is forgotten when retention cuts the message', async () => {
    w = await world({ ...TWO, settings: { limits: { retentionMs: 3_600_000 } } });
    const lead = await w.harness('lead');
    const { id } = await sends(lead);
    await hand(echo({ echoOf: KEY }));
    expect(await w.store.stateKeys('sent/', '', 10)).toHaveLength(2);
    const builder = await w.harness('builder');
    await builder.call('chat.resolve', { target: 'channel:C1' });
    await lead.call('chat.resolve', { inReplyTo: id });
    await w.advance(4 * 3_600_000);
    expect(await said()).toEqual([]);
    expect(await w.store.stateKeys('sent/', '', 10)).toEqual([]);
  });
});

it('an event that is no echo costs no read of the store, also where posts have ids', async () => {
  w = await world(TWO);
  await sends(await w.harness('lead'));
  await w.say('nothing for anybody', { by: 'bob' });
  const reads = (['get', 'scan', 'state', 'stateKeys'] as const).map((name) => vi.spyOn(w.store, name));
  await w.say('nothing again', { by: 'bob' });
  await w.say('marked', { by: 'bob', more: { platformId: 'p77' } });
  expect(reads.map((spy) => spy.mock.calls)).toEqual([[], [], [], []]);
  await w.say('an answer', { by: 'bob', more: { replyTo: { eventId: 'p1' } } });
  expect(reads.flatMap((spy) => spy.mock.calls).length).toBeGreaterThan(0);
});

describe('whatever the order of post, outcome, echo, repeat and crash', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('echo' as const), by: fc.constantFrom('key', 'platformId', 'both') }),
    fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 100, 700, 3_000, 40_000) }),
    fc.record({ do: fc.constant('crash' as const) }),
  );
  const outcome = fc.constantFrom<Step>('visible', 200, 900, 'unknown_shown', 'hang', 'throw', 'retry');

  it('one send is one event', async () => {
    await fc.assert(
      fc.asyncProperty(outcome, fc.array(step, { minLength: 1, maxLength: 6 }), async (first, steps) => {
        w = await world(TWO);
        const lead = await w.harness('lead');
        const { sent } = await sends(lead, [first]);
        void sent.catch(() => undefined);
        for (const one of steps) {
          // A platform hands back what it shows, and nothing else.
          if (one.do === 'echo' && w.platform.seen.length > 0) {
            const key = one.by === 'platformId' ? {} : { echoOf: KEY };
            const id = one.by === 'key' ? {} : { platformId: 'p1' };
            const waiting = w.host.ingest([echo({ ...key, ...id })], 'web');
            await w.advance(ECHO_LIMITS.waitMs);
            const [result] = await waiting;
            expect(result?.status === 'repeat' || JSON.stringify(result).includes('unavailable')).toBe(true);
          }
          if (one.do === 'wait') await w.advance(one.ms);
          if (one.do === 'crash') await w.crash();
        }
        await w.advance(600_000);
        expect(await w.sound()).toEqual([]);
        expect((await w.outbox())[0]).toMatchObject({ state: 'visible' });
        expect(w.texts()).toEqual([TEXT]);
        await once();
      }),
      { numRuns: 60 },
    );
  });
});
