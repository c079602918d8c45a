// The default matrix on the wire: whom a message is for, whether it is to be answered, and how much of it the model sees.
// Every line is read as the host explains it and as the harness got it (room.ts).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../src/agent/index.ts';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { resultIn } from './debt-cast.ts';
import { until } from './host.ts';
import { type RoomHost, type RoomOptions, roomHost, type Said, type Told, type WireRoom } from './room.ts';
import { scriptedHost } from './scripted-host.ts';
import { hostWith } from './ways.ts';

let host: RoomHost;
beforeAll(async () => {
  host = await roomHost({
    agents: [
      { id: 'nova', roles: ['ops'], owns: { conversations: ['own-thread'], streams: ['own-stream'] } },
      { id: 'otto', roles: ['ops'] },
      { id: 'iris', conversations: ['*/bound/*'] },
    ],
    finished: afterAll,
  });
});

/** Two people have spoken, and nobody's exchange is with an agent. */
async function crowd(options: RoomOptions = {}): Promise<WireRoom> {
  const r = host.room(options);
  await r.say('ann', 'morning');
  await r.say('ben', 'morning all');
  return r;
}

/** Nova has spoken in the thread, then otto: what follows is for neither in particular. */
async function joined(): Promise<WireRoom> {
  const thread = (await crowd()).thread();
  for (const agent of ['nova', 'otto']) {
    const asked = await thread.say('ann', `@${agent} are you there?`);
    await asked.of(agent);
    await thread.say(agent, 'I am.', { inReplyTo: asked });
  }
  return thread;
}

async function toldTo(said: Said | Promise<Said>, agent = 'nova'): Promise<Told> {
  return (await said).of(agent);
}

