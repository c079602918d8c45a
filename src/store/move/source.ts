// The SQLite store that is copied. It is locked as a host would lock it, so no host writes meanwhile, and it is read over a
// connection that cannot write: the file stays as it is.
import type { DatabaseSync } from 'node:sqlite';
import { indexedFields } from '../columns.ts';
import { whyNotIndexed } from '../postgres/commit-parameters.ts';
import { connectReader } from '../sqlite/connect.ts';
import { inWords } from '../sqlite/errors.ts';
import { lockFile } from '../sqlite/lock.ts';
import { MIGRATIONS, schemaVersion } from '../sqlite/migrate.ts';
import { lastPosition } from '../sqlite/sqlite-store.ts';
import { Digest, type Listed, MOVED, type MovedTable, textHash } from './inventory.ts';

/** A row as it is stored. */
export interface StoredRow {
  /** The position, of a state its key. */
  place: string;
  key: string;
  /** Only of states. */
  wakeAt: number | null;
  text: string;
}

/** What the store remembers beside its rows. */
export interface Remembered {
  lastPosition: number;
  /** The latest time that was used, and the last row of the log that was ever removed. */
  meta: readonly (readonly [name: 'time' | 'cut', value: number])[];
}

/** A page is written in one statement. Files may be large, so it is bounded by characters too. */
const PAGE_ROWS = 500;
const PAGE_CHARS = 4 * 1_048_576;

export class Source {
  readonly #db: DatabaseSync;
  readonly #unlock: () => void;

  constructor(db: DatabaseSync, unlock: () => void) {
    this.#db = db;
    this.#unlock = unlock;
  }

  /** Throws, in words, when a host uses the file, or when this Earshot cannot read it. */
  static open(file: string): Source {
    const unlock = lockFile(file);
    try {
      const db = connectReader(file);
      try {
        mustBeReadable(db, file);
        return new Source(db, unlock);
      } catch (error) {
        db.close();
        throw inWords(error, file);
      }
    } catch (error) {
      unlock();
      throw error;
    }
  }

  /** Reads everything once. Throws when a row could not be stored in PostgreSQL, before anything is copied. */
  inventory(seen: (table: MovedTable, rows: number) => void): Listed[] {
    return MOVED.map((table) => {
      const digest = new Digest();
      let rows = 0;
      for (const page of this.pages(table)) {
        for (const row of page) {
          mustFit(table, row);
          digest.add(row.place, row.key, row.wakeAt, textHash(row.text));
        }
        rows += page.length;
        seen(table, rows);
      }
      return digest.end(table);
    });
  }

  /** In the order of position, states by key. `after`: the place of the last row that is not wanted. */
  *pages(table: MovedTable, after?: string): Generator<StoredRow[]> {
    const statement = this.#db.prepare(
      table === 'state'
        ? 'SELECT key AS place, key, wake_at AS wakeAt, text FROM state WHERE key > ? ORDER BY key LIMIT ?'
        : `SELECT CAST(position AS TEXT) AS place, key, NULL AS wakeAt, doc AS text FROM "${table}"
           WHERE position > CAST(? AS INTEGER) ORDER BY position LIMIT ?`,
    );
    for (let place = after ?? ''; ; ) {
      const page: StoredRow[] = [];
      let chars = 0;
      for (const row of statement.iterate(place, PAGE_ROWS)) {
        const stored = row as unknown as StoredRow;
        page.push(stored);
        chars += stored.text.length;
        if (chars >= PAGE_CHARS) break;
      }
      const last = page.at(-1);
      if (last === undefined) return;
      yield page;
      place = last.place;
    }
  }

  remembered(): Remembered {
    const found = this.#db.prepare(`SELECT name, value FROM meta WHERE name IN ('time', 'cut')`).all();
    return {
      lastPosition: lastPosition(this.#db),
      meta: found.map(({ name, value }) => [name as 'time' | 'cut', Number(value)] as const),
    };
  }

  close(): void {
    this.#db.close();
    this.#unlock();
  }
}

function mustBeReadable(db: DatabaseSync, file: string): void {
  const version = schemaVersion(db);
  if (version === 0) throw new Error(`${file} is no store of Earshot, or it is empty`);
  if (version > MIGRATIONS.length)
    throw new Error(
      `${file} has schema ${version}, this Earshot knows up to ${MIGRATIONS.length}: use the Earshot that wrote it, or a newer one`,
    );
  if (version < MIGRATIONS.length)
    throw new Error(
      `${file} is of an older Earshot (schema ${version}): start this one on it once with "earshot up", and stop it again`,
    );
  const found = db.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (found !== 'ok')
    throw new Error(`${file} is damaged (${String(found).replaceAll(/\s+/g, ' ')}): see "earshot doctor"`);
}

function mustFit(table: MovedTable, { key, text }: StoredRow): void {
  const values = table === 'state' ? [key] : [key, ...indexedText(table, text)];
  const why = whyNotIndexed(values)?.message ?? (text.includes('\0') ? 'it has a zero byte' : undefined);
  if (why !== undefined) throw new Error(`${table} "${key}" cannot be stored in PostgreSQL: ${why}`);
}

function indexedText(table: Exclude<MovedTable, 'state'>, doc: string): string[] {
  const row = JSON.parse(doc) as Record<string, unknown>;
  return indexedFields(table).flatMap((field) => {
    const value = row[field];
    return typeof value === 'string' ? [value] : [];
  });
}
