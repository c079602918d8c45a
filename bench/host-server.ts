// The real host in a process of its own, for the pipeline bench: SQLite, redaction on, WebSocket on loopback.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { attentionSettingsSchema } from '../src/attention/index.ts';
import { hostStateCodec } from '../src/host/conversation.ts';
import { type Host, createHost } from '../src/host/host.ts';
import { findSecrets } from '../src/host/security/redact.ts';
import type { SessionIdentity } from '../src/host/session.ts';
import { hostSettingsSchema } from '../src/host/settings.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { systemRandom } from '../src/runtime/random.ts';
import { openSqliteStore } from '../src/store/sqlite/open.ts';
import type { Store } from '../src/store/store.ts';
import { internalSurface } from '../src/surfaces/internal/internal.ts';
import { attachWebSocket } from '../src/transport/websocket-server.ts';

export interface HostServerOptions {
  folder: string;
  agents: number;
  extraSyncMs: number;
}

const options = JSON.parse(process.argv[2] ?? '{}') as HostServerOptions;

function say(fields: Record<string, unknown>, message: string): void {
  console.error(message, fields);
}

function attention(count: number) {
  const agents = Array.from({ length: count }, (_, index) => ({ id: `agent-${index}`, roles: ['helpers'] }));
  return attentionSettingsSchema.parse({ agents });
}

function openStore(): Promise<Store> {
  return openSqliteStore({
    file: join(options.folder, 'host.db'),
    clock: systemClock,
    codec: hostStateCodec,
    wrap: (parts) => {
      if (options.extraSyncMs === 0) return parts;
      const { wal } = parts;
      const sync = async (): Promise<void> => {
        await wal.sync();
        await new Promise((resolve) => setTimeout(resolve, options.extraSyncMs));
      };
      return { ...parts, wal: { sync, close: () => wal.close() } };
    },
  });
}

async function answer(host: Host, store: Store, question: { type: string }): Promise<unknown> {
  switch (question.type) {
    case 'drained': {
      // Every acknowledgement is durable once nothing is queued any more.
      for (;;) {
        const [left] = await store.scan('delivery', 'byState', { eq: ['queued'], limit: 1 });
        if (left === undefined) return {};
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    case 'memory':
      globalThis.gc?.();
      return { rss: process.memoryUsage().rss, sessions: host.courier.agents().length };
    case 'cpu': {
      const { user, system } = process.cpuUsage();
      return { us: user + system, loopUs: process.threadCpuUsage().user + process.threadCpuUsage().system };
    }
    case 'stats':
      return store.stats();
    default:
      return {};
  }
}

async function main(): Promise<void> {
  const started = performance.now();
  const store = await openStore();
  const host = await createHost({
    store,
    clock: systemClock,
    random: systemRandom,
    log: { debug: () => {}, info: () => {}, warn: say, error: say },
    attention: attention(options.agents),
    settings: hostSettingsSchema.parse({}),
    configVersion: 'bench',
    surfaces: [internalSurface('earshot'), internalSurface('bench')],
    findSecrets,
  });
  const server = createServer();
  attachWebSocket<SessionIdentity>(server, {
    clock: systemClock,
    path: '/c2a',
    authenticate: (_, token = '') => ({
      ok: true,
      identity: token === 'surface' ? { kind: 'surface', surface: 'bench' } : { kind: 'agent', agent: token },
    }),
    onConnection: (transport, who) => {
      host.connect(transport, who).catch((error: unknown) => say({ error }, 'no session'));
    },
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as { port: number };
    process.send?.({ port, readyMs: performance.now(), openMs: performance.now() - started });
  });
  process.on('message', (question: { type: string }) => {
    if (question.type === 'stop') {
      host
        .stop()
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
