// What goes out and comes back has scoped ids too: platforms count their messages per room, so the platform's id of a
// post names a post of one room, and what an agent does reaches the platform under the id that the platform knows.
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../src/protocol/operator-api.ts';
import { until, type WireHost } from './host.ts';
import { forty2 } from './scopes.ts';
import { harness, hostWith, type WireHarness } from './ways.ts';

async function logged(wire: WireHost, type: string): Promise<LogEntry[]> {
  const path = `/v1/log?last=true&limit=200&type=${type}`;
  const { body } = await wire.call('GET', path, await wire.token('operator', 'ops'));
  return body['log'] as LogEntry[];
}

const claim = (who: WireHarness, eventId: string | undefined) =>
  who.tool('chat.claim', { inReplyTo: eventId });

const ROOMS = ['a room', 'another room', 'another platform'] as const;

/** The agent has answered 42 everywhere, and the platform calls each answer 43. Event ids of the answers, by room. */
async function answered(): Promise<{ wire: WireHost; lead: WireHarness; sent: string[] }> {
  const { wire, agent: lead } = await hostWith('websocket', 'lead', {
    agents: [{ id: 'lead', accounts: ['BOT'] }],
  });
  wire.platform.nameOf = () => '43';
  const sent: string[] = [];
  for (const room of ROOMS) {
    const [asked] = await wire.post(forty2(wire, room));
    await wire.pass(3_000);
    const seen = await lead.next(({ eventId }) => eventId === asked?.eventId);
    const reply = await lead.reply(seen, `Fine in ${room}.`);
    sent.push(reply.ok ? String(reply.result['eventId']) : '');
  }
  await until(() => wire.platform.shown.length === ROOMS.length, 'the answers');
  return { wire, lead, sent };
}

describe('the platform’s id of a post', () => {
  it('names the post of its own room in a reaction, a reply and an edit', async () => {
    const { wire, sent } = await answered();
    for (const [at, room] of ROOMS.entries()) {
      const more = { text: undefined, targetEventId: '43', signal: 'agree', type: 'reaction' };
      await wire.post(
        forty2(wire, room, { eventId: `reaction-${at}`, ...more }),
        forty2(wire, room, { eventId: `reply-${at}`, replyTo: { eventId: '43' } }),
        forty2(wire, room, { eventId: `edit-${at}`, type: 'edit', targetEventId: '43', text: 'Fine now.' }),
      );
    }
    expect((await logged(wire, 'reaction')).map(({ targetEventId }) => targetEventId)).toEqual(sent);
    expect((await logged(wire, 'edit')).map(({ targetEventId }) => targetEventId)).toEqual(sent);
    const replies = (await logged(wire, 'message')).filter(({ eventId }) => eventId.startsWith('reply-'));
    expect(replies.map(({ replyTo }) => replyTo)).toEqual(sent);
  });

  it('recognises the echo of each, and the answer has both ids', async () => {
    const { wire, sent } = await answered();
    for (const [at, room] of ROOMS.entries()) {
      const author = { id: 'BOT', kind: 'agent' };
      const echo = forty2(wire, room, { eventId: '43', author, text: `Fine in ${room}.`, platformId: '43' });
      const [result] = await wire.post(echo);
      expect(result, room).toMatchObject({ status: 'repeat', eventId: sent[at], sourceId: '43' });
    }
    expect((await logged(wire, 'message')).filter(({ author }) => author.kind === 'agent')).toHaveLength(
      ROOMS.length,
    );
  });

  it('finds each with why, in its room', async () => {
    const { wire, sent } = await answered();
    const keys = ['c/chat/w/general', 'c/chat/w/random', 'c/irc/w/general'];
    const token = await wire.token('operator', 'ops');
    for (const [at, key] of keys.entries()) {
      const { body } = await wire.call('GET', `/v1/why/43?conversation=${encodeURIComponent(key)}`, token);
      expect(body['event']).toMatchObject({ eventId: sent[at], text: `Fine in ${ROOMS[at]}.` });
    }
  });

  it('in a thread means the thread’s own message before a post of the room', async () => {
    const { wire, sent } = await answered();
    const thread = (more: Record<string, unknown>) => forty2(wire, 'a thread of the room', more);
    const reaction = { type: 'reaction', targetEventId: '43', signal: 'agree', text: undefined };
    await wire.post(thread({ eventId: 'r0', ...reaction }));
    const [own] = await wire.post(thread({ eventId: '43', text: 'and here?' }));
    await wire.post(thread({ eventId: 'r1', ...reaction }));
    expect((await logged(wire, 'reaction')).map(({ targetEventId }) => targetEventId)).toEqual([
      sent[0],
      own?.eventId,
    ]);
  });
});

