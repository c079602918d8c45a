// The ways of misbehaving: each by one token or by strangers, without a pause, bounded in how much is under way. A way
// runs until it is told to stop and counts how it was answered.
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { FloodTokens } from './flood-host.ts';
import { BAD_AGENT } from './flood-host.ts';

export interface Attack {
  url: string;
  tokens: FloodTokens;
  /** An event with an attachment that everybody may read. */
  eventId: string;
  attachmentId: string;
  stopped: () => boolean;
  /** Counts an answer, by a word for it. */
  count: (what: string) => void;
  random: () => number;
}

export interface Way {
  name: string;
  /** Whose budget or limit stands against it. `nobody`: the control. */
  who: 'token' | 'stranger' | 'nobody';
  run: (attack: Attack) => Promise<void>;
}

const rest = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** So many at once, each again when it has ended, until the attack is over. */
async function atOnce(attack: Attack, lanes: number, once: (lane: number) => Promise<void>): Promise<void> {
  const lane = async (_: unknown, index: number): Promise<void> => {
    while (!attack.stopped()) {
      await once(index).catch(() => attack.count('connection cut'));
      await rest(1);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

interface Asked {
  method?: string;
  path: string;
  token?: string;
  body?: string;
  agent?: Agent;
}

/** One HTTP request, answered and read. */
function ask(attack: Attack, { method = 'GET', path, token, body, agent }: Asked): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const asked = request(`${attack.url}${path}`, { method, headers, agent }, (answer) => {
      answer.resume();
      answer.once('end', () => {
        attack.count(String(answer.statusCode));
        resolve(answer.statusCode ?? 0);
      });
      answer.once('error', reject);
    });
    asked.once('error', reject);
    asked.end(body);
  });
}

const keptAlive = (sockets: number): Agent => new Agent({ keepAlive: true, maxSockets: sockets });

const rpc = (method: string, params: object, id = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const call = (name: string, args: object): object => ({ name, arguments: args });

/** A session of the misbehaving agent. */
async function session(attack: Attack, onFrame: (text: string) => void = () => {}): Promise<WebSocket> {
  const socket = new WebSocket(`${attack.url.replace('http', 'ws')}/c2a`, ['c2a'], {
    headers: { authorization: `Bearer ${attack.tokens.agents[BAD_AGENT] ?? ''}` },
    perMessageDeflate: false,
  });
  socket.on('error', () => attack.count('connection cut'));
  socket.on('message', (data: Buffer) => onFrame(data.toString()));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('close', () => reject(new Error('closed')));
  });
  socket.send(rpc('initialize', { protocolVersion: '2026-06-02' }, 0));
  return socket;
}

function outcomeOf(text: string): string {
  if (text.includes('"rate_limited"')) return 'rate_limited';
  if (text.includes('"error"') || text.includes('"isError":true')) return 'error';
  return 'answered';
}

/** So many calls of a tool under way on one session. */
function callsOf(name: string, args: (attack: Attack) => object, lanes: number): Way['run'] {
  return async (attack) => {
    while (!attack.stopped()) {
      const waiting = new Map<number, () => void>();
      let id = 1;
      const socket = await session(attack, (text) => {
        const answered = Number((JSON.parse(text) as { id?: unknown }).id);
        attack.count(outcomeOf(text));
        waiting.get(answered)?.();
        waiting.delete(answered);
      }).catch(() => undefined);
      if (socket === undefined) {
        await rest(50);
        continue;
      }
      socket.on('close', () => waiting.forEach((wake) => wake()));
      const over = (): boolean => attack.stopped() || socket.readyState !== WebSocket.OPEN;
      await atOnce({ ...attack, stopped: over }, lanes, async () => {
        const mine = ++id;
        socket.send(rpc('tools/call', call(name, args(attack)), mine));
        await new Promise<void>((resolve) => waiting.set(mine, resolve));
      });
      socket.terminate();
    }
  };
}

/** Sends without end and reads nothing. */
const unread: Way['run'] = async (attack) => {
  while (!attack.stopped()) {
    const socket = await session(attack).catch(() => undefined);
    if (socket === undefined) {
      await rest(50);
      continue;
    }
    socket.pause();
    for (let id = 2; !attack.stopped() && socket.readyState === WebSocket.OPEN; id++) {
      if (socket.bufferedAmount < 1_000_000)
        socket.send(rpc('tools/call', call('chat.list_events', { limit: 100 }), id));
      if (id % 16 === 0) await rest(2);
    }
    if (!attack.stopped()) attack.count('connection cut');
    socket.terminate();
  }
};

const progress: Way['run'] = async (attack) => {
  const socket = await session(attack, (text) => attack.count(outcomeOf(text)));
  for (let sent = 0; !attack.stopped() && socket.readyState === WebSocket.OPEN; sent++) {
    const params = { progressToken: 't', progress: sent, message: 'still at it', eventId: attack.eventId };
    socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }));
    if (sent % 30 === 0) await rest(10);
  }
  socket.terminate();
};

const longPolls: Way['run'] = async (attack) => {
  const token = attack.tokens.agents[BAD_AGENT] ?? '';
  const agent = keptAlive(4_096);
  const body = rpc('tools/call', call('chat.wait_events', { timeoutMs: 25_000 }));
  const lanes = atOnce(attack, 4_096, async () => {
    const status = await ask(attack, { method: 'POST', path: '/c2a', token, body, agent });
    if (status !== 200) await rest(100);
  });
  await untilStopped(attack);
  agent.destroy();
  await lanes;
};

async function untilStopped(attack: Attack): Promise<void> {
  while (!attack.stopped()) await rest(20);
}

