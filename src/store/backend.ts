// What the group-commit queue needs of a store. A backend that reads at once, such as SQLite, only loads and commits. One
// that is reached over a network prepares first: what the units name is loaded before they run, because a unit cannot
// wait. Between loading and committing another process may write; then the commit is stale, and the batch runs again.
import type { AnyRow, Changes } from './batch.ts';
import type { Held } from './held.ts';
import type { StoredState } from './state-cache.ts';
import type { RowRef } from './store.ts';
import type { TableName } from './tables.ts';

export interface Backend {
  /**
   * Loads what the units name, so that `loadState` and `loadRow` find it. Undefined when nothing has to be waited for.
   * Resolves with what other processes hold; the units that need it wait for a later batch. A backend without it finds
   * everything at once, and what it finds stays the newest until it commits.
   */
  prepare?(names: BatchNames): Promise<Held | undefined> | undefined;
  loadState(key: string): StoredState | undefined;
  /** Throws NotLoaded for a row that was not prepared. */
  loadRow(table: TableName, key: string): AnyRow | undefined;
  /**
   * Writes all or nothing, and resolves when it is durable. Throws BadWrite when one change alone is at fault, NotNew
   * when a row that was assumed new is stored, and Stale when something that the units saw has changed; then nothing is
   * kept. A StoreError goes to the callers as it is. After any other failure nobody knows what is stored.
   */
  commit(changes: Changes): void | Promise<void>;
  /** Called when it has prepared a batch of which no unit could run. Resolves when it is worth trying again. */
  release?(): Promise<void>;
}

/** Everything that the units of a batch name, each once. */
export interface BatchNames {
  /** To be locked. */
  states: ReadonlySet<string>;
  /** Looked at and never locked. Some may be among the states too. */
  reads: ReadonlySet<string>;
  rows: readonly RowRef[];
}

/** A unit has looked at a row that nobody named. It is loaded, and the batch runs again. */
export class NotLoaded extends Error {
  readonly row: RowRef;

  constructor(row: RowRef) {
    super(`${row[0]} ${row[1]} is not loaded`);
    this.name = 'NotLoaded';
    this.row = row;
  }
}

/** Something that a unit saw was changed by another process. The batch is prepared and run again. */
export class Stale extends Error {
  constructor(what: string) {
    super(`${what} was changed by another process`);
    this.name = 'Stale';
  }
}
