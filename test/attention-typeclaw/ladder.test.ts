// The engage ladder without its credits: triggers, aliases, the solo-human rule, and the order between them.
import { describe, expect, it } from 'vitest';
import { DAY } from '../attention/room.ts';
import { busy, credit, solo, toldTo } from './rooms.ts';

describe('explicit triggers', () => {
  it('engages a DM [TC/ladder/trigger-dm]', () => {
    const r = solo({ kind: 'dm' });
    expect(r.say('ann', 'lol ok').of('toto')).toMatchObject({ decision: 'engage', reason: 'direct_message' });
  });

  it('engages a platform mention of us, and of us only [TC/ladder/trigger-mention]', () => {
    const r = busy({ agents: [{ id: 'toto', accounts: ['U77'] }] });
    const said = r.say('ann', '<@U77> hey', { mentions: [{ kind: 'agent', id: 'U77' }] });
    expect(said.of('toto')).toMatchObject({ decision: 'engage', reason: 'mention' });
    expect(toldTo(r.say('ann', '<@U78> hey', { mentions: [{ kind: 'agent', id: 'U78' }] }))).toBe('observe');
  });

  it('engages a reply to one of our messages, whoever replies [TC/ladder/trigger-reply]', () => {
    const r = busy();
    const ours = r.say('toto', 'the build is green');
    expect(r.say('ben', 'nice', { replyTo: ours }).of('toto')).toMatchObject({
      decision: 'engage',
      reason: 'reply',
    });
    const old = r.say('cat', 'nice', { replyTo: { eventId: 'long-ago', to: 'toto' } });
    expect(toldTo(old)).toBe('engage');
  });

  it('does not engage a reply to somebody else [TC/ladder/trigger-reply]', () => {
    const r = busy();
    r.say('toto', 'the build is green');
    const theirs = r.say('ann', 'is it?');
    expect(toldTo(r.say('ben', 'yes', { replyTo: theirs }))).toBe('observe');
  });

  it.each(['dm', 'mention', 'reply'] as const)(
    'does not engage by %s once that trigger is switched off [TC/ladder/triggers-configurable]',
    (trigger) => {
      const engaged = (off: boolean): string => {
        const agents = [{ id: 'toto', accounts: ['U77'], triggers: off ? { [trigger]: false } : {} }];
        if (trigger === 'dm') {
          const r = solo({ kind: 'dm', agents, membership: { humans: 2, agents: 0 } });
          return toldTo(r.say('ann', 'hi'));
        }
        const r = busy({ agents });
        if (trigger === 'mention') return toldTo(r.say('ann', 'hi', { mentions: ['U77'] }));
        const ours = r.say('toto', 'done');
        return toldTo(r.say('ann', 'hi', { replyTo: ours }));
      };
      expect([engaged(false), engaged(true)]).toEqual(['engage', 'observe']);
    },
  );

  it('observes what matches no rule [TC/ladder/default-observe]', () => {
    expect(busy().say('ann', 'what a day').of('toto')).toMatchObject({
      decision: 'observe',
      reason: 'ambient',
    });
  });
});

describe('first match wins', () => {
  it('takes a mention before the credit: the credit is not spent [TC/ladder/first-match-wins]', () => {
    const r = busy();
    credit(r, 'ann');
    expect(r.say('ann', 'hey', { mentions: ['toto'] }).of('toto').reason).toBe('mention');
    expect(r.say('ann', 'so?').of('toto').reason).toBe('sticky');
  });

  it('takes the credit before the alias, and the alias before a suppressor [TC/ladder/first-match-wins]', () => {
    const r = busy();
    credit(r, 'ann');
    expect(r.say('ann', 'toto, so?').of('toto').reason).toBe('sticky');
    expect(r.say('ann', 'toto and ben, so?', { mentions: ['ben'] }).of('toto').reason).toBe('name');
    expect(r.say('ann', 'ben, so?', { mentions: ['ben'] }).of('toto').reason).toBe('addressed_elsewhere');
  });
});

