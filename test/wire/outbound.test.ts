// What agents say to each other and to people, on the wire: whom a send obliges, what is refused and why, who may speak
// where a claim is held or the agent has left, and what the platform then shows.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resultIn } from './debt-cast.ts';
import { type RoomHost, roomHost, type WireRoom } from './room.ts';
import type { ToolResult, WireHarness } from './ways.ts';

let host: RoomHost;
beforeAll(async () => {
  host = await roomHost({
    agents: [
      { id: 'lead' },
      { id: 'nova', lead: 'lead', roles: ['ops'], owns: { conversations: ['own-thread'] } },
      { id: 'otto', lead: 'lead', roles: ['ops'] },
    ],
    host: { limits: { sendsPerMinute: 10_000, unpromptedPerHour: 1_000 } },
    finished: afterAll,
  });
});

function agent(id: string): WireHarness {
  const found = host.agents.get(id);
  if (found === undefined) throw new Error(`${id} is not connected`);
  return found;
}

let keys = 0;

function send(
  from: string,
  r: WireRoom,
  text: string,
  more: Record<string, unknown> = {},
): Promise<ToolResult> {
  return agent(from).tool('chat.send_message', {
    target: r.target,
    text,
    visibility: r.target.startsWith('thread:') ? 'thread' : 'channel',
    directedness: 'to_me',
    idempotencyKey: `outbound-${++keys}`,
    ...more,
  });
}

async function crowd(): Promise<WireRoom> {
  const r = host.room();
  await r.say('ann', 'morning');
  await r.say('ben', 'morning all');
  return r;
}

/** What was decided about a send for another agent. */
async function toldOf(answer: ToolResult, to: string) {
  const { decision } = await host.wire.why(String(resultIn(answer)['eventId']), to);
  return decision;
}

describe('what a send means to its readers', () => {
  it('a mention obliges the one it names, and one agent at most, however many it names [C2A-06-02/outbound/one-agent-acts, C2A-06-02/outbound/one-responder, C2A-06-24/talk/mention-obliges, C2A-06-24/talk/one-responder]', async () => {
    const r = await crowd();
    const one = await send('lead', r, 'Can you restart the worker?', {
      recipient: 'agent:nova',
      mentions: ['agent:nova'],
    });
    expect(await toldOf(one, 'nova')).toMatchObject({
      directedness: 'to_me',
      policy: 'must_respond',
      mode: 'buffered',
    });
    expect(await toldOf(one, 'otto')).toMatchObject({ policy: 'must_not_respond' });
    const several = await send('lead', r, 'Can one of you look at the queue?', {
      mentions: ['agent:nova', 'agent:otto'],
    });
    expect(several).toMatchObject({ ok: false, name: 'one_recipient' });
    // An agent of somebody else is not refused. Its message obliges the first that it names.
    const foreign = await r.say('agent:robo', '@nova @otto can one of you look?', {
      mentions: ['nova', 'otto'],
    });
    expect([(await foreign.of('nova')).policy, (await foreign.of('otto')).policy]).toEqual([
      'must_respond',
      'may_respond',
    ]);
    const turned = await r.say('agent:robo', '@otto @nova can one of you look?', {
      mentions: ['otto', 'nova'],
    });
    expect([(await turned.of('nova')).policy, (await turned.of('otto')).policy]).toEqual([
      'may_respond',
      'must_respond',
    ]);
    const broadcast = await r.say('agent:robo', 'can somebody look?', { mentions: ['@here'] });
    for (const id of ['lead', 'nova', 'otto'])
      expect((await broadcast.of(id)).policy).not.toBe('must_respond');
  });

  it('a role mention offers, a post without mention and a declared ambient oblige nobody [C2A-06-02/outbound/offer-to-a-role, C2A-06-02/outbound/share-context, C2A-06-24/talk/no-mention-obliges-nobody, C2A-06-02/outbound/carries-directedness, C2A-06-02/outbound/directedness-inherited]', async () => {
    const r = await crowd();
    const offer = await send('lead', r, 'Can somebody take the release?', {
      mentions: ['role:ops'],
      directedness: 'to_my_role',
    });
    for (const id of ['nova', 'otto'])
      expect(await toldOf(offer, id)).toMatchObject({
        directedness: 'to_my_role',
        policy: 'may_respond',
        mode: 'notify',
      });
    const plain = await send('lead', r, 'The release went out at nine.', { directedness: 'ambient' });
    for (const id of ['nova', 'otto'])
      expect(await toldOf(plain, id)).toMatchObject({ policy: 'must_not_respond' });
    // What its author meant is part of the event, and lowers what the words alone would ask.
    const asked = await r.say('agent:robo', '@nova can you look?');
    expect((await asked.of('nova')).directedness).toBe('to_me');
    const meant = await r.say('agent:robo', '@nova can you look?', {
      more: { target: { directedness: 'ambient' } },
    });
    expect((await meant.of('nova')).policy).toBe('must_not_respond');
  });

  it('progress is a notification and asks nobody; chatter in worker threads does not reach the lead [C2A-06-02/outbound/report-progress, C2A-06-02/progress/not-chat, C2A-06-02/claims/worker-chatter]', async () => {
    const r = await crowd();
    const task = await r.say('ann', '@nova can you build it?');
    await task.of('nova');
    await agent('nova').notify('notifications/progress', {
      progressToken: 'b',
      progress: 2,
      total: 5,
      eventId: task.eventId,
    });
    await r.wait(1_000);
    const { body } = await host.wire.call(
      'GET',
      `/v1/log?conversation=${r.id}&type=progress`,
      await host.wire.token('operator', 'ops'),
    );
    const [report] = body['log'] as { eventId: string; decisions: { policy: string; mode: string }[] }[];
    expect(report?.decisions.length).toBeGreaterThan(0);
    for (const decision of report?.decisions ?? [])
      expect(decision).toMatchObject({ policy: 'must_not_respond', mode: 'digest', directedness: 'ambient' });
    const thread = r.thread();
    const first = await thread.say('ann', '@nova and the tests?');
    await first.of('nova');
    await thread.say('nova', 'I run them with otto.', { inReplyTo: first });
    const chatter = await thread.say('otto', 'Which ones do you take?', {
      more: { recipient: 'agent:nova' },
    });
    expect((await chatter.of('lead')).seen).toBeUndefined();
  });
});

