// The preset `typeclaw` on the wire, first half: the four-way decision, the triggers, aliases and suppressors, the
// solo-human rule and the count of humans. Toto is bound to every room, lala to rooms of two.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  DAY,
  MINUTE,
  type RoomHost,
  type RoomOptions,
  roomHost,
  type Said,
  SECOND,
  type WireRoom,
} from './room.ts';

let host: RoomHost;
beforeAll(async () => {
  host = await roomHost({
    attention: { preset: 'typeclaw' },
    agents: [
      { id: 'toto', name: 'Todo Keeper', aliases: ['토토', 'Listmaster'], accounts: ['U77'] },
      { id: 'lala', aliases: ['라라'], conversations: ['*/two/*'] },
      { id: 'shy', respondTo: ['human:ann', 'agent:shy'], conversations: ['*/shy/*'] },
      { id: 'wary', ignore: ['human:ann'], conversations: ['*/wary/*'] },
    ],
    finished: afterAll,
  });
});

const solo = (options: RoomOptions = {}): WireRoom => host.room(options);
const two = (options: RoomOptions = {}): WireRoom => host.room({ workspaceId: 'two', ...options });

/** Ann and ben have both spoken: two humans, nobody credited. */
async function busy(r: WireRoom = solo()): Promise<WireRoom> {
  await r.say('ann', 'morning');
  await r.say('ben', 'morning all');
  return r;
}

const tagOf = async (said: Said | Promise<Said>, agent = 'toto'): Promise<string> =>
  (await (await said).of(agent)).decision;
const reasonOf = async (said: Said | Promise<Said>, agent = 'toto'): Promise<string> =>
  (await (await said).of(agent)).reason;

describe('the four-way decision', () => {
  it('engages what is to be answered, and observes what is only to be remembered [TC/decision/engage, TC/decision/observe]', async () => {
    const r = await busy();
    const engaged = await (await r.say('ann', 'hey', { mentions: ['toto'] })).of('toto');
    expect(engaged).toMatchObject({ decision: 'engage', mode: 'buffered', reason: 'mention' });
    const observed = await (await r.say('ann', 'lunch at noon')).of('toto');
    expect(observed).toMatchObject({ decision: 'observe', policy: 'must_not_respond', mode: 'tool_mailbox' });
  });

  it('denies an author without channel.respond for this agent, and moves nothing for it [TC/decision/denied, TC/decision/denied-before-engagement]', async () => {
    const r = await busy(host.room({ workspaceId: 'shy' }));
    const asked = await r.say('ann', 'hey', { mentions: ['shy'] });
    await r.say('shy', 'here it is', { inReplyTo: asked });
    const denied = await r.say('ben', 'shy, look', { mentions: ['shy', 'toto'] });
    expect(await denied.of('shy')).toMatchObject({ decision: 'denied', reason: 'denied', mode: 'silent' });
    expect(await tagOf(denied, 'toto')).toBe('engage');
    // Ben's message took nothing of the exchange with ann: her credit is still there.
    expect(await reasonOf(r.say('ann', 'and then?'), 'shy')).toBe('sticky');
    const ignored = await host.room({ workspaceId: 'wary' }).say('ann', 'wary?');
    expect(await tagOf(ignored, 'wary')).toBe('denied');
  });

  it('takes a pairing code for a claim, before permission and before the ladder, and nothing else for one [TC/decision/claim, TC/decision/claim-before-engagement]', async () => {
    const code = 'claim-ab12-cd34';
    const closed = host.room({ workspaceId: 'wary' });
    for (const text of [code, `  ${code.toUpperCase()} `]) {
      expect(await (await closed.say('ann', text)).of('wary')).toMatchObject({
        decision: 'claim',
        policy: 'must_not_respond',
        mode: 'silent',
      });
    }
    const r = await busy();
    const asked = await r.say('ann', 'the thing', { mentions: ['toto'] });
    await r.say('toto', 'here it is', { inReplyTo: asked });
    expect(await tagOf(r.say('ann', code))).toBe('claim');
    expect(await reasonOf(r.say('ann', 'and?'))).toBe('sticky');
    for (const text of [`${code} please`, `my code: ${code}`, 'claim-ab12', 'claim-ab12-cd345'])
      expect([text, await tagOf(solo().say('ann', text))]).toEqual([text, 'engage']);
  });

  it('says only engage or observe once the ladder is reached, about every message for every agent [TC/decision/ladder-is-two-way, TC/decision/every-inbound-is-tagged]', async () => {
    const r = await busy(two());
    const tags = new Set<string>();
    for (const text of ['hi', 'toto?', '@lala hi', 'thanks', 'stop', '@ben hi']) {
      const said = await r.say('ann', text);
      for (const agent of ['toto', 'lala']) tags.add(await tagOf(said, agent));
    }
    expect([...tags].toSorted()).toEqual(['engage', 'observe']);
  });

  it('is published with its decisions as it is taken, and explained afterwards, also when nobody answers [TC/decision/published, TC/observe/broadcast, TC/observe/logged, TC/rules/silence-is-diagnosable]', async () => {
    const { wire } = host;
    const token = await wire.token('operator', 'ops');
    const stop = new AbortController();
    const stream = await fetch(`${wire.url}/v1/stream`, {
      headers: { authorization: `Bearer ${token}` },
      signal: stop.signal,
    });
    const reader = stream.body?.getReader();
    const r = await busy();
    const said = await r.say('ann', 'nobody in particular');
    let heard = '';
    while (!heard.includes(said.eventId)) {
      const { value } = (await reader?.read()) ?? {};
      heard += new TextDecoder().decode(value);
    }
    stop.abort();
    const frame = heard
      .split('\n')
      .find((line) => line.startsWith('data:') && line.includes(`"${said.eventId}"`));
    expect(JSON.parse(frame?.slice(5) ?? '{}')).toMatchObject({
      eventId: said.eventId,
      decisions: [{ agent: 'toto', decision: 'observe', reason: 'ambient' }],
    });
    const why = await wire.why(said.eventId, 'toto');
    expect([why.status, why.headline]).toEqual(['asked', expect.stringMatching(/toto/)]);
    const { body } = await wire.call('GET', `/v1/log?conversation=${r.id}`, token);
    const row = (body['log'] as { eventId: string; decisions: unknown[] }[]).find(
      ({ eventId }) => eventId === said.eventId,
    );
    expect(row?.decisions).toMatchObject([{ agent: 'toto', decision: 'observe', reason: 'ambient' }]);
  });
});

