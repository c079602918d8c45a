// One app for each agent, still one surface: what both hear is one event, and each agent speaks, reacts and has its direct
// messages through its own.
import { describe, expect, it } from 'vitest';
import { until } from '../../wire/host.ts';
import type { WireHarness } from '../../wire/ways.ts';
import type { Office } from './office.ts';
import { BUILDER_LOGIN, logged, timesLogged, twoApps, twoSockets } from './two-apps.ts';
import { BOT, BUILDER_BOT, BUILDER_TOKEN, type Shown } from './workspace.ts';

const woken = ({ seen }: WireHarness): string[] =>
  seen.flatMap(({ policy, eventId }) => (policy === 'must_not_respond' ? [] : [eventId]));

async function shownBy(o: Office, bot: string, count: number, channel?: string): Promise<Shown[]> {
  return until(async () => {
    const all = (await o.slack.shown(channel)).filter(({ user }) => user === bot);
    return all.length === count && all;
  });
}

describe('two apps in one channel', () => {
  it('a mention of each is for its agent, is one event, and is answered under the app’s own name', async () => {
    const o = await twoApps();
    const first = await o.slack.say('ada', `<@${BOT}> is the build green?`);
    const second = await o.slack.say('bob', `<@${BUILDER_BOT}> can you build it?`);
    const [toLead, toBuilder] = [await o.handed(o.lead, first), await o.handed(o.builder, second)];
    expect(toLead).toMatchObject({ policy: 'must_respond', reason: 'mention' });
    expect(toBuilder).toMatchObject({ policy: 'must_respond', reason: 'mention' });
    await o.lead.reply(toLead, 'It is.');
    await o.builder.reply(toBuilder, 'I can.');
    const [answer] = await shownBy(o, BOT, 1);
    const [other] = await shownBy(o, BUILDER_BOT, 1);
    expect([answer, other]).toMatchObject([
      { text: 'It is.', thread_ts: first },
      { text: 'I can.', thread_ts: second },
    ]);
    expect([answer?.username, other?.username]).toEqual([undefined, undefined]);
    expect([woken(o.lead), woken(o.builder)]).toEqual([[first], [second]]);
    expect(Object.values(await timesLogged(o))).toEqual([1, 1, 1, 1]);
  });

  it('what one app posts is heard by both, is one event, and wakes nobody', async () => {
    const o = await twoApps();
    const ts = await o.slack.say('ada', `<@${BUILDER_BOT}> can you build it?`);
    await o.builder.reply(await o.handed(o.builder, ts), 'I can.');
    await shownBy(o, BUILDER_BOT, 1);
    await o.wire.pass(5_000);
    const own = (await logged(o)).filter(({ author }) => author.startsWith('agent:'));
    expect(own.map(({ author, type }) => [author, type])).toEqual([['agent:builder', 'message']]);
    expect([woken(o.lead), woken(o.builder)]).toEqual([[], [ts]]);
  });

  it('an edit, a reaction and a delete that both hear are one event each', async () => {
    const o = await twoApps();
    const { channel } = o.slack;
    const ts = await o.slack.say('ada', 'the build is red');
    await o.slack.call('ada', 'chat.update', { channel, ts, text: 'the build is green' });
    await o.slack.call('bob', 'reactions.add', { channel, timestamp: ts, name: '+1' });
    await o.slack.call('ada', 'chat.delete', { channel, ts });
    await until(async () => (await logged(o)).some(({ type }) => type === 'delete'));
    await o.wire.pass(1_000);
    const types = (await logged(o)).flatMap(({ type }) => (type === 'membership' ? [] : [type]));
    expect(types).toEqual(['message', 'edit', 'reaction', 'delete']);
  });

  it('the reactions of each are its own', async () => {
    const o = await twoApps();
    const ts = await o.slack.say('ada', `<@${BOT}> <@${BUILDER_BOT}> is the build green?`);
    const eyes = async (): Promise<string[]> =>
      (await o.slack.shown()).find((one) => one.ts === ts)?.reactions?.flatMap(({ users }) => users) ?? [];
    const react = async (who: WireHarness, remove = false): Promise<void> => {
      const { eventId } = await o.handed(who, ts);
      const args = { inReplyTo: eventId, signal: 'seen', ...(remove && { remove }) };
      expect(await who.tool('chat.react', args)).toMatchObject({ ok: true });
      await o.wire.host.poster.idle();
    };
    await react(o.lead);
    await react(o.builder);
    expect(await eyes()).toEqual([BOT, BUILDER_BOT]);
    await react(o.lead, true);
    expect(await eyes()).toEqual([BUILDER_BOT]);
  });

  it('an agent that mentions another calls it by its app', async () => {
    const o = await twoApps();
    const ts = await o.slack.say('ada', `<@${BOT}> who can build it?`);
    await o.lead.reply(await o.handed(o.lead, ts), '@builder can.', { mentions: ['agent:builder'] });
    const [answer] = await shownBy(o, BOT, 1);
    expect(answer?.text).toBe(`<@${BUILDER_BOT}> can.`);
  });
});

