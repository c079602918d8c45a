// Ids are scoped: a source's id names one event of one conversation of one workspace of one platform. The same id
// elsewhere is another event: stored, decided, delivered and answered by itself. The id that a harness sees is unique on
// the host, and the source's own id travels beside it.
import { describe, expect, it } from 'vitest';
import type { Turn } from '../../src/agent/index.ts';
import { until } from './host.ts';
import { forty2, SCOPES } from './scopes.ts';
import { SOURCE_WAYS, sourceOver } from './sources.ts';
import { hostWith, type Seen, WAYS } from './ways.ts';

/** The source's own id, as either shape of a delivered event has it. */
function sourceIdOf({ eventId, raw }: Seen): unknown {
  const source = (raw['source'] ?? {}) as { eventId?: string };
  return source.eventId ?? raw['sourceId'] ?? eventId;
}

describe.each(WAYS)('over %s the same id', (way) => {
  it('in another room, workspace, platform or thread is another event, delivered and answered by itself [C2A-06-02/envelope/stable-source-event-id]', async () => {
    const answered: string[] = [];
    // A turn of the SDK ends with its answer. Only a few may be open at once.
    const onTurn = (turn: Turn) =>
      until(() => answered.some((words) => turn.text.includes(words))).then(() => {});
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, { onTurn });
    const ids: string[] = [];
    for (const scope of SCOPES) {
      const [first] = await wire.post(forty2(wire, scope));
      expect(first, scope).toMatchObject({ status: 'accepted', seq: 1 });
      ids.push(first?.eventId ?? '');
      await wire.pass(3_000);
      const seen = await lead.next(({ text }) => text.includes(`what about ${scope}?`), scope);
      expect(seen).toMatchObject({ eventId: first?.eventId, policy: 'must_respond' });
      expect(sourceIdOf(seen)).toBe('42');
      const [again] = await wire.post(forty2(wire, scope));
      expect(again).toEqual({ ...first, status: 'repeat' });
      expect(await lead.reply(seen, `This is about ${scope}.`)).toMatchObject({ ok: true });
      await until(() => wire.platform.texts().includes(`This is about ${scope}.`), 'the answer');
      answered.push(`about ${scope}?`);
    }
    expect(new Set(ids).size).toBe(SCOPES.length);
    expect(ids[0]).toBe('42');
    for (const scope of SCOPES) {
      const { platform, workspaceId, conversation } = forty2(wire, scope);
      const shown = wire.platform.shown.find(({ text }) => text === `This is about ${scope}.`);
      expect(shown).toMatchObject({
        place: { platform, workspaceId, conversationId: conversation.id },
        replyTo: '42',
      });
    }
  });
});

describe.each(SOURCE_WAYS)('a source over %s', (way) => {
  it('is told the event id, and its own id where that is another one', async () => {
    const { wire } = await hostWith('websocket', 'lead');
    const post = await sourceOver(wire, way);
    const results = await post(...SCOPES.map((scope) => forty2(wire, scope)));
    expect(results[0]).toEqual({ eventId: '42', status: 'accepted', seq: 1 });
    for (const result of results.slice(1)) {
      expect(result).toEqual({
        eventId: expect.stringMatching(/^42~[\w-]{12}$/),
        sourceId: '42',
        status: 'accepted',
        seq: 1,
      });
    }
    expect(new Set(results.map(({ eventId }) => eventId)).size).toBe(SCOPES.length);
    const again = await post(...SCOPES.map((scope) => forty2(wire, scope)));
    expect(again).toEqual(results.map((result) => ({ ...result, status: 'repeat' })));
  });

  it('may repeat an event together with the first, in one batch', async () => {
    const { wire } = await hostWith('websocket', 'lead');
    const post = await sourceOver(wire, way);
    const [room, other] = [forty2(wire, 'a room'), forty2(wire, 'another room')];
    const results = await post(room, other, other, room);
    expect(results.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'repeat', 'repeat']);
    expect(results[2]?.eventId).toBe(results[1]?.eventId);
    expect(results[3]?.eventId).toBe('42');
  });
});

it.each(['2026-06-24', '2026-08-11'] as const)('the short event of %s carries both ids', async (version) => {
  const { wire, agent: lead } = await hostWith('websocket', 'lead', {}, { version });
  await wire.post(forty2(wire, 'a room'), forty2(wire, 'another room'));
  await wire.pass(3_000);
  const seen = await lead.next(({ text }) => text.includes('another room'));
  expect(seen.raw).toMatchObject({ eventId: expect.stringMatching(/^42~/), sourceId: '42' });
  const first = await lead.next(({ text }) => text.includes('a room'));
  expect(first.raw).not.toHaveProperty('sourceId');
});
