// The preset `typeclaw` on the wire, second half: credits and the target check, disengaging, the loop guard and the group
// notice, and what the model is told of them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resultIn } from './debt-cast.ts';
import {
  HOUR,
  MINUTE,
  type RoomHost,
  type RoomOptions,
  roomHost,
  type Said,
  SECOND,
  type WireRoom,
} from './room.ts';
import { until } from './host.ts';

let host: RoomHost;
beforeAll(async () => {
  host = await roomHost({
    attention: { preset: 'typeclaw' },
    agents: [
      { id: 'toto' },
      { id: 'lala', conversations: ['*/two/*'] },
      { id: 'cold', stickiness: 'off', conversations: ['*/cold/*'] },
    ],
    finished: afterAll,
  });
});

const solo = (options: RoomOptions = {}): WireRoom => host.room(options);

/** Ann and ben have both spoken: two humans, nobody credited. */
async function busy(r: WireRoom = solo()): Promise<WireRoom> {
  await r.say('ann', 'morning');
  await r.say('ben', 'morning all');
  return r;
}

/** Toto answers something of this author, which gives the author a credit. */
async function credit(r: WireRoom, author: string, agent = 'toto'): Promise<Said> {
  const asked = await r.say(author, 'the thing', { mentions: [agent] });
  return r.say(agent, `here it is, ${asked.eventId}`, { inReplyTo: asked });
}

async function credited(r: WireRoom = solo()): Promise<WireRoom> {
  await busy(r);
  await credit(r, 'ann');
  return r;
}

const tagOf = async (said: Said | Promise<Said>, agent = 'toto'): Promise<string> =>
  (await (await said).of(agent)).decision;
const reasonOf = async (said: Said | Promise<Said>, agent = 'toto'): Promise<string> =>
  (await (await said).of(agent)).reason;
const noticesOf = async (said: Said | Promise<Said>): Promise<readonly string[]> =>
  (await (await said).of('toto')).notices;

async function stepBack(r: WireRoom, turnId?: string): Promise<void> {
  const args = turnId === undefined ? { target: r.target } : { target: r.target, turnId };
  const toto = host.agents.get('toto');
  if (toto === undefined) throw new Error('toto is not connected');
  resultIn(await toto.tool('chat.disengage', args));
}

/** Robo mentions toto, again and again, in other words each time. */
async function bot(r: WireRoom, times: number, after = 0): Promise<(readonly string[])[]> {
  const told: (readonly string[])[] = [];
  for (let n = 0; n < times; n++) {
    const said = r.say('agent:robo', `point ${'x'.repeat(n + 1)}`, { mentions: ['toto'], after });
    told.push(await noticesOf(said));
  }
  return told;
}

function quiet(n: number): string[][] {
  return Array.from({ length: n }, () => []);
}

describe('a sticky credit', () => {
  it('engages its holder once without a mention; the next one needs a fresh reply [TC/ladder/sticky-engages, TC/ladder/sticky-one-shot, TC/ladder/target-check-plain-follow-up]', async () => {
    const r = await credited();
    const second = await r.say('ann', 'where did you send it?');
    expect(await second.of('toto')).toMatchObject({ decision: 'engage', reason: 'sticky' });
    expect(await tagOf(r.say('ann', 'hello?'))).toBe('observe');
    await r.say('toto', 'in the vault', { inReplyTo: second });
    expect(await reasonOf(r.say('ann', 'which?'))).toBe('sticky');
  });

  it('is granted to the author answered, and to nobody by a message that answers no one [TC/ladder/sticky-granted-to-targets]', async () => {
    const r = await credited();
    expect(await tagOf(r.say('ben', 'and mine?'))).toBe('observe');
    expect(await tagOf(r.say('ann', 'and mine?'))).toBe('engage');
    const plain = await busy();
    await plain.say('toto', 'the build is green');
    expect(await tagOf(plain.say('ann', 'nice'))).toBe('observe');
    expect(await tagOf(plain.say('ben', 'nice'))).toBe('observe');
  });

  it.each([
    ['just inside 15 minutes', {}, 15 * MINUTE - 11 * SECOND, 'engage'],
    ['after 15 minutes', {}, 15 * MINUTE, 'observe'],
    ['inside a configured minute', { stickyMs: MINUTE }, MINUTE - 11 * SECOND, 'engage'],
    ['after a configured minute', { stickyMs: MINUTE }, MINUTE, 'observe'],
  ])('lives its window: %s [TC/ladder/sticky-window]', async (_when, limits, after, expected) => {
    const own =
      'stickyMs' in limits
        ? await roomHost({ attention: { preset: 'typeclaw', limits }, agents: [{ id: 'toto' }] })
        : host;
    const r = await credited(own.room());
    expect(await tagOf(r.say('ann', 'and?', { after }))).toBe(expected);
  });

  it('cannot come back once it has expired, not even with the fresh credit of another [TC/ladder/sticky-expired]', async () => {
    const r = await credited();
    expect(await tagOf(r.say('ann', 'and?', { after: 20 * MINUTE }))).toBe('observe');
    await credit(r, 'ben');
    expect(await tagOf(r.say('ann', 'and?'))).toBe('observe');
    expect(await tagOf(r.say('ben', 'and?'))).toBe('engage');
  });

  it('engages nobody with stickiness off [TC/ladder/sticky-off]', async () => {
    const r = await busy(host.room({ workspaceId: 'cold' }));
    await credit(r, 'ann', 'cold');
    expect(await tagOf(r.say('ann', 'and?'), 'cold')).toBe('observe');
  });

  it('does not look at the words: banter, thanks and a question engage alike [TC/ladder/sticky-content-blind, TC/rules/gate-content-blind]', async () => {
    for (const text of [
      'lol ok',
      'where did you send it?',
      'thanks!',
      'stop',
      '👍',
      'ㅋㅋㅋ',
      'leave this channel',
    ]) {
      const r = await credited();
      const told = await (await r.say('ann', text)).of('toto');
      expect([text, told.decision, told.mode]).toEqual([text, 'engage', 'buffered']);
      const crowd = await busy();
      expect([text, await reasonOf(crowd.say('ann', text))]).toEqual([text, 'ambient']);
    }
  });
});