describe('what is for me', () => {
  it('a DM is to_me, must_respond, buffered, from a person and from an agent [C2A-06-02/matrix/dm, C2A-06-02/directedness/to-me-dm, C2A-06-02/respond/dm-with-must-respond, C2A-06-24/respond/dm-from-human, C2A-06-24/respond/dm-from-agent]', async () => {
    const dm = host.room({ kind: 'dm', workspaceId: 'dm1', membership: { humans: 1 } });
    expect(await toldTo(dm.say('ann', '@nova can you look at the build?'))).toMatchObject({
      directedness: 'to_me',
      policy: 'must_respond',
      mode: 'buffered',
    });
    const { agents } = host;
    const sent = await agents.get('otto')?.tool('chat.send_message', {
      target: 'agent:nova',
      text: 'Can you take the release?',
      visibility: 'dm',
      directedness: 'to_me',
      idempotencyKey: 'dm-from-agent',
    });
    const eventId = sent === undefined ? '' : String(resultIn(sent)['eventId']);
    expect(await agents.get('nova')?.next((seen) => seen.eventId === eventId)).toMatchObject({
      policy: 'must_respond',
      mode: 'buffered',
      reason: 'direct_message',
    });
  });

  it('a resolved mention is to_me, must_respond, buffered with the thread as context, for the one it resolves to [C2A-06-02/matrix/direct-mention, C2A-06-02/directedness/from-mentions, C2A-06-02/directedness/to-me-mention, C2A-06-02/directedness/to-me-default, C2A-06-02/respond/mentioned, C2A-06-24/respond/mentioned-by-name, C2A-06-02/matrix/to-other-agent, C2A-06-02/quiet/other-recipient, C2A-06-02/directedness/to-other-agent, C2A-06-24/quiet/other-agent]', async () => {
    const r = await crowd();
    const said = await r.say('ann', '@nova is the deploy blocked?');
    const mine = await toldTo(said);
    expect(mine).toMatchObject({
      directedness: 'to_me',
      policy: 'must_respond',
      mode: 'buffered',
      reason: 'mention',
    });
    expect(mine.seen?.raw['injection']).toMatchObject({ context: 'thread_window', role: 'user' });
    expect(await toldTo(said, 'otto')).toMatchObject({
      directedness: 'to_other',
      policy: 'must_not_respond',
      mode: 'tool_mailbox',
    });
  });

  it('work assigned by the platform, or sent to me as its one recipient, obliges me [C2A-06-02/matrix/assignment, C2A-06-02/directedness/from-recipients, C2A-06-02/respond/assigned, C2A-06-24/respond/assigned]', async () => {
    const r = await crowd();
    for (const subtype of ['assigned', 'review_requested']) {
      const said = await r.say('ann', 'pull request 4101', { more: { subtype, recipients: ['agent:nova'] } });
      expect([subtype, await toldTo(said)]).toMatchObject([
        subtype,
        { directedness: 'to_me', policy: 'must_respond', reason: 'assignment' },
      ]);
      expect((await toldTo(said, 'otto')).policy).toBe('must_not_respond');
    }
  });

  it('a direct question in a thread where I spoke last obliges me, a blocker and an approval too [C2A-06-02/matrix/thread-question, C2A-06-02/matrix/blocker, C2A-06-02/matrix/approval, C2A-06-02/immediate/approval, C2A-06-02/respond/thread-question, C2A-06-24/respond/thread-question]', async () => {
    const thread = (await crowd()).thread();
    const asked = await thread.say('ann', '@nova shall we ship?');
    await asked.of('nova');
    await thread.say('nova', 'Shall I go ahead?', { inReplyTo: asked });
    expect(await toldTo(thread.say('ben', 'what is still missing?'))).toMatchObject({
      directedness: 'to_me',
      policy: 'must_respond',
      reason: 'thread_question',
    });
    const again = await thread.say('ann', '@nova well?');
    await again.of('nova');
    await thread.say('nova', 'May I deploy now?', { inReplyTo: again });
    expect(await toldTo(thread.say('ann', 'yes, go ahead'))).toMatchObject({
      directedness: 'to_me',
      policy: 'must_respond',
      intent: 'approval',
    });
    expect(await toldTo(thread.say('ben', "@nova I'm blocked, the migration fails"))).toMatchObject({
      directedness: 'to_me',
      policy: 'must_respond',
    });
  });

  it('what is urgent, about safety or a cancellation is immediate and of priority urgent, all else is normal [C2A-06-02/immediate/urgent-mention, C2A-06-02/immediate/safety, C2A-06-02/immediate/cancellation, C2A-06-02/immediate/urgent-priority, C2A-06-02/buffered/normal-dm-and-mention, C2A-06-24/mode/immediate, C2A-06-24/mode/buffered]', async () => {
    const r = await crowd();
    for (const text of [
      '@nova URGENT: production is down!',
      '@nova there is a security incident, we are being attacked',
      '@nova cancel that please',
    ]) {
      const told = await toldTo(r.say('ann', text));
      expect([text, told.policy, told.mode]).toEqual([text, 'must_respond', 'immediate']);
      expect(told.seen?.raw['attention']).toMatchObject({ priority: 'urgent' });
    }
    const plain = await toldTo(r.say('ann', '@nova is the deploy blocked?'));
    expect([plain.mode, plain.seen?.raw['attention']]).toMatchObject(['buffered', { priority: 'normal' }]);
  });
});

