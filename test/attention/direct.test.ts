// Direct messages: which agent one is for, in a thread of one too, and what happens when nothing tells.
import { describe, expect, it } from 'vitest';
import { type Outcome, type Room, type RoomOptions, HOUR, room } from './room.ts';

const DM: RoomOptions = { kind: 'dm', stepMs: 60_000 };
const OUTSIDE = { policy: 'must_not_respond', mode: 'silent', trace: { facts: { by: 'direct_message' } } };
const PARTY = { directedness: 'to_me', policy: 'must_respond', reason: 'direct_message' };

function isFor(outcome: Outcome, agent: string): void {
  for (const one of ['nova', 'otto', 'iris']) {
    expect(outcome.of(one)).toMatchObject(one === agent ? PARTY : OUTSIDE);
  }
}

describe('a direct message with several agents bound is for', () => {
  const named: [string, RoomOptions, (dm: Room) => Outcome][] = [
    ['its recipient', {}, (dm) => dm.say('ann', 'hello', { recipients: ['agent:otto'] })],
    ['its one recipient', {}, (dm) => dm.say('ann', 'hello', { target: { recipient: 'otto' } })],
    [
      'its recipient, by account',
      { agents: ['nova', { id: 'otto', accounts: ['U2'] }, 'iris'] },
      (dm) => dm.say('ann', 'hello', { recipients: ['human:U2'] }),
    ],
    ['whom it mentions', {}, (dm) => dm.say('ann', 'hello', { mentions: ['otto'] })],
    ['whom its text mentions', {}, (dm) => dm.say('ann', 'hello @otto')],
    ['whom it calls', {}, (dm) => dm.say('ann', 'otto: hello')],
    ['the default responder', { here: { defaultResponder: 'otto' } }, (dm) => dm.say('ann', 'hello')],
  ];
  it.each(named)('%s', (_whom, options, said) => isFor(said(room({ ...DM, ...options })), 'otto'));

  it('the one it was for before, however long ago', () => {
    const dm = room(DM);
    dm.say('ann', 'hello', { recipients: ['agent:otto'] });
    isFor(dm.say('ann', 'are you there?', { after: 5 * HOUR }), 'otto');
  });

  it('the one last spoken with, also against the default', () => {
    const dm = room({ ...DM, here: { defaultResponder: 'iris' } });
    dm.say('ann', 'hello', { recipients: ['agent:nova'] });
    dm.say('otto', 'Otto here.', { inReplyTo: dm.say('ann', 'otto?', { recipients: ['agent:otto'] }) });
    isFor(dm.say('ann', 'and the log?'), 'otto');
  });

  it('an agent that wrote there first', () => {
    const dm = room(DM);
    dm.say('otto', 'The build is red.', { recipients: ['human:ann'] });
    isFor(dm.say('ann', 'since when?'), 'otto');
  });

  it('its party, whomever else it names, unless that one has spoken there too', () => {
    const dm = room(DM);
    dm.say('ann', 'hello', { recipients: ['agent:nova'] });
    isFor(dm.say('ann', '@otto would know, I think'), 'nova');
    isFor(dm.say('ann', 'otto: would you know?'), 'nova');
    const front = room(DM);
    front.say('nova', 'Hello.', { inReplyTo: front.say('ann', 'nova: hello') });
    front.say('otto', 'Hello.', { recipients: ['human:ann'] });
    isFor(front.say('ann', '@nova and the log?'), 'nova');
    isFor(front.say('ann', '@otto and the log?'), 'otto');
  });

  it('the only one there is, whomever it names', () => {
    const elsewhere = { id: 'otto', conversations: ['web/W1/C9'] };
    const said = room({ ...DM, agents: ['nova', elsewhere] }).say('ann', '@otto must not hear this');
    expect(said.of('nova')).toMatchObject(PARTY);
  });

  it('nobody of ours when its recipient is somebody else', () => {
    const said = room(DM).say('ann', 'hello', { recipients: ['human:ben'] });
    for (const agent of ['nova', 'otto', 'iris']) expect(said.of(agent)).toMatchObject(OUTSIDE);
  });

  it('the person, when an agent writes it', () => {
    const dm = room(DM);
    dm.say('nova', 'Hello.', { inReplyTo: dm.say('ann', 'nova: hello') });
    const said = dm.say('nova', 'One more thing: is it green?');
    for (const agent of ['otto', 'iris']) expect(said.of(agent)).toMatchObject(OUTSIDE);
  });
});

