// A harness that only listens, of two hosts on one database. One of them posts to it: the one with the lease. A session at
// whatever host comes before the webhook, and after the session the webhook has the agent again.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import type { Here } from '../server/here.ts';
import { message, until } from '../server/up.ts';
import { agentAt, answers, hereOn, sharedSchema } from './host-nodes.ts';

const LONG = { timeout: 120_000 };
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

interface Posted {
  method: string;
  params: { text?: string };
}

/** Answers every delivery, and keeps its text. */
async function listener(): Promise<{ url: string; heard: string[] }> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, params } = JSON.parse(Buffer.concat(chunks).toString()) as Posted;
      const text = JSON.stringify(params);
      if (method === 'chat/deliver') heard.push(text);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ reply: `By webhook: ${/question \d+/.exec(text)?.[0]}` }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, heard };
}

it('one host posts, a session elsewhere comes first, and another host goes on', LONG, async () => {
  const schema = sharedSchema();
  const { url, heard } = await listener();
  const file = `agents: [{ id: lead }]
limits: { composeMs: 50 }
host:
  webhooks: [{ agent: lead, url: "${url}/hook", secret: "${SECRET}" }]
`;
  const hosts = [await hereOn(schema, file), await hereOn(schema, file)];
  const client = await schema.client();
  const poster = async (): Promise<Here | undefined> => {
    const { rows } = await client.query<{ url: string }>(
      `SELECT url FROM node JOIN lease ON lease.node = node.id WHERE name = 'webhook/lead'`,
    );
    return hosts.find((host) => host.url === rows[0]?.url);
  };
  const [first] = hosts;
  if (first === undefined) throw new Error('there are two');
  const { agents, surfaces } = first.tokens;
  let asked = 0;
  const ask = async (at: Here): Promise<void> => {
    const event = message(`@lead, question ${++asked}?`, {
      conversation: { id: `room-${asked}`, kind: 'channel' },
    });
    expect((await at.call('POST', '/v1/events', surfaces['dev'], event)).status).toBe(202);
  };
  const answered = async (at: Here): Promise<string> => {
    const own = await until(async () => {
      const all = await answers(at, surfaces['dev']);
      const found = all.filter((text) => text.includes(`question ${asked}`));
      return found.length > 0 && found;
    });
    expect(own).toHaveLength(1);
    return own[0] ?? '';
  };
  const posts = await until(poster);
  const other = hosts.find((host) => host !== posts);
  if (other === undefined) throw new Error('there are two');

  for (const host of hosts) {
    await ask(host);
    expect(await answered(host)).toMatch(/^By webhook/);
  }
  expect(heard).toHaveLength(2);

  // The agent connects to the host that does not post.
  const agent = agentAt(other.url, agents['lead'], ' in a session');
  await until(async () => agent.status === 'ready');
  for (const host of hosts) {
    await ask(host);
    expect(await answered(host)).toMatch(/^Heard in a session/);
  }
  expect([agent.status, heard.length]).toEqual(['ready', 2]);
  await agent.close();
  for (const host of hosts) {
    await ask(host);
    expect(await answered(host)).toMatch(/^By webhook/);
  }

  await posts.stop();
  await ask(other);
  expect(await answered(other)).toMatch(/^By webhook/);
  expect(await poster()).toBe(other);
  expect(heard).toHaveLength(5);
});
