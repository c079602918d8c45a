// Starts a host with everything it needs: data folder, store, tokens, surfaces, server. Wiring only. When a step fails,
// everything opened before is closed again in reverse order.
import { join } from 'node:path';
import { createHost } from '../host/host.ts';
import { checkListen } from '../host/security/http-guard.ts';
import { createRedactor } from '../host/security/redact.ts';
import { createApply } from '../host/kernel/change.ts';
import { ALONE, type Changes, createChanges } from '../host/kernel/changes.ts';
import { createTokens, type Tokens } from '../host/security/tokens.ts';
import type { SettingsDesk } from '../host/operator/settings-desk.ts';
import { createServer, type HostServer } from '../host/server.ts';
import { systemClock } from '../runtime/clock.ts';
import { createLog, type Log, type LogLevel } from '../runtime/log.ts';
import { VERSION } from '../runtime/manifest.ts';
import { createMetrics, measureEventLoop, type Metrics } from '../runtime/metrics.ts';
import { systemRandom } from '../runtime/random.ts';
import { machineName, systemUser } from '../runtime/system-user.ts';
import { watchClock } from '../runtime/steady-clock.ts';
import { watchFile } from '../runtime/watch-file.ts';
import type { Store } from '../store/store.ts';
import { backupsDir, type DevelopmentTokens, forgetRunning, makeDataDir, writeRunning } from './data-dir.ts';
import { developmentTokens } from './development-tokens.ts';
import type { HostFlags, ResolvedConfig } from './host-config.ts';
import { CommandError } from './io.ts';
import { listenSomewhere } from './listen.ts';
import { opinionModel } from './opinion-model.ts';
import { openStore } from './open-store.ts';
import { openPlatforms } from './platforms.ts';
import { secretsOf } from './secrets.ts';
import { type SettingsFile, settingsFile } from './settings-file.ts';
import { startSettings } from './shared-settings.ts';
import { passwordOf } from './store-address.ts';
import { DEV_SOURCE, openSurfaces } from './surfaces.ts';
import { openWebChat, pageDir } from './web-chat.ts';

export interface StartOptions {
  config: ResolvedConfig;
  /** The flags that count before the file, also when it changes. */
  flags?: HostFlags;
  /** Where secrets may be kept. */
  env: Readonly<Record<string, string | undefined>>;
  log: { write: (line: string) => void; level: LogLevel; pretty: boolean };
}

export interface Started {
  url: string;
  /** The requested port, if it was busy. */
  busyPort: number | undefined;
  tokens: DevelopmentTokens | undefined;
  log: Log;
  /** Whether a program answers for this agent now. */
  isConnected: (agent: string) => boolean;
  /** Resolves when the store has stopped for good, with the reason. The process should end then, without `stop`. */
  broken: Promise<Error>;
  /** Takes the settings of the file as they are now. */
  reload(by: string): Promise<void>;
  /** Closes everything, in order. */
  stop(): Promise<void>;
}

export async function start({ config: own, flags = {}, env, log: logTo }: StartOptions): Promise<Started> {
  const { dataDir } = own.host;
  const secrets = [...own.host.sources, ...own.host.webhooks].flatMap(({ secret }) => secret ?? []);
  const password = own.store === undefined ? undefined : passwordOf(own.store);
  if (password !== undefined) secrets.push(password);
  const redactor = createRedactor({ exact: secrets });
  const log = createLog({ ...logTo, clean: redactor.clean, clock: systemClock });
  let node: string | undefined;
  const metrics = createMetrics(() => (node === undefined ? {} : { node }));
  makeDataDir(dataDir);
  const { promise: broken, resolve: onStop } = Promise.withResolvers<Error>();
  const store = await openStore({ config: own, metrics, log, onStop });
  node = store.nodes.id;
  let server: HostServer | undefined;
  let changes = ALONE;
  try {
    const { config, unwritten } = await startSettings({ config: own, flags, env, store, log });
    const { host: settings } = config;
    if (store.nodes.id !== undefined) changes = await createChanges({ store, clock: systemClock, log });
    const tokens = createTokens({
      changes,
      store,
      apply: createApply(store),
      clock: systemClock,
      random: systemRandom,
    });
    const wide = await mayListen(settings.listen.host, tokens);
    const agents = config.attention.agents.map(({ id }) => id);
    const user = systemUser();
    const made = await developmentTokens({ dataDir, tokens, agents, source: DEV_SOURCE, user, log });
    const file = settingsFile({
      running: config,
      unwritten,
      flags,
      env,
      async before({ attention, settings: { webhooks } }) {
        for (const { secret } of webhooks) redactor.learn(secret);
        const ids = attention.agents.map(({ id }) => id);
        await developmentTokens({ dataDir, tokens, agents: ids, source: DEV_SOURCE, user, log });
      },
    });
    server = await serve({ config, env, store, changes, tokens, metrics, log, redactor, wide, file });
    const up = await announce(config, store, server, made, log);
    const { desk } = server.context;
    const reload = reloader(desk, log);
    const unwatch = watchFile(file.home, systemClock, () => void reload('file'));
    const stop = async (): Promise<void> => {
      unwatch();
      await up.stop();
    };
    return { ...up, stop, reload, broken };
  } catch (error) {
    await server?.drain();
    changes.stop();
    await store.close();
    throw error;
  }
}

