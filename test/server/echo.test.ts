// A source hands the host's own posts back over HTTP: by the key from the outbox, by the id it acknowledged, or first.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sourceEventSchema } from '../../src/protocol/source-event.ts';
import { type Fixture, fixture, message, send } from './fixture.ts';

async function answered(host: Fixture) {
  const sent = message('@lead can you look?');
  await host.call('POST', '/v1/events', 'dev', sent);
  await host.tool('lead', 'chat.send_message', send(sent.eventId));
  const rows = (await host.call('GET', '/v1/outbox', 'dev')).body['messages'] as Record<string, string>[];
  return { key: rows[0]?.['idempotencyKey'] ?? '', eventId: rows[0]?.['eventId'] ?? '' };
}

const echo = (marks: Record<string, unknown>) =>
  message('Looking at it now, a moment please.', {
    eventId: 'p-77',
    author: { id: 'BOT', kind: 'agent' },
    ...marks,
  });
const texts = async (host: Fixture) =>
  ((await host.call('GET', '/v1/log', 'operator')).body['log'] as { type: string }[]).filter(
    ({ type }) => type === 'message',
  ).length;

describe('an echo over HTTP', () => {
  it('by the key proves the send, before any acknowledgement', async () => {
    const host = await fixture();
    const { key, eventId } = await answered(host);
    const { status, body } = await host.call('POST', '/v1/events', 'dev', echo({ echoOf: key }));
    expect([status, body]).toEqual([
      202,
      { events: [{ eventId, sourceId: 'p-77', status: 'repeat', seq: 2 }] },
    ]);
    expect((await host.call('GET', '/v1/outbox', 'dev')).body).toEqual({ messages: [] });
    const ack = { key, platformId: 'p-77' };
    expect((await host.call('POST', '/v1/outbox/ack', 'dev', ack)).body).toMatchObject({ state: 'visible' });
    expect(await texts(host)).toBe(2);
  });

  it('by the platform’s id waits for the acknowledgement, and later events name it so', async () => {
    const host = await fixture();
    const { key, eventId } = await answered(host);
    const early = await host.call('POST', '/v1/events', 'dev', echo({ platformId: 'p-77' }));
    expect([early.status, early.headers['retry-after']]).toEqual([503, '1']);
    await host.call('POST', '/v1/outbox/ack', 'dev', { key, platformId: 'p-77' });
    const late = await host.call('POST', '/v1/events', 'dev', echo({ platformId: 'p-77' }));
    expect(late.body).toMatchObject({ events: [{ status: 'repeat', seq: 2 }] });
    const { text: _, ...gone } = message('', { type: 'delete', targetEventId: 'p-77' });
    expect((await host.call('POST', '/v1/events', 'dev', gone)).status).toBe(202);
    expect((await host.store.get('log', eventId))?.record.event).not.toHaveProperty('text');
    expect(await texts(host)).toBe(2);
  });

  it.each([
    ['a key nobody was handed', { echoOf: 'lead:never' }, 'echoOf'],
    ['a key of nothing', { echoOf: '' }, 'echoOf'],
    ['a mark on a deletion', { type: 'delete', targetEventId: 'x', text: undefined, echoOf: 'k' }, 'echoOf'],
  ])('with %s is refused, naming the field', async (_, marks, field) => {
    const host = await fixture();
    await answered(host);
    const { status, text } = await host.call('POST', '/v1/events', 'dev', echo(marks));
    expect(status).toBe(400);
    expect(text).toContain(field);
  });

  it('as the docs show it is one', () => {
    const shown = /```json\n(\{[^`]*"echoOf"[^`]*)```/.exec(readFileSync('docs/http.md', 'utf8'))?.[1] ?? '';
    expect(sourceEventSchema.safeParse(JSON.parse(shown)).success).toBe(true);
  });
});
