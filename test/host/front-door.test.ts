// One account, three agents, on the host: a call at the front door reaches one of them, what they post comes back as an
// echo and wakes nobody, and their reactions are one reaction on the platform.
import { afterEach, describe, expect, it } from 'vitest';
import type { SurfaceAccount } from '../../src/surfaces/surface.ts';
import type { Harness } from './harness.ts';
import { type Line, type World, type WorldOptions, world } from './world.ts';

let w: World;
afterEach(async () => expect(await w.sound()).toEqual([]));

const IDS = ['lead', 'builder', 'scout'] as const;
const SHARED: SurfaceAccount = { id: 'U1', workspaceId: 'w', agents: '*', name: 'Earshot' };
const CALL: Line = { more: { mentions: [{ kind: 'agent', id: 'U1' }], mentionsResolved: true } };
const PLAIN: Line = { more: { mentionsResolved: true } };
const tags = (id: string, kind = 'agent'): Line => ({
  more: { mentions: [{ kind, id }], mentionsResolved: true },
});

async function office(more: WorldOptions = {}): Promise<Record<(typeof IDS)[number], Harness>> {
  w = await world({ agents: IDS.map((id) => ({ id })), accounts: [SHARED], ...more });
  const harnesses = [];
  for (const id of IDS) harnesses.push(await w.harness(id));
  const [lead, builder, scout] = harnesses as [Harness, Harness, Harness];
  return { lead, builder, scout };
}

const RESPONDER = { attention: { conversations: [{ match: '*', defaultResponder: 'scout' }] } };

async function said(text: string, line: Line = CALL): Promise<string> {
  const id = await w.say(text, line);
  await w.advance(3_000);
  return id;
}

const turnsOf = (harnesses: Record<string, Harness>): string[][] =>
  Object.values(harnesses).map(({ turns }) => turns.map(({ eventId }) => eventId));

describe('a call at the front door', () => {
  it('reaches the one that is named, then the one that the author talks with', async () => {
    const all = await office(RESPONDER);
    const first = await said('@Earshot builder is it green?');
    expect(turnsOf(all)).toEqual([[], [first], []]);
    expect(all.builder.turns[0]).toMatchObject({
      attention: { policy: 'must_respond', reason: 'mention' },
      target: { mentions: ['agent:U1', 'agent:builder'] },
    });
    expect(await all.builder.reply(first, 'It is.')).toMatchObject({ ok: true });
    const second = await said('@Earshot and the tests?');
    expect(turnsOf(all)).toEqual([[], [first, second], []]);
  });

  it('reaches the default responder', async () => {
    const all = await office(RESPONDER);
    const id = await said('@Earshot is it green?');
    expect(turnsOf(all)).toEqual([[], [], [id]]);
  });

  it('is offered to one after the other, and whoever claims it answers', async () => {
    const all = await office();
    const id = await said('@Earshot is it green?');
    const offered = (): number => turnsOf(all).filter((turns) => turns.length > 0).length;
    expect(offered()).toBe(1);
    await w.advance(20_000);
    expect(offered()).toBe(2);
    const holder = Object.values(all).findLast(({ turns }) => turns.length > 0);
    expect(await holder?.call('chat.claim', { inReplyTo: id })).toMatchObject({ ok: true });
    expect(await holder?.reply(id, 'It is.')).toMatchObject({ ok: true });
    await w.advance(60_000);
    expect(w.texts()).toEqual(['It is.']);
    expect(offered()).toBe(2);
  });

  it('in a direct message is for whoever is named, and later ones are theirs', async () => {
    const all = await office();
    const direct: Line = { in: 'D1', kind: 'dm', more: { mentionsResolved: true, recipients: ['U1'] } };
    const first = await said('builder, is it green?', direct);
    expect(await all.builder.reply(first, 'It is.')).toMatchObject({ ok: true });
    const second = await said('and the tests?', direct);
    expect(turnsOf(all)).toEqual([[], [first, second], []]);
  });
});

describe('an account for each agent, on one surface with several logins', () => {
  const LOGINS: SurfaceAccount[] = IDS.map((id) => ({
    id: `U-${id}`,
    workspaceId: 'w',
    agents: [id],
    name: id,
  }));
  it('a mention is for its agent, and what several logins hear is one event', async () => {
    const all = await office({ accounts: LOGINS });
    const event = w.event('is it green?', tags('U-builder'));
    const heard = [];
    for (const _ of LOGINS) heard.push(...(await w.ingest(event)));
    await w.advance(3_000);
    expect(heard.map(({ status }) => status)).toEqual(['accepted', 'repeat', 'repeat']);
    expect(turnsOf(all)).toEqual([[], [event['eventId']], []]);
  });

  it('agents mention each other by their accounts, and those of a shared account by name alone', async () => {
    const mentions = ['agent:scout', 'human:ada'];
    for (const [accounts, account] of [
      [LOGINS, { account: 'U-scout' }],
      [[SHARED], {}],
    ] as const) {
      const all = await office({ accounts });
      const id = await said('lead, is it green?', PLAIN);
      expect(await all.lead.reply(id, '@scout knows, @ada.', { mentions })).toMatchObject({ ok: true });
      expect(w.platform.posts[0]?.mentions).toEqual([
        { identity: 'agent:scout', name: 'scout', ...account },
        { identity: 'human:ada', name: 'ada', account: 'ada' },
      ]);
    }
  });
});