/** A change of the file, or a signal. What is wrong with the file is logged, and the settings in force stay. */
function reloader(desk: SettingsDesk | undefined, log: Log): Started['reload'] {
  return async (by) => {
    try {
      await desk?.look({ by, way: 'file' });
    } catch (error) {
      log.error({ err: error }, 'the settings could not be taken; those in force stay');
    }
  };
}

/** How soon an idle host notices that the system's clock was set. */
const LOOK_AT_CLOCK_MS = 5_000;

/** Listens, and writes the address down for the other commands. */
async function announce(
  { host: settings, attention, version, portGivenBy }: ResolvedConfig,
  store: Store,
  server: HostServer,
  tokens: DevelopmentTokens | undefined,
  log: Log,
): Promise<Omit<Started, 'broken' | 'reload'>> {
  const { dataDir, listen } = settings;
  const { port, busyPort } = await listenSomewhere(server, listen, portGivenBy);
  const url = `http://${urlHost(listen.host)}:${port}`;
  const { instance } = server.context;
  writeRunning(dataDir, { url, instance, pid: process.pid });
  // Others know the machine by its name.
  const shown = isWild(listen.host) ? `http://${machineName()}:${port}` : url;
  store.nodes.announce({ url: shown, version: VERSION, config: version });
  const agents = attention.agents.map(({ id }) => id);
  const endWatch = watchClock(store.clock, systemClock, LOOK_AT_CLOCK_MS);
  log.info({ url, dataDir, configVersion: version.slice(0, 12), agents }, 'the host is up');
  return {
    url,
    busyPort,
    tokens,
    log,
    isConnected: (agent) => server.context.host.courier.connected(agent),
    async stop() {
      endWatch();
      await server.drain();
      server.context.host.context.changes.stop();
      forgetRunning(dataDir, instance);
      await store.close();
      log.info({}, 'the host is down');
    },
  };
}

async function mayListen(address: string, tokens: Tokens): Promise<boolean> {
  const listen = checkListen({ host: address, tokensExist: await tokens.exist() });
  if (listen.ok) return listen.wide;
  throw new CommandError(
    1,
    `not listening on ${address}: others could reach it and there is no token to keep them out. ` +
      'Make one first with "earshot token create --kind operator --subject NAME", or listen on 127.0.0.1',
  );
}

interface Serve {
  config: ResolvedConfig;
  env: StartOptions['env'];
  store: Store;
  changes: Changes;
  tokens: Tokens;
  metrics: Metrics;
  log: Log;
  redactor: ReturnType<typeof createRedactor>;
  wide: boolean;
  file: SettingsFile;
}

async function serve({
  config,
  env,
  store,
  changes,
  tokens,
  metrics,
  log,
  redactor,
  wide,
  file: settingsText,
}: Serve): Promise<HostServer> {
  const { attention, host: settings, version } = config;
  const rows = await tokens.list();
  const subjects = rows.flatMap(({ kind, subject, revokedAt }) =>
    kind === 'surface' && revokedAt === null ? [subject] : [],
  );
  const web = openWebChat(store, tokens, attention);
  const { surfaces, sources } = openSurfaces(settings, subjects, systemClock, web.door, config.surfaces);
  const secret = secretsOf(env, redactor.learn);
  surfaces.push(...(await openPlatforms(config.surfaces, { clock: systemClock, secret })));
  const ports = { store, changes, clock: systemClock, random: systemRandom, log, surfaces };
  const { findSecrets, clean } = redactor;
  const origin = { by: 'start', way: 'start', text: settingsText.withoutSecrets(config.text) } as const;
  const given = { attention, settings, configVersion: version };
  const host = await createHost({ ...ports, ...given, opinionModel: opinionModel(env), findSecrets, origin });
  web.follow(host.context);
  const loop = measureEventLoop();
  metrics.gauge('earshot_event_loop_lag_seconds', 'How late the event loop is.', () => [
    [{ quantile: '0.99' }, loop.p99()],
    [{ quantile: '1' }, loop.max()],
  ]);
  const backups = backupsDir(settings.dataDir);
  return createServer({
    host,
    tokens,
    random: systemRandom,
    metrics,
    clean,
    sources,
    defaultSource: DEV_SOURCE,
    instance: systemRandom.id(),
    wide,
    web,
    settings: settingsText,
    page: pageDir(),
    async backup() {
      makeDataDir(backups);
      const file = join(backups, `earshot-${systemClock.now()}.db`);
      await store.backup(file);
      return file;
    },
  });
}

/** A host that listens on all interfaces is reached over loopback from this machine. */
function urlHost(address: string): string {
  if (isWild(address)) return '127.0.0.1';
  return address.includes(':') ? `[${address}]` : address;
}

function isWild(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}
