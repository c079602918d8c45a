// One Slack app, several agents, end to end: nobody configured an account. The app learns who it is, and a mention of it
// is a call at the front door.
import { describe, expect, it } from 'vitest';
import { until } from '../../wire/host.ts';
import type { WireHarness } from '../../wire/ways.ts';
import { type Office, type OfficeOptions, office } from './office.ts';
import { BOT } from './workspace.ts';

const DEFAULT: OfficeOptions = {
  attention: { conversations: [{ match: '*', defaultResponder: 'builder' }] },
};
const shared = (more: OfficeOptions = {}): Promise<Office> => office({ accounts: 'learnt', ...more });

const woken = ({ seen }: WireHarness): string[] =>
  seen.flatMap(({ policy, eventId }) => (policy === 'must_not_respond' ? [] : [eventId]));

async function said(o: Office, text: string, more: Record<string, unknown> = {}): Promise<string> {
  const ts = await o.slack.say('ada', text, more);
  await o.wire.pass(4_000);
  return ts;
}

describe('a mention of an app behind which there are several agents', () => {
  it('is for the one that is named beside it, whose answer has its name', async () => {
    const o = await shared(DEFAULT);
    const ts = await said(o, `<@${BOT}> lead: is the build green?`);
    const seen = await o.handed(o.lead, ts);
    expect(seen).toMatchObject({ policy: 'must_respond', text: '@earshot lead: is the build green?' });
    expect(await o.lead.reply(seen, 'It is.')).toMatchObject({ ok: true });
    const posts = await until(async () => {
      const all = await o.posts();
      return all.length > 0 && all;
    });
    expect(posts).toMatchObject([{ text: 'It is.', thread_ts: ts, username: 'lead' }]);
    expect(woken(o.builder)).toEqual([]);
    expect((await o.wire.why(ts, 'lead')).headline).toBe(
      'lead must answer: it is called at the front door: named beside it.',
    );
  });

  it('in the thread that an agent has answered in is for that agent', async () => {
    const o = await shared(DEFAULT);
    const root = await said(o, `<@${BOT}> lead: is the build green?`);
    await o.lead.reply(await o.handed(o.lead, root), 'It is.');
    await until(async () => (await o.posts()).length === 1);
    const again = await o.slack.say('bob', `<@${BOT}> and the tests?`, { thread_ts: root });
    await o.handed(o.lead, again);
    expect((await o.wire.why(again, 'lead')).decision).toMatchObject({ reason: 'mention' });
    expect(woken(o.builder)).toEqual([]);
  });

  it('is for the default responder', async () => {
    const o = await shared(DEFAULT);
    const ts = await said(o, `<@${BOT}> is the build green?`);
    expect(await o.handed(o.builder, ts)).toMatchObject({ policy: 'must_respond' });
    expect(woken(o.lead)).toEqual([]);
  });

  it('is offered to one agent at a time where nothing tells', async () => {
    const o = await shared();
    const ts = await said(o, `<@${BOT}> is the build green?`);
    const first = await until(() => [o.lead, o.builder].find((one) => woken(one).includes(ts)));
    const second = first === o.lead ? o.builder : o.lead;
    expect(woken(second)).toEqual([]);
    await o.wire.pass(21_000);
    await until(() => woken(second).includes(ts));
  });

  it('is for those alone whom the surface names', async () => {
    const o = await shared({ slack: { agents: ['builder'] } });
    const ts = await said(o, `<@${BOT}> is the build green?`);
    expect(await o.handed(o.builder, ts)).toMatchObject({ policy: 'must_respond', reason: 'mention' });
    expect(woken(o.lead)).toEqual([]);
  });

  it('a name that somebody merely typed with an @ calls nobody', async () => {
    const o = await shared(DEFAULT);
    await said(o, '@lead is the build green?');
    await said(o, '`@lead` is in code, @everyone');
    expect([woken(o.lead), woken(o.builder)]).toEqual([[], []]);
  });
});

it('a direct message to the app is for whoever is named there, and stays theirs', async () => {
  const o = await shared();
  const { channel } = await o.slack.call('ada', 'conversations.open', { users: BOT });
  const { id } = channel as { id: string };
  const first = await said(o, 'lead, is the build green?', { channel: id });
  const seen = await o.handed(o.lead, first);
  expect(seen).toMatchObject({ policy: 'must_respond', reason: 'direct_message' });
  expect(await o.lead.reply(seen, 'It is.')).toMatchObject({ ok: true });
  const next = await said(o, 'and the tests?', { channel: id });
  expect(await o.handed(o.lead, next)).toMatchObject({ reason: 'direct_message' });
  expect(woken(o.builder)).toEqual([]);
});

it('what its agents post comes back and wakes none of them', async () => {
  const o = await shared(DEFAULT);
  const ts = await said(o, `<@${BOT}> lead: is the build green?`);
  await o.lead.reply(await o.handed(o.lead, ts), 'builder, is it?');
  await until(async () => (await o.posts()).length === 1);
  await until(() => o.slack.told.some(({ event }) => event['user'] === BOT && event['type'] === 'message'));
  await o.wire.pass(5_000);
  const rows = await o.wire.host.context.store.scan('log', 'byPosition', { limit: 100 });
  expect(rows.filter(({ author }) => author.startsWith('agent:'))).toMatchObject([{ author: 'agent:lead' }]);
  expect(woken(o.lead)).toEqual([ts]);
});

it('the reactions of its agents are one', async () => {
  const o = await shared(DEFAULT);
  const ts = await said(o, `<@${BOT}> lead and builder: is the build green?`);
  const eyes = async (): Promise<string[]> =>
    (await o.slack.shown()).find((one) => one.ts === ts)?.reactions?.flatMap(({ name }) => name) ?? [];
  const react = async (who: WireHarness, remove = false): Promise<void> => {
    const seen = await o.handed(who, ts);
    const set = await who.tool('chat.react', {
      inReplyTo: seen.eventId,
      signal: 'seen',
      ...(remove && { remove }),
    });
    expect(set).toMatchObject({ ok: true });
  };
  await react(o.lead);
  await react(o.builder);
  expect(await eyes()).toEqual(['eyes']);
  await react(o.lead, true);
  expect(await eyes()).toEqual(['eyes']);
  await react(o.builder, true);
  expect(await eyes()).toEqual([]);
});