it('a direct message to an app is for its agent, and answered there', async () => {
  const o = await twoApps();
  for (const [who, app, bot] of [
    ['lead', 'earshot', BOT],
    ['builder', 'builder', BUILDER_BOT],
  ] as const) {
    const channel = await o.slack.direct('ada', app);
    const ts = await o.slack.say('ada', 'is the build green?', { channel });
    const seen = await o.handed(o[who], ts);
    expect(seen).toMatchObject({ policy: 'must_respond', reason: 'direct_message' });
    await o[who].reply(seen, 'It is.');
    await shownBy(o, bot, 1, channel);
  }
  expect([woken(o.lead), woken(o.builder)].map((all) => all.length)).toEqual([1, 1]);
});

it('a room that only one app is in is heard through it', async () => {
  const o = await twoApps({ before: (slack) => slack.invite('earshot', false) });
  const ts = await o.slack.say('ada', `<@${BUILDER_BOT}> is the build green?`);
  await o.builder.reply(await o.handed(o.builder, ts), 'It is.');
  await shownBy(o, BUILDER_BOT, 1);
  expect(await o.wire.host.context.store.get('log', ts)).toBeDefined();
});

it('an agent without an app speaks through the first, under its own name', async () => {
  const o = await twoApps({ slack: { agents: ['somebody'], more: [BUILDER_LOGIN] } });
  const events = `${o.wire.url}/v1/surfaces/slack/events`;
  o.slack.listen(`${events}/somebody`, `${events}/builder`);
  const ts = await o.slack.say('ada', 'lead, is the build green?');
  await o.lead.reply(await o.handed(o.lead, ts), 'It is.');
  expect(await shownBy(o, BOT, 1)).toMatchObject([{ text: 'It is.', username: 'lead' }]);
});

describe('one token is revoked', () => {
  it('its sends are kept, the other goes on, health names it; back within a minute', async () => {
    const o = await twoApps();
    const [first, second] = [
      await o.slack.say('ada', `<@${BUILDER_BOT}> can you build it?`),
      await o.slack.say('bob', `<@${BOT}> is the build green?`),
    ];
    const [toBuilder, toLead] = [await o.handed(o.builder, first), await o.handed(o.lead, second)];
    o.slack.dead.set(BUILDER_TOKEN, 'token_revoked');
    const kept = o.builder.reply(toBuilder, 'I can.');
    await until(async () => {
      await o.wire.pass(500);
      return o.health().state === 'limited';
    });
    expect(o.health()).toMatchObject({
      missing: [
        expect.stringMatching(/^login builder: .*token_revoked.* put its token into SLACK_BOT_TOKEN_BUILDER/),
      ],
    });
    await o.lead.reply(toLead, 'It is.');
    await shownBy(o, BOT, 1);
    expect((await o.slack.shown()).filter(({ user }) => user === BUILDER_BOT)).toEqual([]);
    o.slack.dead.clear();
    const renewedAt = o.wire.clock.now();
    await until(async () => {
      await o.wire.pass(2_000);
      return (await o.slack.shown()).some(({ user }) => user === BUILDER_BOT);
    });
    expect(o.wire.clock.now() - renewedAt).toBeLessThanOrEqual(60_000);
    expect(await kept).toMatchObject({ ok: true });
    await until(() => o.health().state === 'up');
  });
});

