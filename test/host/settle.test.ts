// settle: every delivery ends with one disposition. Turns, signals, deadlines, lapses, reminders and escalations.
import { afterEach, describe, expect, it } from 'vitest';
import { FAILED_TURN_LIMITS } from '../../src/host/deliver/failed-turn.ts';
import { SIGNALS } from '../../src/protocol/vocabulary.ts';
import type { Harness } from './harness.ts';
import { type World, world } from './world.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

const team = [{ id: 'lead' }, { id: 'builder', lead: 'lead' }];

async function turn(
  harness: Harness,
  outcome: 'answered' | 'silent' | 'failed' | 'cancelled',
  eventId: string,
) {
  const id = `turn-${eventId}-${w.clock.now()}`;
  await harness.start(id, eventId);
  const ended = await harness.end(id, outcome);
  await w.advance(0);
  return ended;
}

describe('a reply', () => {
  it('settles what it answers as responded, once and for good [C2A-06-02/disposition/responded, C2A-06-02/disposition/exactly-one]', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    await lead.start('t1', id);
    await lead.reply(id, 'Checked, it is fine.', { turnId: 't1' });
    await lead.end('t1', 'answered');
    expect(await w.ended(id)).toBe('responded');
    for (const signal of SIGNALS) await lead.call('chat.react', { inReplyTo: id, signal });
    await lead.call('chat.defer', { inReplyTo: id, reason: 'later' });
    await lead.call('chat.resolve', { inReplyTo: id });
    await w.remove(id);
    await w.advance(24 * 3_600_000);
    expect(await w.ended(id)).toBe('responded');
  });
});

describe('signals', () => {
  it.each([
    ['seen', 'just so you know, it is done', 'acknowledged(seen)'],
    ['agree', 'please approve the release', 'acknowledged(agree)'],
    ['working', 'please check the deploy', 'accepted:claimed'],
    ['queued', 'please check the deploy', 'accepted:deferred'],
    ['claimed', 'please check the deploy', 'accepted:claimed'],
    ['done', 'please check the deploy', 'responded(done)'],
    ['blocked', 'please check the deploy', 'accepted:deferred'],
    ['unclear', 'please check the deploy', 'accepted:deferred'],
    ['declined', 'please check the deploy', 'ignored(declined)'],
  ] as const)(
    '%s on "%s" ends or puts off: %s, with no turn and no message [C2A-06-02/signal/zero-turn, C2A-06-24/signal/zero-turn, C2A-06-02/outbound/react-without-a-turn, C2A-06-02/disposition/acknowledged, C2A-06-02/disposition/claimed, C2A-06-02/disposition/deferred, C2A-06-02/tools/react]',
    async (signal, text, expected) => {
      w = await world();
      const lead = await w.harness('lead');
      const id = await w.say(`@lead ${text}`);
      const answer = await lead.call('chat.react', { inReplyTo: id, signal });
      expect(answer.ok).toBe(true);
      await w.advance(1_000);
      expect(await w.ended(id)).toBe(expected);
      expect(lead.turns).toHaveLength(1);
      expect(w.texts()).toEqual([]);
      expect(w.platform.reactions.map((reaction) => reaction.signal)).toEqual([signal]);
      expect(await lead.call('chat.react', { inReplyTo: id, signal })).toEqual(answer);
      expect(w.platform.reactions).toHaveLength(1);
    },
  );

  it('a question is not answered by having been read or agreed to [C2A-06-02/disposition/acknowledged-must-satisfy, C2A-06-02/policy/must-respond]', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead is the deploy blocked?');
    for (const signal of ['seen', 'agree']) {
      expect(await lead.call('chat.react', { inReplyTo: id, signal })).toMatchObject({
        result: { disposition: null },
      });
      expect(await w.ended(id)).toBe('accepted');
    }
    await turn(lead, 'silent', id);
    expect(lead.turns.at(-1)?.attention.notices).toContain('reminder');
  });

  it('declined of what must be answered goes to the lead, or to a person [C2A-06-02/stale/escalates-to-one, C2A-06-02/stale/no-broadcast]', async () => {
    w = await world({ agents: [...team, { id: 'other' }] });
    const [lead, builder, other] = [
      await w.harness('lead'),
      await w.harness('builder'),
      await w.harness('other'),
    ];
    const id = await w.say('@builder please check the deploy');
    await builder.call('chat.react', { inReplyTo: id, signal: 'declined' });
    await w.advance(0);
    expect(lead.turns).toMatchObject([
      {
        eventId: `${id}/escalated-builder`,
        refersTo: id,
        attention: { policy: 'must_respond' },
        injection: { mode: 'notify' },
      },
    ]);
    expect(other.got).toEqual([]);
    const own = await w.say('@lead please check the deploy too');
    await lead.call('chat.react', { inReplyTo: own, signal: 'declined' });
    expect((await w.inbox()).map(({ kind, eventId }) => [kind, eventId])).toEqual([['declined', own]]);
  });

  it('working on what one was handed whole claims it and brings no second turn', async () => {
    w = await world({ agents: team });
    const builder = await w.harness('builder');
    const id = await w.say('@builder please check the deploy');
    await builder.call('chat.react', { inReplyTo: id, signal: 'working' });
    await w.advance(1_000);
    expect(builder.turns).toHaveLength(1);
    const listed = await builder.call('chat.list_events', { target: 'channel:C1', policy: 'must_respond' });
    expect(listed).toMatchObject({ result: { events: [{ eventId: id, claimedBy: 'agent:builder' }] } });
  });
});