const longTexts: Way['run'] = async (attack) => {
  const agent = keptAlive(4);
  const text = 'one more line of a long paste. '.repeat(2_000).slice(0, 60_000);
  let sent = 0;
  await atOnce(attack, 4, async (lane) => {
    const events = Array.from({ length: 8 }, () => ({
      eventId: `long-${lane}-${++sent}`,
      at: Date.now(),
      platform: 'flood',
      workspaceId: 'w',
      conversation: { id: `F${sent % 20}`, kind: 'channel' },
      author: { id: `U${sent % 200}`, kind: 'human', displayName: 'Somebody' },
      type: 'message',
      text,
    }));
    const body = JSON.stringify(events);
    const status = await ask(attack, {
      method: 'POST',
      path: '/v1/events',
      token: attack.tokens.badSource,
      body,
      agent,
    });
    if (status !== 202) await rest(50);
  });
  agent.destroy();
};

/** So many connections held open. One that is cut is opened again. `talk` says what a connection does once it is open. */
function held(count: number, talk: (socket: Socket, attack: Attack) => void): Way['run'] {
  return async (attack) => {
    const { hostname, port } = new URL(attack.url);
    const open = new Set<Socket>();
    while (!attack.stopped()) {
      for (let i = 0; i < 50 && open.size < count; i++) {
        const socket = connect(Number(port), hostname);
        open.add(socket);
        socket.on('connect', () => talk(socket, attack));
        socket.on('error', () => {});
        socket.on('data', (data: Buffer) => {
          const status = /^HTTP\/1\.1 (\d+)/.exec(data.toString('latin1'))?.[1];
          if (status !== undefined) attack.count(status);
        });
        socket.on('close', () => {
          open.delete(socket);
          if (!attack.stopped()) attack.count('connection cut');
        });
      }
      await rest(10);
    }
    for (const socket of open) socket.destroy();
  };
}

const UPGRADE =
  'GET /web HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\n' +
  'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

/** Half of them never end their head, half never end a body. */
function dribble(socket: Socket, { random }: Attack): void {
  const inBody = random() < 0.5;
  socket.write(
    inBody
      ? 'POST /v1/surfaces/slack/events HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100000\r\n\r\n'
      : 'GET / HTTP/1.1\r\nx-a: ',
  );
  const timer = setInterval(() => socket.write('a'), 200);
  socket.on('close', () => clearInterval(timer));
}

const guessing: Way['run'] = (attack) =>
  atOnce(attack, 32, async () => {
    const letters = Array.from({ length: 43 }, () => Math.floor(attack.random() * 36).toString(36)).join('');
    await ask(attack, { path: '/v1/agents', token: `ear_o_${letters}` });
  });

const reconnects: Way['run'] = (attack) =>
  atOnce(attack, 16, async () => {
    const socket = await session(attack);
    attack.count('connected');
    socket.terminate();
  });

const mcpSessions: Way['run'] = (attack) => {
  const agent = keptAlive(32);
  const clientInfo = { name: 'flood', version: '1' };
  const body = rpc('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  const token = attack.tokens.agents[BAD_AGENT] ?? '';
  return atOnce(
    attack,
    32,
    async () => void (await ask(attack, { method: 'POST', path: '/mcp', token, body, agent })),
  );
};

function reads(paths: readonly string[], lanes: number): Way['run'] {
  return (attack) => {
    const agent = keptAlive(lanes);
    return atOnce(attack, lanes, async (lane) => {
      await ask(attack, { path: paths[lane % paths.length] ?? '/', token: attack.tokens.badOperator, agent });
    });
  };
}

const pages: Way['run'] = (attack) => {
  const agent = keptAlive(32);
  return atOnce(attack, 32, async () => void (await ask(attack, { path: '/', agent })));
};

const streams = held(96, (socket, { tokens }) => {
  socket.write(
    `GET /v1/stream HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${tokens.badOperator}\r\n\r\n`,
  );
  socket.pause();
});

export const WAYS: readonly Way[] = [
  // What the measurement itself gives when nobody misbehaves.
  { name: 'no flood at all', who: 'nobody', run: untilStopped },
  {
    name: 'list_events, 200 at once',
    who: 'token',
    run: callsOf('chat.list_events', () => ({ limit: 100 }), 200),
  },
  { name: 'answers never read', who: 'token', run: unread },
  {
    name: 'read_attachment in a loop',
    who: 'token',
    run: callsOf('chat.read_attachment', ({ attachmentId }) => ({ attachmentId }), 32),
  },
  { name: 'progress, 3,000 a second', who: 'token', run: progress },
  { name: 'open_set in a loop', who: 'token', run: callsOf('chat.open_set', () => ({ query: 'owe' }), 64) },
  { name: '4,096 long polls', who: 'token', run: longPolls },
  { name: 'a source with 60 KB texts', who: 'token', run: longTexts },
  { name: 'reconnect storm', who: 'token', run: reconnects },
  { name: 'MCP sessions without end', who: 'token', run: mcpSessions },
  {
    name: 'log and search in a loop',
    who: 'token',
    run: reads(['/v1/log?limit=200', '/v1/search?q=deploy&limit=200'], 16),
  },
  { name: '96 streams never read', who: 'token', run: streams },
  {
    name: '1,200 sockets at /web',
    who: 'stranger',
    run: held(1_200, (socket) => void socket.write(UPGRADE)),
  },
  { name: '2,000 silent connections', who: 'stranger', run: held(2_000, () => {}) },
  { name: '400 dribbling requests', who: 'stranger', run: held(400, dribble) },
  { name: 'guessing tokens', who: 'stranger', run: guessing },
  { name: 'the page in a loop', who: 'stranger', run: pages },
];
