// Leaving, stopping, following, being called only by mention: the words of a human are obeyed by the host itself, in
// every language, with one acknowledgement and no turn; a mention brings back who has left.
import { describe, expect, it } from 'vitest';
import { CASES as SENTENCES, NEAR_MISSES, sentences } from '../../src/attention/intent/cases.fixture.ts';
import { startsTurn } from '../../src/attention/index.ts';
import { STATE_LIMITS } from '../../src/attention/state.ts';
import { MINUTE, type Outcome, type Room, room } from './room.ts';

/** Which language is tested where the words are (requests.test.ts): short ones belong to several. */
const SOME = expect.any(String) as string;

const said = (intent: 'leave' | 'stop' | 'mode_change') =>
  Object.entries(SENTENCES).flatMap(([language, byIntent]) =>
    sentences(byIntent[intent] ?? '').map((text) => ({ language, text })),
  );

function left(): Room {
  const r = room();
  r.say('ann', '@nova please leave');
  return r;
}

/** Nothing at all for nova to see or to do. */
function quiet(outcome: Outcome): void {
  expect(outcome.of('nova')).toMatchObject({
    policy: 'must_not_respond',
    mode: 'silent',
    reason: 'left',
    trace: { row: 'left' },
  });
}

/** The row that decides, when ben has spoken in ann's exchange. */
const between = (text: string) => {
  const r = room();
  r.say('nova', 'It is.', { inReplyTo: r.say('ann', '@nova is it ready?') });
  r.say('ben', 'I will restart it now');
  return r.say('ann', text).of('nova').trace.row;
};

