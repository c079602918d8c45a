// "Wakes on everything, or cannot be sent away": complaints from the trackers of the systems people use now, as
// scenarios on the default preset.
import { describe, expect, it } from 'vitest';
import { MINUTE, room } from '../attention/room.ts';
import { team, woken } from './rooms.ts';

describe('it wakes on everything', () => {
  it('having taken part once it answers every untagged line of the thread (OpenClaw 64277): here those start no turn', () => {
    const r = team();
    const thread = r.thread({ membership: { humans: 3 } });
    const asked = thread.say('ann', '@nova which version is live?');
    expect(woken(asked)).toEqual(['nova']);
    thread.say('nova', 'It is 4.2.', { inReplyTo: asked });
    const bens = thread.say('ben', 'that was quick');
    const lines = [
      thread.say('cat', 'I thought 4.3', { replyTo: bens }),
      thread.say('ben', 'no, that is tomorrow', { replyTo: bens }),
      thread.say('cat', 'right, the freeze'),
      thread.say('ben', 'exactly'),
    ];
    expect(lines.flatMap(woken)).toEqual([]);
    expect(lines.flatMap((line) => line.who('must_respond'))).toEqual([]);
  });

  it('it must be mentioned again on every line (OpenClaw 24816): here a follow-up and an answer need no tag', () => {
    const r = team();
    const asked = r.say('ann', '@nova can you restart staging?');
    r.say('nova', 'Which of the two, eu or us?', { inReplyTo: asked });
    const answer = r.say('ann', 'the eu one');
    expect(answer.of('nova')).toMatchObject({ policy: 'must_respond', reason: 'exchange', intent: 'answer' });
    r.say('nova', 'Done.', { inReplyTo: answer });
    expect(r.say('ann', 'can you do us as well?').of('nova').policy).toBe('must_respond');
    expect(woken(r.say('ben', 'what is for lunch?'))).toEqual([]);
  });

  it('@everyone wakes every bot (91415): here it names nobody in particular', () => {
    const r = team();
    const tagged = r.say('ann', 'the office closes at five', { mentions: ['@everyone'] });
    const written = r.say('ann', '@here @channel @everyone the office closes at five?');
    expect([tagged, written].flatMap(woken)).toEqual([]);
    expect(written.of('nova').reason).toBe('ambient');
  });

  it('six bots tagged at once all answer (91415): here so many are a call to the room', () => {
    const agents = ['b1', 'b2', 'b3', 'b4', 'b5', 'b6'];
    const r = team({ agents });
    expect(woken(r.say('ann', 'who is there?', { mentions: agents }))).toEqual([]);
    expect(woken(r.say('ann', 'who is there?', { mentions: agents.slice(0, 5) }))).toHaveLength(5);
  });

  it('three bots each open a turn on every follow-up to find it is not for them (Hermes 50973): here one does', () => {
    const r = team();
    for (const agent of ['nova', 'otto', 'iris']) {
      const asked = r.say('ann', `@${agent} are you up?`);
      r.say(agent, 'I am.', { inReplyTo: asked });
    }
    expect(woken(r.say('ann', 'great, can you show me the logs?'))).toEqual(['iris']);
  });

  it('every decision to stay silent is a paid turn (15268): here an afternoon of chatter starts none', () => {
    const r = team();
    const talk = [
      'did you see the game',
      'yes, what a goal',
      'who is bringing cake?',
      'me',
      'lol',
      '🎂',
      'thanks!',
    ];
    const said = talk.map((text, i) => r.say(['ann', 'ben', 'cat'][i % 3] ?? 'ann', text));
    expect(said.flatMap(woken)).toEqual([]);
    expect(said.flatMap((line) => line.effects)).toEqual([]);
  });

  it('thanking it starts another turn (15268): here it is acknowledged with one reaction and no turn', () => {
    const r = team();
    const asked = r.say('ann', '@nova is it up?');
    r.say('nova', 'It is.', { inReplyTo: asked });
    const thanks = r.say('ann', 'thanks nova!');
    expect(woken(thanks)).toEqual([]);
    expect(thanks.of('nova').policy).toBe('ack_only');
    expect(thanks.effects).toEqual([
      { type: 'signal', agent: 'nova', eventId: thanks.eventId, signal: 'seen' },
    ]);
  });
});