describe('the target check among several humans', () => {
  it('observes a credited author who tags a third party, keeps the credit for the next line [TC/ladder/target-check-mention, TC/ladder/target-check-keeps-credit]', async () => {
    const r = await credited();
    expect(await tagOf(r.say('ann', 'what do you think?', { mentions: ['ben'] }))).toBe('observe');
    expect(await reasonOf(r.say('ann', 'so?'))).toBe('sticky');
    expect(await tagOf(r.say('ann', 'so?'))).toBe('observe');
  });

  it('observes a reply to another human only where we have not spoken [TC/ladder/target-check-reply]', async () => {
    // The credit is for the room. In a thread of it where toto has said nothing the reply goes elsewhere.
    const r = await credited();
    const bens = await r.say('ben', 'is it up?');
    expect(await tagOf(r.say('ann', 'yes', { replyTo: bens }))).toBe('engage');
    const fresh = await busy();
    const asked = await fresh.say('ben', 'is it up?');
    expect(await tagOf(fresh.say('ann', 'yes', { replyTo: asked }))).toBe('observe');
  });

  it('observes a credited author who names a peer bot, ours or not [TC/ladder/target-check-peer-name]', async () => {
    const r = await credited(host.room({ workspaceId: 'two' }));
    await r.say('agent:robo', 'beep');
    expect(await tagOf(r.say('ann', 'lala what about it'))).toBe('observe');
    expect(await tagOf(r.say('ann', 'so says Robo'))).toBe('observe');
    expect(await tagOf(r.say('ann', 'so says Roby'))).toBe('engage');
  });

  it('engages what is aimed at a third party and also names us, and is not made with one human [TC/ladder/target-check-own-name, TC/ladder/target-check-not-solo]', async () => {
    const r = await credited();
    expect(await tagOf(r.say('ann', 'toto and @ben, look', { mentions: ['ben'] }))).toBe('engage');
    const alone = solo();
    await credit(alone, 'ann');
    const said = await alone.say('ann', 'what do you think?', { mentions: ['ben'] });
    expect(await said.of('toto')).toMatchObject({ decision: 'engage', reason: 'sticky' });
    expect(await tagOf(alone.say('ann', 'and you?', { mentions: ['ben'] }))).toBe('observe');
  });
});

