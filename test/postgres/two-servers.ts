// Two hosts on one PostgreSQL, each with a store, an HTTP server and a web chat of its own, in this process. What they
// share is the schema alone.
import { onTestFinished } from 'vitest';
import { attentionSettingsSchema } from '../../src/attention/index.ts';
import { openWebChat } from '../../src/cli/web-chat.ts';
import { createHostStateCodec } from '../../src/host/attend/rebuild-state.ts';
import { createHost, type Host } from '../../src/host/host.ts';
import { createApply } from '../../src/host/kernel/change.ts';
import { createChanges } from '../../src/host/kernel/changes.ts';
import { hostSettingsSchema } from '../../src/host/kernel/settings.ts';
import { NO_INBOUND_LIMITS } from '../../src/host/security/rate-limit.ts';
import { createRedactor } from '../../src/host/security/redact.ts';
import { createTokens, type Tokens } from '../../src/host/security/tokens.ts';
import { createServer } from '../../src/host/server.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import type { Store } from '../../src/store/store.ts';
import { internalSurface } from '../../src/surfaces/internal/internal.ts';
import { sourceSurface } from '../../src/surfaces/source/source.ts';
import { StoreSchema } from './store-schema.ts';

export interface OneServer {
  url: string;
  host: Host;
  store: Store;
  tokens: Tokens;
}

type Settings = Parameters<typeof hostSettingsSchema.parse>[0];

export async function twoServers(
  settings: Settings = {},
): Promise<{ here: OneServer; there: OneServer; schema: StoreSchema }> {
  const schema = new StoreSchema();
  onTestFinished(() => schema.dispose());
  return { here: await serverOn(schema, settings), there: await serverOn(schema, settings), schema };
}

async function serverOn(schema: StoreSchema, settings: Settings): Promise<OneServer> {
  const attention = attentionSettingsSchema.parse({
    agents: [{ id: 'lead' }, { id: 'worker', lead: 'lead' }],
  });
  const store = await schema.open({ codec: createHostStateCodec(attention) });
  const [clock, random, log] = [systemClock, systemRandom, silentLog];
  const changes = await createChanges({ store, clock, log });
  const tokens = createTokens({ store, apply: createApply(store), clock, random, changes });
  const web = openWebChat(store, tokens, attention);
  const { clean, findSecrets } = createRedactor();
  const host = await createHost({
    store,
    clock,
    random,
    log,
    changes,
    attention,
    settings: hostSettingsSchema.parse(settings),
    configVersion: 'v1',
    surfaces: [
      internalSurface('earshot'),
      sourceSurface({ id: 'dev', platform: 'dev', anyPlatform: true, maxChars: 9_999 }),
      web.door,
    ],
    findSecrets,
    rateLimits: NO_INBOUND_LIMITS,
  });
  const server = await createServer({
    host,
    tokens,
    random,
    metrics: createMetrics(),
    clean,
    sources: new Set(['dev']),
    defaultSource: 'dev',
    instance: random.id(),
    wide: false,
    backup: () => Promise.resolve('/nowhere'),
    web,
  });
  onTestFinished(async () => {
    await server.drain();
    changes.stop();
  });
  return { url: `http://127.0.0.1:${await server.listen('127.0.0.1', 0)}`, host, store, tokens };
}

/** A line that Ada says in the channel. */
export function message(id: string, more: Record<string, unknown> = {}) {
  return {
    eventId: id,
    at: Date.now(),
    platform: 'dev',
    workspaceId: 'w',
    conversation: { id: 'general', kind: 'channel' },
    author: { id: 'ada', kind: 'human', displayName: 'Ada' },
    type: 'message',
    text: `this is ${id}`,
    ...more,
  };
}