describe('a turn', () => {
  it('that ends silent on must_respond is reminded once, then failed and escalated to the lead [C2A-06-02/disposition/failed, C2A-06-02/disposition/must-respond-ends, C2A-06-02/stale/same-harness-first, C2A-06-02/claims/lead-by-dm]', async () => {
    w = await world({ agents: team });
    const [lead, builder] = [await w.harness('lead'), await w.harness('builder')];
    const id = await w.say('@builder can you check?');
    await turn(builder, 'silent', id);
    expect(builder.turns).toHaveLength(2);
    const reminder = builder.turns[1];
    expect(reminder).toMatchObject({
      refersTo: id,
      attention: { notices: ['reminder'], policy: 'must_respond' },
    });
    expect(await w.ended(id, 'builder')).toBe('superseded(reminder)');
    expect(lead.got).toEqual([]);
    await turn(builder, 'silent', String(reminder?.eventId));
    expect(await w.ended(String(reminder?.eventId), 'builder')).toBe('failed(no_answer)');
    expect(lead.turns.map(({ eventId }) => eventId)).toEqual([`${id}/escalated-builder`]);
    expect(builder.turns).toHaveLength(2);
    await w.advance(24 * 3_600_000);
    expect(builder.turns).toHaveLength(2);
  });

  it('an unanswered escalation goes to people, not round in circles', async () => {
    w = await world({
      agents: [
        { id: 'lead', lead: 'builder' },
        { id: 'builder', lead: 'lead' },
      ],
    });
    const [lead, builder] = [await w.harness('lead'), await w.harness('builder')];
    const id = await w.say('@builder please check');
    await builder.call('chat.react', { inReplyTo: id, signal: 'declined' });
    await w.advance(0);
    const escalated = String(lead.turns[0]?.eventId);
    await turn(lead, 'silent', escalated);
    await turn(lead, 'silent', String(lead.turns.at(-1)?.eventId));
    expect((await w.inbox()).map(({ kind }) => kind)).toEqual(['no_answer']);
    expect(builder.turns).toHaveLength(1);
  });

  it('answered after the reminder by its first id counts [C2A-06-02/stale/carries-a-deadline]', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    expect(lead.got[0]?.attention.deadlineMs).toBe(300_000);
    await turn(lead, 'silent', id);
    expect((await lead.reply(id, 'Checked.')).ok).toBe(true);
    expect(await w.ended(String(lead.turns[1]?.eventId))).toBe('responded');
  });

  it('that ends silent on may_respond settles ignored, without retry or complaint [C2A-06-02/quiet/silence-is-valid, C2A-06-02/disposition/ignored]', async () => {
    w = await world({ attention: { conversations: [] } });
    const lead = await w.harness('lead');
    const first = await w.say('@lead can you check?');
    await lead.reply(first, 'Checked, all is fine there.');
    const id = await w.say('nice weather today');
    expect(lead.turns.at(-1)).toMatchObject({ eventId: id, attention: { policy: 'may_respond' } });
    await turn(lead, 'silent', id);
    expect(await w.ended(id)).toBe('ignored');
    await w.advance(24 * 3_600_000);
    expect(lead.turns).toHaveLength(2);
    expect(await w.inbox()).toEqual([]);
  });

  it('that failed is tried again after growing pauses, for ten minutes, then failed and escalated', async () => {
    w = await world({ agents: team });
    const [lead, builder] = [await w.harness('lead'), await w.harness('builder')];
    await w.say('@builder can you check?');
    for (const pauseMs of FAILED_TURN_LIMITS.pausesMs) {
      const tried = builder.turns.length;
      await turn(builder, 'failed', String(builder.turns.at(-1)?.eventId));
      await w.advance(pauseMs - 1);
      expect(builder.turns).toHaveLength(tried);
      await w.advance(1);
      expect(builder.turns).toHaveLength(tried + 1);
    }
    expect(lead.turns).toHaveLength(0);
    await turn(builder, 'failed', String(builder.turns.at(-1)?.eventId));
    await w.advance(FAILED_TURN_LIMITS.giveUpAfterMs);
    await turn(builder, 'failed', String(builder.turns.at(-1)?.eventId));
    expect(await w.ended(String(builder.turns.at(-1)?.eventId), 'builder')).toBe('failed(turn_failed)');
    expect(lead.turns).toHaveLength(1);
  });

  it('three lost acknowledgements are no failed turns', async () => {
    w = await world();
    let deaf = 3;
    const lead = await w.harness('lead', { onDeliver: () => (deaf-- > 0 ? 'ignore' : 'ack') });
    await w.say('@lead can you check?');
    await w.advance(60_000);
    await turn(lead, 'failed', String(lead.turns[0]?.eventId));
    await w.advance(FAILED_TURN_LIMITS.pausesMs[0]);
    expect(lead.turns).toHaveLength(2);
    expect(await w.inbox()).toEqual([]);
  });

  it('that is cancelled is fenced and says what it has sent; it may be started again', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    await lead.start('t1', id);
    expect(await lead.end('t1', 'cancelled')).toEqual({ sendsCommitted: 0 });
    expect(await lead.reply(id, 'Late.', { turnId: 't1' })).toMatchObject({ ok: false, error: 'fenced' });
    expect(await lead.start('t1', id)).toMatchObject({ superseded: [] });
    expect(await lead.reply(id, 'Late again.', { turnId: 't1' })).toMatchObject({
      ok: false,
      error: 'fenced',
    });
    await lead.start('t2', id);
    expect((await lead.reply(id, 'In time.', { turnId: 't2' })).ok).toBe(true);
    expect(await lead.end('t2', 'cancelled')).toEqual({ sendsCommitted: 1 });
    expect(w.texts()).toEqual(['In time.']);
  });

  it('cancelled after it has sent is never run again differently', async () => {
    w = await world({ attention: { limits: { deadlineMs: 60_000 } } });
    const lead = await w.harness('lead');
    const a = await w.say('@lead can you check one?');
    const b = await w.say('@lead and two?');
    await lead.start('t1', a, b);
    await lead.reply(b, 'Both are fine.', { turnId: 't1' });
    expect(await lead.end('t1', 'cancelled')).toEqual({ sendsCommitted: 1 });
    expect([await w.ended(a), await w.ended(b)]).toEqual(['responded', 'responded']);
    await w.advance(600_000);
    expect(lead.turns).toHaveLength(2);
  });

  it('is told which of its events are not to be answered any more', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const a = await w.say('@lead one?');
    const b = await w.say('@lead two?');
    await w.remove(a);
    expect(await lead.start('t1', a, b, 'never')).toMatchObject({ superseded: [a, 'never'] });
  });

  it('brings what the agent saw while quiet up to it, and the next turn none of that again [TC/observe/remembered, TC/observe/flushed-once]', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const chatting = await w.say('chatting', { by: 'bob' });
    const engaging = await w.say('@lead can you check?');
    // Neither the message that engages nor the end of the turn takes anything: only the start does.
    const meanwhile = await w.say('chatting on', { by: 'bob' });
    const first = (await lead.start('t1', engaging)) as { seen: { eventId: string }[] };
    expect(first.seen.map(({ eventId }) => eventId)).toEqual([chatting, meanwhile]);
    await lead.end('t1', 'answered');
    const more = await w.say('more chatting', { by: 'bob' });
    await w.restart();
    const again = await w.harness('lead');
    const second = await again.start('t2', await w.say('@lead and now?'));
    expect(second).toMatchObject({ seen: [{ eventId: more }] });
  });

  it('takes what it brings from no other agent [TC/observe/flushed-once]', async () => {
    w = await world({ agents: [{ id: 'lead' }, { id: 'builder' }] });
    const [lead, builder] = [await w.harness('lead'), await w.harness('builder')];
    const chatting = await w.say('chatting', { by: 'bob' });
    await lead.start('t1', await w.say('@lead can you check?'));
    const other = (await builder.start('t2', await w.say('@builder and you?'))) as {
      seen: { eventId: string }[];
    };
    expect(other.seen.map(({ eventId }) => eventId)).toContain(chatting);
  });
});

