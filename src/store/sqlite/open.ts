// Opens the embedded store: one file, one process, no server. It refuses a file that it cannot use (held by another
// Earshot, newer schema, damaged) with one line, before it changes anything.
import { nextTurn, type Schedule } from '../../runtime/schedule.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { StateCodec, Store } from '../store.ts';
import type { CheckpointLimits } from './checkpoints.ts';
import { connectWriter } from './connect.ts';
import { inWords } from './errors.ts';
import { identityOf } from './file-identity.ts';
import { lockFile } from './lock.ts';
import { migrate } from './migrate.ts';
import { SqliteStore, type SqliteParts } from './sqlite-store.ts';
import { openWalSync } from './wal-sync.ts';

export interface SqliteOptions {
  file: string;
  clock: Clock;
  codec: StateCodec;
  /** Receives lines for the operator. */
  log?: (line: string) => void;
  /** Called once when the store has stopped for good. The process should end, so that a supervisor restarts it. */
  onStop?: (reason: Error) => void;
  /** For tests and benchmarks. */
  schedule?: Schedule;
  wrap?: (parts: SqliteParts) => SqliteParts;
  walLimits?: CheckpointLimits;
}

export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { file } = options;
  const unlock = orWords(file, () => lockFile(file));
  try {
    const db = connectWriter(file);
    try {
      migrate(db, file);
      const parts: SqliteParts = { db, wal: openWalSync(file), files: identityOf(file), unlock };
      const { clock, codec, schedule = nextTurn, log = () => {}, onStop = () => {}, walLimits } = options;
      return new SqliteStore(
        { file, clock, codec, schedule, log, onStop, walLimits },
        options.wrap?.(parts) ?? parts,
      );
    } catch (error) {
      db.close();
      throw inWords(error, file);
    }
  } catch (error) {
    unlock();
    throw error;
  }
}

function orWords<R>(file: string, run: () => R): R {
  try {
    return run();
  } catch (error) {
    throw inWords(error, file);
  }
}