describe('what an agent does', () => {
  it('reaches the platform under the id that the platform knows', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead');
    await wire.post(forty2(wire, 'a room'));
    const [asked] = await wire.post(forty2(wire, 'another platform'));
    expect(await lead.tool('chat.react', { inReplyTo: asked?.eventId, signal: 'working' })).toMatchObject({
      ok: true,
    });
    const shown = await until(() => wire.platform.shown.find(({ type }) => type === 'reaction'));
    expect(shown).toMatchObject({
      targetEventId: '42',
      place: { platform: 'irc', conversationId: 'general' },
    });
  });

  it('reaches a source that pulls in the same way', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead');
    const token = await wire.token('surface', 'other');
    const post = (event: object) => wire.call('POST', '/v1/events', token, event);
    await post(forty2(wire, 'a room', { platform: 'x' }));
    await post(forty2(wire, 'another room', { platform: 'x' }));
    await wire.pass(3_000);
    const seen = await lead.next(({ text }) => text.includes('another room'));
    await lead.reply(seen, 'Fine.');
    await lead.tool('chat.react', { inReplyTo: seen.eventId, signal: 'done' });
    const pulled = async () => (await wire.call('GET', '/v1/outbox', token)).body['messages'] as object[];
    const messages = await until(async () => (await pulled()).length === 2 && pulled(), 'the outbox');
    const place = { platform: 'x', workspaceId: 'w', conversationId: 'random' };
    expect(messages).toMatchObject([
      { type: 'message', replyTo: '42', place },
      { type: 'reaction', targetEventId: '42', place },
    ]);
  });

  it('claims the event of one room, and another agent that of the other', async () => {
    const agents = [
      { id: 'lead', roles: ['ops'] },
      { id: 'builder', roles: ['ops'] },
    ];
    const { wire, agent: lead } = await hostWith('websocket', 'lead', { agents });
    const builder = await harness(wire, 'builder', 'websocket');
    const text = '@ops can somebody look?';
    const [room] = await wire.post(forty2(wire, 'a room', { text }));
    const [other] = await wire.post(forty2(wire, 'another room', { text }));
    expect(await claim(lead, room?.eventId)).toMatchObject({
      ok: true,
      result: { event: { eventId: '42' } },
    });
    expect(await claim(builder, other?.eventId)).toMatchObject({
      ok: true,
      result: { event: { sourceId: '42' } },
    });
    expect(await claim(builder, room?.eventId)).toMatchObject({ ok: false, name: 'claimed_by_other' });
    expect(await claim(lead, other?.eventId)).toMatchObject({ ok: false, name: 'claimed_by_other' });
  });
});

it('what is not settled comes again under its event id when the harness connects again [C2A-06-02/transport/keeps-event-ids]', async () => {
  const { wire, agent: first } = await hostWith('websocket', 'lead');
  const [room] = await wire.post(forty2(wire, 'a room'));
  const [other] = await wire.post(forty2(wire, 'another platform'));
  await wire.pass(3_000);
  await first.next(({ eventId }) => eventId === other?.eventId);
  await first.next(({ eventId }) => eventId === room?.eventId);
  await first.tool('chat.react', { inReplyTo: room?.eventId, signal: 'done' });
  await first.close();
  const again = await harness(wire, 'lead', 'websocket');
  await wire.pass(3_000);
  const seen = await again.next(({ text }) => text.includes('another platform'));
  expect(seen).toMatchObject({ eventId: other?.eventId, raw: { reliability: { attempt: 2 } } });
  expect(again.seen).toHaveLength(1);
});
