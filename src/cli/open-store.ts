// Opens the store of a host: the SQLite file of its data folder, or a PostgreSQL database.
import { join } from 'node:path';
import { createHostStateCodec } from '../host/attend/rebuild-state.ts';
import { meterStore, type StoreMeter } from '../host/kernel/store-meter.ts';
import { systemClock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { PackageMissing } from '../runtime/optional-package.ts';
import type { PostgresOptions } from '../store/postgres/open.ts';
import type { StateCodec, Store } from '../store/store.ts';
import { backupsDir, fileTime, makeDataDir, storeFile } from './data-dir.ts';
import type { ResolvedConfig } from './host-config.ts';
import { CommandError } from './io.ts';
import { shownAddress, type StoreAddress } from './store-address.ts';

export interface OpenStoreOptions {
  config: ResolvedConfig;
  metrics: Metrics;
  log: Log;
  /** The store has stopped for good. Only a file can: a database is waited for. */
  onStop: (reason: Error) => void;
}

export async function openStore({ config, metrics, log, onStop }: OpenStoreOptions): Promise<Store> {
  const meter = meterStore(metrics);
  const codec = createHostStateCodec(config.attention);
  const warn = (line: string): void => log.warn({}, line);
  const store =
    config.store === undefined
      ? await openFile(config.host.dataDir, codec, meter, warn, onStop)
      : await openDatabase(config.store, { codec, log: warn, around: (commit) => meter.sync(commit)() });
  return meter.store(store);
}

async function openFile(
  dataDir: string,
  codec: StateCodec,
  meter: StoreMeter,
  log: (line: string) => void,
  onStop: (reason: Error) => void,
): Promise<Store> {
  const { openSqliteStore } = await import('../store/sqlite/open.ts');
  try {
    return await openSqliteStore({
      file: storeFile(dataDir),
      clock: systemClock,
      codec,
      log,
      copyBeforeMigration: (from) => {
        makeDataDir(backupsDir(dataDir));
        return join(backupsDir(dataDir), `before-schema-${from + 1}-${fileTime(systemClock.now())}.db`);
      },
      onStop,
      wrap: (parts) => {
        const { wal } = parts;
        const sync = meter.sync(() => wal.sync());
        return { ...parts, wal: { sync, close: () => wal.close() } };
      },
    });
  } catch (error) {
    throw new CommandError(1, error instanceof Error ? error.message : String(error), { cause: error });
  }
}

type DatabaseOptions = Omit<PostgresOptions, 'url' | 'schema' | 'clock'>;

export async function openDatabase(address: StoreAddress, options: DatabaseOptions): Promise<Store> {
  const { openPostgresStore } = await import('../store/postgres/open.ts');
  try {
    return await openPostgresStore({ ...address, ...options, clock: systemClock });
  } catch (error) {
    if (error instanceof PackageMissing) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(1, `the store at ${shownAddress(address)} cannot be opened: ${why}`, {
      cause: error,
    });
  }
}
