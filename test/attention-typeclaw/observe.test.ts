// observe: watch but remember. What was observed waits for the next turn, once; that we have spoken is remembered too.
import { describe, expect, it } from 'vitest';
import { decodeState, encodeState } from '../../src/attention/index.ts';
import { busy, solo, toldTo } from './rooms.ts';

describe('what is observed', () => {
  it('moves no cursor [TC/observe/remembered]', () => {
    const r = busy();
    const said = ['one', 'two', 'three'].map((text) => r.say('ann', text));
    expect(said.map((outcome) => toldTo(outcome))).toEqual(['observe', 'observe', 'observe']);
    expect(said.flatMap((outcome) => outcome.effects)).toEqual([]);
  });

  it('moves no cursor when a message engages either: the turn takes it in, not the message [TC/observe/remembered]', () => {
    const r = busy();
    expect(r.say('ann', 'toto?').effect('cursor')).toEqual([]);
  });

  it('is taken by the turn up to that turn, and by no later one [TC/observe/flushed-once]', () => {
    const r = busy();
    r.say('ann', 'one');
    const first = r.turn('toto', 'started');
    expect(first.effects).toEqual([{ type: 'cursor', agent: 'toto', seq: first.record.seq }]);
    expect(r.turn('toto', 'ended').effect('cursor')).toEqual([]);
    const between = r.say('ann', 'two');
    const second = r.turn('toto', 'started');
    const [before] = first.effect('cursor');
    const [after] = second.effect('cursor');
    // The second turn takes what lies after the first cursor: "two" and nothing of before.
    expect(before?.seq).toBeLessThan(between.record.seq);
    expect(after?.seq).toBeGreaterThan(between.record.seq);
  });

  it('moves the cursor of the agent whose turn it is, and of no other [TC/observe/flushed-once]', () => {
    const r = busy({ agents: ['toto', 'lala'] });
    expect(r.turn('lala', 'started').effect('cursor')).toMatchObject([{ agent: 'lala' }]);
  });

  it.each(['live', 'backfill'] as const)(
    'tells that we have spoken in the thread (%s), also after a restart [TC/observe/bot-in-thread]',
    (origin) => {
      const thread = solo().thread({ membership: { humans: 1 } });
      const root = thread.say('ann', 'look');
      expect(toldTo(thread.say('ann', 'more', { replyTo: root }))).toBe('observe');
      thread.say('toto', 'looking', { facts: { origin } });
      thread.state = decodeState(encodeState(thread.state));
      for (let i = 0; i < 40; i++) thread.say('ann', 'hm');
      expect(toldTo(thread.say('ann', 'more', { replyTo: root }))).toBe('engage');
    },
  );
});
