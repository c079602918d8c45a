// The ladder: is this message aimed at this agent? One case per rung and per fact that may not be mistaken for one,
// each with the rung that decided, so that a right answer for a wrong reason is a failure.
import { describe, expect, it } from 'vitest';
import type { Directedness, Reason } from '../../src/protocol/vocabulary.ts';
import { type Outcome, type RoomOptions, AGENTS, HOUR, room } from './room.ts';

interface Case {
  req: string | readonly string[];
  what: string;
  in?: RoomOptions;
  /** The last thing said decides. */
  said: (options: RoomOptions) => Outcome;
  directedness: Directedness;
  reason: Reason;
}

const OPS: RoomOptions = { agents: [{ id: 'nova', roles: ['ops'] }, 'otto', 'iris'] };
const OWNER: RoomOptions = {
  agents: [{ id: 'nova', owns: { conversations: ['T1'], streams: ['migration'] } }, 'otto', 'iris'],
};

const CASES: readonly Case[] = [
  {
    req: 'C2A-06-02/directedness/to-me-dm',
    what: 'a DM to this session',
    in: { kind: 'dm', agents: ['nova'] },
    said: (o) => room(o).say('ann', 'the deploy was at noon'),
    directedness: 'to_me',
    reason: 'direct_message',
  },
  {
    req: 'C2A-06-02/directedness/to-me-dm',
    what: 'a DM whose surface names the recipient, several agents being bound',
    in: { kind: 'dm', here: { defaultResponder: 'otto' } },
    said: (o) => room(o).say('ann', 'hello', { target: { recipient: 'agent:nova' } }),
    directedness: 'to_me',
    reason: 'direct_message',
  },
  {
    req: ['C2A-06-02/directedness/to-me-mention', 'C2A-06-02/directedness/from-mentions'],
    what: 'a mention the surface resolved to it',
    said: (o) => room(o).say('ann', 'is it green?', { mentions: ['nova'] }),
    directedness: 'to_me',
    reason: 'mention',
  },
  {
    req: 'C2A-06-02/directedness/from-mentions',
    what: 'a mention of one of its platform accounts',
    in: { agents: [{ id: 'nova', accounts: ['U999'] }, 'otto'] },
    said: (o) => room(o).say('ann', 'is it green?', { mentions: [{ kind: 'agent', id: 'U999' }] }),
    directedness: 'to_me',
    reason: 'mention',
  },
  {
    req: 'C2A-06-02/directedness/from-mentions',
    what: 'an @name in the text',
    said: (o) => room(o).say('ann', 'hey @Nova, is it green?'),
    directedness: 'to_me',
    reason: 'mention',
  },
  {
    req: ['C2A-06-02/directedness/from-mentions', 'C2A-06-02/directedness/to-other-agent'],
    what: 'not a mention of a longer name that begins like its own',
    in: { agents: ['nova', 'nova-2'] },
    said: (o) => room(o).say('ann', '@nova-2 is it green?'),
    directedness: 'to_other',
    reason: 'addressed_elsewhere',
  },
  {
    req: 'C2A-06-02/directedness/from-recipients',
    what: 'a message that names it as the recipient',
    said: (o) => room(o).say('ann', 'the new ticket', { recipients: ['agent:nova'], subtype: 'assigned' }),
    directedness: 'to_me',
    reason: 'assignment',
  },
  {
    req: 'C2A-06-02/directedness/from-recipients',
    what: 'not a message that names another recipient',
    said: (o) => room(o).say('ann', 'the new ticket', { recipients: ['agent:otto'], subtype: 'assigned' }),
    directedness: 'to_other',
    reason: 'addressed_elsewhere',
  },
  {
    req: 'C2A-06-02/directedness/to-my-role-role-mention',
    what: 'a mention of a role it holds',
    in: OPS,
    said: (o) => room(o).say('ann', 'who can look at the disk?', { mentions: ['role:ops'] }),
    directedness: 'to_my_role',
    reason: 'role_mention',
  },
  {
    req: 'C2A-06-02/directedness/to-my-role-role-mention',
    what: 'an @role in the text, though the same message tags somebody else',
    in: OPS,
    said: (o) => room(o).say('ann', '@ops could you help @otto with the disk?'),
    directedness: 'to_my_role',
    reason: 'role_mention',
  },
  {
    req: 'C2A-06-02/directedness/to-other-agent',
    what: 'not a mention of a role that others hold, even alone with the author',
    in: {
      agents: ['nova', { id: 'otto', roles: ['ops'] }],
      membership: { humans: 1 },
      here: { defaultResponder: 'nova' },
    },
    said: (o) => room(o).say('ann', 'can you look at the disk?', { mentions: ['role:ops'] }),
    directedness: 'to_other',
    reason: 'addressed_elsewhere',
  },
  {
    req: ['C2A-06-02/directedness/to-my-role-owned-thread', 'C2A-06-02/directedness/from-ownership'],
    what: 'a message in a thread it owns',
    in: OWNER,
    said: (o) => room(o).thread().say('ann', 'the schema has landed'),
    directedness: 'to_my_role',
    reason: 'owned_thread',
  },
  {
    req: ['C2A-06-02/directedness/to-my-role-owned-stream', 'C2A-06-02/directedness/from-ownership'],
    what: 'a message in a stream it owns',
    in: { ...OWNER, streamId: 'migration' },
    said: (o) => room(o).say('ann', 'the schema has landed'),
    directedness: 'to_my_role',
    reason: 'owned_stream',
  },
  {
    req: 'C2A-06-02/directedness/from-ownership',
    what: 'not a message in a thread that another owns',
    in: { agents: ['nova', { id: 'otto', owns: { conversations: ['T1'], streams: [] } }] },
    said: (o) => room(o).thread().say('ann', 'the schema has landed'),
    directedness: 'ambient',
    reason: 'ambient',
  },
  {
    req: 'C2A-06-02/directedness/to-other-agent',
    what: 'not what mentions another agent',
    said: (o) => room(o).say('ann', '@otto is it green?'),
    directedness: 'to_other',
    reason: 'addressed_elsewhere',
  },
  {
    req: 'C2A-06-02/directedness/to-other-agent',
    what: 'not what calls another agent by name',
    said: (o) => room(o).say('ann', 'Otto, is it green?'),
    directedness: 'to_other',
    reason: 'addressed_elsewhere',
  },
  {
    req: 'C2A-06-02/directedness/to-other-user',
    what: 'not what mentions another person',
    said: (o) => room(o).say('ann', 'is it green?', { mentions: ['ben'] }),
    directedness: 'to_other',
    reason: 'addressed_elsewhere',
  },
  {
    req: 'C2A-06-02/directedness/to-other-user',
    what: 'not a native reply to another person where it has not spoken',
    said: (o) => {
      const r = room(o);
      const first = r.say('ben', 'the disk is full');
      return r.say('ann', 'since when?', { replyTo: first });
    },
    directedness: 'to_other',
    reason: 'addressed_elsewhere',
  },
  {
    req: 'C2A-06-02/directedness/to-other-user',
    what: 'not what calls another person by name',
    said: (o) => {
      const r = room(o);
      r.say('ben', 'the disk is full');
      return r.say('ann', 'Ben, since when?');
    },
    directedness: 'to_other',
    reason: 'addressed_elsewhere',
  },
  {
    req: 'C2A-06-02/directedness/ambient',
    what: 'not what is addressed to nobody',
    said: (o) => room(o).say('ann', 'is it green?'),
    directedness: 'ambient',
    reason: 'ambient',
  },
  {
    req: 'C2A-06-02/directedness/ambient',
    what: 'not what names a word that only contains its name',
    said: (o) => room(o).say('ann', 'what an innovation!'),
    directedness: 'ambient',
    reason: 'ambient',
  },
];

