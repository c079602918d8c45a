// The real host behind its real server, in a process of its own, for the pipeline bench: SQLite, redaction on, WebSocket
// and HTTP on loopback. Everybody is who they say, and nobody is held to a rate.
import { createApply } from '../src/host/kernel/change.ts';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openPlatforms, surfacesSchema } from '../src/cli/platforms.ts';
import { attentionSettingsSchema } from '../src/attention/index.ts';
import { hostStateCodec } from '../src/host/kernel/conversation.ts';
import { type Host, createHost } from '../src/host/host.ts';
import { NO_INBOUND_LIMITS } from '../src/host/security/rate-limit.ts';
import { findSecrets } from '../src/host/security/redact.ts';
import { SCOPES_OF } from '../src/host/security/scopes.ts';
import { type Tokens, createTokens } from '../src/host/security/tokens.ts';
import { createServer } from '../src/host/server.ts';
import { hostSettingsSchema } from '../src/host/kernel/settings.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { createMetrics } from '../src/runtime/metrics.ts';
import { systemRandom } from '../src/runtime/random.ts';
import { aTurn } from '../src/runtime/schedule.ts';
import { pauseFor } from '../src/store/postgres/connections.ts';
import { openPostgresStore } from '../src/store/postgres/open.ts';
import { openSqliteStore } from '../src/store/sqlite/open.ts';
import type { Store } from '../src/store/store.ts';
import { internalSurface } from '../src/surfaces/internal/internal.ts';
import type { Secret } from '../src/surfaces/secret.ts';
import type { Surface } from '../src/surfaces/surface.ts';
import { loopUs, processUs, slowerSync } from './measure.ts';
import { type Health, settled, watchHealth } from './soak/health.ts';

export interface HostServerOptions {
  folder: string;
  agents: number;
  extraSyncMs: number;
  /** Where every platform answers. Missing: no platform is configured. */
  platformsUrl?: string;
  /** The store is this schema of a PostgreSQL database. Missing: a SQLite file in the folder. */
  postgres?: { url: string; schema: string };
  /** How long agents have to answer, where that is not as usual. */
  deadlineMs?: number;
  /** Of the host's settings, where they are not as usual. */
  host?: object;
  /** Its health is measured, and asked for with `health`. */
  watch?: boolean;
  /** Bytes that are kept for good at each event, in the heap and outside it. */
  leakBytes?: number;
  nativeLeakBytes?: number;
}

const SOURCE = 'bench';
/** Each look is a statement of the database. */
const LOOK_MS = 5;

const options = JSON.parse(process.argv[2] ?? '{}') as HostServerOptions;

let complaints = 0;

function say(fields: Record<string, unknown>, message: string): void {
  console.error(message, fields);
}

function complain(fields: Record<string, unknown>, message: string): void {
  complaints++;
  say(fields, message);
}

function attention(count: number) {
  const agents = Array.from({ length: count }, (_, index) => ({ id: `agent-${index}`, roles: ['helpers'] }));
  const { deadlineMs } = options;
  return attentionSettingsSchema.parse({
    agents,
    ...(deadlineMs === undefined ? {} : { limits: { deadlineMs } }),
  });
}

function byName(tokens: Tokens): Tokens {
  return {
    ...tokens,
    authenticate: (token) => {
      const kind = token === 'surface' ? 'surface' : 'agent';
      const subject = kind === 'surface' ? SOURCE : token;
      const scopes = SCOPES_OF[kind].usual;
      return Promise.resolve({ ok: true, identity: { kind, subject, scopes, key: token } });
    },
  };
}

let units = 0;

/** Counts what is handed to the store. */
function counted(store: Store): Store {
  const transact = store.transact.bind(store);
  store.transact = (unit) => {
    units++;
    return transact(unit);
  };
  return store;
}

async function openStore(): Promise<Store> {
  const { postgres } = options;
  if (postgres !== undefined)
    return counted(await openPostgresStore({ ...postgres, clock: systemClock, codec: hostStateCodec }));
  return openSqliteStore({
    file: join(options.folder, 'host.db'),
    clock: systemClock,
    codec: hostStateCodec,
    wrap: (parts) => slowerSync(parts, options.extraSyncMs),
  });
}

