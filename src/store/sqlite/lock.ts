// One Earshot a file. A small SQLite file beside the store is kept in a write transaction for as long as the store is
// open: the operating system drops that lock with the process, however it ends, so there is no stale lock to clear.
// Its user_version is the holder's pid, which others can still read.
import { DatabaseSync } from 'node:sqlite';
import { processId } from '../../runtime/process-id.ts';
import { sqliteCode } from './errors.ts';

const BUSY = 5;

/** Throws when another process, or another store of this one, holds the file. */
export function lockFile(file: string): () => void {
  const db = new DatabaseSync(`${file}-lock`, { timeout: 0 });
  try {
    // The pid must be committed to be seen; whoever comes between the two transactions has the lock, and we do not.
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
