// The ways by which an agent is connected, behind one shape: WebSocket, HTTP pull, webhook, MCP and the agent SDK. A test
// of a promise runs over each of them with `describe.each(WAYS)`. Every way uses its real client over a real socket.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { connect, type Turn } from '../../src/agent/index.ts';
import type { ToolName } from '../../src/protocol/tool-name.ts';
import { toolNameForModel } from '../../src/protocol/tool-name.ts';
import { httpClient, type HttpClient } from '../../src/transport/http-client.ts';
import { createPeer, type Peer } from '../../src/transport/peer.ts';
import { webSocketClient } from '../../src/transport/websocket-client.ts';
import { until, type WireHost, type WireHostOptions, wireHost } from './host.ts';
import { SECRET } from './platform.ts';

export const WAYS = ['websocket', 'pull', 'webhook', 'mcp', 'sdk'] as const;
export type Way = (typeof WAYS)[number];

/** One event as it reached the agent's side: for the SDK one turn, else one delivered event. */
export interface Seen {
  eventId: string;
  /** What the model would read as the message. Empty for a knock. */
  text: string;
  policy: string;
  mode: string;
  directedness: string | undefined;
  reason: string | undefined;
  notices: readonly string[];
  /** When it came, in virtual time. */
  at: number;
  /** The id of the JSON-RPC request that handed it over. WebSocket and webhook only. */
  requestId?: string;
  /** Everything, as it came. */
  raw: Record<string, unknown>;
}

export type ToolResult =
  /** `text`: what a model reads. */
  { ok: true; result: Record<string, unknown>; text: string } | { ok: false; name: string; message: string };

export interface WireHarness {
  way: Way;
  agent: string;
  /** What has arrived so far, in order. */
  seen: Seen[];
  /** Notifications of the host: the method and its params. Pull and MCP get none. */
  notes: { method: string; params: Record<string, unknown> }[];
  /** Waits for the first event that fits, counting those that came before. */
  next(fits: (seen: Seen) => boolean, what?: string): Promise<Seen>;
  /** Calls a chat tool. Keys are added where a caller has to bring them. */
  tool(name: ToolName, args: Record<string, unknown>): Promise<ToolResult>;
  /** Sends a notification, such as `notifications/progress`. Over HTTP it has an outcome. MCP and the SDK have none. */
  notify(method: string, params: Record<string, unknown>): Promise<unknown>;
  /** Answers an event where it was said. */
  reply(seen: Seen, text: string, more?: Record<string, unknown>): Promise<ToolResult>;
  /** Calls a method of the protocol, such as `turn/started`. MCP has none. */
  request(method: string, params: Record<string, unknown>): Promise<unknown>;
  close(): Promise<void>;
}

export interface HarnessOptions {
  version?: '2026-06-02' | '2026-06-24' | '2026-08-11';
  /** As `initialize` declares them. WebSocket and pull only. */
  capabilities?: Record<string, unknown>;
  /** What the SDK's handler does with a turn. Without it, a turn stays open until the harness closes. */
  onTurn?: (turn: Turn) => Promise<string | void> | string | void;
  /** WebSocket: how `chat/deliver` is answered: with an error, or not at all. Default: with a result. */
  onDeliver?: (
    params: Record<string, unknown>,
  ) => { code: number; message: string; data?: object } | 'silence' | undefined;
}

/** Connects the agent. Closed at the end of the test. Webhooks must be announced to the host: see `webhookFor`. */
export async function harness(
  wire: WireHost,
  agent: string,
  way: Way,
  options: HarnessOptions = {},
): Promise<WireHarness> {
  const made = await CONNECT[way](wire, agent, options);
  wire.finished(() => made.close());
  return made;
}

/** A host and one agent of it, connected over the way. */
export async function hostWith(
  way: Way,
  agent: string,
  options: WireHostOptions = {},
  more: HarnessOptions = {},
): Promise<{ wire: WireHost; agent: WireHarness }> {
  const webhooks = way === 'webhook' ? [await webhookFor(agent)] : [];
  const wire = await wireHost({ ...options, host: { ...options.host, webhooks } });
  return { wire, agent: await harness(wire, agent, way, more) };
}

type Connect = (wire: WireHost, agent: string, options: HarnessOptions) => Promise<WireHarness>;