describe('what is refused, with what to do instead', () => {
  it.each([
    ['thanks', 'Thanks!', /chat.react|reaction/i],
    ['an acknowledgement', 'Got it', /chat.react|reaction/i],
    ['status', 'Status: build 17 finished, 3 of 5 done', /progress/i],
    ['what is for nobody', 'The deploy is on staging since noon.', /mention/i],
  ])(
    '%s with a mention [C2A-06-02/outbound/no-mention-to-thank, C2A-06-02/outbound/status-is-progress, C2A-06-02/outbound/mention-obligates]',
    async (_what, text, instead) => {
      const r = await crowd();
      const directedness = text.startsWith('The') ? 'ambient' : 'to_me';
      const answer = await send('lead', r, text, { mentions: ['agent:nova'], directedness });
      expect(answer).toMatchObject({
        ok: false,
        name: 'mention_without_obligation',
        message: expect.stringMatching(instead),
      });
    },
  );

  it('a send without target, visibility, directedness or key [C2A-06-02/send/target, C2A-06-02/send/visibility, C2A-06-02/send/directedness, C2A-06-02/send/idempotency-key, C2A-06-02/outbound/deliberate-choice]', async () => {
    const r = await crowd();
    const whole = {
      target: r.target,
      text: 'Hello.',
      visibility: 'channel',
      directedness: 'ambient',
      idempotencyKey: 'whole',
    };
    for (const field of ['target', 'visibility', 'directedness', 'idempotencyKey']) {
      const answer = await agent('lead').tool('chat.send_message', { ...whole, [field]: undefined });
      expect([field, answer]).toMatchObject([
        field,
        { ok: false, name: 'invalid_params', message: expect.stringContaining(field) },
      ]);
    }
    expect(
      await agent('lead').tool('chat.send_message', { ...whole, visibility: 'everybody' }),
    ).toMatchObject({ ok: false });
    expect(await agent('lead').tool('chat.send_message', whole)).toMatchObject({ ok: true });
  });

  it('an answer to what must not be answered, to ack_only in substance, and to what another holds or nobody has claimed [C2A-06-02/policy/must-not-respond, C2A-06-02/policy/ack-only, C2A-06-02/outbound/respect-claims, C2A-06-02/claims/owned-by-other, C2A-06-02/claims/claim-before-reply, C2A-06-02/quiet/claimed-by-other, C2A-06-24/talk/claim-before-reply, C2A-06-24/talk/claimed-stay-out, C2A-06-02/tools/claim]', async () => {
    const r = await crowd();
    const others = await r.say('ann', 'ben, can you look?', { mentions: ['ben'] });
    const thanks = await r.say('ann', '@lead thanks!');
    for (const said of [others, thanks])
      expect(
        await send('lead', r, 'I have looked at it and it is fine.', { inReplyTo: said.eventId }),
      ).toMatchObject({
        ok: false,
        name: 'must_not_respond',
      });
    const open = await r.say('ann', 'can somebody look at the build?');
    const answer = (from: string) => send(from, r, 'The disk was full.', { inReplyTo: open.eventId });
    expect(await answer('nova')).toMatchObject({ ok: false, message: expect.stringMatching(/claim/) });
    const claim = (from: string) => agent(from).tool('chat.claim', { inReplyTo: open.eventId });
    const granted = resultIn(await claim('nova'));
    expect(granted).toMatchObject({ status: 'claimed', token: expect.any(Number) });
    // Who tried to claim in vain may not answer either.
    expect(await claim('otto')).toMatchObject({ ok: false, name: 'claimed_by_other' });
    expect(await answer('otto')).toMatchObject({ ok: false, name: 'claimed_by_other' });
    const follow = await r.say('ann', 'it is about the build again', { replyTo: open });
    expect((await follow.of('otto')).policy).toBe('must_not_respond');
    expect(
      await send('nova', r, 'The disk was full.', { inReplyTo: open.eventId, token: granted['token'] }),
    ).toMatchObject({ ok: true });
  });

  it('a claim ends with its time, and the event is free again [C2A-06-02/claims/ttl]', async () => {
    const r = await crowd();
    const open = await r.say('ann', 'can somebody look at the build?');
    const claim = (from: string) =>
      agent(from).tool('chat.claim', { inReplyTo: open.eventId, ttlMs: 60_000 });
    expect(await claim('nova')).toMatchObject({ ok: true });
    await r.wait(59_000);
    expect(await claim('otto')).toMatchObject({ ok: false, name: 'claimed_by_other' });
    await r.wait(2_000);
    expect(await claim('otto')).toMatchObject({ ok: true, result: { status: 'claimed' } });
  });
});