describe('directedness: for nova this is or is not', () => {
  it.each(CASES)('$what: $directedness by $reason', ({ in: options = {}, said, directedness, reason }) => {
    const { directedness: got, reason: why } = said(options).of('nova');
    expect({ directedness: got, reason: why }).toEqual({ directedness, reason });
  });

  it('is no DM to the default responder when the surface names another recipient [C2A-06-02/directedness/from-recipients]', () => {
    const dm = room({ kind: 'dm', here: { defaultResponder: 'otto' } });
    const said = dm.say('ann', 'hello', { target: { recipient: 'agent:nova' } });
    expect(said.of('otto')).toMatchObject({ directedness: 'to_other', reason: 'addressed_elsewhere' });
    expect(said.who('must_respond')).toEqual(['nova']);
  });

  it('stays a DM to the same agent when the other agent in it speaks twice', () => {
    const dm = room({ kind: 'dm', agents: ['nova', 'iris'] });
    expect(dm.say('iris', 'the deploy is yours').of('nova').reason).toBe('direct_message');
    expect(dm.say('iris', 'and the rollback too').of('nova').reason).toBe('direct_message');
  });

  it('is a channel, not a DM, when a third party is in it', () => {
    const dm = room({ kind: 'dm', agents: ['nova'], membership: { humans: 2, agents: 1 } });
    expect(dm.say('ann', 'the deploy was at noon').of('nova').reason).toBe('ambient');
  });
});