describe('explicit triggers', () => {
  it('engages a DM, a platform mention of us and of us only, and a reply to one of our messages [TC/ladder/trigger-dm, TC/ladder/trigger-mention, TC/ladder/trigger-reply]', async () => {
    const dm = await solo({ kind: 'dm' }).say('ann', 'lol ok');
    expect(await dm.of('toto')).toMatchObject({ decision: 'engage', reason: 'direct_message' });
    const r = await busy();
    const tag = (id: string) => r.say('ann', `<@${id}> hey`, { mentions: [{ kind: 'agent', id }] });
    expect(await (await tag('U77')).of('toto')).toMatchObject({ decision: 'engage', reason: 'mention' });
    expect(await tagOf(tag('U78'))).toBe('observe');
    const ours = await r.say('toto', 'the build is green');
    const reply = await r.say('ben', 'nice', { replyTo: ours });
    expect(await reply.of('toto')).toMatchObject({ decision: 'engage', reason: 'reply' });
    const theirs = await r.say('ann', 'is it?');
    expect(await tagOf(r.say('ben', 'yes', { replyTo: theirs }))).toBe('observe');
  });

  it('engages a DM in which somebody else is known, whoever writes, and a thread of it [TC/ladder/trigger-dm]', async () => {
    const dm = solo({ kind: 'dm' });
    for (const author of ['ben', 'ann', 'agent:robo', 'ben'])
      expect(await reasonOf(dm.say(author, 'hm', { mentions: ['cat'] }))).toBe('direct_message');
    expect(await reasonOf(dm.thread().say('ann', 'hm'))).toBe('direct_message');
  });

  it.each(['dm', 'mention', 'reply'] as const)(
    'does not engage by %s once that trigger is switched off, for people and bots alike [TC/ladder/triggers-configurable, TC/peers/no-bot-only-knob]',
    async (trigger) => {
      const engaged = async (off: boolean, author: string): Promise<string> => {
        const triggers = off ? { [trigger]: false } : {};
        const own = await roomHost({
          attention: { preset: 'typeclaw' },
          agents: [{ id: 'toto', accounts: ['U77'], triggers }],
        });
        if (trigger === 'dm')
          return tagOf(own.room({ kind: 'dm', membership: { humans: 2, agents: 0 } }).say(author, 'hi'));
        const r = await busy(own.room());
        if (trigger === 'mention')
          return tagOf(r.say(author, 'hi', { mentions: [{ kind: 'agent', id: 'U77' }] }));
        const ours = await r.say('toto', 'done');
        return tagOf(r.say(author, 'hi', { replyTo: ours }));
      };
      expect([await engaged(false, 'ann'), await engaged(true, 'ann')]).toEqual(['engage', 'observe']);
      if (trigger !== 'dm') expect(await engaged(true, 'agent:robo')).toBe('observe');
    },
  );

  it('observes what matches no rule, and takes the first rule that does [TC/ladder/default-observe, TC/ladder/first-match-wins]', async () => {
    const r = await busy();
    expect(await reasonOf(r.say('ann', 'what a day'))).toBe('ambient');
    const asked = await r.say('ann', 'the thing', { mentions: ['toto'] });
    await r.say('toto', 'here it is', { inReplyTo: asked });
    // A mention comes before the credit, which is not spent by it; the credit comes before the name.
    expect(await reasonOf(r.say('ann', 'hey', { mentions: ['toto'] }))).toBe('mention');
    expect(await reasonOf(r.say('ann', 'toto, so?'))).toBe('sticky');
    expect(await reasonOf(r.say('ann', 'toto and ben, so?', { mentions: ['ben'] }))).toBe('name');
    expect(await reasonOf(r.say('ann', 'ben, so?', { mentions: ['ben'] }))).toBe('addressed_elsewhere');
  });
});

