// Starts a host with everything it needs: data folder, store, tokens, surfaces, server. Wiring only. When a step fails,
// everything opened before is closed again in reverse order.
import { join } from 'node:path';
import type { AttentionSettings } from '../attention/index.ts';
import { createHost } from '../host/host.ts';
import { createHostStateCodec } from '../host/attend/rebuild-state.ts';
import { checkListen } from '../host/security/http-guard.ts';
import { createRedactor } from '../host/security/redact.ts';
import { createApply } from '../host/kernel/change.ts';
import { createTokens, type Tokens } from '../host/security/tokens.ts';
import { createServer, type HostServer } from '../host/server.ts';
import { meterStore } from '../host/kernel/store-meter.ts';
import { systemClock } from '../runtime/clock.ts';
import { createLog, type Log, type LogLevel } from '../runtime/log.ts';
import { createMetrics, measureEventLoop, type Metrics } from '../runtime/metrics.ts';
import { systemRandom } from '../runtime/random.ts';
import { watchClock } from '../runtime/steady-clock.ts';
import { openSqliteStore } from '../store/sqlite/open.ts';
import type { Store } from '../store/store.ts';
import {
  backupsDir,
  type DevelopmentTokens,
  forgetRunning,
  makeDataDir,
  storeFile,
  writeRunning,
} from './data-dir.ts';
import { developmentTokens } from './development-tokens.ts';
import type { ResolvedConfig } from './host-config.ts';
import { CommandError } from './io.ts';
import { listenSomewhere } from './listen.ts';
import { openPlatforms } from './platforms.ts';
import { secretsOf } from './secrets.ts';
import { DEV_SOURCE, openSurfaces } from './surfaces.ts';
import { openWebChat, pageDir } from './web-chat.ts';

export interface StartOptions {
  config: ResolvedConfig;
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
  /** Resolves when the store has stopped for good, with the reason. The process should end then, without `stop`. */
  broken: Promise<Error>;
  /** Closes everything, in order. */
  stop(): Promise<void>;
}

export async function start({ config, env, log: logTo }: StartOptions): Promise<Started> {
  const { host: settings } = config;
  const { dataDir } = settings;
  const secrets = [...settings.sources, ...settings.webhooks].flatMap(({ secret }) => secret ?? []);
  const redactor = createRedactor({ exact: secrets });
  const log = createLog({ ...logTo, clean: redactor.clean, clock: systemClock });
  const metrics = createMetrics();
  makeDataDir(dataDir);
  const { promise: broken, resolve: onStop } = Promise.withResolvers<Error>();
  const store = await openStore(dataDir, config.attention, metrics, log, onStop);
  let server: HostServer | undefined;
  try {
    const tokens = createTokens({
      store,
      apply: createApply(store),
      clock: systemClock,
      random: systemRandom,
    });
    const wide = await mayListen(settings.listen.host, tokens);
    const agents = config.attention.agents.map(({ id }) => id);
    const made = await developmentTokens({ dataDir, tokens, agents, source: DEV_SOURCE, log });
    server = await serve({ config, env, store, tokens, metrics, log, redactor, wide });
    return { ...(await announce(config, store, server, made, log)), broken };
  } catch (error) {
    await server?.drain();
    await store.close();
    throw error;
  }
}

/** How soon an idle host notices that the system's clock was set. */
const LOOK_AT_CLOCK_MS = 5_000;

/** Listens, and writes the address down for the other commands. */
async function announce(
  { host: settings, attention, version }: ResolvedConfig,
  store: Store,
  server: HostServer,
  tokens: DevelopmentTokens | undefined,
  log: Log,
): Promise<Omit<Started, 'broken'>> {
  const { dataDir, listen } = settings;
  const { port, busyPort } = await listenSomewhere(server, listen);
  const url = `http://${urlHost(listen.host)}:${port}`;
  const { instance } = server.context;
  writeRunning(dataDir, { url, instance, pid: process.pid });
  const agents = attention.agents.map(({ id }) => id);
  const endWatch = watchClock(store.clock, systemClock, LOOK_AT_CLOCK_MS);
  log.info({ url, dataDir, configVersion: version.slice(0, 12), agents }, 'the host is up');
  return {
    url,
    busyPort,
    tokens,
    log,
    async stop() {
      endWatch();
      await server.drain();
      forgetRunning(dataDir, instance);
      await store.close();
      log.info({}, 'the host is down');
    },
  };
}

async function openStore(
  dataDir: string,
  attention: AttentionSettings,
  metrics: Metrics,
  log: Log,
  onStop: (reason: Error) => void,
): Promise<Store> {
  const meter = meterStore(metrics);
  try {
    const store = await openSqliteStore({
      file: storeFile(dataDir),
      clock: systemClock,
      codec: createHostStateCodec(attention),
      log: (line) => log.warn({}, line),
      onStop,
      wrap: (parts) => {
        const { wal } = parts;
        const sync = meter.sync(() => wal.sync());
        return { ...parts, wal: { sync, close: () => wal.close() } };
      },
    });
    return meter.store(store);
  } catch (error) {
    throw new CommandError(1, error instanceof Error ? error.message : String(error), { cause: error });
  }
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
  tokens: Tokens;
  metrics: Metrics;
  log: Log;
  redactor: ReturnType<typeof createRedactor>;
  wide: boolean;
}

async function serve({
  config,
  env,
  store,
  tokens,
  metrics,
  log,
  redactor,
  wide,
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
  const ports = { store, clock: systemClock, random: systemRandom, log, surfaces };
  const { findSecrets, clean } = redactor;
  const host = await createHost({ ...ports, attention, settings, configVersion: version, findSecrets });
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
  if (address === '0.0.0.0' || address === '::') return '127.0.0.1';
  return address.includes(':') ? `[${address}]` : address;
}
