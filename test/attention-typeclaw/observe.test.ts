// observe: watch but remember. That we have spoken is remembered. What was observed waits for the next turn, once: the
// host reads it from the log (test/host/settle.test.ts).
import { describe, expect, it } from 'vitest';
import { decodeState, encodeState } from '../../src/attention/index.ts';
import { busy, solo, toldTo } from './rooms.ts';

describe('what is observed', () => {
  it('asks nothing of the host: the log keeps it for the next turn [TC/observe/remembered]', () => {
    const r = busy();
    const said = ['one', 'two', 'three'].map((text) => r.say('ann', text));
    expect(said.map((outcome) => toldTo(outcome))).toEqual(['observe', 'observe', 'observe']);
    const engaging = r.say('ann', 'toto?');
    expect(toldTo(engaging)).toBe('engage');
    const turn = [r.turn('toto', 'started'), r.turn('toto', 'ended')];
    expect([...said, engaging, ...turn].flatMap((outcome) => outcome.effects)).toEqual([]);
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