describe('alias match', () => {
  it('engages a name, an alias and the own id, anywhere in the text and in any case of letters [TC/ladder/alias-match, TC/ladder/alias-substring, TC/ladder/alias-implicit]', async () => {
    const r = await busy();
    for (const text of [
      'Todo Keeper, look',
      'ask LISTMASTER',
      'was meint todo keeper dazu',
      '토토아 봐줘',
      'ＴＯＴＯ?',
      'pototo salad',
      'listmasters everywhere',
    ])
      expect([text, await reasonOf(r.say('ann', text))]).toEqual([text, 'name']);
    expect(await tagOf(r.say('ann', 'tutu?'))).toBe('observe');
  });

  it('is not suppressed by a tag for somebody else, and engages both of two agents named [TC/ladder/alias-not-suppressed, TC/ladder/alias-two-agents]', async () => {
    const tagged = await (await busy()).say('ann', 'what toto said, @ben', { mentions: ['ben'] });
    expect(await tagged.of('toto')).toMatchObject({ decision: 'engage', reason: 'name' });
    const both = await (await busy(two())).say('ann', '토토아 라라아 둘 다 봐');
    expect([await reasonOf(both, 'toto'), await reasonOf(both, 'lala')]).toEqual(['name', 'name']);
    const one = await (await busy(two())).say('ann', '라라아 봐줘');
    expect([await tagOf(one, 'toto'), await tagOf(one, 'lala')]).toEqual(['observe', 'engage']);
  });
});