describe('asked to leave', () => {
  it.each(said('leave'))(
    '($language) "$text": one acknowledgement, no turn [C2A-06-24/leave/acknowledged-once]',
    ({ text }) => {
      const r = room({ agents: [{ id: 'nova', aliases: ['ノバ', '노바'] }, 'otto'] });
      const asked = r.say('ann', `@nova ${text}`);
      const decision = asked.of('nova');
      expect(decision).toMatchObject({
        policy: 'ack_only',
        mode: 'silent',
        reason: 'leave_request',
        trace: { row: 'leave_request' },
      });
      expect(startsTurn(decision)).toBe(false);
      expect(asked.effects).toEqual([
        { type: 'mode', agent: 'nova', mode: 'left', by: 'ann' },
        { type: 'cancel_turn', agent: 'nova', eventId: asked.eventId, why: 'left' },
        {
          type: 'acknowledge',
          agent: 'nova',
          eventId: asked.eventId,
          template: 'leave',
          mode: 'left',
          language: SOME,
        },
      ]);
      expect(r.say('ann', 'and another thing').effect('acknowledge')).toEqual([]);
    },
  );

  it('a channel, the agent is out of it: talk, replies and follow-ups call for nothing [C2A-06-24/leave/channel-on-request, C2A-06-24/leave/stays-out]', () => {
    const r = room();
    const before = r.say('nova', 'Which service do you mean?');
    r.say('ann', '@nova please leave this channel');
    quiet(r.say('ann', 'the billing one'));
    quiet(r.say('ann', 'no, wait', { replyTo: before }));
    quiet(r.say('ben', 'nova, is it ready?'));
    quiet(r.say('ann', 'production is down'));
    quiet(r.wait(60 * MINUTE).say('ann', 'still there?'));
  });

  it('a thread, the agent is out of that thread and of no other place [C2A-06-24/leave/thread-on-request, C2A-06-24/leave/stays-out]', () => {
    const r = room();
    const thread = r.thread();
    thread.say('nova', 'I have restarted the job.');
    thread.say('ann', '@nova leave this thread');
    quiet(thread.say('ben', 'which job was it?'));
    expect(r.say('ann', 'nova, is it ready?').of('nova').policy).toBe('must_respond');
    expect(r.thread({ id: 'T2' }).say('ann', 'nova, is it ready?').of('nova').policy).toBe('must_respond');
  });

  it('a channel, its threads are left with it [C2A-06-24/leave/stays-out]', () => {
    const r = room();
    const thread = r.thread();
    thread.say('nova', 'I have restarted the job.');
    r.say('ann', '@nova please leave');
    quiet(thread.say('ann', 'which job was it?'));
    quiet(r.thread({ id: 'T2' }).say('ann', 'nova, is it ready?'));
  });

  it('takes only that agent out', () => {
    const r = room();
    r.say('ann', '@nova please leave');
    expect(r.say('ann', 'otto, is it ready?').of('otto').policy).toBe('must_respond');
  });

  it('is asked by an agent as well', () => {
    const r = room();
    expect(r.say('otto', '@nova please leave').of('nova').policy).toBe('ack_only');
    quiet(r.say('ann', 'nova, is it ready?'));
  });

  it('is not asked by one who is denied', () => {
    const r = room({ agents: [{ id: 'nova', ignore: ['human:mallory'] }, 'otto'] });
    expect(r.say('mallory', '@nova please leave').of('nova')).toMatchObject({
      decision: 'denied',
      mode: 'silent',
    });
    expect(r.say('ann', 'nova, is it ready?').of('nova').policy).toBe('must_respond');
  });

  it.each(['please leave', 'stop', 'only answer when I mention you'])(
    'in a DM (%s): it is quiet until its name, a reply or a request calls it',
    (text) => {
      const dm = room({ kind: 'dm', agents: ['nova'] });
      const before = dm.say('nova', 'Good morning.');
      expect(dm.say('ann', text).effect('mode')).toMatchObject([{ mode: 'mention_only' }]);
      for (const more of ['is it ready?', 'production is down', 'thanks'])
        expect(dm.say('ann', more).of('nova')).toMatchObject({ policy: 'must_not_respond' });
      expect(dm.say('ann', 'nova, is it ready?').of('nova').policy).toBe('must_respond');
      expect(dm.say('ann', 'is it ready?', { replyTo: before }).of('nova').policy).toBe('must_respond');
      expect(dm.say('ann', 'is it ready?').of('nova').policy).toBe('must_not_respond');
      expect(dm.say('ann', 'ok, come back please').effect('mode')).toMatchObject([{ mode: 'auto' }]);
      expect(dm.say('ann', 'is it ready?').of('nova').policy).toBe('must_respond');
      dm.mode('nova', 'left');
      expect(dm.say('ann', 'is it ready?').of('nova').policy).toBe('must_not_respond');
    },
  );

  it('in a DM a mode of the settings says nothing about direct messages', () => {
    const dm = room({ kind: 'dm', agents: ['nova'], here: { mode: 'mention_only' } });
    expect(dm.say('ann', 'is it ready?').of('nova').policy).toBe('must_respond');
  });

  it('edits of what was answered before do not reach it any more [C2A-06-24/leave/stays-out]', () => {
    const r = room();
    const asked = r.say('ann', 'nova, is it ready?');
    r.say('nova', 'It is.', { inReplyTo: asked });
    r.say('ann', '@nova please leave');
    const edited = r.edit('ann', asked, 'nova, is it ready now?');
    for (const decision of Object.values(edited.decisions)) expect(decision?.policy).toBe('must_not_respond');
    expect(edited.effect('amend')).toEqual([]);
  });

  const near = Object.values(NEAR_MISSES).flatMap(sentences);
  it.each(near)('is not what only begins like it: "%s"', (text) => {
    const decision = room().say('ann', `@nova ${text}`).of('nova');
    expect(decision.policy).toBe('must_respond');
  });

  it.each(['please leave', 'ok, leave this channel please', 'could you stop replying here?', 'stop'])(
    'inside a live exchange it need not be named: "%s"',
    (text) => {
      const r = room();
      const asked = r.say('ann', '@nova is it ready?');
      r.say('nova', 'It is.', { inReplyTo: asked });
      expect(r.say('ann', text).of('nova').policy).toBe('ack_only');
      expect(r.say('ann', 'and the docs?').of('nova').policy).toBe('must_not_respond');
    },
  );

  it('when somebody else spoke in between, only what can be for nobody else is obeyed', () => {
    expect(between('stop!')).toBe('continues');
    expect(between('stop replying here')).toBe('stop_request');
    expect(between('leave this channel please')).toBe('leave_request');
  });

  it('who repeats the agent’s own word gives no order', () => {
    const r = room();
    r.say('nova', '"stop"', { inReplyTo: r.say('ann', '@nova which word ends it?') });
    expect(r.say('ann', 'stop').of('nova').trace.row).toBe('continues');
    expect(r.say('ann', 'please stop').of('nova').trace.row).toBe('stop_request');
  });

  it('inside an exchange of agents nothing is obeyed that is not named', () => {
    const r = room();
    r.say('nova', 'It is.', { inReplyTo: r.say('otto', '@nova is it ready?') });
    expect(r.say('otto', 'please leave').effect('mode')).toEqual([]);
  });

  it('together with a question, both happen: it leaves and answers', () => {
    const r = room();
    const asked = r.say('ann', '@nova leave this channel please, and send me the report first');
    expect(asked.of('nova')).toMatchObject({ policy: 'must_respond', intent: 'request' });
    expect(asked.effects).toEqual([
      { type: 'mode', agent: 'nova', mode: 'left', by: 'ann' },
      {
        type: 'acknowledge',
        agent: 'nova',
        eventId: asked.eventId,
        template: 'mode',
        mode: 'left',
        language: 'en',
      },
    ]);
    quiet(r.say('ann', 'nova, is it ready?'));
  });

  it('of somebody else, or of nobody, is no request to this agent', () => {
    for (const text of ['@otto please leave', 'please leave', 'leave us alone']) {
      const r = room();
      expect(r.say('ann', text).of('nova').policy).toBe('must_not_respond');
      expect(r.say('ann', 'nova, is it ready?').of('nova').policy).toBe('must_respond');
    }
  });
});