describe('what is for my role', () => {
  it('a role mention is a knock, may_respond after a claim, offered to one; who claims gets the event in full, buffered, nobody else does [C2A-06-02/matrix/role-mention, C2A-06-02/matrix/role-mention-claimant, C2A-06-02/directedness/to-my-role-role-mention, C2A-06-02/directedness/to-my-role-default, C2A-06-02/notify/default-for-role-mentions, C2A-06-02/claims/role-one-or-claim, C2A-06-02/minimal/8-claiming, C2A-06-24/mode/notify]', async () => {
    const r = await crowd();
    const said = await r.say('ann', 'can one of you restart the worker?', { mentions: ['role:ops'] });
    const find = (agent: string) =>
      host.agents.get(agent)?.seen.find(({ eventId }) => eventId === said.eventId);
    const seen = await until(() => find('nova') ?? find('otto'), 'the offer');
    const offered = find('nova') === undefined ? 'otto' : 'nova';
    const other = offered === 'nova' ? 'otto' : 'nova';
    expect(seen).toMatchObject({
      directedness: 'to_my_role',
      policy: 'may_respond',
      mode: 'notify',
      text: '',
      notices: ['claim_first'],
    });
    expect(host.agents.get(other)?.seen.some(({ eventId }) => eventId === said.eventId)).toBe(false);
    const claimant = host.agents.get(offered);
    const claimed = await claimant?.tool('chat.claim', { inReplyTo: said.eventId });
    expect(claimed).toMatchObject({ ok: true, result: { status: 'claimed', token: expect.any(Number) } });
    const body = await claimant?.next(({ eventId }) => eventId === `${said.eventId}/claimed`);
    expect(body).toMatchObject({ mode: 'buffered', text: 'can one of you restart the worker?' });
    await r.wait(60_000);
    expect(host.agents.get(other)?.seen.some(({ text }) => text.includes('restart the worker'))).toBe(false);
  });

  it('a thread in which I have spoken, one that I own and a stream that I own knock, and leave me free to answer [C2A-06-02/matrix/thread-participation, C2A-06-02/directedness/from-ownership, C2A-06-02/directedness/to-my-role-owned-stream, C2A-06-02/directedness/to-my-role-owned-thread, C2A-06-02/outbound/add-to-owned-thread, C2A-06-02/notify/default-for-participation, C2A-06-02/respond/owned-work-changed]', async () => {
    const thread = await joined();
    expect(await toldTo(thread.say('ben', 'it went out at nine'))).toMatchObject({
      directedness: 'to_my_role',
      policy: 'may_respond',
      mode: 'notify',
      reason: 'thread_participation',
    });
    const owned = (await crowd()).thread({ id: 'own-thread' });
    expect(await toldTo(owned.say('ben', 'the release is out'))).toMatchObject({
      directedness: 'to_my_role',
      policy: 'may_respond',
      mode: 'notify',
      reason: 'owned_thread',
    });
    expect(await toldTo(owned.say('agent:robo', 'Shall we tag it?'))).toMatchObject({
      directedness: 'to_my_role',
      policy: 'may_respond',
      mode: 'notify',
    });
    const stream = await crowd({ streamId: 'own-stream' });
    expect(await toldTo(stream.say('ben', 'the new figures are in'))).toMatchObject({
      directedness: 'to_my_role',
      policy: 'may_respond',
      mode: 'notify',
      reason: 'owned_stream',
    });
  });
});