const CONNECT: Record<Way, Connect> = {
  websocket: overWebSocket,
  pull: overPull,
  webhook: overWebhook,
  mcp: overMcp,
  sdk: overSdk,
};

interface Parts {
  tool(name: ToolName, args: Record<string, unknown>): Promise<ToolResult>;
  request?(method: string, params: Record<string, unknown>): Promise<RpcAnswer>;
  notify?(method: string, params: Record<string, unknown>): unknown;
  close(): Promise<void>;
}

type RpcAnswer = { ok: true; result: unknown } | { ok: false };

function harnessOf(way: Way, agent: string, parts: Parts): WireHarness {
  const made: WireHarness = {
    way,
    agent,
    seen: [],
    notes: [],
    next: (fits, what = 'the event') =>
      until(
        () => made.seen.find(fits),
        `${what} over ${way} (came: ${JSON.stringify(made.seen.map((one) => one.text))})`,
      ),
    tool: (name, args) => parts.tool(name, args),
    reply: (seen, text, more = {}) => parts.tool('chat.send_message', { ...replyTo(seen, text), ...more }),
    async request(method, params) {
      const answer = await parts.request?.(method, params);
      if (answer?.ok !== true) throw new Error(`${method} failed over ${way}: ${JSON.stringify(answer)}`);
      return answer.result;
    },
    async notify(method, params) {
      if (parts.notify === undefined) throw new Error(`${way} sends no notifications`);
      return parts.notify(method, params);
    },
    close: () => parts.close(),
  };
  return made;
}

let replies = 0;

/** The arguments of a plain answer. MCP and the SDK make their own keys. */
export function replyTo(seen: Seen, text: string): Record<string, unknown> {
  const { id, kind, threadId } = seen.raw['conversation'] as { id: string; kind: string; threadId?: string };
  const place = threadId === undefined ? kind : 'thread';
  return {
    target: `${place}:${threadId ?? id}`,
    text,
    inReplyTo: seen.eventId,
    visibility: place === 'dm' || place === 'thread' ? place : 'channel',
    directedness: 'to_me',
    idempotencyKey: `reply-${++replies}`,
  };
}

/** Reads an event of either shape. */
function seenOf(raw: Record<string, unknown>, at: number): Seen {
  const attention = (raw['attention'] ?? raw) as Record<string, unknown>;
  const injection = (raw['injection'] ?? raw) as Record<string, unknown>;
  const target = (raw['target'] ?? raw) as Record<string, unknown>;
  return {
    eventId: String(raw['eventId']),
    text: textOf(raw['content']),
    policy: String(attention['policy']),
    mode: typeof injection['mode'] === 'string' ? injection['mode'] : 'buffered',
    directedness: target['directedness'] as string | undefined,
    reason: attention['reason'] as string | undefined,
    notices: (attention['notices'] ?? []) as string[],
    at,
    raw,
  };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = (content ?? []) as { type: string; text?: string }[];
  return parts.map(({ text = '' }) => text).join('');
}

function resultOf(answer: unknown): ToolResult {
  const {
    isError,
    content = [],
    structuredContent = {},
  } = answer as {
    isError?: boolean;
    content?: unknown;
    structuredContent?: Record<string, unknown>;
  };
  if (isError !== true) return { ok: true, result: structuredContent, text: textOf(content) };
  const { data, message } = structuredContent as { data?: { name?: string }; message?: string };
  return { ok: false, name: data?.name ?? 'error', message: message ?? '' };
}

