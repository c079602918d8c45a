// Reading states: by key, by when a tick is due, and by prefix.
import type { DatabaseSync, StatementSync } from 'node:sqlite';

export interface RawState {
  text: string;
  wakeAt: number | null;
}

/** Sorts after every character a key can hold. */
const AFTER_ALL = '\u{10FFFF}';

export class StateReader {
  readonly #get: StatementSync;
  readonly #due: StatementSync;
  readonly #keys: StatementSync;

  constructor(db: DatabaseSync) {
    this.#get = db.prepare('SELECT text, wake_at AS wakeAt FROM state WHERE key = ?');
    this.#due = db.prepare(
      'SELECT key, wake_at AS wakeAt FROM state WHERE wake_at <= ? ORDER BY wake_at, key LIMIT ?',
    );
    this.#keys = db.prepare(
      'SELECT key FROM state WHERE key > ? AND key >= ? AND key < ? ORDER BY key LIMIT ?',
    );
  }

  get(key: string): RawState | undefined {
    return this.#get.get(key) as unknown as RawState | undefined;
  }

  due(until: number, limit: number): { key: string; wakeAt: number }[] {
    const rows = this.#due.all(until, Math.max(0, limit)) as unknown as { key: string; wakeAt: number }[];
    return rows.map(({ key, wakeAt }) => ({ key, wakeAt }));
  }

  keys(prefix: string, after: string, limit: number): string[] {
    return this.#keys
      .all(after, prefix, prefix + AFTER_ALL, Math.max(0, limit))
      .map((row) => String(row.key));
  }
}
