// The kinds of connection and their settings. The writer commits without a sync: wal-sync.ts syncs the WAL off the
// event loop before callers are answered. The sizes were measured; the figures stand beside them.
import { DatabaseSync } from 'node:sqlite';
import { inWords } from './errors.ts';

/** Earshot has one writer, so only an outside tool can hold the file. Waiting blocks the event loop, so it is short. */
const BUSY_TIMEOUT_MS = 2_000;
const READER_BUSY_TIMEOUT_MS = 5_000;
/**
 * Pages that SQLite keeps itself; the others are in the system's cache, and reading one takes 2 µs. With 16 MiB the same memory is
 * used again, which is at least as fast as 64 MiB, with 50 as with 5,000 conversations.
 */
const CACHE_KIB = 16_384;
/**
 * A commit writes whole pages, and most of those of a batch are leaves of indexes that got one entry, one for each conversation.
 * With pages of 4 KiB an event takes 3 % less CPU of the event loop than with 8. Only for new files.
 */
const PAGE_BYTES = 4_096;
/** The WAL file is cut to this size when it starts again. */
const WAL_KEPT_BYTES = 64 * 1_048_576;

export function connectWriter(file: string): DatabaseSync {
  return connect(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: false }, (db) => {
    db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA wal_autocheckpoint = 0;
      PRAGMA journal_size_limit = ${WAL_KEPT_BYTES}; PRAGMA cache_size = -${CACHE_KIB};
      PRAGMA secure_delete = FAST; PRAGMA temp_store = MEMORY;`);
    const mode = db.prepare('PRAGMA journal_mode').get()?.journal_mode;
    if (mode !== 'wal') throw new Error(`${file} cannot be kept in WAL mode here: use a local disk`);
  });
}

export function connectReader(file: string): DatabaseSync {
  return connect(file, { timeout: READER_BUSY_TIMEOUT_MS, readOnly: true }, (db) => {
    db.exec('PRAGMA query_only = ON; PRAGMA temp_store = MEMORY;');
  });
}

/** A checkpoint changes no data, but it needs a connection that may write. */
export function connectCheckpointer(file: string): DatabaseSync {
  return connect(file, { timeout: 0 }, (db) => {
    db.exec('PRAGMA query_only = ON; PRAGMA synchronous = NORMAL;');
  });
}

function connect(
  file: string,
  options: ConstructorParameters<typeof DatabaseSync>[1],
  prepare: (db: DatabaseSync) => void,
): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, options);
    prepare(db);
    return db;
  } catch (error) {
    db?.close();
    throw inWords(error, file);
  }
}