describe('alias match', () => {
  const agents = [{ id: 'toto', name: 'Todo Keeper', aliases: ['토토', 'Listmaster'] }];

  it.each(['Todo Keeper, look', 'ask LISTMASTER', 'was meint todo keeper dazu', '토토아 봐줘', 'ＴＯＴＯ?'])(
    'engages %j in any case of letters [TC/ladder/alias-match]',
    (text) => {
      expect(busy({ agents }).say('ann', text).of('toto')).toMatchObject({
        decision: 'engage',
        reason: 'name',
      });
    },
  );

  it.each(['pototo salad', 'listmasters everywhere', '안녕토토야'])(
    'matches inside %j: there are no word boundaries [TC/ladder/alias-substring]',
    (text) => {
      expect(toldTo(busy({ agents }).say('ann', text))).toBe('engage');
    },
  );

  it('takes the agent’s own id for an alias, unconfigured [TC/ladder/alias-implicit]', () => {
    expect(busy().say('ann', 'toto?').of('toto').reason).toBe('name');
    expect(toldTo(busy().say('ann', 'tutu?'))).toBe('observe');
  });

  it('engages a message that names us and tags somebody else [TC/ladder/alias-not-suppressed]', () => {
    const said = busy().say('ann', 'what toto said, @ben', { mentions: ['ben'] });
    expect(said.of('toto')).toMatchObject({ decision: 'engage', reason: 'name' });
  });

  it('engages both of two agents named, each on its own alias [TC/ladder/alias-two-agents]', () => {
    const r = busy({
      agents: [{ id: 'toto', aliases: ['토토'] }, { id: 'lala', aliases: ['라라'] }, 'mimi'],
    });
    const said = r.say('ann', '토토아 라라아 둘 다 봐');
    expect(toldTo(said, 'toto')).toBe('engage');
    expect(toldTo(said, 'lala')).toBe('engage');
    expect(toldTo(said, 'mimi')).toBe('observe');
  });
});

describe('the solo-human rule', () => {
  it('engages a lone human’s message without a mention [TC/ladder/solo-human]', () => {
    const said = solo().say('ann', 'what is left today');
    expect(said.of('toto')).toMatchObject({ decision: 'engage', reason: 'solo_human' });
  });

  it('engages each agent of a lone human’s channel [TC/ladder/solo-human]', () => {
    const said = solo({ agents: ['toto', 'lala'] }).say('ann', '얘들아');
    expect([toldTo(said, 'toto'), toldTo(said, 'lala')]).toEqual(['engage', 'engage']);
  });

  it('counts nobody but humans: agents and the platform may speak [TC/ladder/solo-human]', () => {
    const r = solo();
    r.say('agent:bot', 'hi');
    r.say('system:ci', 'build 7 passed');
    r.say('toto', 'hi');
    expect(toldTo(r.say('ann', 'what is left'))).toBe('engage');
  });

  it('ends when a second human posts, with that very message [TC/ladder/solo-ends-with-second-human]', () => {
    const r = solo();
    expect(toldTo(r.say('ann', 'what is left'))).toBe('engage');
    expect(toldTo(r.say('ben', 'hi there'))).toBe('observe');
    expect(toldTo(r.say('ann', 'hi ben'))).toBe('observe');
    expect(toldTo(r.say('ann', 'still here', { after: 6 * DAY }))).toBe('observe');
  });

  it.each([
    ['tags another', { mentions: ['ben'] }, 'look'],
    ['replies to another’s message', { replyTo: { eventId: 'x9', to: 'ben' } }, 'look'],
    ['names a peer bot', {}, 'robo what is left'],
  ])(
    'gives way to a suppressor when the message %s [TC/ladder/suppressors-before-solo]',
    (_what, options, text) => {
      const r = solo();
      r.say('agent:robo', 'beep');
      expect(r.say('ann', text, options).of('toto')).toMatchObject({
        decision: 'observe',
        reason: 'addressed_elsewhere',
      });
      expect(r.say('ann', 'look').of('toto').reason).toBe('solo_human');
    },
  );
});
