// The knocks of a channel on a virtual clock: when they come, when they stop, and what they never say.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvent } from '../../src/agent/read-event.ts';
import { channelDelivery } from '../../src/cli/mcp-delivery.ts';
import { CHANNEL_LIMITS, ChannelInbox } from '../../src/host/mcp/channel-inbox.ts';
import { type ChannelNotice, knockNotice } from '../../src/host/mcp/channel-notice.ts';
import { wireError } from '../../src/protocol/errors.ts';
import { toolRefusal, toolSuccess } from '../../src/protocol/tool.ts';
import { shortEventSchema } from '../../src/protocol/short-event.ts';
import { VirtualClock } from '../../src/runtime/clock.ts';

const START = Date.parse('2026-06-02T19:00:00Z');
const signal = new AbortController().signal;

function envelope(eventId: string, more: Record<string, unknown> = {}) {
  return {
    eventId,
    source: { platform: 'demo', workspaceId: 'acme' },
    conversation: { id: 'general', kind: 'channel' },
    author: { id: 'U1', kind: 'human', displayName: 'Ada' },
    target: { mentions: ['agent:lead'], directedness: 'to_me' },
    content: [{ type: 'text', text: 'SECRET words of the message' }],
    timing: { createdAt: '2026-06-02T18:59:48Z', sequence: 1 },
    attention: { policy: 'must_respond', reason: 'mention', priority: 'normal' },
    injection: { mode: 'buffered', context: 'none', role: 'user' },
    reliability: { attempt: 1 },
    ...more,
  };
}

function channel() {
  const clock = new VirtualClock(START);
  const notices: ChannelNotice[] = [];
  const letGo: string[] = [];
  const at = { ready: true, settled: new Set<string>() };
  const inbox = new ChannelInbox({
    clock,
    limits: CHANNEL_LIMITS,
    notify: (notice) => notices.push(notice),
    canKnock: () => at.ready,
    stillAsked: ({ eventId }) => Promise.resolve(!at.settled.has(eventId)),
    letGo: (eventId) => letGo.push(eventId),
  });
  const deliver = (eventId: string, more?: Record<string, unknown>) => {
    const read = readEvent(envelope(eventId, more));
    if (!read.ok) throw new Error(read.problem);
    return inbox.deliver(channelDelivery(read.event));
  };
  /** Time passes, and what was asked of the host is answered. */
  const pass = async (ms: number) => {
    clock.advance(ms);
    for (let step = 0; step < 5; step++) await Promise.resolve();
  };
  const pull = () => inbox.wait(20, 0, signal);
  const ids = async () => (await pull()).map((event) => (event as { eventId: string }).eventId);
  return { clock, pass, notices, letGo, at, inbox, deliver, pull, ids };
}

const attention = (policy: string, more: object = {}) => ({
  attention: { policy, reason: 'mention', priority: 'normal', ...more },
});

