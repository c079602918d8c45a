// What the worker does for each request. It opens the reading connection at its start, the search index when first
// used.
import { renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { backup } from 'node:sqlite';
import { TABLES } from '../columns.ts';
import { findInLog, logExtent, seekInLog, tallyLog } from '../log-reads.ts';
import { checkStore } from './check.ts';
import { isDamage } from './errors.ts';
import { connectCheckpointer, connectReader } from './connect.ts';
import { logSource } from './log-source.ts';
import type { RequestHandlers, WorkerSetup } from './requests.ts';
import { RowReader } from './rows.ts';
import { removeIndex, SearchIndex } from './search-index.ts';

/** All pages in one step. A step is one snapshot; with several, a write would start the backup over. */
const BACKUP_PAGES_A_STEP = 2 ** 31 - 1;

export function makeHandlers({ file }: WorkerSetup): RequestHandlers {
  const db = connectReader(file);
  const rows = new RowReader(db);
  const checkpointer = connectCheckpointer(file);
  const passive = checkpointer.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  let index: SearchIndex | undefined;
  /** A damaged index is rebuilt, because the log has everything that is in it. */
  const withIndex = async <R>(use: (search: SearchIndex) => Promise<R>): Promise<R> => {
    try {
      return await use((index ??= new SearchIndex(file, db)));
    } catch (error) {
      if (!isDamage(error)) throw error;
      index?.close();
      removeIndex(file);
      return use((index = new SearchIndex(file, db)));
    }
  };
  const log = logSource(db, (words, range) => withIndex((search) => search.page(words, range)));
  return {
    scan: (table, name, range) => rows.scan(table, name, range),
    search: (words, limit) => withIndex((search) => search.search(words, limit)),
    findLog: (filter, range) => findInLog(log, filter, range),
    logExtent: (conversation, before) => logExtent(log, conversation, before),
    seekLog: (place) => seekInLog(log, place),
    tallyLog: (query) => tallyLog(log, query),
    index: () => withIndex((search) => search.catchUp()),
    check: () => checkStore(db),
    checkpoint: () => {
      passive.get();
      return null;
    },
    // The worker's loop does both (worker.ts).
    hold: () => null,
    release: () => null,
    stats() {
      const stats: Record<string, number> = {};
      for (const table of [...TABLES, 'state']) {
        stats[table] = Number(db.prepare(`SELECT count(*) AS n FROM "${table}"`).get()?.n);
      }
      return { ...stats, bytes: bytesOf(file), walBytes: bytesOf(`${file}-wal`) };
    },
    async backup(target) {
      if (resolve(target) === resolve(file)) throw new Error(`a backup cannot replace ${file} itself`);
      const partial = `${target}.partial`;
      rmSync(partial, { force: true });
      await backup(db, partial, { rate: BACKUP_PAGES_A_STEP });
      renameSync(partial, target);
      return null;
    },
    close: () => {
      index?.close();
      checkpointer.close();
      db.close();
      return null;
    },
  };
}

function bytesOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