describe('what is for nobody or for somebody else', () => {
  it('an unmentioned channel message is ambient, must_not_respond, in the mailbox: stored, readable by tools, and nothing is injected [C2A-06-02/matrix/unmentioned-channel, C2A-06-02/directedness/ambient, C2A-06-02/directedness/ambient-default, C2A-06-02/tool-mailbox/for-ambient, C2A-06-02/tool-mailbox/stored-and-readable, C2A-06-02/core/delivery-is-not-injection, C2A-06-02/harness/ambient-never-full-content, C2A-06-02/matrix/visible-is-no-reason, C2A-06-02/quiet/ambient, C2A-06-24/core/delivery-is-not-injection, C2A-06-24/quiet/ambient, C2A-06-24/quiet/visible-is-no-reason, C2A-06-24/mode/tool-mailbox, C2A-06-24/mode/mailbox-is-readable, C2A-06-02/tools/state-as-tools]', async () => {
    const r = await crowd();
    const said = await r.say('ann', 'the kumquats are ripe');
    for (const agent of ['nova', 'otto'])
      expect(await toldTo(said, agent)).toMatchObject({
        directedness: 'ambient',
        policy: 'must_not_respond',
        mode: 'tool_mailbox',
        seen: undefined,
      });
    const listed = await host.agents.get('nova')?.tool('chat.list_events', { target: r.target, limit: 1 });
    expect(listed).toMatchObject({
      ok: true,
      result: {
        events: [
          { eventId: said.eventId, policy: 'must_not_respond', content: [{ text: 'the kumquats are ripe' }] },
        ],
      },
    });
  });

  it('a message that tags another person is theirs [C2A-06-02/directedness/to-other-user, C2A-06-02/directedness/to-other-default, C2A-06-24/quiet/other-person]', async () => {
    const r = await crowd();
    for (const options of [{ mentions: ['ben'] }, { replyTo: { eventId: 'x9', to: 'ben' } }])
      expect(await toldTo(r.say('ann', 'can you look?', options))).toMatchObject({
        directedness: 'to_other',
        policy: 'must_not_respond',
      });
  });

  it('thanks to me are ack_only and silent, talk, logs and status call for nothing, and the same words differ by intent alone [C2A-06-02/matrix/thanks, C2A-06-02/matrix/intent-sets-policy, C2A-06-02/matrix/directed-is-not-obliged, C2A-06-02/quiet/gratitude, C2A-06-02/quiet/status, C2A-06-02/attention/full-path-is-reserved, C2A-06-24/quiet/social-filler, C2A-06-24/quiet/status, C2A-06-24/quiet/logs, C2A-06-24/loops/no-reply-to-thanks, C2A-06-24/loops/no-reply-to-ack]', async () => {
    const r = await crowd();
    for (const text of ['@nova thanks!', '@nova got it', '@nova danke dir', '@nova ありがとう']) {
      const told = await toldTo(r.say('ann', text));
      expect([text, told.directedness, told.policy, told.mode]).toEqual([
        text,
        'to_me',
        'ack_only',
        'silent',
      ]);
    }
    expect((await toldTo(r.say('ann', '@nova why?'))).policy).toBe('must_respond');
    // The host itself sets one `seen` for the person, and nobody's model was asked.
    await r.wait(5_000);
    const signals = host.wire.platform.shown.filter(
      ({ type, place }) => type === 'reaction' && place?.conversationId === r.id,
    );
    expect(new Set(signals.map(({ signal }) => signal))).toEqual(new Set(['seen']));
    for (const more of [{ subtype: 'log' }, { subtype: 'status' }, { subtype: 'progress' }])
      expect(await toldTo(r.say('system:ci', 'build 7 passed', { more }))).toMatchObject({
        policy: 'must_not_respond',
        mode: 'digest',
        seen: undefined,
      });
    for (const agentThanks of ['@nova thanks!', '@nova got it'])
      expect((await toldTo(r.say('agent:robo', agentThanks))).seen).toBeUndefined();
  });

  it('an agent message that asks for nothing is for nobody [C2A-06-02/matrix/agent-no-task]', async () => {
    const r = await crowd();
    expect(await toldTo(r.say('agent:robo', 'I like this room.'))).toMatchObject({
      directedness: 'to_other',
      policy: 'must_not_respond',
      mode: 'tool_mailbox',
      reason: 'agent_no_task',
    });
  });

  it('a digest never hides a mention or an assignment, and is never to be answered [C2A-06-02/digest/must-not-respond, C2A-06-02/digest/no-mention-inside, C2A-06-02/matrix/logs, C2A-06-02/matrix/progress, C2A-06-02/matrix/status-broadcast, C2A-06-24/mode/digest]', async () => {
    const r = await crowd();
    const log = { subtype: 'log' };
    expect(await toldTo(r.say('system:ci', 'build 7 passed', { more: log }))).toMatchObject({
      policy: 'must_not_respond',
      mode: 'digest',
    });
    const tagged = await toldTo(
      r.say('ann', 'status: build 7 failed, can you look?', { mentions: ['nova'] }),
    );
    expect([tagged.policy, tagged.mode]).toEqual(['must_respond', 'buffered']);
    const assigned = await toldTo(
      r.say('ann', 'build 7 failed', { more: { subtype: 'assigned', recipients: ['agent:nova'] } }),
    );
    expect([assigned.policy, assigned.mode]).toEqual(['must_respond', 'buffered']);
  });

  it('a system conversation that names nobody is silent: stored, never handed over, never in a prompt [C2A-06-02/silent/for-unneeded-state, C2A-06-02/silent/persisted-only, C2A-06-02/silent/never-delivered, C2A-06-24/mode/silent, C2A-06-24/mode/silent-is-persisted]', async () => {
    const r = host.room({ kind: 'system' });
    const said = await r.say('system:audit', 'rule 17 matched');
    expect(await toldTo(said)).toMatchObject({ policy: 'must_not_respond', mode: 'silent', seen: undefined });
    await r.wait(3_600_000);
    expect(host.agents.get('nova')?.seen.some(({ raw }) => JSON.stringify(raw).includes('rule 17'))).toBe(
      false,
    );
    const { body } = await host.wire.call(
      'GET',
      `/v1/log?conversation=${r.id}`,
      await host.wire.token('operator', 'ops'),
    );
    expect(body['log']).toMatchObject([{ eventId: said.eventId, text: 'rule 17 matched' }]);
  });

  it('an agent that is not bound to the conversation is not asked, whatever it is called [C2A-06-02/directedness/needs-binding]', async () => {
    const far = await (await crowd()).say('ann', '@iris can you look?');
    expect(await far.asked('iris')).toBe(false);
    expect(host.agents.get('iris')?.seen).toEqual([]);
    const near = await host.room({ workspaceId: 'bound' }).say('ann', '@iris can you look?');
    expect((await toldTo(near, 'iris')).policy).toBe('must_respond');
  });

  it('an agent never gets its own message [C2A-06-24/loops/never-own-message]', async () => {
    const r = await crowd();
    const asked = await r.say('ann', '@nova are you there?');
    await asked.of('nova');
    const own = await r.say('nova', 'Is it you, @nova?', { inReplyTo: asked });
    expect(await own.asked('nova')).toBe(false);
    await r.wait(1_000);
    expect(host.agents.get('nova')?.seen.some(({ eventId }) => eventId === own.eventId)).toBe(false);
  });
});