describe('where it goes', () => {
  it('a channel post, a thread reply, a mention and a reaction appear as such on the platform [C2A-06-02/outbound/rendered-by-the-host, C2A-06-02/tools/send-message, C2A-06-02/send/in-reply-to]', async () => {
    const r = await crowd();
    const thread = r.thread();
    const asked = await thread.say('ann', '@lead is it up?');
    await asked.of('lead');
    resultIn(await send('lead', thread, 'It is.', { inReplyTo: asked.eventId }));
    resultIn(
      await send('lead', r, 'Can you take the release?', {
        recipient: 'agent:nova',
        mentions: ['agent:nova'],
      }),
    );
    resultIn(await agent('lead').tool('chat.react', { inReplyTo: asked.eventId, signal: 'agree' }));
    const here = host.wire.platform.shown.filter(({ place }) =>
      [r.id, thread.id].includes(place?.conversationId ?? ''),
    );
    expect(here).toMatchObject([
      {
        type: 'message',
        text: 'It is.',
        visibility: 'thread',
        replyTo: asked.eventId,
        place: { conversationId: thread.id, parentId: r.id },
      },
      { type: 'message', text: 'Can you take the release?', visibility: 'channel', mentions: ['agent:nova'] },
      { type: 'reaction', signal: 'agree', glyph: '👍', targetEventId: asked.eventId },
    ]);
  });

  it('a mention of the whole channel wakes at most one default responder [C2A-06-02/claims/one-default-responder]', async () => {
    const own = await roomHost({
      agents: [{ id: 'nova' }, { id: 'otto' }, { id: 'iris' }],
      attention: { conversations: [{ match: '*', defaultResponder: 'otto' }] },
    });
    const r = own.room();
    await r.say('ann', 'morning');
    await r.say('ben', 'morning all');
    const said = await r.say('ann', 'can somebody restart the worker?', { mentions: ['@channel'] });
    const woken: string[] = [];
    for (const id of ['nova', 'otto', 'iris']) if ((await said.of(id)).seen !== undefined) woken.push(id);
    expect(woken.length).toBeLessThanOrEqual(1);
    // A mention of one of them wakes that one, so the rule is about the channel and not about the host.
    expect((await (await r.say('ann', '@iris can you?')).of('iris')).seen).toBeDefined();
  });

  it('work that a worker does not answer goes to its lead by DM-like knock, to nobody else [C2A-06-02/claims/lead-by-dm, C2A-06-02/stale/escalates-to-one, C2A-06-02/stale/no-broadcast]', async () => {
    const r = await crowd();
    const asked = await r.say('ann', '@nova is it up?');
    await asked.of('nova');
    resultIn(await agent('nova').tool('chat.react', { inReplyTo: asked.eventId, signal: 'declined' }));
    const told = await agent('lead').next(({ eventId }) => eventId === `${asked.eventId}/escalated-nova`);
    expect(told).toMatchObject({
      policy: 'must_respond',
      mode: 'notify',
      raw: { recipients: ['agent:lead'] },
    });
    await r.wait(60_000);
    expect(agent('otto').seen.some(({ eventId }) => eventId.startsWith(asked.eventId))).toBe(false);
  });
});

