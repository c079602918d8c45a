// The real host behind its real server, in a process of its own, for the pipeline bench: SQLite, redaction on, WebSocket
// and HTTP on loopback. Everybody is who they say, and nobody is held to a rate.
import { createApply } from '../src/host/kernel/change.ts';
import { join } from 'node:path';
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
import { openSqliteStore } from '../src/store/sqlite/open.ts';
import type { Store } from '../src/store/store.ts';
import { internalSurface } from '../src/surfaces/internal/internal.ts';
import type { Secret } from '../src/surfaces/secret.ts';
import type { Surface } from '../src/surfaces/surface.ts';
import { loopUs, slowerSync } from './measure.ts';

export interface HostServerOptions {
  folder: string;
  agents: number;
  extraSyncMs: number;
  /** Where every platform answers. Missing: no platform is configured. */
  platformsUrl?: string;
}

const SOURCE = 'bench';

const options = JSON.parse(process.argv[2] ?? '{}') as HostServerOptions;

function say(fields: Record<string, unknown>, message: string): void {
  console.error(message, fields);
}

function attention(count: number) {
  const agents = Array.from({ length: count }, (_, index) => ({ id: `agent-${index}`, roles: ['helpers'] }));
  return attentionSettingsSchema.parse({ agents });
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

function openStore(): Promise<Store> {
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

async function answer(host: Host, store: Store, question: { type: string }): Promise<unknown> {
  switch (question.type) {
    case 'drained': {
      // When nothing is queued any more, every acknowledgement is durable.
      for (;;) {
        const [left] = await store.scan('delivery', 'byState', { eq: ['queued'], limit: 1 });
        if (left === undefined) return {};
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    case 'memory':
      globalThis.gc?.();
      return { rss: process.memoryUsage().rss, sessions: host.courier.agents().length };
    case 'cpu':
      return { loopUs: loopUs() };
    case 'stats':
      return store.stats();
    default:
      return {};
  }
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
    log: { debug: () => {}, info: () => {}, warn: say, error: say },
    attention: attention(options.agents),
    settings: hostSettingsSchema.parse({}),
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
  const port = await server.listen('127.0.0.1', 0);
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
    void answer(host, store, question).then((result) => process.send?.(result as object));
  });
}

await main();