describe('disengaging', () => {
  it('by its tool drops every credit of this conversation, of this agent alone, and sends nothing [TC/disengage/a-tool, TC/disengage/drops-every-credit, TC/disengage/sends-nothing]', async () => {
    const r = await busy(host.room({ workspaceId: 'two' }));
    await credit(r, 'ann');
    await credit(r, 'ben');
    await credit(r, 'ann', 'lala');
    const shown = host.wire.platform.shown.length;
    await stepBack(r);
    expect(host.wire.platform.shown).toHaveLength(shown);
    const said = await r.say('ann', 'and?');
    expect([await tagOf(said, 'toto'), await tagOf(said, 'lala')]).toEqual(['observe', 'engage']);
    expect(await tagOf(r.say('ben', 'and?'))).toBe('observe');
  });

  it('leaves mention, reply, name and DM in force, and other conversations alone [TC/disengage/strict-rules-remain, TC/disengage/one-conversation]', async () => {
    const [here, there] = [await busy(), await credited()];
    const ours = await credit(here, 'ann');
    await stepBack(here);
    expect(await reasonOf(here.say('ann', 'hey', { mentions: ['toto'] }))).toBe('mention');
    expect(await reasonOf(here.say('ann', 'hey', { replyTo: ours }))).toBe('reply');
    expect(await reasonOf(here.say('ann', 'hey toto'))).toBe('name');
    expect(await reasonOf(there.say('ann', 'and?'))).toBe('sticky');
    const dm = solo({ kind: 'dm' });
    await credit(dm, 'ann');
    await stepBack(dm);
    expect(await reasonOf(dm.say('ann', 'hey'))).toBe('direct_message');
  });

  it('binds every reply of its turn; the next turn grants again [TC/disengage/same-turn, TC/disengage/next-turn-grants, TC/disengage/not-a-mute]', async () => {
    const r = await busy();
    const toto = host.agents.get('toto');
    const turn = async (phase: 'started' | 'ended', turnId: string, about: Said): Promise<void> => {
      const params =
        phase === 'started' ? { turnId, eventIds: [about.eventId] } : { turnId, outcome: 'answered' };
      await toto?.request(`turn/${phase}`, params);
    };
    const asked = await r.say('ann', 'toto, leave us alone');
    await asked.of('toto');
    await turn('started', `${r.id}-1`, asked);
    await stepBack(r, `${r.id}-1`);
    await r.say('toto', 'ok, backing off', { inReplyTo: asked, more: { turnId: `${r.id}-1` } });
    await turn('ended', `${r.id}-1`, asked);
    expect(await tagOf(r.say('ann', 'good'))).toBe('observe');
    const next = await r.say('ann', 'toto, one more thing');
    await next.of('toto');
    await turn('started', `${r.id}-2`, next);
    await r.say('toto', 'yes', { inReplyTo: next, more: { turnId: `${r.id}-2` } });
    await turn('ended', `${r.id}-2`, next);
    expect(await reasonOf(r.say('ann', 'and this?'))).toBe('sticky');
  });
});

describe('the loop guard', () => {
  it('trips at the fifth engaged peer turn since the last human, however slow, and at five in a minute [TC/loop-guard/five-since-human, TC/loop-guard/five-in-a-minute]', async () => {
    expect(await bot(solo(), 6, HOUR)).toEqual([...quiet(4), ['loop'], ['loop']]);
    expect(await bot(solo({ stepMs: SECOND }), 5)).toEqual([...quiet(4), ['loop']]);
  });

  it('warns at nothing else: not at repeats, at echoes or at a pair of bots, whatever the limits are [TC/loop-guard/five-since-human]', async () => {
    const own = await roomHost({
      attention: { preset: 'typeclaw', limits: { loopAdviceTurns: 2, loopStopTurns: 3 } },
      agents: [{ id: 'toto' }],
    });
    for (const at of [host, own]) {
      const r = at.room({ stepMs: SECOND });
      const told: (readonly string[])[] = [];
      for (const peer of ['robo', 'r2', 'robo', 'r2', 'robo', 'r2'])
        told.push(await noticesOf(r.say(`agent:${peer}`, 'no, after you', { mentions: ['toto'] })));
      expect(told).toEqual([...quiet(4), ['loop'], ['loop']]);
    }
  });

  it('counts for each agent the turns that engaged it, those of our other agents too [TC/loop-guard/counts-engaged-peer-turns]', async () => {
    const r = solo({ workspaceId: 'two' });
    await r.say('ann', 'hm', { mentions: ['cat'] });
    expect(await bot(r, 3)).toEqual(quiet(3));
    for (let n = 0; n < 4; n++) {
      const said = await r.say('agent:robo', `to lala ${n}`, { mentions: ['lala'] });
      expect((await said.of('lala')).notices).toEqual([]);
    }
    expect(await noticesOf(r.say('lala', 'look at that', { mentions: ['toto'] }))).toEqual([]);
    expect(await bot(r, 1)).toEqual([['loop']]);
  });

  it('is reset by any message of a human, also one for nobody [TC/loop-guard/human-resets]', async () => {
    const r = solo({ stepMs: SECOND });
    expect((await bot(r, 5)).at(-1)).toEqual(['loop']);
    await r.say('ann', 'hm', { mentions: ['cat'] });
    expect(await bot(r, 5)).toEqual([...quiet(4), ['loop']]);
  });

  it('counts what engages, not what is observed, and each conversation by itself [TC/loop-guard/counts-engaged-peer-turns, TC/loop-guard/per-conversation]', async () => {
    const [here, there] = [solo(), solo()];
    await bot(here, 2);
    for (let n = 0; n < 8; n++) expect(await tagOf(here.say('agent:robo', `to myself ${n}`))).toBe('observe');
    await bot(there, 4);
    expect(await bot(here, 3)).toEqual([[], [], ['loop']]);
    expect(await bot(there, 1)).toEqual([['loop']]);
  });

  it('changes no decision, however long it goes on [TC/loop-guard/advisory]', async () => {
    const r = solo({ stepMs: SECOND });
    for (let n = 0; n < 40; n++) {
      const said = await r.say('agent:robo', `point ${'x'.repeat(n + 1)}`, { mentions: ['toto'] });
      const told = await said.of('toto');
      expect(told).toMatchObject({
        decision: 'engage',
        mode: 'buffered',
        directedness: 'to_me',
        reason: 'mention',
      });
      expect(told.notices).toEqual(n < 4 ? [] : ['loop']);
    }
  });
});

