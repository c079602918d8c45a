// Whatever is sent, the answer is a typed error or a result, in bounded time, and the host goes on. Cases are drawn by
// fast-check, which prints its seed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Fixture, fixture, message } from './fixture.ts';
import { cases } from '../long.ts';

const CODES = /^[a-z_]+$/;

function expectTyped(status: number, text: string): void {
  if (status < 400) return;
  const { error } = JSON.parse(text) as { error: { code: unknown; message: unknown } };
  // JSON-RPC errors have numbers for codes.
  if (typeof error.code === 'string') expect(error.code).toMatch(CODES);
  else expect(error.code).toBeTypeOf('number');
  expect(error.message).toBeTypeOf('string');
  expect(status).not.toBe(500);
}

const { author, conversation } = message('');
const FIELDS = [
  'eventId',
  'at',
  'platform',
  'workspaceId',
  'conversation',
  'author',
  'type',
  'text',
  'mentions',
  'replyTo',
  'membership',
  'obligation',
  'targetEventId',
  'signal',
  'recipients',
  'attachments',
  'origin',
  'subtype',
  'target',
  'ttlMs',
  'mode',
  '__proto__',
];
const TYPES = [
  'message',
  'edit',
  'delete',
  'reaction',
  'membership',
  'typing',
  'progress',
  'claim',
  'mode',
  'focus',
  'disengage',
  'turn',
  'resolve',
  'tick',
];

/** Nearly an event: one or two fields are anything. */
const nearEvent = fc
  .record({
    type: fc.constantFrom(...TYPES),
    text: fc.string({ unit: 'binary', maxLength: 40 }),
    changes: fc.array(fc.tuple(fc.constantFrom(...FIELDS), fc.jsonValue({ maxDepth: 3 })), { maxLength: 2 }),
    more: fc.constantFrom<Record<string, unknown>>(
      {},
      { targetEventId: 'm1', signal: 'agree' },
      { phase: 'started' },
      { ttlMs: 1 },
      { mode: 'left' },
    ),
    who: fc.constantFrom(author, { id: 'lead', kind: 'agent' }, { id: '\udc00x', kind: 'human' }),
    where: fc.constantFrom(
      conversation,
      { id: 'a/ü%?\u0000', kind: 'thread', parentId: 'general' },
      { id: 'd', kind: 'dm' },
    ),
    id: fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
  })
  .map(({ type, text, changes, more, who, where, id }) => {
    const event: Record<string, unknown> = {
      eventId: id,
      at: 1,
      platform: 'dev',
      workspaceId: 'w',
      conversation: where,
      author: who,
      type,
    };
    if (type === 'message' || type === 'edit') event['text'] = text;
    return { ...event, ...more, ...Object.fromEntries(changes) };
  });

const ROUTES: readonly (readonly [method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string])[] = [
  ['GET', '/v1/outbox'],
  ['POST', '/v1/outbox/ack'],
  ['POST', '/v1/events'],
  ['POST', '/c2a'],
  ['GET', '/v1/why/'],
  ['GET', '/v1/agents'],
  ['GET', '/v1/conversations'],
  ['GET', '/v1/deliveries'],
  ['POST', '/v1/deliveries/x/redeliver'],
  ['GET', '/v1/inbox'],
  ['POST', '/v1/inbox/x/approve'],
  ['GET', '/v1/log'],
  ['GET', '/v1/search'],
  ['POST', '/v1/tokens'],
  ['DELETE', '/v1/tokens/'],
  ['POST', '/v1/pairings'],
  ['GET', '/healthz'],
  ['GET', '/readyz'],
  ['PUT', '/v1/events'],
];

function run(host: Fixture, count: number, property: fc.IAsyncPropertyWithHooks<unknown>): Promise<void> {
  void host;
  return fc.assert(property, { numRuns: count });
}

const generous = { perMinute: 1e9, burst: 1e9, maxKeys: 1_000 };
const open = () => fixture({ rateLimits: { inboundPerSurface: generous, inboundPerAuthor: generous } });

describe('any input', () => {
  it('any JSON at POST /v1/events', async () => {
    const host = await open();
    const any = fc.oneof(
      fc.jsonValue(),
      fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 4 }),
      fc.record({ events: fc.jsonValue() }),
    );
    await run(
      host,
      cases(1_000, 8_000),
      fc.asyncProperty(any, async (value) => {
        const { status, text } = await host.call('POST', '/v1/events', 'dev', JSON.stringify(value));
        expectTyped(status, text);
        expect(status).toBeGreaterThanOrEqual(400);
      }),
    );
    expect((await host.call('GET', '/readyz')).status).toBe(200);
  });

  it('nearly events at POST /v1/events, alone and in batches', {
    timeout: 120_000,
  }, async () => {
    const host = await open();
    await run(
      host,
      cases(1_000, 6_000),
      fc.asyncProperty(fc.array(nearEvent, { minLength: 1, maxLength: 3 }), async (events) => {
        const { status, text, body } = await host.call('POST', '/v1/events', 'dev', events);
        expectTyped(status, text);
        expect(body['events']).toHaveLength(events.length);
      }),
    );
    expect(await host.store.check()).toEqual([]);
    expect((await host.call('POST', '/v1/events', 'dev', message('still here'))).status).toBe(202);
  });

  it('any bytes, query, path and headers at every route', async () => {
    const host = await open();
    const { token, server } = host;
    const request = fc.record({
      route: fc.constantFrom(...ROUTES),
      tail: fc.oneof(
        fc.constant(''),
        fc.webPath(),
        fc
          .string({ maxLength: 20 })
          .map(
            (text) =>
              `?limit=${encodeURIComponent(text)}&cursor=${encodeURIComponent(text)}&q=${encodeURIComponent(text)}`,
          ),
        fc.webUrl({ withQueryParameters: true }).map((url) => new URL(url).search),
      ),
      body: fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.json().map((text) => new TextEncoder().encode(text)),
      ),
      type: fc.constantFrom(
        'application/json',
        'application/json; charset=latin1',
        'text/plain',
        '',
        'multipart/form-data; boundary=x',
      ),
      as: fc.constantFrom(...Object.values(token), 'x', ''),
      host: fc.constantFrom('localhost', '127.0.0.1:1', 'evil.example', ':', '[::1]:7575'),
      origin: fc.constantFrom(undefined, 'null', 'http://localhost', 'https://evil.example'),
    });
    await run(
      host,
      cases(1_000, 8_000),
      fc.asyncProperty(
        request,
        async ({ route: [method, path], tail, body, type, as, host: name, origin }) => {
          const response = await server.app.inject({
            method,
            url: `${path}${tail}`,
            headers: {
              authorization: `Bearer ${as}`,
              'content-type': type,
              host: name,
              ...(origin === undefined ? {} : { origin }),
            },
            ...(method === 'GET' ? {} : { payload: Buffer.from(body) }),
          });
          expectTyped(response.statusCode, response.body);
          expect(response.body).not.toContain('ear_o_');
        },
      ),
    );
    expect((await host.call('GET', '/readyz')).status).toBe(200);
  });
});
