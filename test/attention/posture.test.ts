// How an agent's own message reaches the others: by what it names and by the posture it declares. It obliges at most
// one agent, and its declared directedness may lower anybody but raise only the one it names.
import { describe, expect, it } from 'vitest';
import { type Outcome, type Room, type RoomOptions, type SayOptions, room } from './room.ts';

const TEAM: RoomOptions = {
  agents: [{ id: 'nova', roles: ['ops'] }, { id: 'otto', roles: ['ops'] }, 'iris', 'juno'],
};

describe('an agent that wants one agent to act', () => {
  const ways: [string, () => Outcome][] = [
    ['mentions it', () => room(TEAM).say('juno', '@nova take the deploy please')],
    ['mentions it and asks something', () => room(TEAM).say('juno', 'can you take the deploy, @nova')],
    [
      'names it as recipient',
      () =>
        room(TEAM).say('juno', 'the deploy is yours', {
          target: { recipient: 'agent:nova', directedness: 'to_me' },
        }),
    ],
    [
      'sends it a DM',
      () =>
        room({ ...TEAM, kind: 'dm' }).say('juno', 'the deploy is yours', {
          target: { recipient: 'agent:nova' },
          visibility: 'dm',
        }),
    ],
  ];
  it.each(ways)(
    '%s: to_me and must_respond for that one [C2A-06-02/outbound/one-agent-acts, C2A-06-24/talk/mention-obliges]',
    (_how, said) => {
      const sent = said();
      expect(sent.who('must_respond')).toEqual(['nova']);
      expect(sent.of('nova')).toMatchObject({ directedness: 'to_me', mode: 'buffered' });
      for (const other of ['otto', 'iris'])
        expect(sent.of(other)).toMatchObject({ directedness: 'to_other', policy: 'must_not_respond' });
    },
  );
});

describe('one message of an agent obliges at most one agent', () => {
  const ways: [string, (r: Room) => Outcome, string][] = [
    ['two mentions: the first', (r) => r.say('juno', '@otto @nova can you look?'), 'otto'],
    ['a mention and a name: the mentioned', (r) => r.say('juno', '@iris can you ask nova about it?'), 'iris'],
    ['two names: one of them', (r) => r.say('juno', 'otto and iris, can you look?'), 'otto'],
    [
      'two recipients: the first',
      (r) => r.say('juno', 'can you look?', { recipients: ['agent:iris', 'agent:otto'] }),
      'iris',
    ],
    [
      'a recipient and a mention: the recipient',
      (r) => r.say('juno', '@nova fyi, can you look?', { target: { recipient: 'agent:iris' } }),
      'iris',
    ],
    [
      'a reply and a mention: the mentioned',
      (r) => r.say('juno', '@nova can you look?', { replyTo: r.say('iris', 'it is red') }),
      'nova',
    ],
    [
      'a reply and a name: the one replied to',
      (r) => r.say('juno', 'can you look, or should nova?', { replyTo: r.say('iris', 'it is red') }),
      'iris',
    ],
    ['its own name among them', (r) => r.say('juno', 'iris: juno here, can you look?'), 'iris'],
  ];
  it.each(ways)('%s [C2A-06-02/outbound/one-responder, C2A-06-24/talk/one-responder]', (_what, said, one) => {
    expect(said(room(TEAM)).who('must_respond')).toEqual([one]);
  });

  it('and tells the others that they are named, with a knock they may leave alone [C2A-06-02/outbound/one-responder]', () => {
    const sent = room(TEAM).say('juno', '@otto @nova @iris can you look?');
    for (const agent of ['nova', 'iris']) {
      expect(sent.of(agent)).toMatchObject({
        policy: 'may_respond',
        mode: 'notify',
        trace: { lowered: ['one_obligation_per_send'] },
      });
    }
  });

  it('in a DM the other party, whomever it names [C2A-06-02/outbound/one-responder]', () => {
    const dm = room({ agents: ['nova', 'otto', 'juno'], kind: 'dm' });
    dm.say('juno', 'hello there', { target: { recipient: 'agent:nova' } });
    dm.say('nova', 'hello juno');
    expect(dm.say('juno', 'should we ask otto?').who('must_respond')).toEqual(['nova']);
  });

  it.each(['@here', '@channel', '@everyone'])(
    'and the whole channel obliges nobody: %s [C2A-06-24/talk/one-responder]',
    (word) => {
      expect(room(TEAM).say('juno', `${word} can somebody look?`).who('must_respond')).toEqual([]);
    },
  );

  it('while a human may call several', () => {
    expect(room(TEAM).say('ann', '@otto @nova can you look?').who('must_respond')).toEqual(['nova', 'otto']);
  });
});

