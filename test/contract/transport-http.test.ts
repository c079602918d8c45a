// HTTP as the pull harness uses it: the endpoint behind a real fastify on loopback, the client with the real fetch.
import fastify, { type FastifyInstance } from 'fastify';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import type { RpcAnswer, RpcHandlers } from '../../src/transport/requests.ts';
import { type HttpClient, httpClient } from '../../src/transport/http-client.ts';
import { createHttpEndpoint, HTTP_LIMITS } from '../../src/transport/http-server.ts';
import { postWebhook } from '../../src/transport/webhook.ts';
import { webhookSecret } from '../../src/transport/webhook-signature.ts';
import { TRANSPORT_LIMITS } from '../../src/transport/transport.ts';

let server: FastifyInstance;
let url: string;
let clock: VirtualClock;
let client: HttpClient;
let polled: PromiseWithResolvers<AbortSignal>;
const heard: unknown[] = [];

const handlersFor = (identity: string): RpcHandlers => ({
  who: () => ({ ok: true, result: identity }),
  echo: (params) => Promise.resolve({ ok: true, result: params }),
  big: () => ({ ok: true, result: 'x'.repeat(TRANSPORT_LIMITS.frameBytes - 100) }),
  poll: (_, call) => {
    polled.resolve(call.signal);
    return new Promise<RpcAnswer>((resolve) => {
      call.signal.addEventListener('abort', () => resolve({ ok: true, result: 'gone' }));
    });
  },
});

