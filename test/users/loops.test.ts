// "Loops", "pile-ups and duplicates", and what people ask for: who answers, how often, and who is told to. Default preset.
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND, room } from '../attention/room.ts';
import { pingPong, team, woken } from './rooms.ts';

/** Different words every round, so that only counting can stop it. */
const WORDS = [
  'apple',
  'river',
  'stone',
  'cloud',
  'tiger',
  'paper',
  'green',
  'north',
  'sugar',
  'metal',
  'piano',
];
const fresh = (round: number): string =>
  `please check the ${WORDS[round % 11]} ${WORDS[(round * 7 + 3) % 11]} ${'z'.repeat(round + 1)}`;

describe('two agents talk for ever', () => {
  it('42 and more iterations (58789), 132 messages (Hermes 91481): here the tenth without result is the last', () => {
    const r = team();
    const said = pingPong(r, 132, fresh);
    expect(said).toHaveLength(10);
    const last = said.at(-1);
    expect(last?.effect('escalate')).toMatchObject([{ why: 'loop_stopped', cause: 'unproductive' }]);
    expect(Object.values(last?.decisions ?? {}).map((decision) => decision?.reason)).toContain(
      'loop_stopped',
    );
    // Nobody is woken by more of it, and the lead or a human hears of it once.
    const more = pingPong(r, 1, fresh).concat(pingPong(r, 1, fresh));
    expect(more.flatMap(woken)).toEqual([]);
    expect(more.flatMap((outcome) => outcome.effect('escalate'))).toEqual([]);
    // A human is heard at once and frees them.
    expect(woken(r.say('ann', '@nova what are you two doing?'))).toEqual(['nova']);
    expect(pingPong(r, 3, fresh)).toHaveLength(3);
  });

  it('the model is not told (58789): here from the fifth turn on it may stay silent and knows why', () => {
    const said = pingPong(team(), 7, fresh);
    const told = said.map((outcome, round) => outcome.of(round % 2 === 0 ? 'otto' : 'nova'));
    expect(told.map(({ policy }) => policy === 'must_respond')).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(told.at(-1)?.policy).toBe('may_respond');
    expect(told.map(({ notice }) => notice === 'loop')).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  it('a slow loop stays under the rate limit for three hours (110160): here turns are counted, not their speed', () => {
    expect(pingPong(team(), 200, fresh, 5 * MINUTE)).toHaveLength(10);
    expect(pingPong(team(), 200, fresh, HOUR)).toHaveLength(10);
  });

  it('a slow loop with a human passing by never trips (110160): here a human releases only whom they speak to', () => {
    const r = team();
    const said = pingPong(r, 60, (round) => {
      r.say('ben', 'lunch?');
      return fresh(round);
    });
    expect(said).toHaveLength(10);
    expect(r.state.loop.pairs[0]?.stopped).toBe('unproductive');
  });

  it('“thank you” – “no, thank you” (32791): here thanks between agents start no turn', () => {
    const r = team();
    const asked = r.say('nova', '@otto can you check the build?', { mentions: ['otto'] });
    expect(woken(asked)).toEqual(['otto']);
    const done = r.say('otto', 'The build is green.', { inReplyTo: asked });
    const thanks = r.say('nova', 'Thanks!', { inReplyTo: done });
    expect(woken(thanks)).toEqual([]);
    expect(thanks.effects).toEqual([]);
    expect(woken(r.say('otto', 'You are welcome!', { inReplyTo: thanks }))).toEqual([]);
  });

  it('the same exchange over and over (32791): here the repeat is recognised, whatever the politeness', () => {
    const r = team();
    const polite = ['please', 'could you', 'kindly', 'can you please'];
    const said = pingPong(r, 20, (round) => `${polite[round % 4]} retry the failing upload step`);
    expect(said.length).toBeLessThanOrEqual(4);
    expect(r.state.loop.pairs[0]?.stopped).toBe('repeating');
  });

  it('there is no way to stop them but the prompt (32791): here a human’s “stop” is the host’s business', () => {
    const r = team();
    pingPong(r, 3, fresh);
    const told = r.say('ann', 'stop', { mentions: ['nova', 'otto'] });
    expect(told.effect('cancel_turn').map(({ agent }) => agent)).toEqual(['nova', 'otto']);
    expect(woken(told)).toEqual([]);
  });

  it('an agent told by another answers again and again to being told (32791): here a plain answer obliges nobody', () => {
    const r = team();
    const asked = r.say('nova', '@otto which branch is it?', { mentions: ['otto'] });
    const answer = r.say('otto', 'the release branch', { replyTo: asked });
    expect(answer.of('nova')).toMatchObject({ policy: 'may_respond', intent: 'answer' });
  });
});

const policyOf = (age: number): string => {
  const r = team();
  const sentAt = r.now + 10 * SECOND - age;
  return r.say('ann', '@nova can you look?', { facts: { origin: 'gap' }, sentAt }).of('nova').policy;
};

describe('everybody answers', () => {
  it('three bots answered 9 of 9 prompts (pile-up): here a lone human gets one answer', () => {
    const r = room({ membership: { humans: 1 }, here: { defaultResponder: 'otto' } });
    r.say('ann', 'hello');
    for (let i = 0; i < 9; i++) {
      expect(woken(r.say('ann', `how do I undo commit ${i}?`))).toEqual(['otto']);
    }
  });

  it('three bots answered 9 of 9 prompts (pile-up): here a question to a busy room is nobody’s until claimed', () => {
    const r = team();
    const asked = r.say('ann', 'how do I undo a commit?');
    expect(woken(asked)).toEqual([]);
    expect(r.claim('iris', asked).of('iris')).toMatchObject({ policy: 'may_respond', reason: 'claimed' });
    expect(r.claim('otto', asked).effect('claim_refused')).toMatchObject([{ why: 'held', holder: 'iris' }]);
  });

  it('one message answered four times over seven hours (19226): here once answered it cannot be claimed again', () => {
    const r = team();
    const asked = r.say('ann', 'how do I undo a commit?');
    r.claim('iris', asked);
    r.say('iris', 'git revert', { inReplyTo: asked });
    for (const [agent, after] of [
      ['otto', MINUTE],
      ['nova', 7 * HOUR],
    ] as const) {
      const late = r.claim(agent, asked, { after });
      expect(late.effect('claim_refused')).toMatchObject([{ why: 'answered', holder: 'iris' }]);
      expect(late.decisions).toEqual({});
    }
  });

  it('catching up after an outage it answers old messages (39138): here age lowers and a day silences', () => {
    expect([policyOf(MINUTE), policyOf(HOUR), policyOf(DAY + MINUTE)]).toEqual([
      'must_respond',
      'may_respond',
      'must_not_respond',
    ]);
  });

  it('history read on start is answered (39138): here it is remembered and decides nothing', () => {
    const r = room({ agents: ['nova'] });
    const old = r.say('ann', '@nova can you look?', { facts: { origin: 'backfill' } });
    expect([old.decisions, old.effects]).toEqual([{}, []]);
    expect(r.state.speakers.map(({ key }) => key)).toEqual(['ann']);
  });
});

describe('what people ask for', () => {
  it.each([
    ['@nova is it up?', 'must_respond'],
    ['@nova FYI the deploy is at five', 'must_respond'],
    ['is it up?', 'must_not_respond'],
    ['@ben is it up?', 'must_not_respond'],
    ['thanks @nova', 'ack_only'],
  ])(
    'an envelope that says whether a reply is wanted (121914, agent-relay 1255): %j says %s',
    (text, policy) => {
      const mentions = text.includes('@ben') ? { mentions: ['ben'] } : {};
      expect(team().say('ann', text, mentions).of('nova').policy).toBe(policy);
    },
  );
});
