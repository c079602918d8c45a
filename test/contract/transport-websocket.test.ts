// What only a WebSocket has: a handshake that must be earned, frames that are no text, a farewell that may never be
// answered. Real sockets on loopback; time is virtual.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { bridge } from '../../src/transport/bridge.ts';
import { memoryPair } from '../../src/transport/memory.ts';
import { createPeer } from '../../src/transport/peer.ts';
import { TRANSPORT_LIMITS, type Transport, TransportClosed } from '../../src/transport/transport.ts';
import { webSocketClient } from '../../src/transport/websocket-client.ts';
import { attachWebSocket } from '../../src/transport/websocket-server.ts';
import { hear, until } from './transport-contract.ts';
import { type Listening, listenWebSocket } from './transport-pairs.ts';

let listening: Listening;
beforeEach(async () => {
  listening = await listenWebSocket();
});
afterEach(() => listening.dispose());

async function accept(socket: WebSocket): Promise<Transport> {
  const accepted = listening.next();
  await once(socket, 'open');
  return accepted;
}
const raw = (options: ClientOptions = {}): WebSocket =>
  new WebSocket(listening.url, ['c2a'], { headers: { authorization: 'Bearer good' }, ...options });

async function statusOf(socket: WebSocket): Promise<number | undefined> {
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode?: number }];
  socket.on('error', () => {});
  socket.terminate();
  return response.statusCode;
}