describe('claimed and deferred', () => {
  it('lapse into one redelivery, and then into a failure that is escalated [C2A-06-02/tools/defer]', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead please check');
    expect(await lead.call('chat.defer', { inReplyTo: id, reason: 'busy', ttlMs: 60_000 })).toMatchObject({
      result: { disposition: 'deferred' },
    });
    await lead.start('t1', id);
    await lead.end('t1', 'silent');
    await w.advance(59_000);
    expect(lead.turns).toHaveLength(1);
    await w.advance(2_000);
    expect(lead.turns.map(({ refersTo, eventId }) => refersTo ?? eventId)).toEqual([id, id]);
    const again = String(lead.turns[1]?.eventId);
    await lead.call('chat.defer', { inReplyTo: again, reason: 'still busy', ttlMs: 60_000 });
    await w.advance(61_000);
    expect(lead.turns).toHaveLength(2);
    expect(await w.ended(again)).toBe('failed(no_answer)');
    expect((await w.inbox()).map(({ kind }) => kind)).toEqual(['no_answer']);
  });

  it('lapse after an hour by default, and of may_respond end ignored', async () => {
    w = await world({ agents: [{ id: 'lead', roles: ['ops'] }] });
    const lead = await w.harness('lead');
    const id = await w.say('@lead please check');
    await lead.call('chat.react', { inReplyTo: id, signal: 'queued' });
    await w.advance(3_599_000);
    expect(lead.turns).toHaveLength(1);
    await w.advance(2_000);
    expect(lead.turns).toHaveLength(2);
  });

  it('end with the answer of a later turn that took them', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const first = await w.say('@lead please check');
    const last = await w.say('@lead and the other one?');
    await lead.start('t1', first, last);
    for (const inReplyTo of [first, last])
      await lead.call('chat.defer', { inReplyTo, reason: 'busy', ttlMs: 60_000, turnId: 't1' });
    await lead.end('t1', 'answered');
    expect(await w.ended(first)).toBe('accepted:deferred');
    await lead.start('t2', first, last);
    await lead.reply(last, 'Both are fine.', { turnId: 't2' });
    await lead.end('t2', 'answered');
    expect([await w.ended(first), await w.ended(last)]).toEqual(['responded', 'responded']);
  });

  it('are not handed to a new session before their time', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead please check');
    await lead.call('chat.defer', { inReplyTo: id, reason: 'busy' });
    lead.close();
    await w.drain();
    const next = await w.harness('lead');
    expect(next.got).toEqual([]);
    await w.advance(3_600_001);
    expect(next.turns).toHaveLength(1);
  });
});