describe('a delivery that would start a turn', () => {
  it('knocks at once with who, where, directedness, policy, priority, age and event, and no word of it', () => {
    const { notices, deliver } = channel();
    expect(deliver('evt_1')).toBe('taken');
    expect(notices).toHaveLength(1);
    expect(notices[0]?.meta).toEqual({
      kind: 'knock',
      event_id: 'evt_1',
      from: 'human:U1',
      name: 'Ada',
      where: 'channel:general',
      directedness: 'to_me',
      policy: 'must_respond',
      priority: 'normal',
      topic: 'message',
      age_s: '12',
      knock: '1',
      read_with: 'chat_wait_events',
    });
    expect(notices[0]?.content).toBe(
      'Ada (human:U1) in channel:general: message, to_me, must_respond, normal priority, 12 s old. ' +
        'Take it with chat_wait_events, or look at it first with chat_read_thread, inReplyTo "evt_1".',
    );
    expect(JSON.stringify(notices)).not.toContain('SECRET');
  });

  it('knocks again with back-off, so many times and no more, and stays pullable', async () => {
    const { clock, pass, notices, deliver, ids } = channel();
    deliver('evt_1');
    const { againMs, factor, againCapMs, knocks } = CHANNEL_LIMITS;
    for (let nth = 2, waitMs: number = againMs; nth <= knocks; nth++, waitMs *= factor) {
      const due = Math.min(waitMs, againCapMs);
      await pass(due - 1);
      expect(notices).toHaveLength(nth - 1);
      await pass(1);
      expect(notices.at(-1)?.meta['knock']).toBe(String(nth));
    }
    expect(notices.at(-1)?.content).toContain('Knock 6 of 6: it has not been taken yet.');
    await pass(24 * 3_600_000);
    expect(notices).toHaveLength(knocks);
    expect(clock.pending()).toBe(0);
    expect(await ids()).toEqual(['evt_1']);
  });

  it.each([
    ['it is pulled', 'chat.wait_events', {}, undefined],
    ['its thread is read', 'chat.read_thread', { inReplyTo: 'evt_1' }, { events: [] }],
    ['it was listed', 'chat.list_events', {}, { events: [{ eventId: 'evt_1' }] }],
    ['it is claimed', 'chat.claim', { inReplyTo: 'evt_1' }, { status: 'claimed' }],
    ['it is answered', 'chat.send_message', { inReplyTo: 'evt_1', text: 'x' }, { status: 'sent' }],
    ['it is reacted to', 'chat.react', { inReplyTo: 'evt_1', signal: 'seen' }, { disposition: null }],
    ['it is settled', 'chat.resolve', { inReplyTo: 'evt_1' }, {}],
    ['it is put off', 'chat.defer', { inReplyTo: 'evt_1', reason: 'later' }, {}],
  ] as const)('never knocks again once %s', async (_, name, args, result) => {
    const { pass, notices, inbox, deliver, ids } = channel();
    deliver('evt_1');
    if (result === undefined) await ids();
    else inbox.called(name, args, toolSuccess(result));
    await pass(24 * 3_600_000);
    expect(notices).toHaveLength(1);
    expect(await ids()).toEqual([]);
  });

  it('never knocks again once the host says that it was settled by another way', async () => {
    const { clock, pass, notices, at, inbox, deliver } = channel();
    deliver('evt_1');
    at.settled.add('evt_1');
    await pass(CHANNEL_LIMITS.againMs);
    expect(notices).toHaveLength(1);
    expect([inbox.holding(), clock.pending()]).toEqual([[], 0]);
  });

  it('knocks on when a call about it was refused', async () => {
    const { pass, notices, inbox, deliver } = channel();
    deliver('evt_1');
    inbox.called('chat.read_thread', { inReplyTo: 'evt_1' }, toolRefusal(wireError('internal')));
    inbox.called('chat.read_thread', { inReplyTo: 'evt_2' }, toolSuccess({ events: [] }));
    await pass(CHANNEL_LIMITS.againMs);
    expect(notices).toHaveLength(2);
  });

  it('waits with its knock for client and host, and then gives one', async () => {
    const { pass, notices, at, inbox, deliver } = channel();
    at.ready = false;
    deliver('evt_1');
    await pass(3_600_000);
    expect(notices).toEqual([]);
    at.ready = true;
    inbox.awake();
    inbox.awake();
    await pass(0);
    expect(notices).toHaveLength(1);
    at.ready = false;
    await pass(CHANNEL_LIMITS.againMs * 10);
    expect(notices).toHaveLength(1);
    at.ready = true;
    inbox.awake();
    await pass(0);
    expect(notices).toHaveLength(2);
  });

  it('comes once, however often it is handed over', async () => {
    const { notices, deliver, ids } = channel();
    expect([deliver('evt_1'), deliver('evt_1')]).toEqual(['taken', 'repeat']);
    expect(notices).toHaveLength(1);
    expect(await ids()).toEqual(['evt_1']);
    expect(deliver('evt_1')).toBe('repeat');
    expect(await ids()).toEqual([]);
  });

  it('is silent when withdrawn before it was taken, and says so afterwards', async () => {
    const { clock, notices, inbox, deliver, ids } = channel();
    deliver('evt_1');
    inbox.cancelled('evt_1', 'deleted');
    deliver('evt_2');
    await ids();
    inbox.cancelled('evt_2', 'stop');
    deliver('evt_3');
    await ids();
    inbox.cancelled('evt_3', 'expired');
    clock.advance(24 * 3_600_000);
    expect(notices.map(({ meta }) => [meta['kind'], meta['event_id']])).toEqual([
      ['knock', 'evt_1'],
      ['knock', 'evt_2'],
      ['withdrawn', 'evt_2'],
      ['knock', 'evt_3'],
    ]);
    expect(inbox.holding()).toEqual([]);
  });

  it('that was offered to a role says to claim it; the body that comes with the claim does not knock', async () => {
    const { notices, inbox, deliver, ids } = channel();
    const knock = { from: 'human:U1', where: 'channel:general', topic: 'role mention', ageMs: 5 };
    const offer = {
      ...attention('may_respond', { notices: ['claim_first'] }),
      injection: { mode: 'notify' },
      knock,
    };
    deliver('evt_1', offer);
    expect(notices[0]?.meta).toMatchObject({ topic: 'role mention', read_with: 'chat_claim' });
    inbox.calling('chat.claim', { inReplyTo: 'evt_1' });
    deliver('evt_1/claimed', { refersTo: 'evt_1' });
    inbox.called('chat.claim', { inReplyTo: 'evt_1' }, toolSuccess({ status: 'claimed' }));
    deliver('evt_1/claimed', { refersTo: 'evt_1' });
    expect(notices).toHaveLength(1);
    expect(await ids()).toEqual([]);
    // Somebody else's: the claim was refused.
    deliver('evt_2', offer);
    inbox.calling('chat.claim', { inReplyTo: 'evt_2' });
    inbox.called('chat.claim', { inReplyTo: 'evt_2' }, toolRefusal(wireError('stale_token')));
    deliver('evt_2/claimed', { refersTo: 'evt_2' });
    expect(notices).toHaveLength(3);
  });
});

