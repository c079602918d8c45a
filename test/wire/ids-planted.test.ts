// The host's own ids are a space of their own. A source that uses one gets an event like any other, under an id with a
// tag, and can neither stand in for an event of the host nor take its place: the web chat opens, turns and ticks are
// recorded, reminders and digests arrive.
import { expect, it } from 'vitest';
import { HOST_ID_MAKERS } from '../../src/protocol/derived-id.ts';
import type { LogEntry } from '../../src/protocol/operator-api.ts';
import { newKey, signIn } from '../surfaces/web/tab.ts';
import { START, until, type WireHost } from './host.ts';
import { hostWith } from './ways.ts';

const MINUTE_MS = 60_000;

/** Plants the ids as messages of people: in the room itself, in another one, and on another platform. */
async function plant(wire: WireHost, ...ids: string[]): Promise<void> {
  const places = [{ in: 'general' }, { in: 'random' }, { in: 'general', more: { platform: 'irc' } }];
  const events = ids.flatMap((id) =>
    places.map((place) => wire.event('nothing to see', { ...place, id, by: 'mallory' })),
  );
  const results = await wire.post(...events);
  for (const [at, result] of results.entries()) {
    const { eventId } = events[at] ?? { eventId: '' };
    expect(result).toMatchObject({ status: 'accepted', sourceId: eventId });
    expect(result.eventId).toMatch(/~[\w-]{12}$/);
  }
  expect(new Set(results.map(({ eventId }) => eventId)).size).toBe(events.length);
}

async function logged(wire: WireHost, type: string): Promise<LogEntry[]> {
  const path = `/v1/log?last=true&limit=200&type=${type}`;
  const { body } = await wire.call('GET', path, await wire.token('operator', 'ops'));
  return body['log'] as LogEntry[];
}

it('the web chat opens, and a message there is a message', async () => {
  const { wire } = await hostWith('websocket', 'lead');
  await plant(wire, 'web_channel_general', 'web_channel_releases', 'web_x');
  const { tab, hello } = await signIn(wire.url, await wire.token('person', 'ada'));
  expect(hello.conversations.map(({ id }) => id)).toContain('general');
  const { conversation } = await tab.ask('create', { kind: 'channel', key: newKey(), name: 'releases' });
  const message = await tab.say(conversation.id, 'anybody here?');
  expect(message.eventId).toMatch(/^web_[\w-]{22}$/);
  await plant(wire, message.eventId);
  const page = await tab.ask('open', { conversation: conversation.id });
  expect(page.messages.map(({ text }) => text)).toEqual(['anybody here?']);
});

it('turns are recorded, also those with a very long id', async () => {
  const { wire, agent: lead } = await hostWith('websocket', 'lead');
  const room = 'c/chat/w/general';
  await plant(wire, `turn:t1:started:lead:${room}`, `turn:t1:ended:lead:${room}`);
  const token = await wire.token('agent', 'lead');
  const call = (method: string, params: object) =>
    wire.call('POST', '/c2a', token, { jsonrpc: '2.0', id: 1, method, params });
  for (const turnId of ['t1', 't'.repeat(300)]) {
    const eventId = await wire.say('@lead is it blocked?');
    await wire.pass(3_000);
    await lead.next((seen) => seen.eventId === eventId);
    await call('turn/started', { turnId, eventIds: [eventId] });
    await call('turn/ended', { turnId, outcome: 'answered' });
    const phases = (await logged(wire, 'turn')).filter((entry) => entry.turnId === turnId);
    expect(phases.map(({ phase }) => phase)).toEqual(['started', 'ended']);
  }
});

it('a claim lapses by a tick, and the reminder of an unanswered mention arrives', async () => {
  const { wire, agent: lead } = await hostWith('websocket', 'lead');
  const eventId = await wire.say('@lead is it blocked?', { id: 'e1' });
  await plant(wire, 'e1/claimed', 'e1/lapsed-2', 'e1/reminder-2', 'e1/expired-2', 'e1/retry-2');
  await plant(wire, ...Array.from({ length: 30 }, (_, at) => `tick:c/chat/w/general:${at + 1}`));
  await wire.pass(3_000);
  await lead.next((seen) => seen.eventId === eventId);
  await lead.tool('chat.claim', { inReplyTo: eventId, ttlMs: MINUTE_MS });
  await wire.pass(MINUTE_MS + 10_000);
  const [tick] = await until(async () => (await logged(wire, 'tick')).slice(0, 1), 'the tick');
  expect(tick?.eventId).toMatch(/^tick:c\/chat\/w\/general:\d+$/);
  const again = await lead.next((seen) => seen.raw['refersTo'] === eventId, 'the question again');
  expect(again.eventId).toBe('e1/lapsed-2');
});

