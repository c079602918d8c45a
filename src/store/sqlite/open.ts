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
import { type BeforeMigration, migrate, MIGRATIONS } from './migrate.ts';
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
  /** Where a file of an older Earshot is copied before it is changed. */
  copyBeforeMigration?: (from: number, to: number) => string;
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
      migrate(db, file, MIGRATIONS, keepCopy(options));
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

/** The copy is one consistent file, made by SQLite itself. Without it nothing is changed. */
function keepCopy({ file, log, copyBeforeMigration }: SqliteOptions): BeforeMigration {
  return (db, from, to) => {
    if (copyBeforeMigration === undefined) return;
    const copy = copyBeforeMigration(from, to);
    try {
      db.prepare('VACUUM INTO ?').run(copy);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(
        `${file} is of schema ${from} and would be brought to ${to}, but it could not be copied to ${copy} first (${why}): make room there, then start again`,
        { cause: error },
      );
    }
    log?.(`${file} is of schema ${from} and is brought to ${to}; as it was, it is in ${copy}`);
  };
}

function orWords<R>(file: string, run: () => R): R {
  try {
    return run();
  } catch (error) {
    throw inWords(error, file);
  }
}