describe('the three answers', () => {
  it('every event has one policy, one directedness and one mode for each agent, given by the host and by nobody else [C2A-06-02/core/policy-on-every-event, C2A-06-02/attention/three-answers, C2A-06-02/attention/directedness-leads, C2A-06-24/core/host-attaches-policy, C2A-06-24/mode/policy-and-mode-apart, C2A-06-24/mode/one-per-event, C2A-06-24/event/addressed-leads, C2A-06-02/minimal/2-directedness-defaults, C2A-06-24/policy/must-respond, C2A-06-24/policy/may-respond, C2A-06-24/policy/must-not-respond]', async () => {
    const r = await joined();
    const talk = await crowd();
    const asked = await talk.say('ann', '@nova is it up?');
    await talk.say('nova', 'It is.', { inReplyTo: asked });
    await talk.say('ben', 'lunch?');
    const said = [
      await talk.say('ann', 'then we ship it today'),
      await r.say('ann', '@nova is it up?'),
      await r.say('ben', 'it went out at nine'),
      await r.say('ann', 'so?', { mentions: ['role:ops'] }),
      await r.say('ann', '@nova thanks!'),
      await r.say('system:ci', 'build 8 passed', { more: { subtype: 'log' } }),
      await r.react('ann', 'x', 'seen').catch(() => undefined),
    ].filter((one) => one !== undefined);
    const answers = new Set<string>();
    for (const { eventId } of said) {
      for (const agent of ['nova', 'otto']) {
        const { decision } = await host.wire.why(eventId, agent);
        expect([eventId, decision]).toMatchObject([
          eventId,
          { policy: expect.any(String), mode: expect.any(String), directedness: expect.any(String) },
        ]);
        answers.add(`${decision?.directedness} ${decision?.policy} ${decision?.mode}`);
      }
    }
    // must_respond is for what is to_me, may_respond the most that anything else gets.
    for (const answer of answers) {
      const [directedness, policy] = answer.split(' ');
      if (directedness !== 'to_me') expect(policy).not.toBe('must_respond');
      if (directedness === 'to_other' || directedness === 'ambient') expect(policy).toBe('must_not_respond');
    }
    // No answer follows from another: to_me goes with three policies, buffered with two, may_respond with two modes.
    expect([...answers]).toEqual(
      expect.arrayContaining([
        'to_me must_respond buffered',
        'to_me may_respond buffered',
        'to_me ack_only silent',
        'to_my_role may_respond notify',
        'ambient must_not_respond digest',
        'to_other must_not_respond tool_mailbox',
      ]),
    );
    const { wire } = host;
    for (const forged of [{ policy: 'must_respond' }, { attention: { policy: 'must_respond' } }]) {
      const [refused] = await wire.post({ ...wire.event('hello', { in: r.id }), ...forged });
      expect(refused?.status).toBe('refused');
    }
  });

  it('a must_respond event may come as a knock, and a may_respond event in full [C2A-06-02/attention/must-respond-as-knock, C2A-06-02/attention/may-respond-in-full]', async () => {
    const { wire, room, agents } = await roomHost({ agents: [{ id: 'nova', lead: 'otto' }, { id: 'otto' }] });
    const r = room();
    await r.say('ann', 'morning');
    await r.say('ben', 'morning all');
    const asked = await r.say('ann', '@nova is it up?');
    await asked.of('nova');
    await r.say('nova', 'It is.', { inReplyTo: asked });
    await r.say('ben', 'lunch?');
    // An exchange with somebody in between may be answered, and comes in full.
    expect(await (await r.say('ann', 'then we ship it today')).of('nova')).toMatchObject({
      policy: 'may_respond',
      mode: 'buffered',
    });
    const declined = await r.say('ann', '@nova and the backup?');
    await declined.of('nova');
    await agents.get('nova')?.tool('chat.react', { inReplyTo: declined.eventId, signal: 'declined' });
    const told = await agents.get('otto')?.next(({ eventId }) => eventId.includes('/escalated-nova'));
    expect(told).toMatchObject({ policy: 'must_respond', mode: 'notify', text: '' });
    expect(wire.platform.texts()).toEqual(['It is.']);
  });
});