beforeEach(async () => {
  clock = new VirtualClock();
  polled = Promise.withResolvers();
  heard.length = 0;
  const endpoint = createHttpEndpoint<string>({
    handlersFor,
    onNotification: (identity, method) => {
      heard.push([identity, method]);
      return Promise.resolve(undefined);
    },
    concurrent: 8,
  });
  server = fastify({ bodyLimit: HTTP_LIMITS.bodyBytes, forceCloseConnections: true });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  server.post('/c2a', async (request, reply) => {
    const abort = new AbortController();
    request.raw.socket.once('close', () => abort.abort());
    const { status, headers, body } = await endpoint({
      identity: request.headers.authorization ?? 'nobody',
      body: request.body as Buffer,
      contentType: request.headers['content-type'],
      signal: abort.signal,
    });
    return reply.code(status).headers(headers).send(body);
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/c2a`;
  client = httpClient({ url, clock, token: 'good' });
});
afterEach(() => server.close());

async function raw(
  body: string | Uint8Array<ArrayBuffer>,
  contentType = 'application/json',
): Promise<[number, unknown]> {
  const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': contentType } });
  const text = await response.text();
  return [response.status, text === '' ? '' : JSON.parse(text)];
}

const call = (id: number, method: string) => ({ jsonrpc: '2.0', id, method });
function message(bytes: number): string {
  const head = '{"jsonrpc":"2.0","id":1,"method":"who","params":{"pad":"';
  return `${head}${'x'.repeat(bytes - head.length - 3)}"}}`;
}

describe('a request', () => {
  it('carries the token and every script, and comes back with its result', async () => {
    expect(await client.request('who')).toEqual({ ok: true, kind: 'result', result: 'Bearer good' });
    const params = { text: '日本語 👩‍👩‍👧 \u2028 "\\' };
    expect(await client.request('echo', params)).toEqual({ ok: true, kind: 'result', result: params });
    expect(await client.request('echo', { text: 'cut \ud83d' })).toMatchObject({
      result: { text: 'cut \ufffd' },
    });
    expect(clock.pending()).toBe(0);
  });

  it('that is refused has its error as the body of a 200', async () => {
    expect(await client.request('nope')).toMatchObject({ kind: 'error', error: { code: -32601 } });
    expect(await raw('{"jsonrpc":"2.0","id":1,"method":"nope"}')).toMatchObject([
      200,
      { id: 1, error: { code: -32601 } },
    ]);
  });

  it('may be slow: a long poll ends when the client goes, by signal or by timeout', async () => {
    const abort = new AbortController();
    const outcome = client.request('poll', {}, { signal: abort.signal });
    const signal = await polled.promise;
    abort.abort();
    expect(await outcome).toEqual({ ok: false, kind: 'cancelled' });
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    polled = Promise.withResolvers();
    const second = client.request('poll', {}, { timeoutMs: 1_000 });
    await polled.promise;
    clock.advance(1_000);
    expect(await second).toEqual({ ok: false, kind: 'timeout' });
  });

  it('beyond the limit of those under way is answered 429', async () => {
    const abort = new AbortController();
    const polls = Array.from({ length: 8 }, () => client.request('poll', {}, { signal: abort.signal }));
    await polled.promise;
    const outcomes = [];
    // The eighth poll may still be on its way.
    do outcomes.push(await client.request('who'));
    while (outcomes.at(-1)?.ok === true);
    expect(outcomes.at(-1)).toMatchObject({ error: { data: { name: 'rate_limited', retryAfterMs: 1_000 } } });
    abort.abort();
    await Promise.all(polls);
  });

  it('finds nobody: lost; finds a stranger: said so', async () => {
    const nobody = httpClient({ url: 'http://127.0.0.1:1/', clock });
    expect(await nobody.request('who')).toEqual({ ok: false, kind: 'closed', reason: 'lost' });
    const answers: [number, Record<string, string>, unknown][] = [
      [401, {}, { kind: 'closed', reason: 'unauthorized' }],
      [302, { location: 'http://evil.example' }, { kind: 'error', error: { data: { name: 'unavailable' } } }],
      [503, { 'retry-after': '3' }, { error: { data: { name: 'rate_limited', retryAfterMs: 3_000 } } }],
      [200, {}, { kind: 'error', error: { data: { name: 'unavailable' } } }],
    ];
    for (const [status, headers, outcome] of answers) {
      const stranger = (): Promise<Response> => Promise.resolve(new Response('<html>', { status, headers }));
      expect(await httpClient({ url, clock, fetch: stranger }).request('who')).toMatchObject({
        ok: false,
        ...(outcome as object),
      });
    }
  });
});

describe('a body', () => {
  it('of exactly the limit is taken, one byte more is 413', async () => {
    expect((await raw(message(HTTP_LIMITS.bodyBytes)))[0]).toBe(200);
    expect((await raw(message(HTTP_LIMITS.bodyBytes + 1)))[0]).toBe(413);
    expect(await client.request('echo', { pad: 'x'.repeat(HTTP_LIMITS.bodyBytes) })).toMatchObject({
      kind: 'not_sent',
    });
  });

  it.each([
    ['text/plain', '{}', 415, -32600],
    ['application/json', '{', 400, -32700],
    ['application/json', '[]', 400, -32600],
    ['application/json', '{"jsonrpc":"2.0","id":1,"result":1}', 400, -32600],
    ['Application/JSON; charset=utf-8', '{"id":1}', 400, -32600],
  ])('of type %s with %s is answered %i with code %i', async (type, body, status, code) => {
    expect(await raw(body, type)).toMatchObject([status, { jsonrpc: '2.0', error: { code } }]);
  });

  it('that is not UTF-8 is a parse error', async () => {
    expect(await raw(new Uint8Array([0x22, 0xc3, 0x28, 0x22]))).toMatchObject([
      400,
      { error: { code: -32700 } },
    ]);
  });

  it('of notifications alone is 202 without a body', async () => {
    expect(await raw('{"jsonrpc":"2.0","method":"notifications/progress"}')).toEqual([202, '']);
    expect(await client.notify('notifications/progress')).toEqual({ ok: true, kind: 'result', result: null });
    expect(heard).toEqual([
      ['nobody', 'notifications/progress'],
      ['Bearer good', 'notifications/progress'],
    ]);
  });

  it('that is a batch is answered in order, and never grows beyond the limit', async () => {
    const mixed = [call(1, 'who'), { jsonrpc: '2.0', method: 'n' }, call(2, 'nope'), 7, call(3, 'echo')];
    expect(await raw(JSON.stringify(mixed))).toMatchObject([
      200,
      [
        { id: 1, result: 'nobody' },
        { id: 2, error: { code: -32601 } },
        { id: 3 },
        { id: null, error: { code: -32600 } },
      ],
    ]);
    const [status, answers] = await raw(JSON.stringify(Array.from({ length: 8 }, (_, i) => call(i, 'big'))));
    expect(status).toBe(200);
    expect(answers).toHaveLength(8);
    expect(JSON.stringify(answers).length).toBeLessThan(HTTP_LIMITS.answerBytes + 10_000);
    expect((answers as unknown[])[7]).toMatchObject({ id: 7, error: { data: { name: 'too_large' } } });
  });
});

const post = (to: string) =>
  postWebhook({ url: to, secret: webhookSecret(seededRandom(1)), id: 'evt_1', body: '{}', clock });

describe('a webhook', () => {
  it('whose connection breaks after the request is unknown, one that finds nobody may be retried', async () => {
    const rude = createServer((request) => request.on('data', () => request.socket.destroy()));
    await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve));
    const to = `http://127.0.0.1:${(rude.address() as AddressInfo).port}/`;
    expect(await post(to)).toMatchObject({ kind: 'unknown' });
    await new Promise((resolve) => rude.close(resolve));
    expect(await post(to)).toMatchObject({ kind: 'retry' });
    expect(await post('http://127.0.0.1:1/')).toMatchObject({ kind: 'refused' });
    expect(await post(`${url}/elsewhere`)).toMatchObject({ kind: 'refused', gone: false });
    expect(clock.pending()).toBe(0);
  });
});