describe('over Socket Mode', () => {
  it('each app has its own connection, and what both hear is one event', async () => {
    const o = await twoSockets();
    const ts = await o.slack.say('ada', `<@${BUILDER_BOT}> can you build it?`);
    await o.builder.reply(await o.handed(o.builder, ts), 'I can.');
    await shownBy(o, BUILDER_BOT, 1);
    await until(() => o.socket.waiting.size === 0);
    expect(o.socket.acknowledged.filter(({ event }) => event['ts'] === ts)).toHaveLength(2);
    expect(Object.values(await timesLogged(o))).toEqual([1, 1]);
  });

  it('what happened while one was away is caught up once, also where the other heard it', async () => {
    const o = await twoSockets();
    const heard = await o.slack.say('bob', 'the build is red');
    await until(() => o.wire.host.context.store.get('log', heard));
    // Nothing is missing from before.
    o.socket.drop();
    await until(async () => {
      await o.wire.pass(1_000);
      return (await markOf(o, 'gap/lead')) === '' && (await markOf(o, 'gap/builder')) === '';
    });
    // Its connection is still open, but nothing comes through it any more.
    const { tells } = o.slack;
    o.slack.tells = (told, app) => app === 'earshot' && tells(told, app);
    const direct = await o.slack.direct('ada', 'builder');
    const missed = await o.slack.say('ada', 'can you build it?', { channel: direct });
    // Long after the last thing that this app heard, the other still hears the room.
    await o.wire.pass(180_000);
    const both = await o.slack.say('bob', 'still red');
    await until(() => o.wire.host.context.store.get('log', both));
    o.slack.tells = tells;
    o.socket.drop('builder');
    await until(() => o.socket.openOf('builder').length === 0);
    await until(async () => {
      await o.wire.pass(1_000);
      return o.socket.openOf('builder').length > 0 && (await markOf(o, 'gap/builder')) === '';
    });
    await o.handed(o.builder, missed);
    expect((await o.wire.why(missed, 'builder')).decision).toMatchObject({ reason: 'direct_message' });
    expect(await timesLogged(o)).toEqual({ [heard]: 1, [missed]: 1, [both]: 1 });
  });

  it('what happened while both were away is caught up once', async () => {
    const o = await twoSockets();
    const heard = await o.slack.say('bob', 'the build is red');
    await until(() => o.wire.host.context.store.get('log', heard));
    o.socket.drop();
    await until(() => o.socket.open.length === 0);
    const missed = [
      await o.slack.say('ada', `<@${BOT}> why?`),
      await o.slack.say('bob', `<@${BUILDER_BOT}> can you build it?`),
    ];
    await until(async () => {
      await o.wire.pass(1_000);
      return (await markOf(o, 'gap/lead')) === '' && (await markOf(o, 'gap/builder')) === '';
    });
    expect(await o.handed(o.lead, missed[0] ?? '')).toMatchObject({ policy: 'must_respond' });
    expect(await o.handed(o.builder, missed[1] ?? '')).toMatchObject({ policy: 'must_respond' });
    expect(await timesLogged(o)).toEqual(Object.fromEntries([heard, ...missed].map((ts) => [ts, 1])));
  });
});

function markOf(o: Office, key: string): Promise<unknown> {
  return o.wire.host.context.store.state(`surface/slack/${key}`);
}
