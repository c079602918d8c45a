// send: the outbound rules, idempotency, approval, and posting: at most one visible message per key, whatever fails.
import { afterEach, describe, expect, it } from 'vitest';
import { approve, decline } from '../../src/host/operator/approvals.ts';
import type { Harness } from './harness.ts';
import { type World, world } from './world.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

const LONG = 'This is a sentence of rather more than forty characters.';

function unprompted(harness: Harness, text: string, more: Record<string, unknown> = {}) {
  return harness.call('chat.send_message', {
    target: 'channel:C1',
    text,
    visibility: 'channel',
    directedness: 'ambient',
    idempotencyKey: `u:${text}`,
    ...more,
  });
}

describe('idempotency', () => {
  it('same key and body replays the stored answer, another body is refused [C2A-06-02/reliability/idempotent-operations, C2A-06-02/transport/idempotent-sends, C2A-06-02/tools/send-message, C2A-06-02/minimal/7-send, C2A-06-02/operation/keyed-sends]', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    const first = await lead.reply(id, 'It is fine.', { idempotencyKey: 'k1' });
    expect(first).toMatchObject({ ok: true, result: { status: 'sent', replayed: false } });
    const again = await lead.reply(id, 'It is fine.', { idempotencyKey: 'k1', turnId: 'other' });
    expect(again).toMatchObject({ ok: true, result: { status: 'sent', replayed: true } });
    expect(again.ok && first.ok && again.result['eventId'] === first.result['eventId']).toBe(true);
    expect(await lead.reply(id, 'It is broken.', { idempotencyKey: 'k1' })).toMatchObject({
      error: 'duplicate_key_other_body',
    });
    expect(w.texts()).toEqual(['It is fine.']);
    const keyless = await lead.request('tools/call', {
      name: 'chat.send_message',
      arguments: { target: 'channel:C1', text: 'x', visibility: 'channel', directedness: 'ambient' },
    });
    expect(JSON.stringify(keyless)).toContain('idempotencyKey');
  });

  it('claiming, deferring, resolving and reacting again changes nothing and says the same', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const a = await w.say('@lead please check one');
    const b = await w.say('@lead please check two');
    for (const [tool, args] of [
      ['chat.claim', { inReplyTo: a }],
      ['chat.claim', { inReplyTo: a, op: 'release' }],
      ['chat.defer', { inReplyTo: a, reason: 'later', ttlMs: 60_000 }],
      ['chat.resolve', { inReplyTo: b }],
      ['chat.react', { inReplyTo: a, signal: 'seen' }],
      ['chat.set_mode', { target: 'channel:C1', mode: 'follow' }],
      ['chat.disengage', { target: 'channel:C1' }],
      ['chat.focus', { ttlMs: 1_000 }],
    ] as const) {
      const first = await lead.call(tool, args);
      const rows = await w.deliveries();
      expect(first.ok, tool).toBe(true);
      expect(await lead.call(tool, args), tool).toEqual(first);
      expect(await w.deliveries(), tool).toEqual(rows);
    }
    expect(w.platform.reactions).toHaveLength(1);
  });

  it('a key of the agent’s choosing never meets one of the host’s', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    for (const key of [`react:seen:on::${id}`, `seen:${id}`, `ack-stop:${id}`]) {
      await lead.reply(id, `Said under ${key}`, { idempotencyKey: key });
    }
    await lead.call('chat.react', { inReplyTo: id, signal: 'seen' });
    expect(w.platform.reactions).toMatchObject([{ signal: 'seen', target: { eventId: id } }]);
    expect(w.texts()).toHaveLength(3);
  });
});

