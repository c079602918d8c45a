// The server around a running host: HTTP, WebSockets, webhooks and the web chat. It stops in this order: /readyz fails
// and new events, calls and connections are refused; long polls and streams end; running requests finish; the host
// stops; the socket closes. The caller of `drain` sets the time limit.
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../runtime/metrics.ts';
import type { Random } from '../runtime/random.ts';
import type { Host } from './host.ts';
import { createPairing } from './security/pairing.ts';
import type { Tokens } from './security/tokens.ts';
import { type Routes, createApp } from './http/app.ts';
import { mcpRoutes } from './mcp/mcp-routes.ts';
import { accessRoutes } from './operator/routes/access.ts';
import { actRoutes } from './operator/routes/act.ts';
import { c2aRoutes } from './http/routes/c2a.ts';
import { deliveryRoutes } from './operator/routes/deliveries.ts';
import { eventRoutes } from './http/routes/events.ts';
import { healthRoutes } from './operator/routes/health.ts';
import { inboxRoutes } from './operator/routes/inbox.ts';
import { logRoutes } from './operator/routes/log.ts';
import { outboxFileRoutes } from './http/routes/outbox-files.ts';
import { outboxRoutes } from './http/routes/outbox.ts';
import { overviewRoutes } from './operator/routes/overview.ts';
import { pageRoutes } from './http/routes/page.ts';
import { replayRoutes } from './operator/routes/replay.ts';
import { surfaceRequestRoutes } from './http/routes/surface-requests.ts';
import { statsRoutes } from './operator/routes/stats.ts';
import { streamRoutes } from './operator/routes/stream.ts';
import { whyRoutes } from './operator/routes/why.ts';
import { createConnections, type ServerContext } from './http/context.ts';
import { countHost } from './operator/host-metrics.ts';
import { startWebhooks } from './harness/webhook-harness.ts';
import { serveWebChat, type WebChat } from './web-chat/serve.ts';
import { serveWebSocket } from './http/websocket.ts';

const ROUTES: readonly Routes[] = [
  accessRoutes,
  actRoutes,
  c2aRoutes,
  deliveryRoutes,
  eventRoutes,
  healthRoutes,
  inboxRoutes,
  logRoutes,
  mcpRoutes,
  outboxRoutes,
  outboxFileRoutes,
  overviewRoutes,
  pageRoutes,
  replayRoutes,
  statsRoutes,
  streamRoutes,
  surfaceRequestRoutes,
  whyRoutes,
];

export interface ServerOptions {
  host: Host;
  tokens: Tokens;
  random: Random;
  metrics: Metrics;
  clean: (text: string) => string;
  sources: ServerContext['sources'];
  defaultSource: string;
  instance: string;
  wide: boolean;
  backup: () => Promise<string>;
  /** The web chat, if this host has one. */
  web?: WebChat;
  /** The folder of the built page, served at `/`. */
  page?: string;
}

export interface HostServer {
  app: FastifyInstance;
  context: ServerContext;
  /** Resolves to the port. Rejects with the system's error, such as EADDRINUSE. */
  listen(host: string, port: number): Promise<number>;
  /** Refuses new work. Resolves when running work has ended and the host has stopped. */
  drain(): Promise<void>;
}

export async function createServer(options: ServerOptions): Promise<HostServer> {
  const { host, metrics, random } = options;
  const { store, apply, clock } = host.context;
  const going = new AbortController();
  const context: ServerContext = {
    ...options,
    clock,
    pairing: createPairing({ store, apply, clock, random }),
    counts: {
      ingest: metrics.counter('earshot_ingest_total', 'Events posted over HTTP, by source and outcome.'),
      http: metrics.counter('earshot_http_requests_total', 'HTTP requests, by route and status.'),
    },
    drain: {
      get draining() {
        return going.signal.aborted;
      },
      signal: going.signal,
    },
    connections: createConnections(),
  };
  const unlisten = host.context.bus.listen((news) => {
    if (news.type !== 'token_revoked') return;
    options.tokens.noteRevoked(news.row);
    context.connections.closeAll(news.row.key);
  });
  const app = createApp(context, ROUTES);
  const underWay = countRequests(app);
  const counting = countHost(metrics, host, [...options.sources.keys()]);
  const webhooks = await startWebhooks(host);
  await app.ready();
  const sockets = serveWebSocket(app.server, context);
  const tabs = options.web === undefined ? undefined : serveWebChat(app.server, context, options.web);
  return {
    app,
    context,
    async listen(address, port) {
      await app.listen({ host: address, port });
      return (app.server.address() as AddressInfo).port;
    },
    async drain() {
      if (going.signal.aborted) return;
      going.abort();
      sockets.detach();
      await tabs?.close();
      await underWay.none();
      webhooks.stop();
      await host.stop();
      counting.stop();
      unlisten();
      await app.close();
    },
  };
}

/** Counts the requests that are being answered. `none` resolves when there are none. */
function countRequests(app: FastifyInstance): { none: () => Promise<void> } {
  const open = new Set<string>();
  let wake: (() => void) | undefined;
  const ended = (id: string): void => {
    if (open.delete(id) && open.size === 0) wake?.();
  };
  app.addHook('onRequest', (request, reply, done) => {
    open.add(request.id);
    reply.raw.once('close', () => ended(request.id));
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    ended(request.id);
    done();
  });
  return {
    none: () =>
      new Promise((resolve) => {
        if (open.size === 0) resolve();
        else wake = resolve;
      }),
  };
}