async function overWebSocket(wire: WireHost, agent: string, options: HarnessOptions): Promise<WireHarness> {
  const token = await wire.token('agent', agent);
  const url = `${wire.url.replace('http', 'ws')}/c2a`;
  const transport = webSocketClient({ url, token, clock: wire.clock });
  const made = harnessOf('websocket', agent, {
    async tool(name, args) {
      const answer = await peer.request('tools/call', { name, arguments: args });
      if (!answer.ok) throw new Error(`${name} was not answered: ${JSON.stringify(answer)}`);
      return resultOf(answer.result);
    },
    request: (method, params) => peer.request(method, params),
    notify: (method, params) => peer.notify(method, params),
    async close() {
      peer.close('normal');
      await peer.closed;
    },
  });
  const peer: Peer = createPeer(transport, {
    clock: wire.clock,
    handlers: {
      ping: () => ({ ok: true, result: {} }),
      'chat/deliver': (params, { id }) => {
        const raw = params as Record<string, unknown>;
        const problem = options.onDeliver?.(raw);
        if (problem === 'silence') return new Promise(() => undefined);
        if (problem !== undefined) return { ok: false, error: problem };
        made.seen.push({ ...seenOf(raw, wire.clock.now()), requestId: String(id) });
        return { ok: true, result: {} };
      },
    },
    onNotification: (method, params) => {
      const given = (params ?? {}) as Record<string, unknown>;
      // Without acknowledgements an event is a notification.
      if (method === 'chat/deliver') made.seen.push(seenOf(given, wire.clock.now()));
      else made.notes.push({ method, params: given });
    },
  });
  await peer.start();
  const { version = '2026-06-02', capabilities } = options;
  const hello = { protocolVersion: version, ...(capabilities === undefined ? {} : { capabilities }) };
  const answer = await peer.request('initialize', hello);
  if (!answer.ok) throw new Error(`initialize was refused: ${JSON.stringify(answer)}`);
  // The session begins with a timer of the host, after its answer.
  await wire.pass(1);
  await until(() => wire.host.courier.connected(agent), `the session of ${agent}`);
  return made;
}

async function overPull(wire: WireHost, agent: string, options: HarnessOptions): Promise<WireHarness> {
  const client = await httpFor(wire, agent);
  const { version = '2026-06-02', capabilities } = options;
  const hello = { protocolVersion: version, ...(capabilities === undefined ? {} : { capabilities }) };
  const begun = await client.request('initialize', hello);
  if (!begun.ok) throw new Error(`initialize was refused: ${JSON.stringify(begun)}`);
  const over = new AbortController();
  const made = harnessOf('pull', agent, {
    tool: (name, args) => callOver(client, name, args),
    request: (method, params) => client.request(method, params),
    notify: (method, params) => client.notify(method, params),
    async close() {
      over.abort();
      await pulling;
    },
  });
  const pull = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const answer = await client
        .request(
          'tools/call',
          { name: 'chat.wait_events', arguments: { timeoutMs: WAIT_MS } },
          { signal: over.signal },
        )
        .catch(() => undefined);
      if (answer?.ok !== true) return;
      take(made, resultOf(answer.result), wire.clock.now());
    }
  };
  const pulling = pull();
  return made;
}

/** One long poll, in virtual time. */
const WAIT_MS = 20_000;

function take(made: WireHarness, answer: ToolResult, at: number): void {
  if (!answer.ok) throw new Error(`chat.wait_events was refused: ${answer.message}`);
  const events = (answer.result['events'] ?? []) as Record<string, unknown>[];
  for (const event of events) made.seen.push(seenOf(event, at));
}

async function httpFor(wire: WireHost, agent: string): Promise<HttpClient> {
  const token = await wire.token('agent', agent);
  return httpClient({ url: `${wire.url}/c2a`, token, clock: wire.clock });
}

async function callOver(
  client: HttpClient,
  name: ToolName,
  args: Record<string, unknown>,
): Promise<ToolResult> {
  const answer = await client.request('tools/call', { name, arguments: args });
  if (!answer.ok) throw new Error(`${name} was not answered: ${JSON.stringify(answer)}`);
  return resultOf(answer.result);
}

/** Receivers that wait for their harness, by URL. */
const receivers = new Map<string, Receiver>();

interface Receiver {
  made: WireHarness | undefined;
  early: Record<string, unknown>[];
  now: () => number;
}

/**
 * A harness that only listens: pass the entry to `wireHost({ host: { webhooks } })`, then call `harness`. `answer` is
 * the body of its response, or `down`; without one it answers later, by a call.
 */