describe('who has left comes back', () => {
  const ways: [string, (r: Room) => Outcome][] = [
    ['a mention', (r) => r.say('ben', '@nova is it ready?')],
    ['an assignment', (r) => r.say('ben', 'flaky test', { subtype: 'assigned', recipients: ['agent:nova'] })],
    [
      'an obligation',
      (r) =>
        r.say('otto', 'which one?', {
          recipients: ['agent:nova'],
          obligation: { blocks: 'halted', defaultAction: 'I wait' },
        }),
    ],
  ];
  it.each(ways)('by %s [C2A-06-24/leave/returns-on-mention]', (_way, call) => {
    const r = left();
    quiet(r.say('ben', 'nova, is it ready?'));
    const called = call(r);
    expect(called.of('nova')).toMatchObject({ directedness: 'to_me', policy: 'must_respond' });
    expect(called.effect('mode')).toMatchObject([{ agent: 'nova', mode: 'auto' }]);
    expect(r.say('ben', 'nova, is it ready?').of('nova').policy).toBe('must_respond');
  });

  it('in a thread of a channel it has left, to that thread [C2A-06-24/leave/returns-on-mention]', () => {
    const r = left();
    const thread = r.thread();
    expect(thread.say('ben', '@nova is it ready?').of('nova').policy).toBe('must_respond');
    expect(thread.say('ben', 'nova, and now?').of('nova').policy).toBe('must_respond');
    quiet(r.say('ben', 'nova, is it ready?'));
  });

  it('by its name, when it is asked to come back', () => {
    const r = left();
    expect(r.say('ben', 'nova, come back please').effect('mode')).toMatchObject([{ mode: 'auto' }]);
    expect(r.say('ben', 'nova, is it ready?').of('nova').policy).toBe('must_respond');
    quiet(left().say('ben', 'come back please'));
  });

  it.each([
    ['its name', (r: Room) => r.say('ben', 'nova, is it ready?')],
    ['a role mention', (r: Room) => r.say('ben', 'who is on it?', { mentions: ['role:ops'] })],
    ['a mention of everybody', (r: Room) => r.say('ben', '@here is it ready?')],
    ['a mention of another', (r: Room) => r.say('ben', '@otto is it ready?')],
  ])('but not by %s [C2A-06-24/leave/stays-out]', (_way, call) => {
    const r = room({ agents: [{ id: 'nova', roles: ['ops'] }, 'otto', 'iris'] });
    r.say('ann', '@nova please leave');
    quiet(call(r));
  });
});

describe('asked to stop', () => {
  it.each(said('stop'))('($language) "$text": the turn is cancelled, mentions are heard', ({ text }) => {
    const r = room();
    const asked = r.say('ann', `@nova ${text}`);
    expect(asked.of('nova')).toMatchObject({ policy: 'ack_only', mode: 'silent', reason: 'stop_request' });
    expect(asked.effects).toEqual([
      { type: 'mode', agent: 'nova', mode: 'mention_only', by: 'ann' },
      { type: 'cancel_turn', agent: 'nova', eventId: asked.eventId, why: 'stop' },
      {
        type: 'acknowledge',
        agent: 'nova',
        eventId: asked.eventId,
        template: 'stop',
        mode: 'mention_only',
        language: SOME,
      },
    ]);
    expect(r.say('ann', 'the billing one').of('nova').policy).toBe('must_not_respond');
    expect(r.say('ann', '@nova is it ready?').of('nova').policy).toBe('must_respond');
  });

  it('by an agent is no command', () => {
    const asked = room().say('otto', '@nova stop');
    expect(asked.of('nova').trace.row).toBe('explicit');
    expect(asked.effects).toEqual([]);
  });
});

