// One-shot credits: who gets them, what spends them, how long they live, and the target check of busy rooms.
import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../attention/room.ts';
import { busy, credit, solo, toldTo } from './rooms.ts';

/** `credit` and the message after it each take one step of the room's clock. */
const STEP = 10 * SECOND;

describe('a sticky credit', () => {
  it('engages its holder without a mention [TC/ladder/sticky-engages]', () => {
    const r = busy();
    credit(r, 'ann');
    expect(r.say('ann', 'where did you send it?').of('toto')).toMatchObject({
      decision: 'engage',
      reason: 'sticky',
    });
  });

  it('is consumed by the message it engages; a fresh reply grants the next [TC/ladder/sticky-one-shot]', () => {
    const r = busy();
    credit(r, 'ann');
    const second = r.say('ann', 'where?');
    expect(toldTo(second)).toBe('engage');
    expect(toldTo(r.say('ann', 'hello?'))).toBe('observe');
    r.say('toto', 'in the vault', { inReplyTo: second });
    expect(toldTo(r.say('ann', 'which?'))).toBe('engage');
  });

  it.each([
    ['just inside the default 15 minutes', {}, 15 * MINUTE - STEP - 1, 'engage'],
    ['at the default 15 minutes', {}, 15 * MINUTE - STEP, 'observe'],
    ['inside a configured minute', { stickyMs: MINUTE }, MINUTE - STEP - 1, 'engage'],
    ['after a configured minute', { stickyMs: MINUTE }, MINUTE - STEP, 'observe'],
  ])('lives its window: %s [TC/ladder/sticky-window]', (_when, limits, after, decision) => {
    const r = busy({ limits });
    credit(r, 'ann');
    expect(toldTo(r.say('ann', 'and?', { after }))).toBe(decision);
  });

  it('cannot come back once it has expired [TC/ladder/sticky-expired]', () => {
    const r = busy();
    credit(r, 'ann');
    expect(toldTo(r.say('ann', 'and?', { after: 20 * MINUTE }))).toBe('observe');
    // Another’s fresh credit neither revives nor lengthens it.
    credit(r, 'ben');
    expect(toldTo(r.say('ann', 'and?'))).toBe('observe');
    expect(r.state.credits.map(({ author }) => author)).toEqual(['ben']);
  });

  it('is granted to the author answered and to nobody else [TC/ladder/sticky-granted-to-targets]', () => {
    const r = busy();
    credit(r, 'ann');
    expect(r.state.credits.map(({ author }) => author)).toEqual(['ann']);
    expect(toldTo(r.say('ben', 'and mine?'))).toBe('observe');
    expect(toldTo(r.say('ann', 'and mine?'))).toBe('engage');
  });

  it('follows a native reply as well [TC/ladder/sticky-granted-to-targets]', () => {
    const r = busy();
    const said = r.say('ben', 'is it up');
    r.say('toto', 'it is', { replyTo: said });
    expect(r.state.credits.map(({ author }) => author)).toEqual(['ben']);
  });

  it.each([
    ['nothing in particular', 'the build is green', {}],
    ['a person by tag', 'have a look', { mentions: ['ben'] }],
    ['a peer by name', 'lala knows', {}],
  ])(
    'is granted to nobody by a message of ours that replies to no one: %s [TC/ladder/sticky-granted-to-targets]',
    (_what, text, options) => {
      const r = busy({ agents: ['toto', 'lala'] });
      r.say('toto', text, options);
      expect(r.state.credits).toEqual([]);
    },
  );

  it('does not engage with stickiness off, and none is granted [TC/ladder/sticky-off]', () => {
    const r = busy({ agents: [{ id: 'toto', stickiness: 'off' }] });
    credit(r, 'ann');
    expect(r.state.credits).toEqual([]);
    expect(toldTo(r.say('ann', 'and?'))).toBe('observe');
  });

  it('does not engage when stickiness is switched off after it was granted [TC/ladder/sticky-off]', () => {
    const on = busy();
    credit(on, 'ann');
    const off = busy({ here: { stickiness: 'off' } });
    off.state = on.state;
    expect(toldTo(off.say('ann', 'and?'))).toBe('observe');
  });

  it.each(['lol ok', 'where did you send it?', 'thanks!', 'stop', '👍', 'ㅋㅋㅋ'])(
    'does not look at the words: %j engages [TC/ladder/sticky-content-blind]',
    (text) => {
      const r = busy();
      credit(r, 'ann');
      expect(r.say('ann', text).of('toto')).toMatchObject({ decision: 'engage', mode: 'buffered' });
    },
  );
});

const credited = (agents = ['toto']) => {
  const r = busy({ agents });
  credit(r, 'ann');
  return r;
};

describe('the target check among several humans', () => {
  it('observes a credited author who tags a third party [TC/ladder/target-check-mention]', () => {
    expect(toldTo(credited().say('ann', 'what do you think?', { mentions: ['ben'] }))).toBe('observe');
  });

  it('observes a reply to another human where we have not spoken [TC/ladder/target-check-reply]', () => {
    const r = busy();
    const { credits } = (() => {
      const granted = busy();
      credit(granted, 'ann');
      return granted.state;
    })();
    r.state = { ...r.state, credits };
    const bens = r.say('ben', 'is it up?');
    expect(toldTo(r.say('ann', 'yes', { replyTo: bens }))).toBe('observe');
    expect(toldTo(r.say('ann', 'and?'))).toBe('engage');
  });

  it('engages a reply to another human once we have spoken here [TC/ladder/target-check-reply]', () => {
    const r = credited();
    const bens = r.say('ben', 'is it up?');
    expect(toldTo(r.say('ann', 'yes', { replyTo: bens }))).toBe('engage');
  });

  it('observes a credited author who names a peer bot, ours or not [TC/ladder/target-check-peer-name]', () => {
    const r = credited(['toto', 'lala']);
    r.say('agent:robo', 'beep');
    expect(toldTo(r.say('ann', 'lala what about it'))).toBe('observe');
    expect(toldTo(r.say('ann', 'so says Robo'))).toBe('observe');
    expect(toldTo(r.say('ann', 'so says Roby'))).toBe('engage');
  });

  it('leaves the credit for the next message [TC/ladder/target-check-keeps-credit]', () => {
    const r = credited();
    r.say('ann', 'you there?', { mentions: ['ben'] });
    expect(r.say('ann', 'so?').of('toto').reason).toBe('sticky');
    expect(toldTo(r.say('ann', 'so?'))).toBe('observe');
  });

  it('engages a plain follow-up [TC/ladder/target-check-plain-follow-up]', () => {
    expect(credited().say('ann', 'what about tomorrow').of('toto').reason).toBe('sticky');
  });

  it('engages a message aimed at a third party that also names us [TC/ladder/target-check-own-name]', () => {
    const r = credited(['toto', 'lala']);
    expect(toldTo(r.say('ann', 'toto and @ben, look', { mentions: ['ben'] }))).toBe('engage');
    expect(toldTo(r.say('ann', 'toto lala look'))).toBe('engage');
  });

  it('is not made with at most one human: the credit wins over the tag [TC/ladder/target-check-not-solo]', () => {
    const r = solo();
    credit(r, 'ann');
    const said = r.say('ann', 'what do you think?', { mentions: ['ben'] });
    expect(said.of('toto')).toMatchObject({ decision: 'engage', reason: 'sticky' });
    expect(toldTo(r.say('ann', 'and you?', { mentions: ['ben'] }))).toBe('observe');
  });
});
