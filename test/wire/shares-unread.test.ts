// Whoever leaves answers unread holds up only itself: the host keeps a few megabytes for it, over all its connections,
// and goes on when it reads. Shown over the real wire, with another agent of the same host that is asked and answers.
import { once } from 'node:events';
import { NO_INBOUND_LIMITS } from '../../src/host/security/rate-limit.ts';
import { connect, type Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { LANE_LIMITS, SHARE_LIMITS } from '../../src/host/security/shares.ts';
import { TRANSPORT_LIMITS } from '../../src/transport/transport.ts';
import { heldReads } from './held-reads.ts';
import { until, type WireHost } from './host.ts';
import { harness, hostWith, type WireHarness } from './ways.ts';

const QUIET = {
  agents: [{ id: 'nova' }, { id: 'echo' }],
  host: { limits: { heartbeatMs: 24 * 3_600_000 } },
};
const PASTE = 'the log says: nothing to see here, move along\n'.repeat(650); // 30 KB
/** What may be kept for one caller: four megabytes unread, and a megabyte for each answer that was being made. */
const KEPT_MAX = 9 * 1_048_576;

async function asksOther(wire: WireHost, other: WireHarness): Promise<void> {
  const asked = await wire.say('@echo are you there?', { in: 'elsewhere' });
  await wire.pass(20_000, 10_000);
  const seen = await other.next(({ eventId }) => eventId === asked, 'the question to the other');
  expect(await other.reply(seen, 'I am.')).toMatchObject({ ok: true });
}

async function hostWithPastes() {
  const { wire, agent: echo } = await hostWith('websocket', 'echo', QUIET);
  for (let n = 0; n < 20; n++) await wire.say(`${n} ${PASTE}`, { in: 'general' });
  return { wire, echo };
}

interface Answer {
  id?: number | string;
  method?: string;
}

async function rawAgent(wire: WireHost, agent: string) {
  const token = await wire.token('agent', agent);
  const socket = new WebSocket(`${wire.url.replace('http', 'ws')}/c2a`, ['c2a'], {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
  });
  wire.finished(() => socket.terminate());
  const answers: Answer[] = [];
  let closed = false;
  socket.on('message', (data: Buffer) => answers.push(JSON.parse(data.toString()) as Answer));
  socket.on('close', () => (closed = true));
  await once(socket, 'open');
  const send = (id: number, method: string, params: object): void =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  send(0, 'initialize', {
    protocolVersion: '2026-06-02',
    capabilities: { injection: { immediate: true, buffered: true, tool_mailbox: true } },
  });
  await until(() => answers.some(({ id }) => id === 0), 'the session');
  const asked = new Set<number>();
  return {
    socket,
    isClosed: () => closed,
    list(id: number): void {
      asked.add(id);
      const args = { target: 'channel:general', limit: 20 };
      send(id, 'tools/call', { name: 'chat.list_events', arguments: args });
    },
    answered: () => answers.filter(({ id, method }) => method === undefined && asked.has(Number(id))).length,
  };
}

it('an agent that reads no answer is not read from; the answers wait, and come when it reads', async () => {
  const { wire, echo } = await hostWithPastes();
  const nova = await rawAgent(wire, 'nova');
  const most = mostUnread(wire, 'agent:nova');
  nova.socket.pause();
  for (let id = 1; id <= 60; id++) nova.list(id);
  await until(() => most.look() > 4_194_304, 'unread answers');
  await asksOther(wire, echo);
  expect(most.look()).toBeLessThan(KEPT_MAX);
  expect(nova.answered()).toBe(0);
  nova.socket.resume();
  await until(async () => {
    await wire.pass(100);
    most.look();
    return nova.answered() === 60;
  }, 'every answer');
  expect(most.look()).toBeLessThan(KEPT_MAX);
  expect(nova.isClosed()).toBe(false);
});

it('one that never reads again is cut, and its session is over', async () => {
  const { wire, echo } = await hostWithPastes();
  const nova = await rawAgent(wire, 'nova');
  await wire.pass(1);
  nova.socket.pause();
  for (let id = 1; id <= 60; id++) nova.list(id);
  await until(
    () => wire.host.context.shares.unread('agent:nova') > SHARE_LIMITS.pauseBytes,
    'unread answers',
  );
  await until(async () => {
    await wire.pass(TRANSPORT_LIMITS.stalledMs, 10_000);
    return !wire.host.courier.connected('nova');
  }, 'the end of its session');
  expect(wire.host.context.shares.unread('agent:nova')).toBe(0);
  await asksOther(wire, echo);
});

/** The most that was ever kept for the caller. */
function mostUnread(wire: WireHost, who: string) {
  let most = 0;
  return {
    look(): number {
      most = Math.max(most, wire.host.context.shares.unread(who));
      return most;
    },
  };
}

/** A request over a connection of its own, of which nothing is read. */
async function unreadRequest(wire: WireHost, head: string, body = ''): Promise<Socket> {
  const { port } = new URL(wire.url);
  const socket = connect(Number(port), '127.0.0.1');
  wire.finished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(
    `${head}\r\nHost: 127.0.0.1:${port}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  return socket;
}

it('answers over HTTP that nobody reads are counted over all connections of the token', async () => {
  const { wire, agent: echo } = await hostWith('websocket', 'echo', {
    ...QUIET,
    rateLimits: NO_INBOUND_LIMITS,
  });
  for (let batch = 0; batch < 10; batch++) {
    const pastes = Array.from({ length: 10 }, () => wire.event(PASTE + PASTE, { in: 'general' }));
    await wire.post(...pastes);
  }
  const path = '/v1/log?limit=200';
  const page = await wire.call('GET', path, await wire.token('operator', 'ops'));
  const bytes = JSON.stringify(page.body).length;
  const token = await wire.token('operator', 'careless');
  const head = `GET ${path} HTTP/1.1\r\nAuthorization: Bearer ${token}`;
  const sockets: Socket[] = [];
  for (let n = 0; n < 30; n++) sockets.push(await unreadRequest(wire, head));
  const { shares } = wire.host.context;
  await until(() => shares.requests.of('operator:careless').requests === 30, 'the requests');
  await asksOther(wire, echo);
  expect(shares.unread('operator:careless')).toBeGreaterThan(0);
  expect(shares.unread('operator:careless')).toBeLessThan(5 * bytes);
  expect((await wire.call('GET', path, await wire.token('operator', 'ops'))).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await until(() => shares.unread('operator:careless') === 0, 'nothing to be kept');
});

it('300 requests of one operator: two are worked on, 256 are open, the others come back later', async () => {
  const { wire, agent: echo } = await hostWith('websocket', 'echo', QUIET);
  await wire.say('hello', { in: 'general' });
  const { store } = wire.host.context;
  const find = store.log.find.bind(store.log);
  const held: (() => void)[] = [];
  let isOpen = false;
  vi.spyOn(store.log, 'find').mockImplementation(async (...args) => {
    if (!isOpen) await new Promise<void>((resolve) => void held.push(resolve));
    return find(...args);
  });
  const token = await wire.token('operator', 'hasty');
  const get = (bearer: string) =>
    fetch(`${wire.url}/v1/log?author=human:nobody`, { headers: { authorization: `Bearer ${bearer}` } });
  const refused: string[] = [];
  const all = Array.from({ length: 300 }, async () => {
    const { status, headers } = await get(token);
    if (status === 429) refused.push(headers.get('retry-after') ?? '');
    return status;
  });
  await until(() => refused.length === 300 - SHARE_LIMITS.requests, 'the refusals');
  expect(new Set(refused)).toEqual(new Set(['1']));
  expect(held).toHaveLength(LANE_LIMITS.look.each);
  const other = get(await wire.token('operator', 'ops'));
  await until(() => held.length === LANE_LIMITS.look.each + 1, 'the turn of the other');
  isOpen = true;
  for (const go of held) go();
  expect((await other).status).toBe(200);
  const statuses = await Promise.all(all);
  expect(statuses.filter((status) => status === 200)).toHaveLength(SHARE_LIMITS.requests);
  await asksOther(wire, echo);
});

it('one token has eight streams; the next waits, and another operator has one at once', async () => {
  const { wire } = await hostWith('websocket', 'echo', QUIET);
  const ended = new AbortController();
  wire.finished(() => ended.abort());
  const stream = async (subject: string) => {
    const headers = { authorization: `Bearer ${await wire.token('operator', subject)}` };
    return fetch(`${wire.url}/v1/stream`, { headers, signal: ended.signal });
  };
  for (let n = 0; n < SHARE_LIMITS.streams; n++) expect((await stream('greedy')).status).toBe(200);
  const refused = await stream('greedy');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
  expect((await stream('ops')).status).toBe(200);
});

it('over MCP, HTTP and WebSocket together, an agent has one share', async () => {
  const { wire, agent: nova } = await hostWith('websocket', 'nova', {
    ...QUIET,
    shares: { rates: { acts: { perMinute: 60, burst: 10, maxKeys: 100 } } },
  });
  const pull = await harness(wire, 'nova', 'pull');
  const mcp = await harness(wire, 'nova', 'mcp');
  await wire.say('@nova hello', { in: 'general' });
  const done: string[] = [];
  for (let n = 0; n < 12; n++) {
    const way = [nova, pull, mcp][n % 3] ?? nova;
    const answer = await way.tool('chat.focus', { ttlMs: 1_000 + n });
    done.push(answer.ok ? 'ok' : answer.name);
  }
  expect(done).toEqual([...Array<string>(10).fill('ok'), 'rate_limited', 'rate_limited']);
});

async function tabOf(wire: WireHost, person: string) {
  const socket = new WebSocket(`${wire.url.replace('http', 'ws')}/web`, ['c2a'], {
    perMessageDeflate: false,
  });
  wire.finished(() => socket.terminate());
  const answers: { id?: number; result?: Record<string, unknown>; error?: unknown }[] = [];
  socket.on('message', (data: Buffer) =>
    answers.push(JSON.parse(data.toString()) as (typeof answers)[number]),
  );
  await once(socket, 'open');
  let lastId = 0;
  const ask = (method: string, params: object) => {
    const id = ++lastId;
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return until(() => answers.find((answer) => answer.id === id), `the answer to ${method}`);
  };
  const hello = await ask('hello', { token: await wire.token('person', person) });
  return { ask, hello: hello.result ?? {} };
}

it('the tabs of one person read two at a time, and another person has the next turn', async () => {
  const { wire, agent: echo } = await hostWith('websocket', 'echo', QUIET);
  await Promise.all(['ada', 'bob'].map((person) => wire.token('person', person)));
  const tabs = [await tabOf(wire, 'ada'), await tabOf(wire, 'ada')];
  const other = await tabOf(wire, 'bob');
  const [{ id: conversation }] = other.hello['conversations'] as [{ id: string }];
  const reads = heldReads(wire);
  const all = Array.from({ length: 40 }, (_, n) =>
    (tabs[n % 2] ?? other).ask('open', { conversation, limit: 10 }),
  );
  await until(() => reads.held >= 2, 'the first reads');
  await Promise.all(tabs.map((tab) => tab.ask('ping', {})));
  expect(reads.held).toBe(2);
  const next = other.ask('open', { conversation, limit: 10 });
  await until(() => reads.held === 3, 'the turn of the other person');
  reads.open();
  expect((await next).error).toBeUndefined();
  expect((await Promise.all(all)).flatMap(({ error }) => error ?? [])).toEqual([]);
  await asksOther(wire, echo);
});