describe('when nothing tells whose it is', () => {
  const KNOCK = {
    directedness: 'to_my_role',
    policy: 'may_respond',
    mode: 'notify',
    claimFirst: true,
    offer: 'to_all',
    reason: 'direct_message',
    trace: { row: 'direct_unclaimed', facts: { choose: true } },
  };

  it('every agent is told, and whoever claims it answers', () => {
    const dm = room(DM);
    const asked = dm.say('ann', 'is the deploy blocked?');
    for (const agent of ['nova', 'otto', 'iris']) expect(asked.of(agent)).toMatchObject(KNOCK);
    expect(dm.claim('otto', asked).of('otto')).toMatchObject({ policy: 'may_respond', mode: 'buffered' });
    isFor(dm.say('ann', 'hello?'), 'otto');
    dm.say('otto', 'It is not.', { inReplyTo: asked });
    isFor(dm.say('ann', 'and staging?', { after: 5 * HOUR }), 'otto');
  });

  it('but not those who take no direct messages', () => {
    const said = room({ ...DM, agents: ['nova', 'otto', { id: 'iris', triggers: { dm: false } }] }).say(
      'ann',
      'hi',
    );
    expect(said.of('nova')).toMatchObject(KNOCK);
    expect(said.of('iris')).toMatchObject(OUTSIDE);
  });
});

describe('a thread in a direct message', () => {
  it.each(['thread', 'dm'] as const)('is for the party of that message (kind %s)', (kind) => {
    const dm = room(DM);
    dm.say('nova', 'Hello.', { inReplyTo: dm.say('ann', 'hello', { recipients: ['agent:nova'] }) });
    const thread = dm.thread({ kind });
    isFor(thread.say('ann', 'is the deploy blocked?'), 'nova');
    expect(thread.say('ann', 'and staging?').of('nova').trace.facts).toEqual({ inThread: true });
  });

  it.each(['thread', 'dm'] as const)('is for the one agent bound (kind %s)', (kind) => {
    const dm = room({ ...DM, agents: ['nova'] });
    dm.say('ann', 'hello');
    expect(dm.thread({ kind }).say('ann', 'is it blocked?').of('nova')).toMatchObject(PARTY);
  });

  it('is for the party as soon as that is known', () => {
    const dm = room(DM);
    dm.say('ann', 'hello');
    const thread = dm.thread();
    expect(thread.say('ann', 'is it blocked?').of('nova')).toMatchObject({
      reason: 'direct_message',
      claimFirst: true,
    });
    dm.say('ann', 'otto: I mean you');
    isFor(thread.say('ann', 'is it?'), 'otto');
  });

  it('of several people is a thread like any other', () => {
    const group = room({ ...DM, membership: { humans: 3, agents: 1 } });
    group.say('ann', 'hello');
    expect(group.thread().say('ann', 'is it blocked?').of('nova').reason).not.toBe('direct_message');
  });
});

describe.each(['default', 'typeclaw'] as const)(
  'preset %s: a direct message where somebody else is known',
  (preset) => {
    const two = { humans: 1, agents: 1 };

    it('stays one, when the platform says that it is one of two', () => {
      const dm = room({ ...DM, preset, agents: ['nova'], membership: two });
      dm.say('ben', 'wrong window, sorry');
      expect(dm.say('ann', 'the deploy was at noon').of('nova')).toMatchObject({
        decision: 'engage',
        reason: 'direct_message',
      });
    });

    it('is a channel, when the platform counts three', () => {
      const dm = room({ ...DM, preset, agents: ['nova'], membership: { humans: 2, agents: 1 } });
      dm.say('ben', 'hello');
      expect(dm.say('ann', 'the deploy was at noon').of('nova').reason).not.toBe('direct_message');
    });
  },
);

const reasonIn = (preset: 'default' | 'typeclaw'): string => {
  const dm = room({ ...DM, preset, agents: ['nova'] });
  dm.say('ben', 'hello');
  return dm.say('ann', 'the deploy was at noon').of('nova').reason;
};

it('without a count, a second person makes it a channel; preset typeclaw goes by what the platform calls it', () => {
  expect([reasonIn('default'), reasonIn('typeclaw')]).toEqual(['ambient', 'direct_message']);
});
