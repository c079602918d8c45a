// A host with its HTTP app and no socket: memory store, virtual clock, requests by inject.
import { createApply } from '../../src/host/kernel/change.ts';
import type { InjectOptions } from 'fastify';
import { onTestFinished } from 'vitest';
import { type AttentionSettingsInput, attentionSettingsSchema } from '../../src/attention/index.ts';
import { hostStateCodec } from '../../src/host/kernel/conversation.ts';
import { createHost, type HostOptions } from '../../src/host/host.ts';
import type { InboundRates } from '../../src/host/security/rate-limit.ts';
import { createRedactor } from '../../src/host/security/redact.ts';
import { createTokens } from '../../src/host/security/tokens.ts';
import { createServer } from '../../src/host/server.ts';
import { hostSettingsSchema } from '../../src/host/kernel/settings.ts';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import { openMemoryStore } from '../../src/store/memory/open.ts';
import type { Store } from '../../src/store/store.ts';
import { internalSurface } from '../../src/surfaces/internal/internal.ts';
import { sourceSurface } from '../../src/surfaces/source/source.ts';
import type { Surface } from '../../src/surfaces/surface.ts';

export interface FixtureOptions {
  host?: Record<string, unknown>;
  attention?: AttentionSettingsInput;
  rateLimits?: Partial<InboundRates>;
  wrapStore?: (store: Store) => Store;
  log?: HostOptions['log'];
  wide?: boolean;
  /** Further surfaces. */
  surfaces?: readonly Surface[];
}

export const START = Date.parse('2026-06-02T09:00:00Z');

export async function fixture(options: FixtureOptions = {}) {
  const clock = new VirtualClock(START);
  const memory = openMemoryStore({ clock, codec: hostStateCodec });
  const store = options.wrapStore?.(memory) ?? memory;
  const tokens = createTokens({ store: memory, apply: createApply(memory), clock, random: systemRandom });
  const attention = attentionSettingsSchema.parse(
    options.attention ?? { agents: [{ id: 'lead' }, { id: 'builder', lead: 'lead' }] },
  );
  const settings = hostSettingsSchema.parse(options.host ?? {});
  const { clean, findSecrets } = createRedactor();
  const surfaces = [
    internalSurface('earshot'),
    sourceSurface({ id: 'dev', platform: 'dev', anyPlatform: true, maxChars: 9_999 }),
    sourceSurface({ id: 'other', platform: 'other', maxChars: 9_999 }),
    ...(options.surfaces ?? []),
  ];
  const log = options.log ?? silentLog;
  const host = await createHost({
    store,
    clock,
    random: systemRandom,
    log,
    attention,
    settings,
    configVersion: 'v1',
    surfaces,
    findSecrets,
    ...(options.rateLimits === undefined ? {} : { rateLimits: options.rateLimits }),
  });
  const server = await createServer({
    host,
    tokens,
    random: systemRandom,
    metrics: createMetrics(),
    clean,
    sources: new Set(['dev', 'other']),
    defaultSource: 'dev',
    instance: 'test',
    wide: options.wide ?? false,
    backup: () => Promise.resolve('/nowhere'),
  });
  const issue = async (kind: 'agent' | 'surface' | 'operator', subject: string) =>
    (await tokens.issue({ kind, subject, label: '' })).token;
  const token = {
    operator: await issue('operator', 'ops'),
    dev: await issue('surface', 'dev'),
    other: await issue('surface', 'other'),
    stranger: await issue('surface', 'stranger'),
    lead: await issue('agent', 'lead'),
    builder: await issue('agent', 'builder'),
    ghost: await issue('agent', 'ghost'),
  };
  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    as?: keyof typeof token,
    payload?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const request: InjectOptions = {
      method,
      url,
      headers: {
        ...(as === undefined ? {} : { authorization: `Bearer ${token[as]}` }),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload === undefined
        ? {}
        : { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
    };
    const response = await server.app.inject(request);
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      body: jsonOf(response.body),
    };
  };
  onTestFinished(async () => {
    await server.drain();
    await memory.close();
  });
  const rpc = async (as: 'lead' | 'builder', method: string, params: unknown = {}) =>
    (await call('POST', '/c2a', as, { jsonrpc: '2.0', id: 1, method, params })).body as Rpc;
  const tool = async (as: 'lead' | 'builder', name: string, args: unknown) =>
    (await rpc(as, 'tools/call', { name, arguments: args })).result as {
      isError?: boolean;
      structuredContent: Record<string, unknown>;
    };
  return { clock, host, server, store: memory, tokens, token, call, rpc, tool };
}
interface Rpc {
  result?: unknown;
  error?: { message: string };
}
export type Fixture = Awaited<ReturnType<typeof fixture>>;

/** Every method of a store, to be overridden one by one. */
export function delegate(store: Store): Store {
  return {
    clock: store.clock,
    transact: (unit) => store.transact(unit),
    get: (table, key) => store.get(table, key),
    scan: (table, index, range) => store.scan(table, index, range),
    state: (key) => store.state(key),
    dueStates: (until, limit) => store.dueStates(until, limit),
    stateKeys: (prefix, after, limit) => store.stateKeys(prefix, after, limit),
    search: (words, limit) => store.search(words, limit),
    horizon: () => store.horizon(),
    nodes: store.nodes,
    log: store.log,
    ready: () => store.ready(),
    stats: () => store.stats(),
    check: () => store.check(),
    backup: (file) => store.backup(file),
    close: () => store.close(),
  };
}

let count = 0;
export function message(text: string, more: Record<string, unknown> = {}) {
  return {
    eventId: `m${++count}`,
    at: START,
    platform: 'dev',
    workspaceId: 'w',
    conversation: { id: 'general', kind: 'channel' },
    author: { id: 'ada', kind: 'human', displayName: 'Ada' },
    type: 'message',
    text,
    ...more,
  };
}

export function send(eventId: string, more: Record<string, unknown> = {}) {
  return {
    target: 'channel:general',
    text: 'Looking at it now, a moment please.',
    inReplyTo: eventId,
    visibility: 'channel',
    directedness: 'ambient',
    idempotencyKey: `k-${eventId}`,
    ...more,
  };
}

function jsonOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