describe('leaving', () => {
  it('a channel and a thread are left when asked, with one brief line and no turn; talk and replies there call for nothing; a mention brings the agent back [C2A-06-24/leave/channel-on-request, C2A-06-24/leave/thread-on-request, C2A-06-24/leave/acknowledged-once, C2A-06-24/leave/one-acknowledgement, C2A-06-24/leave/stays-out, C2A-06-24/leave/returns-on-mention, C2A-06-24/leave/no-arguing]', async () => {
    for (const r of [await crowd(), (await crowd()).thread()]) {
      const asked = await r.say('ann', '@lead is it up?');
      await asked.of('lead');
      const ours = await r.say('lead', 'It is.', { inReplyTo: asked });
      const request = await r.say('ann', '@lead please leave this channel');
      expect(await request.of('lead')).toMatchObject({ policy: 'ack_only', seen: undefined });
      await r.wait(3_000);
      const said = host.wire.platform.shown.filter(
        ({ type, place }) => type === 'message' && place?.conversationId === r.id,
      );
      expect(said.map(({ text }) => text).slice(1)).toEqual([expect.stringMatching(/^.{5,120}$/)]);
      for (const text of ['and how is the weather?', 'what do you think?'])
        expect(await (await r.say('ann', text)).of('lead')).toMatchObject({
          policy: 'must_not_respond',
          seen: undefined,
        });
      expect(await (await r.say('ben', 'really?', { replyTo: ours })).of('lead')).toMatchObject({
        seen: undefined,
      });
      expect(await send('lead', r, 'But I like it here.')).toMatchObject({ ok: false, name: 'left' });
      const called = await r.say('ann', '@lead come back, is it up?');
      expect(await called.of('lead')).toMatchObject({ policy: 'must_respond', mode: 'buffered' });
      expect(await send('lead', r, 'I am back.', { inReplyTo: called.eventId })).toMatchObject({ ok: true });
    }
  });
});

describe('two agents that only repeat themselves', () => {
  it('are stopped, and a person is told once [C2A-06-24/loops/stops-without-convergence, C2A-06-24/loops/escalates-once, C2A-06-24/loops/escalates-to-a-human]', async () => {
    const own = await roomHost({ agents: [{ id: 'nova' }, { id: 'otto' }] });
    const { wire } = own;
    const partner = { nova: 'otto', otto: 'nova' } as const;
    let from: keyof typeof partner = 'nova';
    let answers: string | undefined;
    let stoppedAt: number | undefined;
    for (let n = 0; n < 24; n++) {
      const sent = await own.agents.get(from)?.tool('chat.send_message', {
        target: `agent:${partner[from]}`,
        text: 'No, could you go first?',
        visibility: 'dm',
        directedness: 'to_me',
        idempotencyKey: `loop-${n}`,
        ...(answers === undefined ? {} : { inReplyTo: answers }),
      });
      await wire.pass(2_000, 1_000);
      if (sent?.ok !== true) break;
      const eventId = String(sent.result['eventId']);
      const { decision } = await wire.why(eventId, partner[from]);
      if (decision?.reason === 'loop_stopped') stoppedAt ??= n;
      answers = eventId;
      from = partner[from];
    }
    expect(stoppedAt).toBeLessThanOrEqual(12);
    const { body } = await wire.call('GET', '/v1/inbox', await wire.token('operator', 'ops'));
    const told = (body['inbox'] as { kind: string; agents: string[] }[]).filter(
      ({ kind }) => kind === 'loop_stopped',
    );
    expect(told.map(({ agents }) => agents.toSorted())).toEqual([['nova', 'otto']]);
  });
});