describe('the handshake', () => {
  it('takes the token as a header or as a subprotocol, and never echoes it', async () => {
    const header = raw();
    await accept(header);
    expect(header.protocol).toBe('c2a');
    const offered = new WebSocket(listening.url, ['c2a', 'bearer.good']);
    await accept(offered);
    expect(offered.protocol).toBe('c2a');
  });

  it('tells a browser about a wrong token by close code, everybody else by status', async () => {
    const browser = webSocketClient({ url: listening.url, clock: listening.clock, token: 'bad' });
    const heard = hear(browser);
    await browser.start().catch(() => {});
    await until(() => heard.reasons.length > 0);
    expect(heard.reasons).toEqual(['unauthorized']);
    expect(await statusOf(new WebSocket(listening.url))).toBe(401);
    expect(await statusOf(new WebSocket(listening.url, { headers: { authorization: 'Basic good' } }))).toBe(
      401,
    );
  });

  it('refuses a foreign Origin, a foreign Host and a foreign path', async () => {
    expect(await statusOf(raw({ origin: 'https://evil.example' }))).toBe(403);
    const { port } = listening;
    await accept(raw({ origin: `http://127.0.0.1:${port}` }));
    const rebound = { authorization: 'Bearer good', host: `evil.example:${port}` };
    expect(await statusOf(raw({ headers: rebound }))).toBe(403);
    expect(await statusOf(new WebSocket(`ws://127.0.0.1:${port}/elsewhere`))).toBe(404);
  });

  it('maps a refused upgrade to unauthorized where the client can see it', async () => {
    const server = createServer().on('upgrade', (_, socket: Socket) => {
      socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = webSocketClient({ url, clock: listening.clock, token: 'x', ws: WebSocket });
    const heard = hear(client);
    await expect(client.start()).rejects.toMatchObject({ name: 'TransportClosed', reason: 'unauthorized' });
    expect(heard.reasons).toEqual(['unauthorized']);
    server.close();
  });

  it.each([{ ws: WebSocket }, {}])('says when nobody listens', async (client) => {
    const transport = webSocketClient({ url: 'ws://127.0.0.1:1/c2a', clock: listening.clock, ...client });
    const heard = hear(transport);
    await expect(transport.start()).rejects.toBeInstanceOf(TransportClosed);
    expect(heard.reasons).toEqual(['lost']);
    expect(heard.errors).not.toEqual([]);
    expect(listening.clock.pending()).toBe(0);
  });

  it.each([{ ws: WebSocket }, {}])('says when the address is none', async (client) => {
    const transport = webSocketClient({ url: 'nonsense', clock: listening.clock, ...client });
    const heard = hear(transport);
    await expect(transport.start()).rejects.toBeInstanceOf(TransportClosed);
    expect(heard).toMatchObject({ reasons: ['lost'], errors: [expect.any(Error)] });
  });

  it.each([{ ws: WebSocket }, {}])('gives up when the connection does not open in time', async (client) => {
    const server = createServer().on('upgrade', () => {});
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const clock = new VirtualClock();
    const transport = webSocketClient({ url, clock, ...client });
    const heard = hear(transport);
    const upgrading = once(server, 'upgrade');
    const started = transport.start().catch((error: unknown) => error);
    await upgrading;
    clock.advance(TRANSPORT_LIMITS.connectMs);
    expect(await started).toBeInstanceOf(TransportClosed);
    await until(() => heard.reasons.length > 0);
    expect(heard.reasons).toEqual(['lost']);
    server.closeAllConnections();
    server.close();
  });

  it('refuses one connection more than there is room for, and answers 500 when authentication breaks', async () => {
    const server = createServer();
    let broken = false;
    const attached = attachWebSocket(server, {
      clock: listening.clock,
      path: '/c2a',
      maxConnections: 1,
      authenticate: () => (broken ? Promise.reject(new Error('store down')) : { ok: true, identity: 1 }),
      onConnection: (transport) => {
        transport.start().catch(() => {});
      },
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/c2a`;
    const first = new WebSocket(url);
    await once(first, 'open');
    expect(await statusOf(new WebSocket(url))).toBe(503);
    first.terminate();
    broken = true;
    await until(() => attached.connections === 0);
    expect(await statusOf(new WebSocket(url))).toBe(500);
    server.closeAllConnections();
    server.close();
  });
});

describe('frames', () => {
  it('refuses a binary frame with protocol_error', async () => {
    const client = raw();
    const server = await accept(client);
    const heard = hear(server);
    await server.start();
    client.send(Buffer.from('{}'), { binary: true });
    const [code] = (await once(client, 'close')) as [number];
    expect(code).toBe(4400);
    await until(() => heard.reasons.length > 0);
    expect(heard).toMatchObject({ frames: [], reasons: ['protocol_error'], errors: [expect.any(Error)] });
  });

  it('refuses text that is not UTF-8 with protocol_error', async () => {
    const client = raw();
    const server = await accept(client);
    const heard = hear(server);
    await server.start();
    client.send(Buffer.from([0xc3, 0x28]), { binary: false });
    const [code] = (await once(client, 'close')) as [number];
    expect(code).toBe(1007);
    await until(() => heard.reasons.length > 0);
    expect(heard).toMatchObject({ frames: [], reasons: ['protocol_error'], errors: [expect.any(Error)] });
  });

  it('closes with too_large on a frame over 1 MiB', async () => {
    const client = raw();
    const server = await accept(client);
    const heard = hear(server);
    await server.start();
    client.send('x'.repeat(TRANSPORT_LIMITS.frameBytes + 1));
    const [code] = (await once(client, 'close')) as [number];
    expect(code).toBe(1009);
    await until(() => heard.reasons.length > 0);
    expect(heard).toMatchObject({ frames: [], reasons: ['too_large'] });
  });

  it('compresses nothing', async () => {
    const client = raw({ perMessageDeflate: true });
    await accept(client);
    expect(client.extensions).toBe('');
  });

  it.each([
    [1001, 'going_away'],
    [1002, 'protocol_error'],
    [1008, 'unauthorized'],
    [1009, 'too_large'],
    [4999, 'lost'],
  ] as const)('understands the close code %i as %s', async (code, reason) => {
    const client = raw();
    const server = await accept(client);
    const heard = hear(server);
    await server.start();
    client.close(code);
    await until(() => heard.reasons.length > 0);
    expect(heard.reasons).toEqual([reason]);
  });
});

describe('the farewell', () => {
  it('is cut short when the other side does not answer it', async () => {
    const accepted = listening.next();
    const silent = connect(listening.port, '127.0.0.1');
    silent.write(
      `GET /c2a HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n` +
        `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer good\r\n\r\n`,
    );
    const server = await accepted;
    const heard = hear(server);
    await server.start();
    server.close('fenced');
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard.reasons).toEqual([]);
    listening.clock.advance(TRANSPORT_LIMITS.closeMs);
    await until(() => heard.reasons.length > 0);
    expect(heard.reasons).toEqual(['fenced']);
    silent.destroy();
  });

  it('is not waited for when the connection breaks', async () => {
    const client = raw();
    const server = await accept(client);
    const heard = hear(server);
    await server.start();
    client.terminate();
    await until(() => heard.reasons.length > 0);
    expect(heard.reasons).toEqual(['lost']);
  });
});

describe('a bridge', () => {
  it('joins a transport with a WebSocket: requests, answers and the end go through', async () => {
    const accepted = listening.next();
    const far = webSocketClient({ url: listening.url, clock: listening.clock, token: 'good' });
    const [agent, near] = memoryPair();
    const harness = createPeer(agent, { clock: listening.clock });
    await harness.start();
    const early = harness.request('echo', { n: 1 });
    const ended = bridge(near, far);
    const host = createPeer(await accepted, {
      clock: listening.clock,
      handlers: { echo: (params) => ({ ok: true, result: params }) },
    });
    await host.start();
    expect(await early).toMatchObject({ ok: true, result: { n: 1 } });
    host.close('fenced');
    expect(await ended).toBe('fenced');
    expect(await harness.closed).toBe('fenced');
  });

  it('closes the near side when the far one cannot be reached', async () => {
    const far = webSocketClient({ url: 'ws://127.0.0.1:1/', clock: listening.clock, ws: WebSocket });
    const [agent, near] = memoryPair();
    const heard = hear(agent);
    await agent.start();
    expect(await bridge(near, far)).toBe('lost');
    await until(() => heard.reasons.length > 0);
    expect(heard.reasons).toEqual(['lost']);
  });
});