describe('the rules', () => {
  it('a fenced turn sends nothing more: fenced', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    await lead.start('t', id);
    await lead.end('t', 'cancelled');
    expect(await unprompted(lead, 'late', { turnId: 't' })).toMatchObject({ error: 'fenced' });
  });

  it('an event the agent never saw cannot be answered: not_found', async () => {
    w = await world({ agents: [{ id: 'lead' }, { id: 'builder', conversations: ['web/w/B1'] }] });
    const lead = await w.harness('lead');
    const builder = await w.harness('builder');
    const id = await w.say('@lead can you check?');
    expect(await lead.reply('never', 'hello')).toMatchObject({ error: 'not_found' });
    expect(await builder.reply(id, 'hello')).toMatchObject({ error: 'not_found' });
    expect(await unprompted(builder, 'hello')).toMatchObject({ error: 'not_found' });
    expect(await unprompted(lead, 'hello', { target: 'channel:nowhere' })).toMatchObject({
      error: 'not_found',
    });
    expect(await unprompted(lead, 'hello', { target: 'agent:nobody' })).toMatchObject({ error: 'not_found' });
    expect(await unprompted(lead, 'hello', { target: 'agent:lead' })).toMatchObject({ error: 'not_found' });
  });

  it('where it has left, also in the threads of the room: left [C2A-06-24/leave/no-arguing]', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const root = await w.say('@lead can you check?');
    const inThread = await w.say('@lead and here?', { in: 'T1', kind: 'thread', parent: 'C1' });
    await w.say('@lead leave');
    expect(await unprompted(lead, 'But I wanted to say')).toMatchObject({ error: 'left' });
    expect(await lead.reply(root, 'But I wanted to say so')).toMatchObject({ error: 'left' });
    expect(await lead.reply(inThread, 'And here')).toMatchObject({ error: 'left' });
    const back = await w.say('@lead come back, can you check?');
    expect((await lead.reply(back, 'Back, and it is fine.')).ok).toBe(true);
  });

  it('what must not be answered: must_not_respond, also when it was only thanks [C2A-06-02/policy/must-not-respond]', async () => {
    w = await world({ agents: [{ id: 'lead' }, { id: 'builder' }] });
    const lead = await w.harness('lead');
    const other = await w.say('@builder can you check?', { by: 'bob' });
    const ambient = await w.say('the weather is fine', { by: 'carl' });
    for (const id of [other, ambient]) {
      expect(await lead.reply(id, 'I think so too.')).toMatchObject({ error: 'must_not_respond' });
    }
  });

  it('somebody else’s claim: claimed_by_other [C2A-06-02/outbound/respect-claims]', async () => {
    w = await world({ agents: [{ id: 'a' }, { id: 'b' }] });
    const [a, b] = [await w.harness('a'), await w.harness('b')];
    await w.say('hi', { by: 'bob' });
    const id = await w.say('can somebody check the deploy?', { by: 'carl' });
    expect((await a.call('chat.claim', { inReplyTo: id })).ok).toBe(true);
    expect(await b.call('chat.claim', { inReplyTo: id })).toMatchObject({
      error: 'claimed_by_other',
      data: { holder: 'agent:a' },
    });
    expect(await b.reply(id, 'I can answer that.')).toMatchObject({ ok: false });
    expect((await a.reply(id, 'It is fine.')).ok).toBe(true);
  });

  it('an ambient question needs a claim first, an ambient remark is opened by one, and neither thanks nor what is for another can be claimed [C2A-06-24/talk/claim-before-reply, C2A-06-02/tools/claim]', async () => {
    w = await world({ agents: [{ id: 'a' }, { id: 'b' }] });
    const a = await w.harness('a');
    await w.say('hi', { by: 'bob' });
    const question = await w.say('can somebody check the deploy?', { by: 'carl' });
    const remark = await w.say('the deploy was fine yesterday', { by: 'carl' });
    const aimed = await w.say('@b can you check the build?', { by: 'carl' });
    const thanks = await w.say('thanks everybody', { by: 'dora' });
    expect(await a.reply(question, 'It is fine.')).toMatchObject({ ok: false });
    const claimed = await a.call('chat.claim', { inReplyTo: question });
    expect(claimed).toMatchObject({ result: { status: 'claimed', event: { eventId: question } } });
    await w.drain();
    expect(a.turns.map(({ eventId }) => eventId)).toEqual([`${question}/claimed`]);
    expect((await a.reply(`${question}/claimed`, 'It is fine.')).ok).toBe(true);
    expect(await a.reply(remark, 'It was.')).toMatchObject({ error: 'must_not_respond' });
    expect(await a.call('chat.claim', { inReplyTo: remark })).toMatchObject({ ok: true });
    expect((await a.reply(remark, 'It was, and the one before too.')).ok).toBe(true);
    for (const id of [aimed, thanks]) {
      expect(await a.call('chat.claim', { inReplyTo: id })).toMatchObject({ error: 'not_claimable' });
      expect(await a.reply(id, 'Let me add something.')).toMatchObject({ error: 'must_not_respond' });
    }
  });

  it('a stale or replaced fencing token: stale_token', async () => {
    w = await world({ agents: [{ id: 'a' }, { id: 'b' }] });
    const [a, b] = [await w.harness('a'), await w.harness('b')];
    await w.say('hi', { by: 'bob' });
    const id = await w.say('can somebody check the deploy?', { by: 'carl' });
    const first = await a.call('chat.claim', { inReplyTo: id, ttlMs: 60_000 });
    const token = first.ok ? Number(first.result['token']) : 0;
    await w.advance(61_000);
    expect(await a.reply(id, 'It is fine.', { token })).toMatchObject({ error: 'stale_token' });
    const second = await b.call('chat.claim', { inReplyTo: id });
    expect(second.ok && second.result['token']).not.toBe(token);
    expect(await a.reply(id, 'It is fine indeed.', { token })).toMatchObject({ ok: false });
    expect(await b.reply(id, 'It is fine here.', { token })).toMatchObject({ error: 'stale_token' });
    expect((await b.reply(id, 'Fine.', { token: second.ok ? second.result['token'] : 0 })).ok).toBe(true);
  });

  it('more than one agent obliged: one_recipient; a debt has one debtor [OBL/1/one-responder]', async () => {
    w = await world({ agents: [{ id: 'lead' }, { id: 'a' }, { id: 'b' }] });
    const lead = await w.harness('lead');
    await w.say('hello there');
    const to = { directedness: 'to_me', mentions: ['agent:a', 'agent:b'] };
    expect(await unprompted(lead, 'Please check the deploy', to)).toMatchObject({ error: 'one_recipient' });
    const obligation = { blocks: 'halted', defaultAction: 'I wait.' };
    expect(await unprompted(lead, 'Is it ready?', { directedness: 'to_me', obligation })).toMatchObject({
      error: 'one_recipient',
    });
    const both = { directedness: 'to_me', obligation, recipient: 'agent:a', mentions: ['agent:b'] };
    expect(await unprompted(lead, 'Is it ready now?', both)).toMatchObject({ error: 'one_recipient' });
    const one = { directedness: 'to_me', obligation, recipient: 'agent:a', mentions: ['agent:a'] };
    expect((await unprompted(lead, 'Is it ready, a?', one)).ok).toBe(true);
  });

  it.each([
    ['thanks', 'Thanks!', 'C2A-06-02/outbound/no-mention-to-thank'],
    ['an acknowledgement', 'Got it', 'C2A-06-02/outbound/no-mention-to-thank'],
    ['status', 'Status: build 17 finished, 3 of 5 done', 'C2A-06-02/outbound/status-is-progress'],
    ['what is for nobody', 'The deploy is on staging since noon.', 'C2A-06-02/outbound/mention-obligates'],
  ])(
    '%s with a mention: mention_without_obligation [C2A-06-02/outbound/no-mention-to-thank, C2A-06-02/outbound/status-is-progress, C2A-06-02/outbound/mention-obligates, C2A-06-02/outbound/deliberate-choice]',
    async (what, text) => {
      w = await world({ agents: [{ id: 'lead' }, { id: 'a' }] });
      const lead = await w.harness('lead');
      await w.say('hello there');
      const directedness = what === 'what is for nobody' ? 'ambient' : 'to_me';
      const refused = await unprompted(lead, text, { mentions: ['agent:a'], directedness });
      expect(refused).toMatchObject({ error: 'mention_without_obligation' });
      expect(!refused.ok && refused.message).toContain(
        what === 'status' ? 'notifications/progress' : 'chat.react',
      );
      expect((await unprompted(lead, text)).ok).toBe(true);
      for (const field of ['visibility', 'directedness']) {
        expect(await unprompted(lead, 'x', { [field]: undefined })).toMatchObject({
          error: 'invalid_params',
        });
      }
    },
  );

  it('the same text over 40 characters within 10 minutes: repeated_text', async () => {
    w = await world();
    const lead = await w.harness('lead');
    await w.say('hello there');
    expect((await unprompted(lead, LONG, { idempotencyKey: '1' })).ok).toBe(true);
    const again = await unprompted(lead, ` ${LONG.toUpperCase()}`, { idempotencyKey: '2' });
    expect(again).toMatchObject({ error: 'repeated_text' });
    expect((await unprompted(lead, 'ok then', { idempotencyKey: '3' })).ok).toBe(true);
    expect((await unprompted(lead, 'ok then', { idempotencyKey: '4' })).ok).toBe(true);
    await w.advance(601_000);
    expect((await unprompted(lead, LONG, { idempotencyKey: '5' })).ok).toBe(true);
  });

  it('unprompted sends have a budget per conversation and hour: budget_spent, and it comes back', async () => {
    w = await world();
    const lead = await w.harness('lead');
    await w.say('hello there');
    await w.say('hello there', { in: 'C2' });
    for (let n = 0; n < 6; n++) {
      expect((await unprompted(lead, `remark ${n}`)).ok).toBe(true);
      await w.advance(60_000);
    }
    const refused = await unprompted(lead, 'remark 7');
    expect(refused).toMatchObject({ error: 'budget_spent', data: { retryAfterMs: 3_600_000 - 360_000 } });
    expect((await unprompted(lead, 'remark 7', { target: 'channel:C2', idempotencyKey: 'c2' })).ok).toBe(
      true,
    );
    const id = await w.say('@lead can you check?');
    expect((await lead.reply(id, 'It is fine.')).ok).toBe(true);
    await lead.start('t', id);
    expect(await unprompted(lead, 'and more', { turnId: 't' })).toMatchObject({ error: 'budget_spent' });
    await w.advance(3_240_001);
    expect((await unprompted(lead, 'remark 8')).ok).toBe(true);
  });

  it('are bounded per agent and conversation: refused with the time to wait, a repeat costs nothing [C2A-06-02/security/rate-limit-out]', async () => {
    w = await world({ settings: { limits: { sendsPerMinute: 6 } } });
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    const keys = ['1', '2', '3', '3', '3', '4'];
    const answers = [];
    for (const key of keys) answers.push(await lead.reply(id, `part ${key}`, { idempotencyKey: key }));
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, true, true, true, false]);
    expect(answers.at(-1)).toMatchObject({
      error: 'rate_limited',
      data: { retryable: true, retryAfterMs: 10_000 },
    });
    expect(await lead.call('chat.react', { inReplyTo: id, signal: 'done' })).toMatchObject({
      error: 'rate_limited',
    });
    await w.advance(10_000);
    expect((await lead.reply(id, 'part 4', { idempotencyKey: '4' })).ok).toBe(true);
    expect(w.texts()).toEqual(['part 1', 'part 2', 'part 3', 'part 4']);
  });

  it('an obligation’s one reply is never refused', async () => {
    w = await world();
    const lead = await w.harness('lead');
    await w.say('@lead leave');
    const id = await w.say('is it ready', {
      more: { recipients: ['lead'], obligation: { blocks: 'halted', defaultAction: 'I wait.' } },
    });
    expect((await lead.reply(id, 'Yes, it is ready.')).ok).toBe(true);
  });
});

