// The three ways to a host: a WebSocket, HTTP with pulled events, and a program on standard streams.
import { spawn } from 'node:child_process';
import type { RpcParams } from '../protocol/jsonrpc.ts';
import type { Clock } from '../runtime/clock.ts';
import { httpClient } from '../transport/http-client.ts';
import { type Peer, createPeer } from '../transport/peer.ts';
import { stdioTransport } from '../transport/stdio.ts';
import { listen, type Transport } from '../transport/transport.ts';
import { webSocketClient } from '../transport/websocket-client.ts';
import type { Answering, Way } from './run.ts';
import type { HostLink } from './session.ts';

const RAW_ANSWER_MS = 5_000;
/** Short, because a session ends only with its last pull. The next session would miss what that pull took. */
const PULL_MS = 250;

export function overWebSocket(options: { url: string; token: string; clock: Clock }): Way {
  const url = options.url.replace(/^http/, 'ws');
  return {
    name: 'websocket',
    can: ['push', 'raw'],
    connect: (answering) => pushed(webSocketClient({ ...options, url }), options.clock, answering),
  };
}

/** The program connects standard streams to the host, as `earshot connect --stdio --agent lead` does. */
export function overStdio(options: { command: string; args: readonly string[]; clock: Clock }): Way {
  return {
    name: 'stdio',
    can: ['push', 'raw'],
    async connect(answering) {
      const child = spawn(options.command, [...options.args], { stdio: ['pipe', 'pipe', 'inherit'] });
      const failed = new Promise<never>((_, reject) => {
        child.once('error', (error) =>
          reject(new Error(`${options.command} could not be started: ${error.message}`)),
        );
      });
      failed.catch(() => undefined);
      const transport = stdioTransport({ input: child.stdout, output: child.stdin, clock: options.clock });
      const gone = new Promise<void>((resolve) => void child.once('close', () => resolve()));
      const link = pushed(transport, options.clock, answering, () => {
        child.kill('SIGTERM');
        return gone;
      });
      return Promise.race([link, failed]);
    },
  };
}

async function pushed(
  transport: Transport,
  clock: Clock,
  { acks, refuseFirst }: Answering,
  afterClose: () => Promise<void> = () => Promise.resolve(),
): Promise<HostLink> {
  const raw: ((answer: unknown) => void)[] = [];
  let peer: Peer;
  const link: HostLink = {
    onEvent: undefined,
    request: (method, params) => peer.request(method, params),
    raw(frame) {
      return new Promise((resolve) => {
        const cancel = clock.after(RAW_ANSWER_MS, () => resolve(undefined));
        raw.push((answer) => {
          cancel();
          resolve(answer);
        });
        transport.send(frame);
      });
    },
    close: (reason) => peer.close(reason),
    get closed() {
      return ended;
    },
  };
  const tell = (method: string, params: RpcParams | undefined, requestId?: string): void =>
    link.onEvent?.(method, (params ?? {}) as Record<string, unknown>, requestId);
  let refusals = refuseFirst === undefined ? 0 : 1;
  peer = createPeer(transport, {
    clock,
    handlers: {
      ping: () => ({ ok: true, result: {} }),
      'chat/deliver': (params, { id }) => {
        tell('chat/deliver', params, String(id));
        if (refuseFirst !== undefined && refusals-- > 0)
          return { ok: false, error: { code: refuseFirst, message: 'not now' } };
        return acks ? { ok: true, result: {} } : new Promise(() => undefined);
      },
    },
    onNotification: (method, params) => tell(method, params),
  });
  const ended = peer.closed.then((reason) => afterClose().then(() => reason));
  // An answer without an id belongs to no request. It is about the raw bytes.
  const { onmessage } = transport;
  listen(transport, {
    onmessage(frame) {
      const answer = raw.length > 0 ? unaddressed(frame) : undefined;
      if (answer !== undefined) raw.shift()?.(answer);
      else onmessage(frame);
    },
  });
  await peer.start();
  return link;
}

function unaddressed(frame: string): unknown {
  try {
    const message = JSON.parse(frame) as { id?: unknown; error?: unknown };
    return message.id === null && message.error !== undefined ? message : undefined;
  } catch {
    return undefined;
  }
}

export function overHttp(options: { url: string; token: string; clock: Clock }): Way {
  const { url, token, clock } = options;
  return {
    name: 'http',
    can: ['raw'],
    connect() {
      const client = httpClient({ url, token, clock });
      const { promise: closed, resolve } = Promise.withResolvers<'normal'>();
      let pulling = Promise.resolve();
      const over = new AbortController();
      let take: HostLink['onEvent'];
      const link: HostLink = {
        request: async (method, params) => {
          const outcome = await client.request(method, params);
          if (method === 'initialize' && outcome.ok) pulling = pull();
          return outcome;
        },
        async raw(frame) {
          const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
          const response = await fetch(url, { method: 'POST', headers, body: frame });
          return response.json();
        },
        get onEvent() {
          return take;
        },
        set onEvent(next) {
          take = next;
        },
        close() {
          over.abort();
          void pulling.then(() => resolve('normal'));
        },
        closed,
      };
      const pull = async (): Promise<void> => {
        let cursor: string | undefined;
        while (!over.signal.aborted) {
          const args = { timeoutMs: PULL_MS, ...(cursor === undefined ? {} : { cursor }) };
          const params = { name: 'chat.wait_events', arguments: args };
          const outcome = await client.request('tools/call', params);
          if (!outcome.ok) return;
          const { structuredContent } = outcome.result as {
            structuredContent?: { events?: Record<string, unknown>[]; cursor?: string };
          };
          cursor = structuredContent?.cursor;
          for (const event of structuredContent?.events ?? []) take?.('chat/deliver', event);
        }
      };
      return Promise.resolve(link);
    },
  };
}
