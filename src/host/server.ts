// The server around a running host: HTTP, WebSockets, webhooks and the web chat. It stops in this order: /readyz fails
// and new events, calls and connections are refused; long polls and streams end; running requests finish; the host
// stops; the socket closes. The caller of `drain` sets the time limit.
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../runtime/metrics.ts';
import { type Descriptors, isOutOfDescriptors, systemDescriptors } from '../runtime/descriptors.ts';
import { systemClock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import { nextTurn } from '../runtime/schedule.ts';
import type { Host } from './host.ts';
import { createPairing } from './security/pairing.ts';
import { leakOf, leakWords } from './security/refused-token.ts';
import { roomFor } from './security/stranger-limits.ts';
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
import { storeId } from './kernel/store-id.ts';
import { watchDescriptors } from './http/descriptor-watch.ts';
import { createResting } from './http/resting.ts';
import { Strangers } from './http/strangers.ts';
import { countHost } from './operator/host-metrics.ts';
import { createDifferences } from './operator/settings-difference.ts';
import { createSettingsDesk, type SettingsDesk } from './operator/settings-desk.ts';
import type { SettingsPort } from './operator/settings-port.ts';
import { settingsRoutes } from './operator/routes/settings.ts';
import { tuneRoutes } from './operator/routes/tune.ts';
import { startWebhooks } from './harness/webhook-harness.ts';
import { prepareWebChat, type WebChat } from './web-chat/serve.ts';
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
  settingsRoutes,
  tuneRoutes,
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
  /** The file with the settings, if they come from one. */
  settings?: SettingsPort;
  /** The web chat, if this host has one. */
  web?: WebChat;
  /** The folder of the built page, served at `/`. */
  page?: string;
  /** Default: those of the process. */
  descriptors?: Descriptors;
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
  const { host, metrics, random, settings: file, ...rest } = options;
  const { store, apply, clock, log, settings, changes } = host.context;
  const descriptors = options.descriptors ?? systemDescriptors();
  const room = roomFor(descriptors.limit, (await descriptors.open()) ?? 0);
  const going = new AbortController();
  const context: ServerContext = {
    ...rest,
    host,
    metrics,
    clock,
    pairing: createPairing({ store, apply, clock, random, changes }),
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
    resting: createResting(clock),
    strangers: new Strangers({ clock, room, trustedProxies: settings.trustedProxies, metrics, log }),
    descriptors: watchDescriptors({ descriptors, room, clock, metrics, log }),
    ...(file !== undefined && { desk: deskOf(host, file, random, going.signal) }),
  };
  const { desk } = context;
  if (desk !== undefined) changes.follow('settings', () => desk.follow());
  const unlisten = host.context.bus.listen((news) => {
    if (news.type === 'token_revoked') options.tokens.noteRevoked(news.row);
  });
  const unwatch = options.tokens.listen((row) => {
    if (row.revokedAt === null) return;
    const leak = leakOf(row);
    context.connections.closeAll(row.key, leak === undefined ? undefined : leakWords(leak));
  });
  const chat =
    options.web === undefined ? undefined : prepareWebChat(context, options.web, await storeId(host.context));
  const app = createApp(context, chat === undefined ? ROUTES : [...ROUTES, chat.routes]);
  const underWay = countRequests(app);
  const counting = countHost(metrics, host, [...options.sources.keys()]);
  const webhooks = await startWebhooks(host);
  await app.ready();
  context.strangers.watch(app.server);
  const sockets = serveWebSocket(app.server, context);
  const tabs = chat?.serve(app.server);
  return {
    app,
    context,
    async listen(address, port) {
      await app.listen({ host: address, port, backlog: room.backlog });
      app.server.on('error', (error) => {
        if (isOutOfDescriptors(error)) context.descriptors.failed();
        else log.error({ err: error }, 'a connection could not be accepted');
      });
      context.descriptors.start();
      return (app.server.address() as AddressInfo).port;
    },
    async drain() {
      if (going.signal.aborted) return;
      going.abort();
      store.nodes.announce({ draining: true });
      // Whoever asks again on an open connection is told to go elsewhere, instead of being cut.
      const told = store.nodes.count() > 1 ? pause(NOTICE_MS) : undefined;
      sockets.detach();
      await tabs?.close();
      await underWay.none();
      webhooks.stop();
      await host.stop();
      counting.stop();
      unlisten();
      unwatch();
      context.strangers.stop();
      await told;
      await leave(app.server, underWay);
      await app.close();
      context.descriptors.stop();
    },
  };
}

function deskOf(host: Host, port: SettingsPort, random: Random, signal: AbortSignal): SettingsDesk {
  return createSettingsDesk({ host, port, differences: createDifferences(host.context, random, signal) });
}

/** So long a node that is not alone still answers, so that callers with open connections learn that it stops. */
const NOTICE_MS = 1_000;
/** For a request on a connection that was taken last. */
const LAST_REQUESTS_MS = 100;

/** Listens no more. Whoever came a moment before is answered. */
async function leave(
  server: FastifyInstance['server'],
  underWay: { none: () => Promise<void> },
): Promise<void> {
  // The end of a turn: all connections that wait to be taken were taken in it. Those left over would be cut.
  await new Promise<void>((resolve) => nextTurn(resolve));
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  const open = await new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  if (open > 0) await pause(LAST_REQUESTS_MS);
  await underWay.none();
  // Nothing is being answered any more. A connection on which nobody has asked anything would stay for a minute.
  server.closeAllConnections();
  await closed;
}

/** Of the system, as the callers' time is: a test's clock may stand still while a host stops. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void systemClock.after(ms, resolve));
}

/** Counts the requests that are being answered. `none` resolves when there are none. */
function countRequests(app: FastifyInstance): { none: () => Promise<void> } {
  const open = new Set<string>();
  let wake: (() => void) | undefined;
  const ended = (id: string): void => {
    if (open.delete(id) && open.size === 0) wake?.();
  };
  app.addHook('onRequest', (request, reply, done) => {
    // Its caller has gone while it waited to be looked at: nothing would say that it has ended.
    if (!reply.raw.closed) {
      open.add(request.id);
      reply.raw.once('close', () => ended(request.id));
    }
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