describe('a deadline', () => {
  it('redelivers with a thread check, then escalates, and only then lowers to may_respond [C2A-06-02/stale/expired-downgrade-or-check, C2A-06-02/quiet/stale]', async () => {
    w = await world({ agents: team });
    const [lead, builder] = [await w.harness('lead'), await w.harness('builder')];
    const id = await w.say('@builder can you check?');
    await w.advance(299_000);
    expect(builder.turns).toHaveLength(1);
    await w.advance(2_000);
    expect(builder.turns).toHaveLength(2);
    expect(builder.turns[1]).toMatchObject({
      refersTo: id,
      attention: { policy: 'must_respond', requiresThreadCheck: true },
    });
    expect(lead.got).toEqual([]);
    await w.advance(300_000);
    expect(lead.turns.map(({ eventId }) => eventId)).toEqual([`${id}/escalated-builder`]);
    const last = String(builder.turns[1]?.eventId);
    expect((await w.delivery(last, 'builder'))?.policy).toBe('may_respond');
    await w.advance(3_600_000);
    expect(builder.turns).toHaveLength(2);
    expect((await builder.reply(last, 'Sorry, here it is.')).ok).toBe(true);
  });

  it('of what never reached a session marks it where it waits', async () => {
    w = await world();
    const id = await w.say('@lead can you check?');
    await w.advance(301_000);
    const lead = await w.harness('lead');
    expect(lead.got).toMatchObject([{ eventId: id, attention: { requiresThreadCheck: true } }]);
  });

  it('a model at work gets one deadline more', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    await lead.start('t1', id);
    await w.advance(400_000);
    expect(lead.turns).toHaveLength(1);
    await w.advance(300_000);
    expect(lead.turns).toHaveLength(2);
  });

  it('focus pauses it, holds back what comes, and says so to the sender', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const before = await w.say('@lead can you check?');
    await lead.call('chat.focus', { ttlMs: 3_600_000 });
    const during = await w.say('@lead and this?');
    await w.advance(1_800_000);
    expect(lead.turns.map(({ eventId }) => eventId)).toEqual([before]);
    expect(w.platform.reactions).toMatchObject([{ target: { eventId: during }, signal: 'queued' }]);
    const urgent = await w.say('@lead urgent: production is down!');
    expect(lead.turns.at(-1)?.eventId).toBe(urgent);
    await w.advance(1_800_001);
    expect(lead.turns.map(({ eventId }) => eventId)).toContain(during);
    expect(lead.turns.filter(({ refersTo }) => refersTo === before)).toEqual([]);
    await w.advance(301_000);
    expect(lead.turns.filter(({ refersTo }) => refersTo === before)).toHaveLength(1);
  });

  it('focus survives a restart, and ended early lets everything through at once', async () => {
    w = await world();
    const lead = await w.harness('lead');
    await lead.call('chat.focus', { ttlMs: 3_600_000 });
    await w.restart();
    const next = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    expect(next.got).toEqual([]);
    expect(await next.call('chat.focus', { ttlMs: 0 })).toMatchObject({ result: { until: null } });
    await w.advance(0);
    expect(next.turns.map(({ eventId }) => eventId)).toEqual([id]);
  });

  it('focus that is prolonged holds what it held', async () => {
    w = await world();
    const lead = await w.harness('lead');
    await lead.call('chat.focus', { ttlMs: 600_000 });
    await w.say('@lead can you check?');
    await lead.call('chat.focus', { ttlMs: 3_600_000 });
    await w.advance(1_200_000);
    expect(lead.got).toEqual([]);
    await w.advance(2_400_001);
    expect(lead.turns).toHaveLength(1);
  });
});

describe('what must not be answered', () => {
  it('ends ignored once it has arrived, and thanks get one seen, no turn [C2A-06-02/disposition/must-not-respond-ends, C2A-06-02/disposition/ack-only-ends, C2A-06-02/policy/ack-only]', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    await lead.reply(id, 'Checked, it is fine.');
    const thanks = await w.say('thanks!');
    await w.say('@lead thank you');
    await w.advance(10_000);
    expect(lead.turns).toHaveLength(1);
    expect(w.platform.reactions.map(({ signal, target }) => [signal, target.eventId])[0]).toEqual([
      'seen',
      thanks,
    ]);
    expect(await lead.reply(thanks, 'You are most welcome, dear friend!')).toMatchObject({
      ok: false,
      error: 'must_not_respond',
    });
    expect(w.texts()).toHaveLength(1);
  });
});