describe('bindings', () => {
  it('asks only agents bound to the conversation: the others get no directedness at all [C2A-06-02/directedness/needs-binding]', () => {
    const elsewhere = { id: 'otto', conversations: ['web/W1/C2'], accounts: ['U2'] };
    const r = room({ agents: ['nova', elsewhere] });
    const mentioned = r.say('ann', '@otto is it green?', { mentions: [{ kind: 'agent', id: 'U2' }] });
    expect(Object.keys(mentioned.decisions)).toEqual(['nova']);
    // Known to the host all the same: what is for otto is not for nova.
    expect(mentioned.of('nova')).toMatchObject({
      directedness: 'to_other',
      trace: { facts: { by: 'mention' } },
    });
  });

  it('needs the binding of an identity: an unknown account is nobody of ours [C2A-06-02/directedness/needs-binding]', () => {
    const said = room().say('ann', 'is it green?', { mentions: [{ kind: 'agent', id: 'U999' }] });
    for (const agent of AGENTS) expect(said.of(agent).directedness).toBe('to_other');
  });

  it('needs the binding of a stream: the same words elsewhere are ambient [C2A-06-02/directedness/needs-binding]', () => {
    const there = room({ ...OWNER, streamId: 'other' }).say('ann', 'the schema has landed');
    expect(there.of('nova').directedness).toBe('ambient');
  });

  it('covers the threads of a bound room', () => {
    const r = room({ agents: [{ id: 'nova', conversations: ['C1'] }] });
    expect(r.thread().say('ann', '@nova hello?').of('nova').reason).toBe('mention');
  });
});

describe('the recipients of the event', () => {
  it('never include its author [C2A-06-24/loops/never-own-message]', () => {
    const r = room();
    const own = r.say('nova', '@nova is this mine? nova, answer!', {
      mentions: ['nova'],
      recipients: ['agent:nova'],
    });
    expect(Object.keys(own.decisions).toSorted()).toEqual(['iris', 'otto']);
    expect(Object.keys(r.progress('nova', 'half way').decisions)).not.toContain('nova');
    expect(r.edit('nova', own, '@nova and now?').decisions['nova']).toBeUndefined();
    expect(r.react('nova', own, 'agree').decisions['nova']).toBeUndefined();
  });

  it('never include its author under another of its accounts either [C2A-06-24/loops/never-own-message]', () => {
    const r = room({ agents: [{ id: 'nova', accounts: ['U999'] }] });
    const own = r.fold('message', 'agent:U999', { text: '@nova again?' });
    expect(own.decisions).toEqual({});
  });
});

describe('an untargeted question in a thread of two agents', () => {
  it('is for the one that spoke last there, and only known to the other', () => {
    const thread = room().thread();
    thread.say('otto', 'the build is red');
    thread.say('nova', 'I have restarted the job.');
    const asked = thread.say('ann', 'which job was it?');
    expect(asked.of('nova')).toMatchObject({
      directedness: 'to_me',
      reason: 'thread_question',
      trace: { facts: { spokeLast: true } },
    });
    expect(asked.of('otto')).toMatchObject({ directedness: 'to_my_role', reason: 'thread_participation' });
    expect(asked.who('must_respond')).toEqual(['nova']);
  });
});

describe('an exchange', () => {
  it('makes an untargeted answer to a question of the agent to_me', () => {
    const r = room();
    const asked = r.say('ann', '@nova how do I restart it?');
    r.say('nova', 'Which service do you mean?', { inReplyTo: asked });
    expect(r.say('ann', 'the billing one').of('nova')).toMatchObject({
      reason: 'exchange',
      intent: 'answer',
    });
  });

  it('ends with others’ messages, not with a chain of guesses', () => {
    const r = room({ stepMs: 60_000 });
    // By the first version of the scorer, which left this to the exchange.
    const first = { facts: { scorer: 1 } };
    r.say('ann', '@nova the deploy is yours', first);
    const reasons = Array.from({ length: 6 }, () => {
      r.say('ben', 'nice weather', first);
      return r.say('ann', 'one more thing came up', first).of('nova').reason;
    });
    expect(reasons).toEqual(['exchange', 'exchange', 'exchange', 'exchange', 'ambient', 'ambient']);
  });

  it('lasts as long as its author writes line after line', () => {
    const r = room({ stepMs: 60_000 });
    r.say('ann', '@nova the deploy is yours');
    const reasons = Array.from(
      { length: 12 },
      () => r.say('ann', 'one more thing came up').of('nova').reason,
    );
    expect(new Set(reasons)).toEqual(new Set(['exchange']));
  });

  it.each(['??', '?', '???!', '？'])(
    'is asked again by a bare %j, however much was said meanwhile',
    (text) => {
      const r = room({ stepMs: 60_000 });
      r.say('ann', '@nova is the deploy blocked?');
      for (let i = 0; i < 15; i++) r.say(i % 2 === 0 ? 'ben' : 'cat', 'nice weather');
      expect(r.say('ann', text).of('nova')).toMatchObject({ reason: 'exchange', policy: 'may_respond' });
      expect(r.say('ann', 'still nothing').of('nova').reason).toBe('exchange');
    },
  );

  it('is over after two hours, however quiet the room', () => {
    const r = room();
    const asked = r.say('ann', '@nova how do I restart it?');
    r.say('nova', 'Which service do you mean?', { inReplyTo: asked });
    expect(
      r
        .wait(3 * HOUR)
        .say('ann', 'the billing one')
        .of('nova').reason,
    ).toBe('ambient');
  });
});
