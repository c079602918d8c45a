// A host behind a proxy: one that keeps the browser's Host header, as Caddy does, and one that puts its own in its place, as
// nginx does unless told otherwise. The page, a tab, an agent, a long poll and a stream go through it.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { connect as connectTcp, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { connect } from '../../src/agent/index.ts';
import { upHere, type Here } from './here.ts';
import { folder, until } from './up.ts';

const NAME = 'chat.example.org';
const ORIGIN = `https://${NAME}`;

type Rewrites = (headers: IncomingMessage['headers'], upstream: string) => IncomingMessage['headers'];
const PROXIES: Record<string, Rewrites> = {
  'that keeps Host, as Caddy does': (headers) => ({ ...headers, host: NAME }),
  'that puts its own Host in place, as nginx does': (headers, upstream) => ({ ...headers, host: upstream }),
};

async function proxyTo(host: Here, rewrites: Rewrites): Promise<string> {
  const upstream = new URL(host.url);
  const forwarded = (incoming: IncomingMessage) => ({
    ...rewrites(incoming.headers, upstream.host),
    'x-forwarded-for': '203.0.113.7',
    'x-forwarded-proto': 'https',
  });
  const server: Server = createServer((incoming, outgoing) => {
    const { method, url: path } = incoming;
    const on = request({
      host: upstream.hostname,
      port: upstream.port,
      method,
      path,
      headers: forwarded(incoming),
    });
    on.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    on.on('error', () => outgoing.destroy());
    incoming.pipe(on);
  });
  server.on('upgrade', (incoming: IncomingMessage, near: Socket, head: Buffer) => {
    const far = connectTcp(Number(upstream.port), upstream.hostname, () => {
      const lines = Object.entries(forwarded(incoming)).map(([name, value]) => `${name}: ${String(value)}`);
      far.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      far.write(head);
      near.pipe(far).pipe(near);
    });
    for (const socket of [near, far]) socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as { port: number }).port}`;
}

async function behind(name = NAME): Promise<Here> {
  const data = folder();
  const yaml = `agents: [{ id: lead }]\nhost: { allowedHosts: ['${name}'] }\n`;
  writeFileSync(join(data, 'earshot.yaml'), yaml);
  return upHere({ data });
}

describe.each(Object.entries(PROXIES))('a host behind a proxy %s', (_, rewrites) => {
  it('serves the page, tabs, agents, calls and streams', async () => {
    const host = await behind();
    const proxy = await proxyTo(host, rewrites);
    const operator = { authorization: `Bearer ${host.tokens.operator}`, origin: ORIGIN };

    expect((await fetch(`http://${proxy}/healthz`)).status).toBe(200);
    expect((await fetch(`http://${proxy}/v1/agents`, { headers: operator })).status).toBe(200);

    const agent = connect({ url: `http://${proxy}`, token: host.tokens.agents['lead'] });
    agent.onTurn(() => 'through the proxy');
    await until(() => Promise.resolve(agent.status === 'ready'));

    const tab = new WebSocket(`ws://${proxy}/web`, { headers: { origin: ORIGIN } });
    const heard: string[] = [];
    tab.on('message', (data: Buffer) => void heard.push(data.toString()));
    await once(tab, 'open');
    const ask = (method: string, params: object): void =>
      tab.send(JSON.stringify({ jsonrpc: '2.0', id: method, method, params }));
    ask('hello', { token: host.tokens.people['you'] });
    await until(() => Promise.resolve(heard.some((frame) => frame.includes('"id":"hello"'))));
    ask('post', { key: 'k', conversation: 'general', text: '@lead hello' });
    await until(() => Promise.resolve(heard.some((frame) => frame.includes('"through the proxy"'))));

    const stop = new AbortController();
    const stream = await fetch(`http://${proxy}/v1/stream`, { headers: operator, signal: stop.signal });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/event-stream'),
    ]);
    stop.abort();
    tab.close();
    await agent.close();
    await host.stop();
  });

  it('serves the page of an unusual port when that is named', async () => {
    const host = await behind(`${NAME}:8443`);
    const proxy = await proxyTo(host, rewrites);
    const status = async (origin: string): Promise<number> => {
      const headers = { authorization: `Bearer ${host.tokens.operator}`, origin };
      return (await fetch(`http://${proxy}/v1/agents`, { headers })).status;
    };
    expect(await status(`https://${NAME}:8443`)).toBe(200);
    expect(await status(`https://${NAME}:9443`)).toBe(403);
    expect(await status(`https://${NAME}.evil.example:8443`)).toBe(403);
    await host.stop();
  });

  it('does not serve the page of another name', async () => {
    const host = await behind();
    const proxy = await proxyTo(host, rewrites);
    for (const origin of ['https://evil.example', `https://${NAME}:8443`, `https://${NAME}.evil.example`]) {
      const headers = { authorization: `Bearer ${host.tokens.operator}`, origin };
      const answer = await fetch(`http://${proxy}/v1/agents`, { headers });
      expect([origin, answer.status]).toEqual([origin, 403]);
      expect(await answer.text()).toContain(
        'add the name in its address, with its port if it has one, to \\"allowedHosts\\"',
      );
    }
    await host.stop();
  });
});