const secret = (name: string): Secret => ({ name, read: () => Promise.resolve('bench') });

/** The platforms' own adapters, logged in. */
function openConfigured(url: string): Promise<Surface[]> {
  const settings = surfacesSchema.parse([
    { type: 'slack', events: 'http', apiUrl: `${url}/slack/` },
    { type: 'github', events: 'webhook', repositories: ['acme/app'], apiUrl: `${url}/github` },
  ]);
  return openPlatforms(settings, { clock: systemClock, secret });
}

async function answer(
  host: Host,
  store: Store,
  health: Health | undefined,
  question: { type: string; collect?: boolean },
): Promise<unknown> {
  switch (question.type) {
    case 'drained': {
      // When nothing is queued any more, every acknowledgement is durable.
      for (;;) {
        const [left] = await store.scan('delivery', 'byState', { eq: ['queued'], limit: 1 });
        if (left === undefined) return {};
        await (options.postgres === undefined ? aTurn() : pauseFor(LOOK_MS));
      }
    }
    case 'memory':
      globalThis.gc?.();
      return { rss: process.memoryUsage().rss, sessions: host.courier.agents().length };
    case 'cpu':
      return { loopUs: loopUs(), processUs: processUs(), units };
    case 'stats':
      return store.stats();
    case 'health':
      return { ...(await health?.read(question.collect === true)), complaints };
    case 'settled':
      return { left: await settled(host) };
    default:
      return {};
  }
}

const BYTES_A_NUMBER = 8;

/** For the test that a soak sees a leak. */
function leak(host: Host, bytes: number): void {
  const kept: number[][] = [];
  host.context.bus.listen(({ type }) => {
    if (type === 'logged') kept.push(Array.from({ length: bytes / BYTES_A_NUMBER }, Math.random));
  });
}

/** The same in memory of which V8 knows nothing: SQLite's. */
function leakOutside(host: Host, bytes: number): void {
  const kept = new DatabaseSync(':memory:');
  kept.exec('CREATE TABLE kept (bytes BLOB)');
  const keep = kept.prepare('INSERT INTO kept VALUES (zeroblob(?))');
  host.context.bus.listen(({ type }) => {
    if (type === 'logged') keep.run(bytes);
  });
}

async function main(): Promise<void> {
  const started = performance.now();
  const store = await openStore();
  const { platformsUrl } = options;
  const platforms = platformsUrl === undefined ? [] : await openConfigured(platformsUrl);
  const host = await createHost({
    store,
    clock: systemClock,
    random: systemRandom,
    log: { debug: () => {}, info: () => {}, warn: say, error: complain },
    attention: attention(options.agents),
    settings: hostSettingsSchema.parse(options.host ?? {}),
    configVersion: 'bench',
    surfaces: [internalSurface('earshot'), internalSurface(SOURCE), ...platforms],
    findSecrets,
    rateLimits: NO_INBOUND_LIMITS,
  });
  const server = await createServer({
    host,
    tokens: byName(
      createTokens({ store, apply: createApply(store), clock: systemClock, random: systemRandom }),
    ),
    random: systemRandom,
    metrics: createMetrics(),
    clean: (text) => text,
    sources: new Set([SOURCE]),
    defaultSource: SOURCE,
    instance: 'bench',
    wide: false,
    backup: () => Promise.reject(new Error('not in a bench')),
  });
  const health =
    options.watch === true ? watchHealth(host, join(options.folder, 'host.db'), SOURCE) : undefined;
  const { leakBytes = 0, nativeLeakBytes = 0 } = options;
  if (leakBytes > 0) leak(host, leakBytes);
  if (nativeLeakBytes > 0) leakOutside(host, nativeLeakBytes);
  const port = await server.listen('127.0.0.1', 0);
  // A node takes no sessions before the database has heard of it.
  while (!store.nodes.isAwake()) await pauseFor(LOOK_MS);
  process.send?.({ port, readyMs: performance.now(), openMs: performance.now() - started });
  process.on('message', (question: { type: string }) => {
    if (question.type === 'stop') {
      server
        .drain()
        .then(() => store.close())
        .then(
          () => process.exit(0),
          () => process.exit(1),
        );
      return;
    }
    void answer(host, store, health, question).then((result) => process.send?.(result as object));
  });
}

await main();
