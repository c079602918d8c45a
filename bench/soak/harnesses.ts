// The agents of a soak, each in a way that people use: two on the SDK, one that pulls, one webhook. All answer what must
// be answered and stay silent about the rest.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { type AgentConnection, connect } from '../../src/agent/index.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { type HttpClient, httpClient } from '../../src/transport/http-client.ts';
import { listen, type Transport } from '../../src/transport/transport.ts';
import { webSocketClient } from '../../src/transport/websocket-client.ts';

export const SDK_AGENTS = ['agent-0', 'agent-1'] as const;
export const PULL_AGENT = 'agent-2';
export const WEBHOOK_AGENT = 'agent-3';
export const SOAK_AGENTS = [...SDK_AGENTS, PULL_AGENT, WEBHOOK_AGENT] as const;
const SECRET = `whsec_${Buffer.from('the secret of a soak: none').toString('base64')}`;
const WAIT_MS = 10_000;

export interface Harnesses {
  /** Answers given, and calls that were refused, in words. */
  answered: number;
  refused: string[];
  close(): Promise<void>;
}

interface WireEvent {
  eventId: string;
  conversation: { id: string; kind: string };
  attention: { policy: string };
}

interface ToolResult {
  isError?: boolean;
  structuredContent?: { data?: { replacedBy?: string } };
}

const isAsked = ({ attention }: WireEvent): boolean => attention.policy === 'must_respond';

/** A harness that only listens. It is started before the host, whose settings name it. */
export async function startWebhook() {
  const count = { answered: 0 };
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { method, params } = body as { method: string; params: WireEvent };
      if (method !== 'chat/deliver') return response.writeHead(202).end();
      if (isAsked(params)) count.answered++;
      const said = isAsked(params) ? { reply: `Done: ${params.eventId}` } : { silent: true };
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
  return {
    count,
    setting: { agent: WEBHOOK_AGENT, url, secret: SECRET },
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** `onDelivered`: an event has come over a WebSocket, before the SDK looks at it. */
export async function connectHarnesses(
  url: string,
  onDelivered: (eventId: string) => void,
): Promise<Harnesses> {
  const refused: string[] = [];
  const made: Harnesses = { answered: 0, refused, close };
  const quiet = { debug() {}, info() {}, warn() {}, error: note };
  function note(first: unknown, ...more: unknown[]): void {
    refused.push(`the SDK says: ${[first, ...more].map((part) => JSON.stringify(part)).join(' ')}`);
  }
  const onSdk = SDK_AGENTS.map((token): AgentConnection => {
    const transport = () => seenBy(webSocketClient({ url, token, clock: systemClock }), onDelivered);
    return connect({ transport, log: quiet }).onTurn((turn) => {
      if (turn.policy !== 'must_respond') return undefined;
      made.answered++;
      return `Done: ${turn.events.at(-1)?.eventId}`;
    });
  });
  const pulling = new AbortController();
  const client = httpClient({ url: url.replace('ws', 'http'), token: PULL_AGENT, clock: systemClock });
  await client.request('initialize', { protocolVersion: '2026-06-02' });
  const pulls = pull(client, made, pulling.signal);
  async function close(): Promise<void> {
    pulling.abort();
    await Promise.all([pulls, ...onSdk.map((connection) => connection.close())]);
  }
  return made;
}

/** The same transport; whatever is delivered over it is told on the way. */
function seenBy(inner: Transport, onDelivered: (eventId: string) => void): Transport {
  const outer: Transport = {
    start() {
      listen(inner, {
        onmessage(frame) {
          if (frame.includes('"chat/deliver"'))
            onDelivered((JSON.parse(frame) as { params: WireEvent }).params.eventId);
          outer.onmessage(frame);
        },
        onclose: (reason) => outer.onclose(reason),
        onerror: (error) => outer.onerror(error),
      });
      return inner.start();
    },
    send: (frame) => inner.send(frame),
    close: (reason) => inner.close(reason),
    get buffered() {
      return inner.buffered;
    },
    onmessage() {},
    onclose() {},
    onerror() {},
  };
  return outer;
}

async function pull(client: HttpClient, made: Harnesses, signal: AbortSignal): Promise<void> {
  const call = { name: 'chat.wait_events', arguments: { timeoutMs: WAIT_MS, limit: 20 } };
  while (!signal.aborted) {
    const outcome = await client.request('tools/call', call, { signal }).catch(() => undefined);
    if (outcome === undefined) continue;
    if (!outcome.ok) {
      // An answer that does not come in time is asked for again.
      if (outcome.kind === 'error') made.refused.push(`chat.wait_events: ${JSON.stringify(outcome)}`);
      continue;
    }
    const { events = [] } = (outcome.result as { structuredContent: { events?: WireEvent[] } })
      .structuredContent;
    await Promise.all(
      events.map((event) => (isAsked(event) ? answer(client, made, event) : pass(client, event))),
    );
  }
}

async function answer(client: HttpClient, made: Harnesses, event: WireEvent): Promise<void> {
  const { eventId, conversation } = event;
  const outcome = await client.request('tools/call', {
    name: 'chat.send_message',
    arguments: {
      target: `${conversation.kind}:${conversation.id}`,
      text: `Done: ${eventId}`,
      inReplyTo: eventId,
      visibility: 'channel',
      directedness: 'to_me',
      idempotencyKey: `answer-${eventId}`,
    },
  });
  const result = outcome.ok ? (outcome.result as ToolResult) : { isError: true };
  if (result.isError !== true) made.answered++;
  // Its author went on meanwhile, or changed it: the delivery that took its place is answered.
  else if (result.structuredContent?.data?.replacedBy === undefined)
    made.refused.push(`an answer to ${eventId}: ${JSON.stringify(outcome)}`);
}

async function pass(client: HttpClient, { eventId }: WireEvent): Promise<void> {
  const turnId = `pass-${eventId}`;
  await client.request('turn/started', { turnId, eventIds: [eventId] });
  await client.request('turn/ended', { turnId, outcome: 'silent' });
}
