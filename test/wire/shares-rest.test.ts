// Whoever does not wait as told waits anyway: over its rate of requests a caller is refused before its body is read, and
// nothing is read from that connection for a while. Others are served meanwhile, also on the same host and at once.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { SHARE_LIMITS } from '../../src/host/security/shares.ts';
import { WAIT_MAX_MS } from '../../src/protocol/read-tools.ts';
import { httpClient } from '../../src/transport/http-client.ts';
import { until, type WireHost } from './host.ts';
import { hostWith } from './ways.ts';

const NEVER_MS = 24 * 3_600_000;
const QUIET = {
  agents: [{ id: 'nova' }, { id: 'echo' }],
  host: { limits: { heartbeatMs: NEVER_MS } },
};
const FEW = { perMinute: 60, burst: 2, maxKeys: 10 };

/** One connection that is kept, and the statuses that came over it. */
async function connection(wire: WireHost, head: string, body = '') {
  const { port } = new URL(wire.url);
  const socket: Socket = connect(Number(port), '127.0.0.1');
  wire.finished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  let received = '';
  socket.on('data', (data: Buffer) => void (received += data.toString('latin1')));
  const lines = `Host: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  return {
    ask: () => void socket.write(`${head}\r\n${lines}\r\n\r\n${body}`),
    statuses: () => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
    head: () => received,
  };
}

it('an agent over its rate of requests is refused, and its connection rests for as long as it was told', async () => {
  const { wire } = await hostWith('websocket', 'echo', { ...QUIET, shares: { rates: { http: FEW } } });
  const token = await wire.token('agent', 'nova');
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const nova = await connection(wire, `POST /c2a HTTP/1.1\r\nAuthorization: Bearer ${token}`, body);
  for (const count of [1, 2, 3]) {
    nova.ask();
    await until(() => nova.statuses().length === count, `answer ${count}`);
  }
  expect(nova.statuses()).toEqual([200, 200, 429]);
  expect(nova.head()).toMatch(/retry-after: 1\r/i);
  nova.ask();
  const operator = await wire.token('operator', 'ops');
  expect((await wire.call('GET', '/v1/agents', operator)).status).toBe(200);
  expect((await wire.call('GET', '/v1/agents', operator)).status).toBe(200);
  expect(nova.statuses()).toHaveLength(3);
  wire.clock.advance(1_000);
  await until(() => nova.statuses().length === 4, 'the answer after the rest');
  expect(nova.statuses().at(-1)).toBe(200);
});

it('a source that owes a rest is refused before its body is read', async () => {
  const limit = { perMinute: 60_000, burst: 1_000, maxKeys: 10 };
  const { wire } = await hostWith('websocket', 'echo', {
    ...QUIET,
    rateLimits: { inboundCharsPerSurface: limit },
  });
  const event = (text: string) => wire.event(text, { in: 'general' });
  await wire.post(event('long '.repeat(1_000)));
  const token = await wire.token('surface', 'chat');
  const head = `POST /v1/events HTTP/1.1\r\nAuthorization: Bearer ${token}`;
  // The body never ends, so an answer means that nobody waited for it.
  const { port } = new URL(wire.url);
  const socket = connect(Number(port), '127.0.0.1');
  wire.finished(() => void socket.destroy());
  socket.write(`${head}\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 100000\r\n\r\n[`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString('latin1')).toMatch(/^HTTP\/1\.1 429[^]*retry-after: 4\r[^]*longer texts/i);
});

it('polls beyond the share are refused when they come without a pause; the eight that are there stay', async () => {
  const { wire } = await hostWith('websocket', 'echo', {
    ...QUIET,
    shares: { rates: { replacedPolls: { perMinute: 60, burst: 2, maxKeys: 10 } } },
  });
  const rpc = httpClient({
    url: `${wire.url}/c2a`,
    token: await wire.token('agent', 'nova'),
    clock: wire.clock,
  });
  const ended: number[] = [];
  const polls: Promise<void>[] = [];
  const poll = (nth: number): Promise<void> => {
    const params = { name: 'chat.wait_events', arguments: { timeoutMs: WAIT_MAX_MS } };
    const done = rpc.request('tools/call', params, { timeoutMs: NEVER_MS }).then(() => void ended.push(nth));
    polls.push(done);
    return done;
  };
  const { polls: open } = wire.host.context.shares;
  for (let nth = 1; nth <= SHARE_LIMITS.polls; nth++) {
    void poll(nth);
    await until(() => open.of('agent:nova') === nth, `poll ${nth}`);
  }
  // Two take the place of the two oldest, the next ones are refused themselves.
  void poll(9);
  await until(() => ended.length === 1, 'the first to be replaced');
  void poll(10);
  await until(() => ended.length === 2, 'the second');
  await poll(11);
  await poll(12);
  expect(ended).toEqual([1, 2, 11, 12]);
  expect(open.of('agent:nova')).toBe(SHARE_LIMITS.polls);
  await wire.say('@nova are you there?');
  await wire.pass(40_000, 10_000);
  await Promise.all(polls);
});
