// Lets only one Earshot use a file. While the store is open, a small SQLite file beside it is kept in a write
// transaction. The operating system drops that lock when the process ends, however it ends, so no stale lock remains.
// Its user_version is the pid of the holder, which other processes can read.
import { truncateSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { processId } from '../../runtime/process-id.ts';
import { isDamage, sqliteCode } from './errors.ts';

const BUSY = 5;

/** Throws when another process, or another store of this one, holds the file. */
export function lockFile(file: string): () => void {
  const lock = `${file}-lock`;
  try {
    return hold(lock, file);
  } catch (error) {
    if (!isDamage(error)) throw error;
    // The file is never synced, so a power cut may leave any part of it. It says nothing that outlives its holder. It is
    // emptied and not replaced: whoever holds a lock on it keeps it.
    truncateSync(lock);
    return hold(lock, file);
  }
}

function hold(lock: string, file: string): () => void {
  const db = new DatabaseSync(lock, { timeout: 0 });
  try {
    // Others see the pid only once it is committed. A process that comes between the two transactions gets the lock.
    db.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;
      BEGIN IMMEDIATE; PRAGMA user_version = ${processId}; COMMIT; BEGIN IMMEDIATE;`);
  } catch (error) {
    const pid = holder(db);
    db.close();
    if (sqliteCode(error) !== BUSY) throw error;
    throw new Error(`another Earshot is using ${file} (pid ${pid})`, { cause: error });
  }
  return () => db.close();
}

function holder(db: DatabaseSync): string {
  try {
    return String(db.prepare('PRAGMA user_version').get()?.user_version ?? 'unknown');
  } catch {
    return 'unknown';
  }
}