describe('what a shared account says', () => {
  it('carries the name and the icon of its agent', async () => {
    const agents = [{ id: 'lead', name: 'Lead', icon: ':compass:' }, { id: 'builder' }, { id: 'scout' }];
    const all = await office({ agents });
    const id = await said('@Earshot Lead is it green?');
    await all.lead.reply(id, 'It is.');
    expect(w.platform.posts[0]?.persona).toEqual({ name: 'Lead', icon: ':compass:' });
  });

  it('comes back as an echo and is no second message', async () => {
    const all = await office(RESPONDER);
    const id = await said('@Earshot lead is it green?');
    await all.lead.reply(id, '@builder can you look at it?', {
      mentions: ['agent:builder'],
      directedness: 'to_me',
      recipient: 'agent:builder',
    });
    const [shown] = w.platform.seen;
    const [echo] = await w.ingest({
      ...w.event(shown?.text ?? '', { id: 'p1', by: 'U1', byKind: 'agent', ...PLAIN }),
      platformId: 'p1',
    });
    await w.advance(3_000);
    expect(echo).toMatchObject({ status: 'repeat' });
    expect(turnsOf(all).map((turns) => turns.length)).toEqual([1, 1, 0]);
  });

  it('is replied to as its agent’s, however long ago that was', async () => {
    const all = await office(RESPONDER);
    const id = await said('@Earshot builder is it green?');
    await all.builder.reply(id, 'It is.');
    for (let line = 0; line < 60; line++)
      await w.say(`line ${line}`, { ...PLAIN, by: `somebody${line % 9}` });
    const more = { mentionsResolved: true, replyTo: { eventId: 'p1', authorId: 'U1' } };
    const reply = await said('since when?', { by: 'eve', more });
    expect(turnsOf(all)).toEqual([[], [id, reply], []]);
  });

  it('unknown to this host it wakes nobody, whomever it names', async () => {
    const all = await office(RESPONDER);
    await said('@Earshot builder, can you look?', { ...CALL, by: 'U1', byKind: 'agent' });
    await w.advance(60_000);
    expect(turnsOf(all)).toEqual([[], [], []]);
  });
});

const signal = (inReplyTo: string, more = {}) => ({ inReplyTo, signal: 'seen', ...more });
const done = () => w.platform.reactions.map(({ agent, remove }) => `${remove === true ? '-' : '+'}${agent}`);

describe('reactions of a shared account', () => {
  it('are one on the platform, until the last agent takes it back; the log has each', async () => {
    const { lead, builder } = await office();
    const id = await said('lead and builder: is it green?', PLAIN);
    await lead.call('chat.react', signal(id));
    await builder.call('chat.react', signal(id));
    expect(done()).toEqual(['+lead']);
    await lead.call('chat.react', signal(id, { remove: true }));
    expect(done()).toEqual(['+lead']);
    await builder.call('chat.react', signal(id, { remove: true }));
    expect(done()).toEqual(['+lead', '-builder']);
    const logged = (await w.logged('reaction')).map(({ author }) => author);
    expect(logged).toEqual(['agent:lead', 'agent:builder', 'agent:lead', 'agent:builder']);
  });

  it('of agents with an account each are each their own', async () => {
    const accounts = IDS.map((id) => ({ id: `U-${id}`, workspaceId: 'w', agents: [id], name: id }));
    const { lead, builder } = await office({ accounts });
    const id = await said('lead and builder: is it green?', PLAIN);
    await lead.call('chat.react', signal(id));
    await builder.call('chat.react', signal(id));
    expect(done()).toEqual(['+lead', '+builder']);
  });
});

it('a group of the platform calls its agent, or a role', async () => {
  const agents = [{ id: 'lead', roles: ['ops'] }, { id: 'builder' }, { id: 'scout' }];
  const groups = { 'web/w/S1': 'builder', 'web/w/S2': 'ops', 'slack/w/S3': 'scout' };
  const all = await office({ agents, attention: { groups } });
  const [first, second] = [
    await said('is it green?', tags('S1', 'role')),
    await said('who looks?', tags('S2', 'role')),
  ];
  await said('is it red?', tags('S3', 'role'));
  expect(turnsOf(all)).toEqual([[second], [first], []]);
});
