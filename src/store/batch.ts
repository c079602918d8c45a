// One batch: units folded in arrival order over what is stored, each seeing what those before it left. Nothing is
// written here; the outcome is one change per state and per row, so that whatever happens can happen at once.
// A unit that throws leaves no trace in the batch.
import type { StateCodec, Unit, UnitOutcome, UnitView, Write } from './store.ts';
import type { StoredState } from './state-cache.ts';
import type { TableName, Tables } from './tables.ts';

export type AnyRow = Tables[TableName];

export interface RowChange {
  table: TableName;
  key: string;
  /** Undefined: it is to be gone. */
  row: AnyRow | undefined;
  /** The row as JSON; empty when it is to be gone. */
  doc: string;
  /** What is stored, if the batch has looked; null when it looked and there is nothing. */
  stored: AnyRow | null | undefined;
  /** For a row that is not stored yet; one that is keeps its own. */
  position: number;
  /** Removed and put again in this batch: it is a new row. */
  anew: boolean;
  /** Index of the unit that wrote it last. */
  by: number;
}

export interface StateChange extends StoredState {
  key: string;
  /** Encoded; undefined: it is to be gone. */
  text: string | undefined;
  by: number;
}

export interface Changes {
  rows: readonly RowChange[];
  states: readonly StateChange[];
  lastPosition: number;
}

/** What a batch reads: synchronous, as of the end of the batch before. */
export interface Source {
  loadState(key: string): StoredState | undefined;
  loadRow(table: TableName, key: string): AnyRow | undefined;
}

/** One change cannot be stored, whatever the others are: its unit is taken out and the rest run again. */
export class BadWrite extends Error {
  readonly by: number;

  constructor(by: number, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'BadWrite';
    this.by = by;
  }
}

export class Batch {
  readonly #source: Source;
  readonly #states = new Map<string, StateChange | undefined>();
  readonly #rows = new Map<TableName, Map<string, RowChange | undefined>>();
  readonly #stored = new Map<TableName, Map<string, AnyRow | undefined>>();
  readonly #loaded = new Map<string, StoredState | undefined>();
  readonly #view: UnitView;
  #unit: Unit<unknown> | undefined;
  #position: number;

  constructor(source: Source, now: number, lastPosition: number) {
    this.#source = source;
    this.#position = lastPosition;
    this.#view = {
      now,
      state: (key) => this.#state(key)?.value,
      row: (table, key) => this.#row(table, key),
    };
  }

  /** Throws what the unit throws, and for a write to a state it did not name. */
  run(unit: Unit<unknown>, by: number): unknown {
    this.#unit = unit;
    const outcome: UnitOutcome<unknown> = unit.run(this.#view);
    for (const write of outcome.writes) this.#allow(write);
    for (const write of outcome.writes) this.#apply(write, by);
    return outcome.result;
  }

  /** Throws BadWrite when a value has no text. */
  changes(codec: StateCodec): Changes {
    const rows: RowChange[] = [];
    for (const table of this.#rows.values()) {
      for (const change of table.values()) {
        if (change === undefined) continue;
        if (change.row !== undefined) change.doc = textOf(change.by, () => JSON.stringify(change.row));
        rows.push(change);
      }
    }
    const states: StateChange[] = [];
    for (const change of this.#states.values()) {
      if (change === undefined) continue;
      if (change.value !== undefined) {
        change.text = textOf(change.by, () => codec.encode(change.key, change.value));
      }
      states.push(change);
    }
    return { rows, states, lastPosition: this.#position };
  }

  #state(key: string): StoredState | undefined {
    if (!this.#unit?.states.includes(key))
      throw new Error(`the unit reads state "${key}" but does not name it`);
    const changed = this.#states.get(key);
    if (changed !== undefined) return changed;
    if (this.#loaded.has(key)) return this.#loaded.get(key);
    const state = this.#source.loadState(key);
    this.#loaded.set(key, state);
    return state;
  }

  #row<T extends TableName>(table: T, key: string): Tables[T] | undefined {
    const changed = this.#rows.get(table)?.get(key);
    if (changed !== undefined) return changed.row as Tables[T] | undefined;
    const loaded = inner(this.#stored, table);
    if (!loaded.has(key)) loaded.set(key, Object.freeze(this.#source.loadRow(table, key)));
    return loaded.get(key) as Tables[T] | undefined;
  }

  #allow(write: Write): void {
    if ('state' in write) {
      if (!this.#unit?.states.includes(write.state)) {
        throw new Error(`the unit writes state "${write.state}" but does not name it`);
      }
      return;
    }
    const key: unknown = 'row' in write ? write.row.key : write.remove;
    if (typeof key !== 'string' || key === '') throw new Error(`a ${write.table} row needs a key`);
  }

  #apply(write: Write, by: number): void {
    if ('state' in write) {
      const { state: key, value } = write;
      const kept = write.wakeAt === undefined ? this.#state(key)?.wakeAt : write.wakeAt;
      const wakeAt = value === undefined ? null : (kept ?? null);
      this.#states.set(key, { key, value, wakeAt, text: undefined, by });
      return;
    }
    const { table } = write;
    // Stores compare it with what was there and may keep it: changed in place, an index would go stale unnoticed.
    const row: AnyRow | undefined = 'row' in write ? Object.freeze(write.row) : undefined;
    const key = 'row' in write ? write.row.key : write.remove;
    const changes = inner(this.#rows, table);
    const before = changes.get(key);
    if (before === undefined) {
      const position = row === undefined ? 0 : ++this.#position;
      const looked = this.#stored.get(table);
      const stored = looked?.has(key) === true ? (looked.get(key) ?? null) : undefined;
      changes.set(key, { table, key, row, doc: '', stored, position, anew: false, by });
      return;
    }
    if (before.row === undefined && row !== undefined) {
      before.anew = true;
      before.position = ++this.#position;
    }
    before.row = row;
    before.by = by;
  }
}

function inner<V>(tables: Map<TableName, Map<string, V>>, table: TableName): Map<string, V> {
  let found = tables.get(table);
  if (found === undefined) {
    found = new Map();
    tables.set(table, found);
  }
  return found;
}

function textOf(by: number, encode: () => string): string {
  try {
    return encode();
  } catch (error) {
    throw new BadWrite(by, error);
  }
}