describe('a send that needs a person', () => {
  const sensitive = { settings: { sensitive: [{ reason: 'money', words: ['refund'] }] } };
  const waits = 'A person has to approve my answer before I can post it.';

  it('configured as sensitive waits, and is visible once somebody agrees [C2A-06-02/security/shown-before-sensitive-work]', async () => {
    w = await world(sensitive);
    const lead = await w.harness('lead');
    const id = await w.say('@lead give the customer the money back?');
    await lead.start('t', id);
    const asked = await lead.reply(id, 'I will refund it.', { idempotencyKey: 'k', turnId: 't' });
    expect(asked).toMatchObject({ error: 'needs_approval' });
    expect(await lead.reply(id, 'I will refund it.', { idempotencyKey: 'k' })).toEqual(asked);
    await lead.end('t', 'silent');
    expect(lead.turns).toHaveLength(1);
    expect(w.texts()).toEqual([waits]);
    const [item] = await w.inbox();
    expect(item).toMatchObject({ kind: 'approval', detail: { reason: 'money', text: 'I will refund it.' } });
    await approve(w.host.context, String(item?.key), 'human:ada');
    await w.advance(0);
    expect(w.texts()).toEqual([waits, 'I will refund it.']);
    expect(await w.ended(id)).toBe('responded');
    expect(await w.inbox()).toEqual([]);
    expect(await lead.reply(id, 'I will refund it.', { idempotencyKey: 'k' })).toMatchObject({
      result: { status: 'sent', replayed: true },
    });
  });

  it('declined by the person is never shown, and the same call hears so', async () => {
    w = await world(sensitive);
    const lead = await w.harness('lead');
    const id = await w.say('@lead give the customer the money back?');
    await lead.reply(id, 'I will refund it.', { idempotencyKey: 'k' });
    await decline(w.host, String((await w.inbox())[0]?.key), 'human:ada');
    await w.advance(10_000);
    expect(w.texts()).toEqual([waits]);
    expect(await lead.reply(id, 'I will refund it.', { idempotencyKey: 'k' })).toMatchObject({
      ok: false,
      error: 'declined',
    });
  });

  it('lapses while the host is away, and its question is asked once, although its own time is over too', async () => {
    const limits = { approvalMs: 60_000, lapseMs: 60_000, awayMs: 0 };
    w = await world({ settings: { ...sensitive.settings, limits } });
    const lead = await w.harness('lead');
    const id = await w.say('@lead give the customer the money back?');
    await lead.reply(id, 'I will refund it.');
    lead.close();
    await w.crash(300_000);
    const again = await w.harness('lead');
    await w.advance(0);
    expect(again.turns.map(({ refersTo, notShown }) => [refersTo, notShown?.why])).toEqual([[id, 'lapsed']]);
    const asked = String(again.turns[0]?.eventId);
    await again.start('t1', asked);
    expect((await again.reply(asked, 'Nobody agreed to that.', { turnId: 't1' })).ok).toBe(true);
    await again.end('t1', 'answered');
    await w.advance(600_000);
    expect(again.turns).toHaveLength(1);
    expect(w.texts()).toEqual([waits, 'Nobody agreed to that.']);
  });

  it('lapses after a restart of the host, and what was declined before one is told after it', async () => {
    w = await world({
      settings: { ...sensitive.settings, limits: { approvalMs: 60_000, awayMs: 0 } },
    });
    const lead = await w.harness('lead');
    const first = await w.say('@lead give the customer the money back?');
    const second = await w.say('@lead and this one?', { in: 'C2' });
    await lead.reply(first, 'I will refund it.');
    await lead.reply(second, 'I will refund that.');
    const [item] = await w.inbox();
    lead.close();
    await decline(w.host, String(item?.key), 'human:ada', 'Too late.');
    await w.crash();
    await w.advance(60_000);
    const again = await w.harness('lead');
    await w.advance(0);
    const told = again.turns.map(({ refersTo, notShown }) => [refersTo, notShown?.why, notShown?.reason]);
    expect(told).toEqual([
      [first, 'declined', 'Too late.'],
      [second, 'lapsed', undefined],
    ]);
    expect(await w.inbox()).toEqual([]);
    expect(w.texts()).toEqual([waits, waits]);
  });

  it('is given up with its approval when the agent is told to stop', async () => {
    w = await world(sensitive);
    const lead = await w.harness('lead');
    const id = await w.say('@lead give the customer the money back?');
    await lead.reply(id, 'I will refund it.', { idempotencyKey: 'k' });
    await w.say('@lead stop');
    await w.advance(0);
    expect(await w.inbox()).toEqual([]);
    expect(await lead.reply(id, 'I will refund it.', { idempotencyKey: 'k' })).toMatchObject({
      error: 'fenced',
    });
  });

  it('quoting a private conversation elsewhere waits, named or not [C2A-06-02/security/shown-before-private-content]', async () => {
    w = await world();
    const lead = await w.harness('lead');
    await w.say('hello there');
    const secret = await w.say('can you plan my surprise?', { in: 'D1', kind: 'dm' });
    const here = { target: 'channel:C1', visibility: 'channel' };
    expect(await lead.reply(secret, 'Ada plans a surprise', here)).toMatchObject({ error: 'needs_approval' });
    await lead.start('t', secret);
    expect(await unprompted(lead, 'Somebody plans a surprise', { turnId: 't' })).toMatchObject({
      error: 'needs_approval',
    });
    expect((await lead.reply(secret, 'With pleasure.', { turnId: 't' })).ok).toBe(true);
    expect(w.texts()).toEqual([waits, 'With pleasure.']);
  });
});