describe('an agent that offers, adds, shares or reports', () => {
  it('offers work to a role: its holders may take it after a claim [C2A-06-02/outbound/offer-to-a-role]', () => {
    const sent = room(TEAM).say('juno', '@ops can one of you look?', {
      target: { directedness: 'to_my_role' },
    });
    for (const agent of ['nova', 'otto']) {
      expect(sent.of(agent)).toMatchObject({
        directedness: 'to_my_role',
        policy: 'may_respond',
        mode: 'notify',
        claimFirst: true,
      });
    }
    expect(sent.of('iris').policy).toBe('must_not_respond');
  });

  it('adds to an owned thread: its owner is told with a knock and may answer [C2A-06-02/outbound/add-to-owned-thread]', () => {
    const agents = [{ id: 'nova', owns: { conversations: ['T1'], streams: [] } }, 'otto', 'juno'];
    const sent = room({ agents })
      .thread()
      .say('juno', 'I think the cache is stale', { visibility: 'thread' });
    expect(sent.of('nova')).toMatchObject({
      directedness: 'to_my_role',
      policy: 'may_respond',
      mode: 'notify',
      reason: 'owned_thread',
    });
    expect(sent.of('otto').policy).toBe('must_not_respond');
  });

  it.each(['I think the cache is stale', 'is it only me or is it slow?', 'somebody should check the disk'])(
    'shares context without a mention: "%s" obliges nobody [C2A-06-02/outbound/share-context, C2A-06-24/talk/no-mention-obliges-nobody]',
    (text) => {
      const sent = room(TEAM).say('juno', text, {
        target: { directedness: 'ambient' },
        visibility: 'channel',
      });
      expect(sent.who('must_not_respond')).toEqual(['nova', 'otto', 'iris']);
      for (const decision of Object.values(sent.decisions)) expect(decision?.mode).toBe('tool_mailbox');
    },
  );

  const reports: [string, (r: Room) => Outcome][] = [
    ['as a notification', (r) => r.progress('juno', 'Checked build status, 2 of 5')],
    ['as a message', (r) => r.say('juno', 'Checked build status, 2 of 5', { subtype: 'progress' })],
    ['as a log line', (r) => r.say('juno', 'job 42 exited with 0', { subtype: 'log' })],
    [
      'in reply to the agent that asked',
      (r) =>
        r.say('juno', 'nova, checked build status', {
          subtype: 'progress',
          inReplyTo: r.say('nova', '@juno how is the build?'),
        }),
    ],
    [
      'in the middle of an exchange',
      (r) => {
        const asked = r.say('nova', '@juno how is the build?');
        r.say('juno', 'I look at it now.', { inReplyTo: asked });
        return r.say('juno', '2 of 5', { subtype: 'progress' });
      },
    ],
  ];
  it.each(reports)(
    'reports progress %s: a digest, never must_respond, for anybody [C2A-06-02/outbound/report-progress, C2A-06-02/progress/not-chat]',
    (_how, said) => {
      const sent = said(room(TEAM));
      for (const decision of Object.values(sent.decisions)) {
        expect(decision).toMatchObject({
          directedness: 'ambient',
          policy: 'must_not_respond',
          mode: 'digest',
          decision: 'observe',
        });
      }
      expect(sent.effects).toEqual([]);
    },
  );

  it('reports progress in a DM, also without obliging the other [C2A-06-02/outbound/report-progress]', () => {
    const dm = room({ kind: 'dm', agents: ['nova', 'juno'] });
    expect(dm.say('juno', '2 of 5', { subtype: 'progress' }).of('nova')).toMatchObject({
      policy: 'must_not_respond',
      mode: 'digest',
    });
  });

  it('asks nothing with progress: it is nobody’s open question and nobody’s turn [C2A-06-02/progress/not-chat]', () => {
    const r = room();
    const before = r.state;
    r.progress('nova', 'shall I go on?');
    expect(r.state).toMatchObject({ n: before.n, asks: [], speakers: [], recent: [] });
  });
});

const say = (text: string, target: NonNullable<SayOptions['target']>): Outcome =>
  room(TEAM).say('juno', text, { target });

describe('the directedness an agent declares', () => {
  it.each([
    ['ambient', 'must_not_respond', 'tool_mailbox'],
    ['to_other', 'must_not_respond', 'tool_mailbox'],
    ['to_my_role', 'may_respond', 'notify'],
    ['to_me', 'must_respond', 'buffered'],
  ] as const)(
    '%s lowers a mention to %s, %s at most [C2A-06-02/outbound/directedness-inherited]',
    (directedness, policy, mode) => {
      const decision = say('@nova can you look?', { directedness }).of('nova');
      expect(decision).toMatchObject({ policy, mode });
      expect(decision.trace.lowered).toEqual(directedness === 'to_me' ? undefined : ['declared_posture']);
    },
  );

  it('raises nobody it does not name [C2A-06-02/outbound/directedness-inherited]', () => {
    const sent = say('the cache is stale', { directedness: 'to_me' });
    expect(sent.who('must_not_respond')).toEqual(['nova', 'otto', 'iris']);
  });

  it('raises the one it names as recipient, and only that one [C2A-06-02/outbound/directedness-inherited]', () => {
    const sent = say('the cache is stale', { directedness: 'to_me', recipient: 'agent:iris' });
    expect(sent.who('must_respond')).toEqual(['iris']);
    expect(sent.of('iris').reason).toBe('assignment');
  });

  it('lowers the others, not the one it names as recipient [C2A-06-02/outbound/directedness-inherited]', () => {
    const sent = say('@nova fyi', { directedness: 'ambient', recipient: 'agent:iris' });
    expect(sent.of('iris')).toMatchObject({ policy: 'must_respond', mode: 'buffered' });
    expect(sent.of('nova')).toMatchObject({
      policy: 'must_not_respond',
      trace: { lowered: ['declared_posture'] },
    });
  });

  it('says nothing when a human claims it', () => {
    const said = room(TEAM).say('ann', '@nova can you look?', { target: { directedness: 'ambient' } });
    expect(said.of('nova').policy).toBe('must_respond');
  });
});
