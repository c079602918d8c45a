// One batch: units folded in arrival order over what is stored, each seeing what those before it left. Nothing is
// written here; the outcome is one change per state and per row, so that whatever happens can happen at once.
// A unit that throws leaves no trace in the batch.
import type { RowRef, StateCodec, Unit, UnitOutcome, UnitView, Write } from './store.ts';
import type { StoredState } from './state-cache.ts';
import type { TableName, Tables } from './tables.ts';

export type AnyRow = Tables[TableName];

export interface RowChange {
  table: TableName;
  key: string;
  /** Undefined: it is to be gone. */
  row: AnyRow | undefined;
  /** What is stored, if the batch has looked; null when it looked and there is nothing. */
  stored: AnyRow | null | undefined;
  /** Taken for new without looking: whoever finds it stored throws NotNew. */
  assumedNew: boolean;
  /** For a row that is not stored yet; one that is keeps its own. */
  position: number;
  /** Removed and put again in this batch: it is a new row. */
  reinserted: boolean;
  /** Index of the unit that wrote it last; negative while it has only been read. */
  unitIndex: number;
}

/** Without a value it is to be gone. */
export interface StateChange extends StoredState {
  key: string;
  /** Index of the unit that wrote it last; negative while it has only been read. */
  unitIndex: number;
}

export interface Changes {
  rows: readonly RowChange[];
  states: readonly StateChange[];
  lastPosition: number;
}

/** What a batch reads: synchronous, as of the end of the batch before. */
export interface BatchSource {
  loadState(key: string): StoredState | undefined;
  loadRow(table: TableName, key: string): AnyRow | undefined;
}

/** One change cannot be stored, whatever the others are: its unit is taken out and the rest run again. */
export class BadWrite extends Error {
  readonly unitIndex: number;

  constructor(unitIndex: number, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'BadWrite';
    this.unitIndex = unitIndex;
  }
}

/** A row that a unit took for new is stored: the batch runs again, this time looking. */
export class NotNew extends Error {
  constructor(table: TableName, key: string) {
    super(`${table} ${key} was taken for new and is stored`);
    this.name = 'NotNew';
  }
}

/** A row as stores keep it. Made when it is written, not before: a batch of texts is a batch to carry around. */
export function rowText({ row, unitIndex }: Pick<RowChange, 'row' | 'unitIndex'>): string {
  try {
    return JSON.stringify(row);
  } catch (error) {
    throw new BadWrite(unitIndex, error);
  }
}

/** Undefined: it is to be gone. */
export function stateText(codec: StateCodec, { key, value, unitIndex }: StateChange): string | undefined {
  if (value === undefined) return undefined;
  try {
    return codec.encode(key, value);
  } catch (error) {
    throw new BadWrite(unitIndex, error);
  }
}

const ONLY_READ = -1;

export class Batch {
  readonly #source: BatchSource;
  readonly #looks: boolean;
  readonly #states = new Map<string, StateChange>();
  readonly #rows = new Map<TableName, Map<string, RowChange>>();
  readonly #view: UnitView;
  #unit: Unit<unknown> | undefined;
  #position: number;

  /** `looks`: also for rows that units expect to be new. */
  constructor(source: BatchSource, now: number, lastPosition: number, looks = false) {
    this.#source = source;
    this.#looks = looks;
    this.#position = lastPosition;
    this.#view = {
      now,
      state: (key) => this.#state(key).value,
      row: (table, key) => this.#row(table, key).row as Tables[typeof table] | undefined,
    };
  }

  /** Throws what the unit throws, and for a write to a state it did not name. */
  run(unit: Unit<unknown>, unitIndex: number): unknown {
    this.#unit = unit;
    const outcome: UnitOutcome<unknown> = unit.run(this.#view);
    for (const write of outcome.writes) this.#allow(write);
    if (unit.fresh !== undefined) this.#mustProve(unit.fresh, outcome.writes);
    for (const write of outcome.writes) this.#apply(write, unitIndex);
    return outcome.result;
  }

  changes(): Changes {
    const rows: RowChange[] = [];
    const states: StateChange[] = [];
    for (const table of this.#rows.values()) {
      for (const change of table.values()) if (change.unitIndex !== ONLY_READ) rows.push(change);
    }
    for (const change of this.#states.values()) if (change.unitIndex !== ONLY_READ) states.push(change);
    return { rows, states, lastPosition: this.#position };
  }

  #state(key: string): StateChange {
    if (!this.#unit?.states.includes(key))
      throw new Error(`the unit reads state "${key}" but does not name it`);
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    const stored = this.#source.loadState(key);
    const { value, wakeAt = null } = stored ?? {};
    const state: StateChange = { key, value, wakeAt, unitIndex: ONLY_READ };
    this.#states.set(key, state);
    return state;
  }

  #row(table: TableName, key: string): RowChange {
    const known = this.#rows.get(table)?.get(key);
    const assumedNew = !this.#looks && this.#isExpectedNew(table, key);
    // Taken for new by a unit that then failed: this one did not ask for that.
    const unproven = known?.assumedNew === true && known.unitIndex === ONLY_READ && !assumedNew;
    if (known !== undefined && !unproven) return known;
    const stored = assumedNew ? undefined : Object.freeze(this.#source.loadRow(table, key) ?? null);
    return this.#note({ table, key, row: stored ?? undefined, stored, assumedNew });
  }

  #isExpectedNew(table: TableName, key: string): boolean {
    const { fresh } = this.#unit ?? {};
    return fresh !== undefined && fresh[0] === table && fresh[1] === key;
  }

  /** Only its being written shows whether a row is new. */
  #mustProve([table, key]: RowRef, writes: readonly Write[]): void {
    const seen = this.#rows.get(table)?.get(key);
    if (seen === undefined || !seen.assumedNew || seen.unitIndex !== ONLY_READ) return;
    if (writes.some((write) => 'row' in write && write.table === table && write.row.key === key)) return;
    throw new Error(`the unit takes ${table} "${key}" for new but does not write it`);
  }

  #note(seen: Pick<RowChange, 'table' | 'key' | 'row' | 'stored' | 'assumedNew'>): RowChange {
    const change: RowChange = { ...seen, position: 0, reinserted: false, unitIndex: ONLY_READ };
    let rows = this.#rows.get(seen.table);
    if (rows === undefined) {
      rows = new Map();
      this.#rows.set(seen.table, rows);
    }
    rows.set(seen.key, change);
    return change;
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

  #apply(write: Write, unitIndex: number): void {
    if ('state' in write) {
      const { state: key, value } = write;
      const kept = write.wakeAt === undefined ? this.#state(key).wakeAt : write.wakeAt;
      const wakeAt = value === undefined ? null : kept;
      this.#states.set(key, { key, value, wakeAt, unitIndex });
      return;
    }
    const { table } = write;
    // Stores compare it with what was there and may keep it: changed in place, an index would go stale unnoticed.
    const row: AnyRow | undefined = 'row' in write ? Object.freeze(write.row) : undefined;
    const key = 'row' in write ? write.row.key : write.remove;
    const change =
      this.#rows.get(table)?.get(key) ??
      this.#note({ table, key, row: undefined, stored: undefined, assumedNew: false });
    if (row !== undefined && (change.unitIndex === ONLY_READ || change.row === undefined)) {
      change.reinserted = change.unitIndex !== ONLY_READ;
      change.position = ++this.#position;
    }
    change.row = row;
    change.unitIndex = unitIndex;
  }
}