describe('the group notice', () => {
  it('rides on every engaged turn among several humans, and on none with one [TC/nudge/in-groups, TC/nudge/not-with-one-human]', async () => {
    const r = await busy();
    const ours = await credit(r, 'ann');
    const engaged = [
      await r.say('ann', 'so?'),
      await r.say('ben', 'toto?'),
      await r.say('ben', 'hey', { mentions: ['toto'] }),
      await r.say('ben', 'hey', { replyTo: ours }),
    ];
    for (const said of engaged) expect(await noticesOf(said)).toEqual(['group']);
    const alone = solo();
    for (const text of ['hm', 'toto?']) expect(await noticesOf(alone.say('ann', text))).toEqual([]);
  });

  it('gives way to the loop notice: one a turn [TC/nudge/one-notice]', async () => {
    const r = await busy();
    const told: (readonly string[])[] = [];
    for (let n = 0; n < 6; n++)
      told.push(await noticesOf(r.say('agent:robo', `point ${'x'.repeat(n + 1)}`, { mentions: ['toto'] })));
    expect(told).toEqual([['group'], ['group'], ['group'], ['group'], ['loop'], ['loop']]);
  });

  it.each([
    ['two by the member list', { humans: 2 }, false],
    ['one by a fresh list, though two spoke', { humans: 1 }, true],
    ['two spoke, the list is stale', { humans: 1, ageMs: 90 * SECOND }, false],
  ])(
    'means by several humans what the decision means: %s [TC/nudge/one-definition]',
    async (_what, members, isAlone) => {
      const r = (await busy()).members(members);
      expect((await tagOf(r.say('ann', 'hm'))) === 'engage').toBe(isAlone);
      expect((await noticesOf(r.say('ann', 'toto?'))).length === 0).toBe(isAlone);
    },
  );
});

it('an unseen author makes the host read who is there, behind the decision and for the next one [TC/membership/unseen-author-refreshes, TC/membership/decision-never-waits]', async () => {
  let reads = 0;
  const { wire, room } = await roomHost({
    attention: { preset: 'typeclaw' },
    agents: [{ id: 'toto' }],
    members: () => {
      reads += 1;
      return Promise.resolve({ humans: 2, agents: 1, complete: true });
    },
  });
  const r = room();
  // One human has spoken, so the first decision is for a lone one. The read it causes sees who only looks on.
  expect(await reasonOf(r.say('ann', 'what is left today'))).toBe('solo_human');
  await until(() => reads === 1, 'the read');
  expect(await reasonOf(r.say('ann', 'and tomorrow'))).toBe('ambient');
  expect(reads).toBe(1);
  await r.say('ben', 'hello', { after: 2 * MINUTE });
  await until(() => reads === 2, 'another read');
  expect(wire.agents).toEqual(['toto']);
});

it('an answer after others have spoken is attached to its message on the platform [TC/observe/quote-anchor]', async () => {
  const r = await busy();
  const asked = await r.say('ann', 'toto, is it up?');
  await asked.of('toto');
  await r.say('ben', 'lunch?');
  await r.say('toto', 'It is up.', { inReplyTo: asked });
  const shown = host.wire.platform.shown.findLast(({ text }) => text === 'It is up.');
  expect(shown).toMatchObject({ replyTo: asked.eventId });
});