describe('posting', () => {
  it('retries what may succeed with the same key and body, with back-off [C2A-06-02/outbound-retry/transient-failures, C2A-06-02/outbound-retry/same-key-and-body]', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    w.platform.script = ['retry', 'retry', 'retry'];
    const call = lead.reply(id, 'It is fine.');
    await w.advance(10_000);
    expect(await call).toMatchObject({ ok: true, result: { status: 'sent' } });
    expect(w.platform.posts).toHaveLength(4);
    expect(new Set(w.platform.posts.map((post) => JSON.stringify(post))).size).toBe(1);
    expect(w.texts()).toEqual(['It is fine.']);
  });

  it('answers pending when the platform takes long, and the same call later hears sent', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    w.platform.script = [20_000];
    const call = lead.reply(id, 'It is fine.', { idempotencyKey: 'k' });
    await w.advance(5_000);
    expect(await call).toMatchObject({ result: { status: 'pending' } });
    await w.advance(16_000);
    expect(await lead.reply(id, 'It is fine.', { idempotencyKey: 'k' })).toMatchObject({
      result: { status: 'sent', replayed: true },
    });
    expect(w.texts()).toHaveLength(1);
  });

  it.each([
    ['it had arrived', 'unknown_shown', 0],
    ['it had not', 'unknown_lost', 1],
    ['the adapter failed', 'throw', 1],
    ['no answer ever came', 'hang', 1],
  ] as const)(
    'unknown after send is asked about before any retry: %s, never two visible [C2A-06-02/outbound-retry/no-second-message]',
    async (_what, step, posted) => {
      w = await world();
      const lead = await w.harness('lead');
      const id = await w.say('@lead can you check?');
      w.platform.script = [step];
      const call = lead.reply(id, 'It is fine.');
      await w.advance(60_000);
      await call;
      expect(w.platform.finds.length).toBeGreaterThan(0);
      expect(w.platform.posts).toHaveLength(1 + posted);
      expect(w.texts()).toEqual(['It is fine.']);
      const [row] = await w.outbox();
      expect(row?.state).toBe('visible');
    },
  );

  it('while nobody knows it is neither posted again nor given up', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    w.platform.script = ['unknown_shown'];
    w.platform.findKnows = false;
    const call = lead.reply(id, 'It is fine.');
    await w.advance(3_600_000);
    await call;
    expect(w.platform.posts).toHaveLength(1);
    expect(w.platform.finds.length).toBeGreaterThan(12);
    expect(w.platform.finds.length).toBeLessThan(100);
    expect((await w.outbox())[0]?.state).toBe('unknown');
    w.platform.findKnows = true;
    await w.advance(61_000);
    expect((await w.outbox())[0]?.state).toBe('visible');
    expect(w.texts()).toHaveLength(1);
  });

  it('for good failed is the tool’s result and a knock that it was not delivered; only then another answer [C2A-06-02/outbound-retry/permanent-failures, C2A-06-02/model-retry/unless-never-delivered]', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    w.platform.script = ['refused'];
    const failed = await lead.reply(id, 'It is fine.', { idempotencyKey: 'k' });
    expect(failed).toMatchObject({ ok: false, error: 'not_delivered', data: { retryable: false } });
    expect(!failed.ok && failed.message).toContain('archived');
    await w.advance(10_000);
    const knock = lead.turns.at(-1);
    expect(knock).toMatchObject({
      refersTo: id,
      injection: { mode: 'notify' },
      attention: { policy: 'must_respond', notices: ['undelivered'] },
    });
    expect((await lead.reply(String(knock?.eventId), 'Answered elsewhere.')).ok).toBe(true);
    expect(await w.ended(String(knock?.eventId))).toBe('responded');
    expect(await lead.reply(id, 'It is fine.', { idempotencyKey: 'k' })).toMatchObject({
      error: 'not_delivered',
    });
    expect(w.texts()).toEqual(['Answered elsewhere.']);
  });

  it('is given up after the attempts, out loud', async () => {
    w = await world({ settings: { limits: { sendAttempts: 3 } } });
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    w.platform.script = ['retry', 'retry', 'retry', 'retry', 'retry'];
    const call = lead.reply(id, 'It is fine.');
    await w.advance(60_000);
    expect((await call).ok).toBe(false);
    expect(w.platform.posts).toHaveLength(3);
    expect(lead.turns.at(-1)?.attention.notices).toContain('undelivered');
  });

  it('keeps the order in which an agent spoke, also when the first has to be tried again', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    w.platform.script = ['retry', 'retry'];
    const calls = [lead.reply(id, 'one'), lead.reply(id, 'two'), lead.reply(id, 'three')];
    await w.advance(10_000);
    await Promise.all(calls);
    expect(w.texts()).toEqual(['one', 'two', 'three']);
  });

  it('names the message it answers to the platform, so that others may speak in between [TC/observe/quote-anchor]', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    await w.say('I had pizza', { by: 'bob' });
    await w.edit(id, '@lead can you check twice?');
    await lead.reply(`${id}/edit-2`, 'It is fine.');
    expect(w.platform.posts).toMatchObject([{ text: 'It is fine.', replyTo: { platformId: id } }]);
  });

  it('one slow platform delays no deadline and no other conversation', async () => {
    w = await world({ agents: [{ id: 'lead' }, { id: 'builder' }] });
    const [lead, builder] = [await w.harness('lead'), await w.harness('builder')];
    const slow = await w.say('@lead can you check?');
    const asked = await w.say('@builder can you build?', { in: 'C2' });
    w.platform.script = ['hang'];
    const call = lead.reply(slow, 'It is fine.');
    await w.advance(100);
    expect((await builder.reply(asked, 'Built.')).ok).toBe(true);
    const waiting = await w.say('@builder and this?', { in: 'C3' });
    await w.advance(29_000);
    await builder.call('chat.defer', { inReplyTo: waiting, reason: 'x', ttlMs: 500 });
    await w.advance(800);
    expect(builder.turns.map(({ refersTo }) => refersTo)).toContain(waiting);
    await w.advance(10_000);
    await call;
  });

  it('a crash between post and commit shows no second message', async () => {
    w = await world();
    const lead = await w.harness('lead');
    const id = await w.say('@lead can you check?');
    const died = Promise.withResolvers<void>();
    w.platform.onPost = () => died.resolve();
    w.platform.script = ['visible'];
    void lead.reply(id, 'It is fine.', { idempotencyKey: 'k' });
    await died.promise;
    // Shown, and nothing of it stored but that it was being sent.
    w.platform.onPost = undefined;
    await w.crash();
    await w.advance(5_000);
    expect(w.texts()).toEqual(['It is fine.']);
    expect(w.platform.finds).toHaveLength(1);
    const again = await w.harness('lead');
    expect(await again.reply(id, 'It is fine.', { idempotencyKey: 'k' })).toMatchObject({
      result: { status: 'sent', replayed: true },
    });
    expect(w.texts()).toEqual(['It is fine.']);
    expect((await w.logged('message')).map(({ author }) => author)).toEqual(['human:ada', 'agent:lead']);
  });

  it('what agents say to each other is delivered wherever they are bound, and to nobody else', async () => {
    w = await world({ agents: ['a', 'b', 'c'].map((id) => ({ id, conversations: [`web/w/${id}`] })) });
    const [a, b, c] = [await w.harness('a'), await w.harness('b'), await w.harness('c')];
    await w.say('hello', { in: 'a' });
    const sent = await a.call('chat.send_message', {
      target: 'agent:b',
      text: 'Can you check the deploy?',
      visibility: 'dm',
      directedness: 'to_me',
      idempotencyKey: 'k',
    });
    expect(sent.ok).toBe(true);
    await w.drain();
    expect(b.turns).toMatchObject([{ conversation: { kind: 'dm' }, attention: { policy: 'must_respond' } }]);
    expect(c.got).toEqual([]);
    const listed = await c.call('chat.list_events', {});
    expect(listed).toMatchObject({ result: { events: [] } });
    const answer = await b.reply(String(b.turns[0]?.eventId), 'It is fine.', {
      target: 'agent:a',
      visibility: 'dm',
    });
    expect(answer.ok).toBe(true);
    await w.drain();
    expect(a.got.map(({ author }) => author?.id)).toEqual(['b']);
  });
});
