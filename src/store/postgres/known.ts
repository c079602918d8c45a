// What a node knows of the database: states and rows as it saw them last, each with its version. Nothing here is trusted:
// the commit checks every version that the batch relied on. Version 0: there is none.
import { type AnyRow, type Changes } from '../batch.ts';
import { rowName } from '../held.ts';
import { StateCache } from '../state-cache.ts';
import type { RowRef } from '../store.ts';
import type { TableName } from '../tables.ts';

export interface KnownState {
  value: unknown;
  wakeAt: number | null;
  version: number;
  /** The stored text cannot be read. Whoever wants the state gets this. */
  error?: Error;
}

export interface KnownRow {
  row: AnyRow | undefined;
  version: number;
}

const NO_STATE: KnownState = { value: undefined, wakeAt: null, version: 0 };
const NO_ROW: KnownRow = { row: undefined, version: 0 };

/** Rows that are read again soon after they were written: a delivery by its acknowledgement, a send on its way out. */
const KEPT: ReadonlySet<TableName> = new Set<TableName>(['delivery', 'outbox', 'session']);
/**
 * Of rows that were written once, and of those that were written again. A delivery is read again when it is acknowledged; what
 * comes after that takes milliseconds or minutes, and every row that grows old in the heap costs a collection.
 */
const ROWS_MAX = { new: 4_096, changed: 1_024 } as const;
/** The row is among the changed ones. Emptied instead of removed, for the reason in state-cache.ts. */
const CHANGED: KnownRow = { row: undefined, version: -1 };

export class Known {
  readonly #states = new StateCache<KnownState>();
  readonly #rows = {
    new: new StateCache<KnownRow>(ROWS_MAX.new),
    changed: new StateCache<KnownRow>(ROWS_MAX.changed),
  };
  /** What the batch under way has loaded. Rows may be large, so they are dropped with it. */
  readonly #ofBatch = { states: new Map<string, KnownState>(), rows: new Map<string, KnownRow>() };

  state(key: string): KnownState | undefined {
    return this.#ofBatch.states.get(key) ?? this.#states.get(key);
  }

  row(ref: RowRef): KnownRow | undefined {
    const name = rowName(ref);
    return this.#ofBatch.rows.get(name) ?? (KEPT.has(ref[0]) ? this.#kept(name) : undefined);
  }

  #kept(name: string): KnownRow | undefined {
    const first = this.#rows.new.get(name);
    return first === undefined || first === CHANGED ? this.#rows.changed.get(name) : first;
  }

  setState(key: string, state: KnownState = NO_STATE): void {
    // A state that cannot be read is looked at again by the next batch: somebody may have written it.
    if (state.error === undefined) {
      this.#ofBatch.states.delete(key);
      this.#states.set(key, state);
    } else this.#ofBatch.states.set(key, state);
  }

  setRow(ref: RowRef, row: KnownRow = NO_ROW): void {
    this.#drop(rowName(ref));
    this.#ofBatch.rows.set(rowName(ref), row);
  }

  /** The batch is stored under this version. */
  keep(changes: Changes, version: number): void {
    this.endBatch();
    for (const { key, value, wakeAt } of changes.states)
      this.#states.set(key, value === undefined ? NO_STATE : { value, wakeAt, version });
    for (const { table, key, row, stored, assumedNew, reinserted } of changes.rows) {
      if (!KEPT.has(table)) continue;
      const name = rowName([table, key]);
      if (row === undefined) this.#drop(name);
      else if (assumedNew || reinserted || stored === null) {
        if (reinserted) this.#rows.changed.delete(name);
        this.#rows.new.set(name, { row, version });
      } else {
        if (this.#rows.new.get(name) !== undefined) this.#rows.new.set(name, CHANGED);
        this.#rows.changed.set(name, { row, version });
      }
    }
  }

  #drop(name: string): void {
    this.#rows.new.delete(name);
    this.#rows.changed.delete(name);
  }

  endBatch(): void {
    this.#ofBatch.states.clear();
    this.#ofBatch.rows.clear();
  }

  clear(): void {
    this.endBatch();
    this.#states.clear();
    this.#rows.new.clear();
    this.#rows.changed.clear();
  }
}