describe('the solo-human rule', () => {
  it('engages each agent for a lone human without a mention, bots and the platform do not count [TC/ladder/solo-human]', async () => {
    const said = await two().say('ann', '얘들아');
    expect([await reasonOf(said, 'toto'), await reasonOf(said, 'lala')]).toEqual([
      'solo_human',
      'solo_human',
    ]);
    const r = solo();
    await r.say('agent:bot', 'hi');
    await r.say('system:ci', 'build 7 passed');
    await r.say('toto', 'hi');
    expect(await tagOf(r.say('ann', 'what is left'))).toBe('engage');
  });

  it('ends with the very message of a second human [TC/ladder/solo-ends-with-second-human]', async () => {
    const r = solo();
    expect(await tagOf(r.say('ann', 'what is left'))).toBe('engage');
    expect(await tagOf(r.say('ben', 'hi there'))).toBe('observe');
    expect(await tagOf(r.say('ann', 'still here'))).toBe('observe');
  });

  it.each([
    ['tags another', { mentions: ['ben'] }, 'look'],
    ['replies to another', { replyTo: { eventId: 'x9', to: 'ben' } }, 'look'],
    ['names a peer bot', {}, 'was Robo right'],
  ])(
    'gives way, for one message, when it %s [TC/ladder/suppressors-before-solo, TC/suppressors/mentions-others, TC/suppressors/reply-to-other, TC/suppressors/peer-bot-named, TC/suppressors/one-message-only]',
    async (_what, options, text) => {
      const r = solo();
      await r.say('agent:b7', 'beep', { displayName: 'Robo' });
      expect(await reasonOf(r.say('ann', 'one'))).toBe('solo_human');
      expect(await (await r.say('ann', text, options)).of('toto')).toMatchObject({
        decision: 'observe',
        reason: 'addressed_elsewhere',
      });
      expect(await reasonOf(r.say('ann', 'two'))).toBe('solo_human');
    },
  );

  it('is not suppressed by a tag that is also ours, nor are triggers and names [TC/suppressors/mentions-us-too, TC/suppressors/triggers-unaffected]', async () => {
    const r = solo();
    await r.say('agent:robo', 'beep');
    expect(await tagOf(r.say('ann', 'look', { mentions: ['ben', 'toto'] }))).toBe('engage');
    expect(await tagOf(r.say('ann', 'robo, look', { mentions: ['toto', 'ben'] }))).toBe('engage');
    const ours = await r.say('toto', 'the build is green');
    expect(await tagOf(r.say('ann', 'robo, look', { mentions: ['ben'], replyTo: ours }))).toBe('engage');
    expect(await tagOf(r.say('ann', 'toto or robo, look', { mentions: ['ben'] }))).toBe('engage');
    expect(await tagOf(solo({ kind: 'dm' }).say('ann', 'tell @ben', { mentions: ['ben'] }))).toBe('engage');
  });

  it('engages replies to others once we have sent into the thread, also long after [TC/suppressors/bot-in-thread, TC/observe/bot-in-thread]', async () => {
    const thread = solo().thread({ membership: { humans: 1 } });
    const root = await thread.say('ann', 'look at this', { mentions: ['toto'] });
    expect(await tagOf(thread.say('ann', 'more', { replyTo: root }))).toBe('observe');
    await thread.say('toto', 'looking', { inReplyTo: root });
    await thread.say('ann', 'good');
    expect(await tagOf(thread.say('ann', 'more again', { replyTo: root }))).toBe('engage');
    for (let line = 0; line < 40; line++) await thread.say('ann', 'hm');
    const late = { eventId: root.eventId, to: 'ben' };
    expect(await tagOf(thread.say('ann', 'even more', { replyTo: late }))).toBe('engage');
    // Elsewhere the very same reply is for the other.
    const other = solo().thread({ membership: { humans: 1 } });
    expect(await tagOf(other.say('ann', 'even more', { replyTo: late }))).toBe('observe');
  });

  it('knows peers by the name under which they last spoke here, as bots, and not before [TC/suppressors/peer-names-observed, TC/suppressors/unseen-peer-slips]', async () => {
    const r = solo();
    expect(await tagOf(r.say('ann', 'robo, look'))).toBe('engage');
    await r.say('agent:b7', 'beep', { displayName: 'Robo' });
    expect(await tagOf(r.say('ann', 'robo, look'))).toBe('observe');
    await r.say('agent:b7', 'beep', { displayName: 'Mecha' });
    await r.say('system:ci', 'ok', { displayName: 'Builder' });
    expect(await tagOf(r.say('ann', 'mecha?'))).toBe('observe');
    expect(await tagOf(r.say('ann', 'robo?'))).toBe('engage');
    expect(await tagOf(r.say('ann', 'ask builder'))).toBe('engage');
    expect(await tagOf(solo().say('ann', 'mecha?'))).toBe('engage');
  });
});