describe('asked for a mode', () => {
  const wanted = [
    /mention|mencion|erwähn|メンション|멘션|提到/i,
    'mention_only',
    /follow this|sigue|suis|folge|siga|フォロー|지켜|关注/i,
    'follow',
    /./,
    'auto',
  ] as const;
  const modeOf = (text: string): string => {
    for (let i = 0; i < wanted.length; i += 2)
      if ((wanted[i] as RegExp).test(text)) return wanted[i + 1] as string;
    return 'auto';
  };
  it.each(said('mode_change').filter(({ text }) => !text.startsWith('stop')))(
    '($language) "$text": one acknowledgement, no turn',
    ({ text }) => {
      const asked = room().say('ann', `@nova ${text}`);
      const mode = modeOf(text);
      expect(asked.of('nova')).toMatchObject({ policy: 'ack_only', mode: 'silent', reason: 'mode_request' });
      expect(asked.effects).toEqual([
        { type: 'mode', agent: 'nova', mode, by: 'ann' },
        {
          type: 'acknowledge',
          agent: 'nova',
          eventId: asked.eventId,
          template: 'mode',
          mode,
          language: SOME,
        },
      ]);
    },
  );

  it('mention_only hears explicit calls and nothing that circumstances suggest', () => {
    const r = room({
      agents: [{ id: 'nova', roles: ['ops'] }, 'otto'],
      membership: { humans: 1 },
      here: { defaultResponder: 'nova' },
    });
    expect(r.say('ann', 'is it ready?').of('nova').reason).toBe('solo_human');
    r.mode('ann', 'mention_only', 'nova');
    expect(r.say('ann', 'is it ready?').of('nova')).toMatchObject({
      policy: 'must_not_respond',
      reason: 'ambient',
    });
    expect(r.say('ann', 'is it ready, nova?').of('nova').reason).toBe('name');
    expect(r.say('ann', '@ops is it ready?').of('nova').reason).toBe('role_mention');
    expect(r.say('ann', '@nova is it ready?').of('nova').reason).toBe('mention');
  });

  it('follow: what is said in a thread it is in comes in batches, one per ten minutes', () => {
    const thread = room().thread();
    thread.say('nova', 'I have restarted the job.');
    thread.mode('ann', 'follow', 'nova');
    const first = thread.say('ann', 'I think the cache is stale').of('nova');
    expect(first).toMatchObject({
      policy: 'may_respond',
      mode: 'buffered',
      trace: { row: 'followed_thread' },
    });
    expect(first.heldUntil).toBeUndefined();
    const second = thread.say('ben', 'the disk is nearly full').of('nova');
    expect(second).toMatchObject({
      mode: 'buffered',
      heldUntil: thread.now - 10_000 + 10 * MINUTE,
      trace: { lowered: ['follow_batch'] },
    });
    expect(
      thread
        .wait(10 * MINUTE)
        .say('ben', 'and now it is full')
        .of('nova').heldUntil,
    ).toBeUndefined();
  });

  it('is set by an agent for itself only, by people for anybody', () => {
    const r = room();
    expect(r.mode('otto', 'left', 'nova').effects).toEqual([
      { type: 'mode', agent: 'otto', mode: 'left', by: 'otto' },
    ]);
    expect(r.mode('ann', 'left', 'nova').effects).toEqual([
      { type: 'mode', agent: 'nova', mode: 'left', by: 'ann' },
    ]);
    expect(r.mode('ann', 'left').effects).toEqual([]);
  });

  it('is refused out loud when no more can be kept', () => {
    const agents = Array.from({ length: STATE_LIMITS.agents + 1 }, (_, index) => `a${index}x`);
    const r = room({ agents });
    for (const agent of agents.slice(0, -1))
      expect(r.mode(agent, 'mention_only').effect('mode')).toHaveLength(1);
    const last = agents.at(-1) ?? '';
    const refused = [{ type: 'refused', what: 'mode', agent: last, limit: STATE_LIMITS.agents }];
    expect(r.mode(last, 'left').effects).toEqual(refused);
    expect(r.say('ann', `@${last} please leave`).effects).toEqual(refused);
  });
});

describe('disengage', () => {
  it('drops the exchanges of the agent and binds through its last words of the turn', () => {
    const r = room();
    const asked = r.say('ann', '@nova how do I restart it?');
    r.turn('nova', 'started');
    r.disengage('nova');
    r.say('nova', 'I leave it to you.', { inReplyTo: asked });
    expect(r.say('ann', 'which one was it?').of('nova').reason).toBe('ambient');
    r.turn('nova', 'ended');
    const again = r.say('ann', '@nova how do I restart it?');
    r.say('nova', 'With the button.', { inReplyTo: again });
    expect(r.say('ann', 'which one was it?').of('nova').reason).toBe('exchange');
  });
});
