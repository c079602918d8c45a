// The same host in this process: memory store, virtual clock, a real socket. For what needs time to pass or a look
// inside.
import { createApply } from '../../../src/host/kernel/change.ts';
import { onTestFinished } from 'vitest';
import { attentionSettingsSchema } from '../../../src/attention/index.ts';
import { openWebChat } from '../../../src/cli/web-chat.ts';
import { hostStateCodec } from '../../../src/host/kernel/conversation.ts';
import { createHost } from '../../../src/host/host.ts';
import { createRedactor } from '../../../src/host/security/redact.ts';
import { createTokens } from '../../../src/host/security/tokens.ts';
import { createServer } from '../../../src/host/server.ts';
import { hostSettingsSchema } from '../../../src/host/kernel/settings.ts';
import { VirtualClock } from '../../../src/runtime/clock.ts';
import { silentLog } from '../../../src/runtime/log.ts';
import { createMetrics } from '../../../src/runtime/metrics.ts';
import { systemRandom } from '../../../src/runtime/random.ts';
import { openMemoryStore } from '../../../src/store/memory/open.ts';
import { internalSurface } from '../../../src/surfaces/internal/internal.ts';
import { signIn, type SignedIn } from './tab.ts';

export interface OfficePerson extends SignedIn {
  token: string;
  key: string;
}

export async function office(
  options: { page?: string; allowedHosts?: string[]; trustedProxies?: string[]; retentionMs?: number } = {},
) {
  const clock = new VirtualClock(Date.parse('2026-06-02T09:00:00Z'));
  const store = openMemoryStore({ clock, codec: hostStateCodec });
  const tokens = createTokens({ store, apply: createApply(store), clock, random: systemRandom });
  const attention = attentionSettingsSchema.parse({
    agents: [
      { id: 'lead', name: 'Lead', roles: ['oncall'] },
      { id: 'builder', aliases: ['build bot'] },
    ],
  });
  const web = openWebChat(store, tokens, attention);
  const { clean, findSecrets } = createRedactor();
  const host = await createHost({
    store,
    clock,
    random: systemRandom,
    log: silentLog,
    attention,
    settings: hostSettingsSchema.parse({
      allowedHosts: options.allowedHosts ?? [],
      trustedProxies: options.trustedProxies ?? [],
      limits: options.retentionMs === undefined ? {} : { retentionMs: options.retentionMs },
    }),
    configVersion: 'v1',
    surfaces: [internalSurface('earshot'), web.door],
    findSecrets,
  });
  const server = await createServer({
    host,
    tokens,
    random: systemRandom,
    metrics: createMetrics(),
    clean,
    sources: new Set(),
    defaultSource: 'dev',
    instance: 'test',
    wide: false,
    backup: () => Promise.resolve('/nowhere'),
    web,
    ...(options.page === undefined ? {} : { page: options.page }),
  });
  const port = await server.listen('127.0.0.1', 0);
  const url = `http://127.0.0.1:${port}`;
  onTestFinished(async () => {
    await server.drain();
    await store.close();
  });
  const person = async (subject: string, label = subject): Promise<OfficePerson> => {
    const { token, row } = await tokens.issue({ kind: 'person', subject, label });
    return { ...(await signIn(url, token)), token, key: row.key };
  };
  const signInAgain = (who: OfficePerson, from = who.tab.position): Promise<SignedIn> =>
    signIn(url, who.token, from);
  return { clock, store, tokens, host, server, web, url, person, signInAgain };
}