describe('a peer bot', () => {
  it('engages by DM, mention, reply, credit and name as a human does [TC/peers/same-triggers]', async () => {
    expect(await reasonOf(solo({ kind: 'dm' }).say('agent:robo', 'hi'))).toBe('direct_message');
    for (const author of ['cat', 'agent:robo']) {
      const r = await busy();
      const said = await r.say(author, 'hi', { mentions: ['toto'] });
      const ours = await r.say('toto', 'hello', { inReplyTo: said });
      const reasons = [
        await reasonOf(said),
        await reasonOf(r.say(author, 'so', { replyTo: ours })),
        await reasonOf(r.say(author, 'lol ok')),
        await reasonOf(r.say(author, 'hey toto')),
      ];
      expect([author, reasons]).toEqual([author, ['mention', 'reply', 'sticky', 'name']]);
    }
  });

  it('is never engaged by the solo-human rule, whoever else is here [TC/peers/no-solo-fallback]', async () => {
    const r = solo();
    await r.say('ann', '얘들아');
    expect(await tagOf(r.say('agent:robo', 'hello everybody'))).toBe('observe');
    expect(await tagOf(solo({ membership: { humans: 0 } }).say('agent:robo', 'hello'))).toBe('observe');
  });
});

describe('effective humans', () => {
  const alone = 'engage';
  const company = 'observe';

  it.each([
    ['6 days ago', 6 * DAY, company],
    ['just under 7 days ago', 7 * DAY - 20 * SECOND, company],
    ['over 7 days ago', 7 * DAY + MINUTE, alone],
  ])(
    'are without a read those who spoke in 7 days: another %s [TC/membership/speakers-baseline]',
    async (_when, after, expected) => {
      const r = solo();
      await r.say('ben', 'bye');
      expect(await tagOf(r.say('ann', 'hi', { after }))).toBe(expected);
    },
  );

  it('are as a fresh complete read says: lurkers count, leavers do not [TC/membership/fresh-complete-sees-lurkers, TC/membership/fresh-complete-prunes]', async () => {
    const r = solo();
    expect(await tagOf(r.say('ann', 'hi'))).toBe(alone);
    expect(await tagOf(r.members({ humans: 2 }).say('ann', 'hi'))).toBe(company);
    const left = solo();
    await left.say('ben', 'bye');
    expect(await tagOf(left.say('ann', 'hi'))).toBe(company);
    expect(await tagOf(left.members({ humans: 1 }).say('ann', 'hi'))).toBe(alone);
  });

  it.each([
    [59_999, alone],
    [60_000, company],
  ])(
    'take a complete read of %i ms ago for %s [TC/membership/fresh-for-60-seconds]',
    async (ageMs, expected) => {
      const r = solo();
      await r.say('ben', 'bye');
      await r.say('ann', 'hi');
      expect(await tagOf(r.members({ humans: 1, ageMs }).say('ann', 'hi'))).toBe(expected);
    },
  );

  it.each([
    ['truncated, fewer than spoke', { humans: 1, complete: false }, true, company],
    ['truncated, more than spoke', { humans: 5, complete: false }, false, company],
    ['truncated, as few as spoke', { humans: 1, complete: false }, false, alone],
    ['stale, fewer than spoke', { humans: 1, ageMs: 5 * MINUTE }, true, company],
    ['stale, more than spoke', { humans: 5, ageMs: 5 * MINUTE }, false, company],
    ['stale, as few as spoke', { humans: 1, ageMs: 5 * MINUTE }, false, alone],
  ])(
    'only rise by a read that is %s [TC/membership/truncated-only-raises, TC/membership/stale-only-raises]',
    async (_what, members, benSpoke, expected) => {
      const r = solo();
      if (benSpoke) await r.say('ben', 'bye');
      await r.say('ann', 'hi');
      expect(await tagOf(r.members(members).say('ann', 'hi'))).toBe(expected);
    },
  );
});
