// A source with addresses of its own: a real host asks them, signed, for what was said before and for what is attached,
// and nowhere else, whatever chat says.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { verifyWebhook } from '../../src/transport/webhook-signature.ts';
import { upHere } from './here.ts';
import { earshot } from '../replay/fake-io.ts';
import { folder, type Listening, message, until } from './up.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

interface Asked {
  path: string;
  body: Record<string, unknown>;
}
type Answer = { status: number; type?: string; body: string | Buffer; location?: string };

async function platform(answer: (asked: Asked) => Answer) {
  const asked: Asked[] = [];
  const unsigned: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const path = request.url ?? '';
      if (!isSigned(request.headers, text)) unsigned.push(path);
      const one = { path, body: JSON.parse(text === '' ? '{}' : text) as Record<string, unknown> };
      asked.push(one);
      const { status, type = 'application/json', body, location } = answer(one);
      const headers = { 'content-type': type, ...(location === undefined ? {} : { location }) };
      response.writeHead(status, headers).end(body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, asked, unsigned };
}

function isSigned(headers: IncomingHttpHeaders, body: string): boolean {
  return verifyWebhook(SECRET, headers, body, Number(headers['webhook-timestamp']) * 1_000).ok;
}

async function bridged(url: string) {
  const data = folder();
  writeFileSync(
    join(data, 'earshot.yaml'),
    `agents: [{ id: lead }]
host:
  sources:
    - id: bridge
      platform: irc
      url: "${url}/sends"
      attachmentsUrl: "${url}/files"
      historyUrl: "${url}/history"
      secret: "${SECRET}"
`,
  );
  const create = async (kind: string, subject: string) =>
    (await earshot(['token', 'create', '--kind', kind, '--subject', subject, '--data', data])).out.trim();
  const [source, agent] = [await create('surface', 'bridge'), await create('agent', 'lead')];
  const host = await upHere({ data });
  const tool = async (name: string, args: Record<string, unknown>) => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const { body } = await host.call('POST', '/c2a', agent, call);
    return (body['result'] as { structuredContent: Record<string, unknown> }).structuredContent;
  };
  return { host, tool, say: (event: unknown) => host.call('POST', '/v1/events', source, event) };
}

const now = () => new Date().toISOString();
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const inIrc = (text: string, more: Record<string, unknown>) =>
  message(text, { platform: 'irc', at: now(), ...more });

async function ended(host: Listening): Promise<void> {
  expect(await host.stop()).toBe(0);
}

describe('a source that can be asked', () => {
  it('gives what was said before, once, and what is attached, and knows its own posts again', async () => {
    const past = [
      inIrc('the build is red', { eventId: 'h1', at: ago(5), attachments: [{ id: 'F1', kind: 'file' }] }),
      inIrc('since noon', { eventId: 'h2', at: ago(4) }),
    ];
    const { url, asked, unsigned } = await platform(({ path }) => {
      if (path === '/history') return { status: 200, body: JSON.stringify({ events: past }) };
      if (path === '/files') return { status: 200, type: 'text/plain', body: 'error: out of disk' };
      return { status: 200, body: JSON.stringify({ platformId: 'p-1' }) };
    });
    const { host, tool, say } = await bridged(url);
    const question = inIrc('@lead why?', { eventId: 'q1' });
    expect((await say(question)).body).toMatchObject({ events: [{ status: 'accepted', seq: 3 }] });
    await say(inIrc('anybody?', { eventId: 'q2' }));
    const { events } = await tool('chat.read_thread', { inReplyTo: 'q1' });
    expect((events as { eventId: string }[]).map(({ eventId }) => eventId)).toEqual(['h1', 'h2', 'q1', 'q2']);
    expect(await tool('chat.read_attachment', { attachmentId: 'F1' })).toMatchObject({
      eventId: 'h1',
      mediaType: 'text/plain',
      text: 'error: out of disk',
    });
    const reply = {
      target: 'channel:general',
      text: 'The disk is full.',
      inReplyTo: 'q1',
      visibility: 'channel',
      directedness: 'to_other',
      idempotencyKey: 'k1',
    };
    await tool('chat.send_message', reply);
    const send = await until(async () => {
      await host.call('GET', '/healthz');
      return asked.find(({ path }) => path === '/sends');
    });
    const echo = inIrc('The disk is full.', { author: { id: 'bot', kind: 'agent' }, eventId: 'p-1' });
    const key = send.body['idempotencyKey'];
    for (const mark of [{ echoOf: key }, { platformId: 'p-1' }]) {
      const { body } = await say({ ...echo, ...mark });
      expect(body).toMatchObject({ events: [{ status: 'repeat', seq: 5 }] });
    }
    expect(asked.map(({ path, body }) => [path, body['type']])).toEqual([
      ['/history', 'history'],
      ['/files', 'attachment'],
      ['/sends', 'message'],
    ]);
    expect(asked[0]?.body).toMatchObject({
      place: { platform: 'irc', workspaceId: 'local', conversationId: 'general' },
      before: question.at,
      limit: 50,
    });
    expect(asked[1]?.body).toMatchObject({ eventId: 'h1', attachment: { id: 'F1', kind: 'file' } });
    expect(unsigned).toEqual([]);
    await ended(host);
  });

  it('is asked at its own address alone: no redirect is followed, no address of chat is called', async () => {
    const inner = await platform(() => ({ status: 200, type: 'text/plain', body: 'the inner room' }));
    const { url, asked } = await platform(({ path, body }) => {
      if (path === '/history') return { status: 500, body: '' };
      const { id } = body['attachment'] as { id: string };
      if (id === 'huge') return { status: 200, type: 'text/plain', body: Buffer.alloc(600_000, 120) };
      if (id === 'gone') return { status: 404, body: '' };
      return { status: 302, location: `${inner.url}/secret`, body: '' };
    });
    const { host, tool, say } = await bridged(url);
    const link = `${inner.url}/metadata`;
    const attachments = [link, '../../etc/passwd', 'huge', 'gone'].map((id) => ({ id, kind: 'link' }));
    expect((await say(inIrc(`see ${link}`, { attachments }))).status).toBe(202);
    const said = async (attachmentId: string) =>
      (await tool('chat.read_attachment', { attachmentId }))['data'];
    for (const id of attachments.map((one) => one.id))
      expect(await said(id)).toMatchObject({ name: 'not_readable' });
    expect(inner.asked).toEqual([]);
    expect(asked.map(({ path }) => path)).toEqual(['/history', '/files', '/files', '/files', '/files']);
    await ended(host);
  });

  it('needs a secret for any of its addresses', async () => {
    for (const key of ['url', 'attachmentsUrl', 'historyUrl']) {
      const data = folder();
      const config = `agents: [{ id: lead }]\nhost: { sources: [{ id: bridge, ${key}: "http://127.0.0.1:9/" }] }\n`;
      writeFileSync(join(data, 'earshot.yaml'), config);
      const said = expect.stringContaining(`has a ${key}, so it needs a secret`) as string;
      await expect(upHere({ data })).rejects.toMatchObject({ exitCode: 1, message: said });
    }
  });
});