it('a digest arrives at the time for which its id was planted', async () => {
  const injection = { immediate: true, buffered: true, notify: true, tool_mailbox: true, digest: true };
  const options = { host: { limits: { digestMs: MINUTE_MS } } };
  const { wire, agent: lead } = await hostWith('websocket', 'lead', options, { capabilities: { injection } });
  // Connecting takes a millisecond, so the sweep may look one later.
  const ids = [0, 1].map((ms) => `digest:lead:${START + MINUTE_MS + ms}`);
  await plant(wire, ...ids);
  await wire.say('deployed 41', { byKind: 'agent', by: 'ci', more: { subtype: 'log' } });
  await wire.pass(MINUTE_MS);
  const digest = await lead.next(({ mode }) => mode === 'digest', 'the digest');
  expect(ids).toContain(digest.eventId);
});

it('what an agent sends is shown and logged once, whatever is planted of it afterwards', async () => {
  const { wire, agent: lead } = await hostWith('websocket', 'lead');
  const eventId = await wire.say('@lead is it blocked?');
  await wire.pass(3_000);
  const seen = await lead.next((one) => one.eventId === eventId);
  const sent = await lead.reply(seen, 'It is not.');
  expect(sent).toMatchObject({ ok: true });
  const out = sent.ok ? String(sent.result['eventId']) : '';
  await plant(wire, out);
  const said = (await logged(wire, 'message')).filter(({ author }) => author.kind === 'agent');
  expect(said.map(({ eventId: id, text }) => [id, text])).toEqual([[out, 'It is not.']]);
  const reaction = wire.event('', {
    id: 'x1',
    more: { type: 'reaction', targetEventId: out, signal: 'agree', text: undefined },
  });
  await wire.post(reaction);
  expect((await logged(wire, 'reaction'))[0]).toMatchObject({ targetEventId: out });
});

it('with every id that the host could make about a question planted, the question is asked, answered and shown', async () => {
  const { wire, agent: lead } = await hostWith('websocket', 'lead');
  await plant(wire, ...Object.values(HOST_ID_MAKERS).map((make) => make('e1', 'lead')));
  const eventId = await wire.say('@lead is it blocked?', { id: 'e1' });
  expect(eventId).toBe('e1');
  await wire.pass(3_000);
  const seen = await lead.next((one) => one.eventId === eventId, 'the question');
  await lead.request('turn/started', { turnId: 'e1', eventIds: [eventId] });
  expect(await lead.reply(seen, 'It is not.', { turnId: 'e1' })).toMatchObject({ ok: true });
  await lead.request('turn/ended', { turnId: 'e1', outcome: 'answered' });
  expect(wire.platform.texts()).toEqual(['It is not.']);
  expect((await logged(wire, 'turn')).map(({ phase }) => phase)).toEqual(['started', 'ended']);
  expect((await wire.why(eventId, 'lead')).since.at(-1)?.words).toContain('answered it');
});

it('a room that another source calls by the same name does not take an agent away from its own', async () => {
  const { wire, agent: lead } = await hostWith('websocket', 'lead');
  const eventId = await wire.say('@lead is it blocked?');
  const other = await wire.token('surface', 'other');
  const planted = ['general', 'c/chat/w/general'].map((id) =>
    wire.event('my room now', { in: id, by: 'mallory', more: { platform: 'other' } }),
  );
  await wire.call('POST', '/v1/events', other, { events: planted });
  await wire.pass(3_000);
  const seen = await lead.next((one) => one.eventId === eventId, 'the question');
  await lead.request('turn/started', { turnId: 't', eventIds: [eventId] });
  const unnamed = { inReplyTo: undefined, directedness: 'ambient' };
  expect(await lead.reply(seen, 'Looking.', { ...unnamed, turnId: 't' })).toMatchObject({ ok: true });
  const byKey = { ...unnamed, target: 'channel:c/chat/w/general' };
  expect(await lead.reply(seen, 'It is not.', byKey)).toMatchObject({ ok: true });
  expect(wire.platform.texts()).toEqual(['Looking.', 'It is not.']);
});