describe('what reaches a model', () => {
  it('only what may be answered starts a turn: no ambient line, no thanks, no status becomes a message to answer [C2A-06-02/core/agent-obeys-policy, C2A-06-02/harness/ambient-never-user-message, C2A-06-02/tool-mailbox/not-injected, C2A-06-24/core/agent-obeys-policy, C2A-06-02/harness/six-exposures]', async () => {
    const turns: { message: string; user: string }[] = [];
    const { wire } = await hostWith(
      'sdk',
      'lead',
      {},
      {
        onTurn: ({ text, user }) => {
          turns.push({ message: text, user });
          return 'It is.';
        },
      },
    );
    await wire.say('morning', { by: 'ann' });
    await wire.say('the kumquats are ripe', { by: 'ben' });
    await wire.say('@lead thanks!', { by: 'ann' });
    await wire.say('build 7 passed', {
      by: 'ci',
      byKind: 'agent',
      more: { subtype: 'log', author: { id: 'ci', kind: 'system' } },
    });
    await wire.pass(5_000);
    expect(turns).toEqual([]);
    await wire.say('@lead is it up?', { by: 'cat' });
    await wire.pass(5_000);
    expect(turns.map(({ message }) => message)).toEqual(['@lead is it up?']);
    // What was said before is context, under a heading of its own, and never the message.
    const [{ user } = { user: '' }] = turns;
    expect(user.indexOf('kumquats')).toBeGreaterThan(user.indexOf('RECENT CONTEXT (not addressed to you)'));
    expect(user.slice(user.indexOf('\nMESSAGE\n'))).not.toContain('kumquats');
  });

  it('whatever mode a host gives it: what must not be answered starts no turn, also not with its words [C2A-06-02/core/agent-obeys-policy, C2A-06-24/core/agent-obeys-policy]', async () => {
    const clock = new VirtualClock(1_000);
    const other = await scriptedHost(clock);
    const turns: string[] = [];
    const connection = connect({ url: other.url, token: 'any', clock, log: silentLog, typing: false });
    connection.onTurn(({ text }) => void turns.push(text));
    await until(() => connection.status === 'ready', 'the session');
    const deliver = (policy: string, mode: string): Promise<unknown> =>
      other.deliver({
        eventId: `${policy}-${mode}`,
        conversation: { id: 'general', kind: 'channel' },
        author: { id: 'ada', kind: 'human' },
        target: { mentions: [], directedness: 'to_me' },
        attention: { policy, reason: 'mention', priority: 'normal' },
        injection: { mode, context: 'none', role: 'user' },
        reliability: { attempt: 1, idempotencyKey: `${policy}-${mode}` },
        content: [{ type: 'text', text: `${policy} ${mode}` }],
      });
    for (const policy of ['must_not_respond', 'ack_only'])
      for (const mode of ['immediate', 'buffered', 'tool_mailbox', 'silent'])
        expect(await deliver(policy, mode)).toMatchObject({ ok: true });
    expect(await deliver('must_respond', 'buffered')).toMatchObject({ ok: true });
    await until(() => {
      clock.advance(500);
      return other.ended() > 0;
    }, 'the turn that is allowed');
    expect(turns).toEqual(['must_respond buffered']);
    const closing = connection.close();
    clock.advance(60_000);
    await closing;
  });
});
