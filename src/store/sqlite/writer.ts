// Writes each batch in one transaction, on the only connection that writes. Statements are prepared once. A row that
// cannot be stored throws BadWrite with its unit, a row that was assumed new and is not throws NotNew; both leave
// nothing behind. After any other failure, above all of COMMIT, nobody knows what was stored.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { BadWrite, type Changes, type StateChange, stateText } from '../batch.ts';
import type { StateCodec } from '../store.ts';
import type { TableName } from '../tables.ts';
import { isRowFault } from './errors.ts';
import { type PositionOf, TableWriter } from './table-writer.ts';

/** How often the latest time is kept in `meta`, while anything is written at all. */
export const TIME_EVERY_MS = 1_000;
/** About as much as the largest event takes. */
const PROBE_BYTES = 256 * 1_024;

export class Writer {
  readonly #db: DatabaseSync;
  readonly #codec: StateCodec;
  readonly #positionOf: PositionOf;
  readonly #tables = new Map<TableName, TableWriter>();
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #putState: StatementSync;
  readonly #removeState: StatementSync;
  readonly #putMeta: StatementSync;
  /** `cut`: the last row of the log that was ever removed. Before it a gap is no damage (check.ts). */
  readonly #raiseCut: StatementSync;
  readonly #forget: StatementSync;
  #forgotten = 0;
  #toldTime = 0;

  constructor(db: DatabaseSync, codec: StateCodec, positionOf: PositionOf) {
    this.#db = db;
    this.#positionOf = positionOf;
    this.#codec = codec;
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#putState = db.prepare(
      `INSERT INTO state (key, wake_at, text) VALUES (?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET wake_at = excluded.wake_at, text = excluded.text`,
    );
    this.#removeState = db.prepare('DELETE FROM state WHERE key = ?');
    this.#forget = db.prepare('DELETE FROM log_change WHERE id <= ?');
    this.#putMeta = db.prepare(
      `INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    );
    this.#raiseCut = db.prepare(
      `INSERT INTO meta (name, value) VALUES ('cut', ?)
       ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`,
    );
  }

  /** `followed`: the search index has applied `log_change` up to here, so these entries can be removed. */
  write(changes: Changes, followed: number): void {
    this.#begin.run();
    try {
      this.#writeAll(changes);
      this.#keepTime(changes.now);
      if (followed > this.#forgotten) {
        this.#forget.run(followed);
        this.#forgotten = followed;
      }
      this.#commit.run();
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  /** Finds out whether there is room for an event. Throws when there is none, or when it cannot be written. */
  probe(): void {
    try {
      this.#db.exec(`BEGIN IMMEDIATE; INSERT OR REPLACE INTO meta VALUES ('probe', zeroblob(${PROBE_BYTES})); COMMIT;
        DELETE FROM meta WHERE name = 'probe';`);
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  #writeAll({ rows, states, lastPosition }: Changes): void {
    let unitIndex = -1;
    let removed = false;
    let cut = 0;
    try {
      for (const change of rows) {
        unitIndex = change.unitIndex;
        const gone = this.#table(change.table).write(change);
        if (change.table === 'log') cut = Math.max(cut, gone);
        if (change.row === undefined || change.reinserted) removed = true;
      }
      for (const change of states) {
        unitIndex = change.unitIndex;
        this.#writeState(change);
      }
    } catch (error) {
      throw isRowFault(error) ? new BadWrite(unitIndex, error) : error;
    }
    // Positions are never given twice. The tables show the last one, unless rows were removed.
    if (removed) this.#putMeta.run('position', lastPosition);
    if (cut > 0) this.#raiseCut.run(cut);
  }

  #keepTime(now: number): void {
    if (now - this.#toldTime < TIME_EVERY_MS) return;
    this.#putMeta.run('time', now);
    this.#toldTime = now;
  }

  #writeState(change: StateChange): void {
    const text = stateText(this.#codec, change);
    if (text === undefined) this.#removeState.run(change.key);
    else this.#putState.run(change.key, change.wakeAt, text);
  }

  #table(table: TableName): TableWriter {
    let writer = this.#tables.get(table);
    if (writer === undefined) {
      writer = new TableWriter(this.#db, table, this.#positionOf);
      this.#tables.set(table, writer);
    }
    return writer;
  }
}
