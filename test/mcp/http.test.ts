// Who may call /mcp, and what everybody else is told: over real sockets, since that is where it is decided.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BODY_LIMITS } from '../../src/host/security/http-guard.ts';
import { call } from './call.ts';
import { audited, COMPOSE_MS, type McpHost, overHttp, startMcpHost } from './mcp-host.ts';

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
const WAIT = { name: 'chat_wait_events', arguments: { timeoutMs: 25_000 } };

let at: McpHost;
beforeEach(async () => {
  at = await startMcpHost({ concurrent: 2 });
});
afterEach(() => at.close());

interface Sent {
  method?: string;
  token?: string | undefined;
  headers?: Record<string, string>;
  body?: string;
}

async function send({ method = 'POST', token = at.tokenOf.lead, headers = {}, body = LIST }: Sent) {
  const usual = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
  };
  const sent = request(new URL('/mcp', at.url), { method, headers: { ...usual, ...headers } });
  sent.end(method === 'GET' ? undefined : body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

describe('/mcp', () => {
  it.each([
    { who: 'nobody', token: '' },
    { who: 'a stranger', token: `ear_a_${'x'.repeat(43)}` },
    { who: 'something else', token: 'good' },
  ])('asks $who for a token', async ({ token }) => {
    const { status, headers, body } = await send({ token });
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer realm="earshot"']);
    expect(JSON.parse(body)).toMatchObject({ jsonrpc: '2.0', error: { data: { name: 'unauthorized' } } });
  });

  it('shuts a token out as soon as it is revoked', async () => {
    expect((await send({})).status).toBe(200);
    for (const { key, subject } of await at.tokens.list())
      if (subject === 'lead') await at.tokens.revoke(key);
    expect((await send({})).status).toBe(401);
  });

  it.each([
    { kind: 'surface', subject: 'lead' },
    { kind: 'operator', subject: 'lead' },
    { kind: 'agent', subject: 'gone' },
  ] as const)('is for agents of this host, not for $kind $subject', async ({ kind, subject }) => {
    const { token } = await at.tokens.issue({ kind, subject, label: 'test' });
    const { status, body } = await send({ token });
    expect([status, JSON.parse(body)]).toMatchObject([403, { error: { data: { name: 'forbidden' } } }]);
  });

  it.each([
    { headers: { host: 'evil.example.com' }, status: 403 },
    { headers: { host: 'evil.example.com:7575', origin: 'http://evil.example.com:7575' }, status: 403 },
    { headers: { origin: 'https://evil.example.com' }, status: 403 },
    { headers: { origin: 'null' }, status: 403 },
    { headers: { host: 'a b' }, status: 400 },
    { headers: { host: 'localhost' }, status: 200 },
    { headers: { origin: 'https://console.example.com' }, status: 403 },
  ])('answers $headers with $status, whatever the token', async ({ headers, status }) => {
    expect((await send({ headers })).status).toBe(status);
    if (status !== 200) expect((await send({ headers, token: '' })).status).toBe(status);
  });

  it.each([
    { what: 'no JSON', sent: { body: '{' }, status: 400 },
    { what: 'JSON that is no message', sent: { body: '[1,"x",null]' }, status: 400 },
    { what: 'text', sent: { headers: { 'content-type': 'text/plain' } }, status: 415 },
    { what: 'too much', sent: { body: `"${'x'.repeat(BODY_LIMITS.rpcBytes)}"` }, status: 413 },
    { what: 'a GET, there being no stream to resume', sent: { method: 'GET' }, status: 405 },
  ])('answers $what with $status and a JSON-RPC error', async ({ sent, status }) => {
    const answer = await send(sent);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
  });

  it('says when to come back when too much is asked at once', async () => {
    const client = await overHttp(at, 'lead', 'modern');
    const timers = at.clock.pending();
    const waiting = [call(client, WAIT.name, WAIT.arguments), call(client, WAIT.name, WAIT.arguments)];
    await expect.poll(() => at.clock.pending()).toBe(timers + 2);
    const { status, headers } = await send({});
    expect([status, headers['retry-after']]).toEqual([429, '1']);
    at.clock.advance(25_000);
    await Promise.all(waiting);
    expect((await send({})).status).toBe(200);
  });

  it.each(['legacy', 'modern'] as const)('lets go of the wait of a %s client that is gone', async (era) => {
    const client = await overHttp(at, 'lead', era);
    const timers = at.clock.pending();
    const waiting = client.callTool(WAIT).catch(() => 'gone');
    await expect.poll(() => at.clock.pending()).toBe(timers + 1);
    await client.close();
    expect(await waiting).toBe('gone');
    await expect.poll(audited(at)).toBe(timers);
    // What comes now is there for the next one who asks.
    const eventId = await at.say('anybody there?', { conversation: { id: 'dm-lead', kind: 'dm' } });
    at.clock.advance(COMPOSE_MS);
    const next = await overHttp(at, 'lead', era);
    expect((await call(next, 'chat_wait_events')).data).toMatchObject({ events: [{ eventId }] });
  });

  it.each(['legacy', 'modern'] as const)(
    'ends the waits of %s clients when it closes, and takes no more',
    async (era) => {
      const client = await overHttp(at, 'lead', era);
      const timers = at.clock.pending();
      const waiting = call(client, WAIT.name, WAIT.arguments);
      await expect.poll(() => at.clock.pending()).toBe(timers + 1);
      await at.mcp.close();
      expect((await waiting).data).toMatchObject({ events: [] });
      expect((await send({})).status).toBe(503);
    },
  );
});
