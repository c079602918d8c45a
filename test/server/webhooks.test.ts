// The pushed ways out: deliveries to a harness that only listens, and sends to a source with a URL. Both signed.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { verifyWebhook } from '../../src/transport/webhook-signature.ts';
import { upHere } from './here.ts';
import { earshot } from '../replay/fake-io.ts';
import { folder, message, until } from './up.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

interface Received {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Answers with what `answer` says, and keeps everything. */
async function receiver(answer: (received: Received, count: number) => { status: number; body?: unknown }) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      received.push(one);
      const { status, body } = answer(one, received.length);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, received };
}

describe('webhooks', () => {
  it('a harness that only listens gets signed deliveries, again after a failure with the same id, and a source with a URL gets the reply', async () => {
    const { url, received } = await receiver(({ path }, count) =>
      path === '/harness'
        ? { status: count === 1 ? 503 : 200 }
        : { status: 200, body: { platformId: 'shown-1' } },
    );
    const data = folder();
    writeFileSync(
      join(data, 'earshot.yaml'),
      `agents: [{ id: lead }]
host:
  sources: [{ id: bridge, platform: irc, url: "${url}/source", secret: "${SECRET}" }]
  webhooks: [{ agent: lead, url: "${url}/harness", secret: "${SECRET}" }]
  limits: { retryBaseMs: 1 }
`,
    );
    const token = (
      await earshot(['token', 'create', '--kind', 'surface', '--subject', 'bridge', '--data', data])
    ).out.trim();
    const agent = (
      await earshot(['token', 'create', '--kind', 'agent', '--subject', 'lead', '--data', data])
    ).out.trim();
    const operator = (
      await earshot(['token', 'create', '--kind', 'operator', '--subject', 'ops', '--data', data])
    ).out.trim();
    const host = await upHere({ data });
    const sent = message('@lead can you look?', { platform: 'irc' });
    expect((await host.call('POST', '/v1/events', token, sent)).status).toBe(202);

    const alive = () => host.call('GET', '/healthz');
    const [first, second] = await until(async () => {
      await alive();
      const at = received.filter(({ path }) => path === '/harness');
      return at.length >= 2 && at;
    });
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    for (const { headers, body } of [first, second].filter((one) => one !== undefined)) {
      const at = Number(headers['webhook-timestamp']) * 1_000;
      expect(verifyWebhook(SECRET, headers, body, at)).toMatchObject({ ok: true });
    }
    const call = JSON.parse(second?.body ?? '{}') as {
      method: string;
      params: { eventId: string; reliability: { attempt: number } };
    };
    expect(call).toMatchObject({
      method: 'chat/deliver',
      params: { eventId: sent.eventId, reliability: { attempt: 2 } },
    });

    const reply = {
      target: 'channel:general',
      text: 'Yes, I am looking.',
      inReplyTo: sent.eventId,
      visibility: 'channel',
      directedness: 'ambient',
      idempotencyKey: 'k1',
    };
    const rpc = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'chat.send_message', arguments: reply },
    };
    const answer = await host.call('POST', '/c2a', agent, rpc);
    expect(answer.body).toMatchObject({ result: { structuredContent: { status: 'sent' } } });
    const posted = received.filter(({ path }) => path === '/source');
    expect(posted).toHaveLength(1);
    expect(JSON.parse(posted[0]?.body ?? '{}')).toMatchObject({
      type: 'message',
      text: 'Yes, I am looking.',
      idempotencyKey: 'lead:k1',
    });
    expect(posted[0]?.headers['idempotency-key']).toBe('lead%3Ak1');
    const wrong = await host.call('POST', '/v1/events', token, message('x', { platform: 'slack' }));
    expect(wrong.status).toBe(403);
    const agents = await host.call('GET', '/v1/agents', operator);
    expect(agents.body).toMatchObject({ agents: [{ id: 'lead', connected: true }] });
    expect(await host.stop()).toBe(0);
  });
});