export async function webhookFor(
  agent: string,
  answer: (params: Record<string, unknown>) => object | 'down' | undefined = () => undefined,
): Promise<{ agent: string; url: string; secret: string }> {
  const waiting: Receiver = { made: undefined, early: [], now: () => 0 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const sent = JSON.parse(Buffer.concat(chunks).toString()) as {
        id: string;
        method: string;
        params: Record<string, unknown>;
      };
      if (sent.method !== 'chat/deliver')
        waiting.made?.notes.push({ method: sent.method, params: sent.params });
      else if (waiting.made === undefined) waiting.early.push(sent.params);
      else waiting.made.seen.push({ ...seenOf(sent.params, waiting.now()), requestId: sent.id });
      const body = sent.method === 'chat/deliver' ? answer(sent.params) : undefined;
      if (body === 'down') return response.writeHead(503).end();
      if (body === undefined) return response.writeHead(202).end();
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify(body));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
  receivers.set(`${agent} ${url}`, waiting);
  return { agent, url, secret: SECRET };
}

async function overWebhook(wire: WireHost, agent: string): Promise<WireHarness> {
  const { webhooks } = wire.host.context.settings;
  const entry = webhooks.find((webhook) => webhook.agent === agent);
  const waiting = receivers.get(`${agent} ${entry?.url ?? ''}`);
  if (waiting === undefined) throw new Error('start the host with the entry of webhookFor in host.webhooks');
  const client = await httpFor(wire, agent);
  const made = harnessOf('webhook', agent, {
    tool: (name, args) => callOver(client, name, args),
    request: (method, params) => client.request(method, params),
    notify: (method, params) => client.notify(method, params),
    close: () => Promise.resolve(),
  });
  waiting.made = made;
  waiting.now = () => wire.clock.now();
  for (const raw of waiting.early) made.seen.push(seenOf(raw, waiting.now()));
  return made;
}

async function overMcp(wire: WireHost, agent: string): Promise<WireHarness> {
  const headers = { authorization: `Bearer ${await wire.token('agent', agent)}` };
  const client = new Client({ name: 'wire', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', wire.url), { requestInit: { headers } }),
  );
  const over = new AbortController();
  const made = harnessOf('mcp', agent, {
    tool: async (name, { idempotencyKey: _key, token: _token, ...args }) =>
      resultOf(await client.callTool({ name: toolNameForModel(name), arguments: args })),
    async close() {
      over.abort();
      await pulling;
      await client.close();
    },
  });
  const pull = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const answer = await client
        .callTool(
          { name: 'chat_wait_events', arguments: { limit: 20, timeoutMs: WAIT_MS } },
          { signal: over.signal },
        )
        .catch(() => undefined);
      if (answer === undefined) return;
      take(made, resultOf(answer), wire.clock.now());
    }
  };
  const pulling = pull();
  return made;
}

async function overSdk(wire: WireHost, agent: string, { onTurn }: HarnessOptions): Promise<WireHarness> {
  const over = new AbortController();
  const turns = new Map<string, Turn>();
  const connection = connect({
    url: `${wire.url.replace('http', 'ws')}/c2a`,
    token: await wire.token('agent', agent),
    clock: wire.clock,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const client = await httpFor(wire, agent);
  const made = harnessOf('sdk', agent, {
    tool: (name, args) => callOver(client, name, args),
    async close() {
      over.abort();
      await Promise.race([connection.close(), wire.pass(60_000)]);
    },
  });
  made.reply = async (seen, text, more = {}) => {
    const turn = turns.get(seen.eventId);
    if (turn === undefined) throw new Error(`no turn about ${seen.eventId} is open`);
    const outcome = await turn.reply(text, more);
    return outcome.ok
      ? { ok: true, result: outcome.data, text: outcome.text }
      : { ok: false, name: outcome.error ?? 'error', message: outcome.text };
  };
  connection.onTurn(async (turn) => {
    const last = turn.events.at(-1);
    if (last === undefined) return undefined;
    for (const { eventId } of turn.events) turns.set(eventId, turn);
    made.seen.push({
      eventId: last.eventId,
      text: turn.text,
      policy: turn.policy,
      mode: last.mode,
      directedness: last.directedness,
      reason: last.reason,
      notices: last.notices,
      at: wire.clock.now(),
      raw: { ...last, conversation: turn.conversation },
    });
    if (onTurn !== undefined) return onTurn(turn);
    await new Promise<void>((resolve) => {
      over.signal.addEventListener('abort', () => resolve(), { once: true });
      turn.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    return undefined;
  });
  await until(() => connection.status === 'ready', 'the session of the SDK');
  await wire.pass(1);
  await until(() => wire.host.courier.connected(agent), `the session of ${agent}`);
  return made;
}
