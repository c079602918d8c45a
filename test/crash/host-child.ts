// The host that gets killed: a real one, on SQLite, behind a WebSocket on loopback, posting to a platform that lives in
// the parent. It loads its modules, then waits for `open`, so that the next life can be warmed while this one runs.
import { createServer } from 'node:http';
import { flushCompileCache } from 'node:module';
import { attentionSettingsSchema } from '../../src/attention/index.ts';
import { hostStateCodec } from '../../src/host/kernel/conversation.ts';
import { type Host, createHost } from '../../src/host/host.ts';
import { NO_INBOUND_LIMITS } from '../../src/host/security/rate-limit.ts';
import { findSecrets } from '../../src/host/security/redact.ts';
import type { SessionIdentity } from '../../src/host/harness/session.ts';
import { hostSettingsSchema } from '../../src/host/kernel/settings.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import { CHECKPOINT_LIMITS } from '../../src/store/sqlite/checkpoints.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { Store } from '../../src/store/store.ts';
import { internalSurface } from '../../src/surfaces/internal/internal.ts';
import type { OutboundMessage, PostOutcome, Surface } from '../../src/surfaces/surface.ts';
import { attachWebSocket } from '../../src/transport/websocket-server.ts';
import { AGENTS, PLATFORM, type ToChild } from './roles.ts';

type OpenOrder = ToChild & { type: 'open' };

/** A platform that drops no repeats by itself: whoever posts twice is seen twice. */
function httpSurface(url: string): Surface {
  const ask = async (method: 'GET' | 'POST', message: OutboundMessage): Promise<Response> =>
    fetch(`${url}/messages/${encodeURIComponent(message.idempotencyKey)}`, {
      method,
      ...(method === 'POST' ? { body: JSON.stringify(message) } : {}),
    });
  const outcome = async (method: 'GET' | 'POST', message: OutboundMessage): Promise<PostOutcome> => {
    try {
      const response = await ask(method, message);
      if (response.status === 404) return { type: 'absent' };
      if (!response.ok) return { type: 'retry', error: `the platform answered ${response.status}` };
      return { type: 'visible', platformId: await response.text() };
    } catch (error) {
      return { type: 'unknown', error: String(error) };
    }
  };
  return {
    id: PLATFORM,
    platform: PLATFORM,
    capabilities: { ...internalSurface(PLATFORM).capabilities, idempotentForMs: 0 },
    start: () => Promise.resolve(),
    post: (message) => outcome('POST', message),
    react: (reaction) => Promise.resolve({ type: 'visible', platformId: reaction.idempotencyKey }),
    find: (message) => outcome('GET', message),
    stop: () => Promise.resolve(),
  };
}

function complain(fields: Record<string, unknown>, message: string): void {
  console.error(message, fields);
}

async function listen(host: Host): Promise<number> {
  const server = createServer();
  attachWebSocket<SessionIdentity>(server, {
    clock: systemClock,
    path: '/c2a',
    authenticate: (_, token = '') => ({
      ok: true,
      identity: token === PLATFORM ? { kind: 'surface', surface: PLATFORM } : { kind: 'agent', agent: token },
    }),
    onConnection: (transport, who) => {
      host.connect(transport, who).catch((error: unknown) => complain({ error }, 'no session'));
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as { port: number }).port;
}

function openStore({ file, walLimits, unsynced }: OpenOrder): Promise<Store> {
  return openSqliteStore({
    file,
    clock: systemClock,
    codec: hostStateCodec,
    walLimits: walLimits ?? CHECKPOINT_LIMITS,
    wrap: (parts) => (unsynced ? { ...parts, wal: { ...parts.wal, sync: () => Promise.resolve() } } : parts),
  });
}

async function open(order: OpenOrder): Promise<{ host: Host; store: Store; port: number }> {
  const { platformUrl } = order;
  const store = await openStore(order);
  process.send?.({ type: 'stored' });
  const host = await createHost({
    store,
    clock: systemClock,
    random: systemRandom,
    log: { debug: () => {}, info: () => {}, warn: complain, error: complain },
    attention: attentionSettingsSchema.parse({ agents: AGENTS.map((id) => ({ id })) }),
    settings: hostSettingsSchema.parse({ limits: { retryBaseMs: 20, sendsPerMinute: 1_000_000 } }),
    configVersion: 'crash',
    surfaces: [internalSurface('earshot'), httpSurface(platformUrl)],
    findSecrets,
    rateLimits: NO_INBOUND_LIMITS,
  });
  return { host, store, port: await listen(host) };
}

/** Every delivery has ended and everything said is visible. Looked at again with every piece of news. */
async function drained({ host, store }: { host: Host; store: Store }): Promise<void> {
  for (;;) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const unlisten = host.context.bus.listen(() => resolve());
    const left = await Promise.all([
      ...AGENTS.map((agent) => store.scan('delivery', 'openByAgent', { eq: [agent, 1], limit: 1 })),
      ...(['queued', 'sending', 'unknown'] as const).map((state) =>
        store.scan('outbox', 'bySurface', { eq: [PLATFORM, state], limit: 1 }),
      ),
    ]);
    if (left.flat().length > 0) await promise;
    unlisten();
    if (left.flat().length === 0) return;
  }
}

let opened: ReturnType<typeof open> | undefined;

async function obey(message: ToChild): Promise<void> {
  if (message.type === 'open') {
    opened = open(message);
    process.send?.({ type: 'ready', port: (await opened).port });
    return;
  }
  if (opened === undefined) return;
  const running = await opened;
  if (message.type === 'drain') {
    await drained(running);
    process.send?.({ type: 'drained' });
    return;
  }
  await running.host.stop();
  await running.store.close();
  process.exit(0);
}

process.on('disconnect', () => process.exit(1));
process.on('message', (message: ToChild) => {
  obey(message).catch((error: unknown) => {
    complain({ error }, 'the child failed');
    process.exit(1);
  });
});
// It will be killed: the next life finds what this one has compiled.
flushCompileCache();
process.send?.({ type: 'loaded' });