describe('it cannot be sent away', () => {
  it.each([
    ['stop', 'mention_only', 'stop'],
    ['nova please be quiet', 'mention_only', 'stop'],
    ['nova, leave this channel please', 'left', 'left'],
    ['Nova, geh bitte', 'left', 'left'],
    ['ノバ、静かにして', 'mention_only', 'stop'],
  ])(
    '%j is a prompt wish that gets ignored (Hermes 32791, 63269): here the host obeys, no model is asked',
    (text, mode, why) => {
      const r = team({ agents: [{ id: 'nova', aliases: ['ノバ'] }, 'otto'] });
      const asked = r.say('ann', '@nova watch the build');
      r.say('nova', 'Watching.', { inReplyTo: asked });
      const told = r.say('ann', text, { mentions: ['nova'] });
      expect(woken(told)).toEqual([]);
      expect(told.effect('mode')).toMatchObject([{ agent: 'nova', mode }]);
      expect(told.effect('cancel_turn')).toMatchObject([{ agent: 'nova', why }]);
      expect(told.effect('acknowledge')).toHaveLength(1);
      expect(woken(r.say('ann', 'is the build done?'))).toEqual([]);
      expect(woken(r.say('ben', 'anybody?'))).toEqual([]);
    },
  );

  it('told to be quiet it acknowledges and so arms itself again (TypeClaw 718, 751): here the acknowledgement binds', () => {
    const r = team();
    const asked = r.say('ann', '@nova watch the build');
    r.say('nova', 'Watching.', { inReplyTo: asked });
    const told = r.say('ann', '@nova stop');
    r.say('nova', 'OK, I will be quiet.', { inReplyTo: told });
    expect(woken(r.say('ann', 'good, what about lunch?'))).toEqual([]);
    expect(woken(r.say('ben', 'what about lunch?'))).toEqual([]);
    expect(woken(r.say('ann', '@nova are you there?'))).toEqual(['nova']);
  });

  it('set back to normal it takes up where it was told to stop (TypeClaw 718): here that exchange is over', () => {
    const r = team();
    const asked = r.say('ann', '@nova watch the build');
    r.say('nova', 'Watching.', { inReplyTo: asked });
    r.say('ben', '@nova stop');
    r.mode('cat', 'auto', 'nova');
    expect(woken(r.say('ann', 'what about lunch?'))).toEqual([]);
  });

  it.each(['default', 'typeclaw'] as const)(
    'stepping back by tool and saying so arms it again (TypeClaw 718, 751), preset %s: here the turn’s reply does not count',
    (preset) => {
      const r = team({ preset, agents: ['nova'] });
      const asked = r.say('ann', '@nova you talk too much');
      r.turn('nova', 'started');
      r.disengage('nova');
      r.say('nova', 'Understood, backing off.', { inReplyTo: asked });
      r.turn('nova', 'ended');
      expect(woken(r.say('ann', 'what about lunch?'))).toEqual([]);
    },
  );

  it('having left it is still woken in the room’s threads (63269): here leaving a room covers them', () => {
    const r = team();
    r.say('ann', '@nova please leave');
    const thread = r.thread();
    expect(woken(thread.say('ann', 'nova said it was fine'))).toEqual([]);
    expect(thread.say('ben', '@nova come back').effect('mode')).toMatchObject([{ mode: 'auto' }]);
  });
});

const inThread = () => {
  const thread = team().thread({ membership: { humans: 3 } });
  const asked = thread.say('ann', '@nova how is it going?');
  thread.say('nova', 'Well.', { inReplyTo: asked });
  return thread;
};

describe('no default suits everybody (64277 against 24816): here each room has its mode', () => {
  it('“follow this” gives it the thread in batches, “only when I mention you” keeps it out, “back to normal” ends both', () => {
    const r = inThread();
    expect(r.say('ann', '@nova follow this thread').effect('mode')).toMatchObject([{ mode: 'follow' }]);
    const first = r.say('ben', 'the build is red again', { after: MINUTE });
    expect(woken(first)).toEqual(['nova']);
    expect(first.of('nova').heldUntil).toBeUndefined();
    const second = r.say('cat', 'it was the cache').of('nova');
    expect(second.heldUntil).toBeGreaterThan(r.now);
    const told = r.say('ann', '@nova only answer when I mention you');
    expect(told.effect('mode')).toMatchObject([{ mode: 'mention_only' }]);
    expect(woken(r.say('ann', 'so is it red?'))).toEqual([]);
    expect(woken(r.say('ann', '@nova so is it red?'))).toEqual(['nova']);
    expect(r.say('ann', '@nova back to normal').effect('mode')).toMatchObject([{ mode: 'auto' }]);
  });

  it('the same by tool and by page, and it survives restarts', () => {
    const r = inThread();
    expect(r.mode('nova', 'mention_only').effect('mode')).toHaveLength(1);
    expect(woken(r.say('ann', 'so is it red?'))).toEqual([]);
    r.mode('ann', 'auto', 'nova');
    const again = r.say('ann', '@nova so is it red?');
    r.say('nova', 'Green.', { inReplyTo: again });
    expect(woken(r.say('ann', 'since when is it green?'))).toEqual(['nova']);
    r.mode('ann', 'left', 'nova');
    expect(woken(r.say('ann', 'since when is it green?'))).toEqual([]);
  });

  it('focus with a time limit (agent-relay 1292): what comes meanwhile waits, a fire does not', () => {
    const r = room({ kind: 'dm', agents: ['nova'] });
    r.say('ann', 'hello');
    const until = r.now + 30 * MINUTE;
    const focused = { facts: { focus: [{ agent: 'nova', until }] } };
    const held = r.say('ann', 'can you also check the docs?', focused);
    expect(held.of('nova')).toMatchObject({ policy: 'must_respond', heldUntil: until });
    expect(held.effect('signal')).toMatchObject([{ signal: 'queued' }]);
    const fire = r.say('ann', 'urgent: production is down', focused).of('nova');
    expect(fire).toMatchObject({ mode: 'immediate', priority: 'urgent' });
    expect(fire.heldUntil).toBeUndefined();
    expect(
      r.say('ann', 'and the docs?', { after: 31 * MINUTE, ...focused }).of('nova').heldUntil,
    ).toBeUndefined();
  });
});