describe('what waits for the next pull', () => {
  it.each([
    ['a digest', attention('must_not_respond'), { mode: 'digest' }],
    ['a knock that may be answered', attention('may_respond'), { mode: 'notify' }],
    ['what must not be answered', attention('must_not_respond'), { mode: 'immediate' }],
  ])('%s does not knock', async (_, policy, injection) => {
    const { clock, notices, deliver, ids } = channel();
    deliver('evt_1', { ...policy, injection });
    clock.advance(24 * 3_600_000);
    expect(notices).toEqual([]);
    expect(await ids()).toEqual(['evt_1']);
  });

  it('what may be answered and was left alone is let go, what must be answered never', async () => {
    const { clock, inbox, letGo, deliver, ids } = channel();
    deliver('evt_1', attention('may_respond'));
    deliver('evt_2');
    expect(await ids()).toEqual(['evt_1', 'evt_2']);
    clock.advance(CHANNEL_LIMITS.leaveMs - 1);
    expect(letGo).toEqual([]);
    clock.advance(1);
    expect(letGo).toEqual(['evt_1']);
    expect(inbox.holding()).toEqual(['evt_2']);
  });

  it('a pull is held until something comes, and takes nothing once it is cancelled', async () => {
    const { clock, inbox, deliver, ids } = channel();
    const held = inbox.wait(20, 9_000, signal);
    deliver('evt_1');
    expect(await held).toMatchObject([{ eventId: 'evt_1' }]);
    const empty = inbox.wait(20, 9_000, signal);
    clock.advance(9_000);
    expect(await empty).toEqual([]);
    const gone = new AbortController();
    const cancelled = inbox.wait(20, 9_000, gone.signal);
    gone.abort();
    deliver('evt_2');
    expect(await cancelled).toEqual([]);
    expect(await ids()).toEqual(['evt_2']);
  });

  it('has a bound, at which the host keeps the rest', () => {
    const { deliver } = channel();
    for (let count = 0; count < CHANNEL_LIMITS.held; count++) expect(deliver(`evt_${count}`)).toBe('taken');
    expect(deliver('one more')).toBe('full');
  });

  it('is shown as the short event, threads by their own id', async () => {
    const { deliver, pull } = channel();
    deliver('evt_1', { conversation: { id: 'C1', kind: 'thread', threadId: 'T1' } });
    deliver('evt_2', {
      injection: { mode: 'notify' },
      knock: {
        from: 'human:U1',
        where: 'channel:general',
        topic: 'message',
        ageMs: 5,
        pullWith: 'chat.read_thread',
      },
    });
    const events = await pull();
    for (const event of events) expect(shortEventSchema.safeParse(event).error?.issues).toBeUndefined();
    expect(events).toMatchObject([
      {
        conversation: { id: 'T1', kind: 'thread' },
        policy: 'must_respond',
        content: 'SECRET words of the message',
      },
      { mode: 'notify', knock: { where: 'channel:general', policy: 'must_respond' } },
    ]);
  });
});

it('a notice holds nothing of a message, whatever it is, and no character that ends an attribute', () => {
  const word = fc.string({ unit: 'binary', minLength: 1 });
  fc.assert(
    fc.property(word, word, word, word, (id, authorId, name, place) => {
      const read = readEvent(
        envelope(id, {
          author: { id: authorId, kind: 'human', displayName: name },
          conversation: { id: place, kind: 'channel' },
        }),
      );
      if (!read.ok) throw new Error(read.problem);
      const { eventId, knock } = channelDelivery(read.event);
      const notice = knockNotice({ eventId, knock: knock(START), claimFirst: false, nth: 1, of: 6 });
      expect(JSON.stringify(notice)).not.toContain('SECRET');
      expect(notice.content).not.toMatch(/[<>&\p{Cc}]/u);
      for (const [key, value] of Object.entries(notice.meta)) {
        expect(key).toMatch(/^[a-z_]+$/);
        expect(value).not.toMatch(/["'<>&\p{Cc}]/u);
      }
    }),
  );
});
