// One batch: units run in the order of arrival over the stored data, and each sees the changes of those before it.
// Nothing is written here. The result is one change per state and per row, which the store then writes at once.
// A unit that throws leaves no trace in the batch.
import type { StoredState } from './state-cache.ts';
import type { RowRef, StateCodec, Unit, UnitOutcome, UnitView, Write } from './store.ts';
import type { TableName, Tables } from './tables.ts';

export type AnyRow = Tables[TableName];

export interface RowChange {
  table: TableName;
  key: string;
  /** Undefined: the row is to be removed. */
  row: AnyRow | undefined;
  /** The stored row, if the batch has looked. Null: it looked and there is none, or the store has found that. */
  stored: AnyRow | null | undefined;
  /** The batch assumes that the row is new and has not looked. A store that finds it throws NotNew. */
  assumedNew: boolean;
  /** The position of a new row. A stored row keeps its own. */
  position: number;
  /** The batch removed the row and wrote it again, so it is a new row. */
  reinserted: boolean;
  /** Index of the unit that wrote it last; negative while it has only been read. */
  unitIndex: number;
}

/** Without a value the state is to be removed. */
export interface StateChange extends StoredState {
  key: string;
  /** Index of the unit that wrote it last; negative while it has only been read. */
  unitIndex: number;
}

export interface Changes {
  rows: readonly RowChange[];
  states: readonly StateChange[];
  lastPosition: number;
  /** The time of the batch. The store keeps the latest, so that time does not go back over a restart. */
  now: number;
  /** What units looked at and did not write. */
  onlyRead(): OnlyRead;
}

export interface OnlyRead {
  states: readonly string[];
  rows: readonly RowRef[];
}

/** What a batch reads, synchronously: the data after the batch before. */
export interface BatchSource {
  loadState(key: string): StoredState | undefined;
  loadRow(table: TableName, key: string): AnyRow | undefined;
  /** Throws when the row cannot be written in this batch. */
  mayWrite(table: TableName, key: string): void;
}

/** One change cannot be stored. Its unit is taken out of the batch, and the rest run again. */
export class BadWrite extends Error {
  readonly unitIndex: number;

  constructor(unitIndex: number, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'BadWrite';
    this.unitIndex = unitIndex;
  }
}

/** A row that was assumed new is stored. The batch runs again and looks this time. */
export class NotNew extends Error {
  constructor(table: TableName, key: string) {
    super(`${table} ${key} was taken for new and is stored`);
    this.name = 'NotNew';
  }
}

/**
 * The text that stores keep of a row. It is made when the row is written, so a batch does not hold all texts at once.
 */
export function rowText({ row, unitIndex }: Pick<RowChange, 'row' | 'unitIndex'>): string {
  try {
    return JSON.stringify(row);
  } catch (error) {
    throw new BadWrite(unitIndex, error);
  }
}

/** Undefined: the state is to be removed. */
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

  /** `looks`: the batch also looks for rows that units expect to be new. */
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

  /** Throws what the unit throws, and when the unit writes a state that it did not name. */
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
    const onlyRead = (): OnlyRead => this.#onlyRead();
    return { rows, states, lastPosition: this.#position, now: this.#view.now, onlyRead };
  }

  #onlyRead(): OnlyRead {
    const states = [...this.#states.values()].filter(({ unitIndex }) => unitIndex === ONLY_READ);
    const rows: RowRef[] = [];
    for (const table of this.#rows.values()) {
      for (const { table: name, key, unitIndex, assumedNew } of table.values())
        if (unitIndex === ONLY_READ && !assumedNew) rows.push([name, key]);
    }
    return { states: states.map(({ key }) => key), rows };
  }

  #state(key: string): StateChange {
    if (this.#unit?.states.includes(key) !== true && this.#unit?.reads?.includes(key) !== true)
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
    // A unit that then failed assumed the row to be new. This unit does not, so the batch must look.
    const unproven = known?.assumedNew === true && known.unitIndex === ONLY_READ && !assumedNew;
    if (known !== undefined && !unproven) return known;
    const stored = assumedNew ? undefined : Object.freeze(this.#source.loadRow(table, key) ?? null);
    return this.#note({ table, key, row: stored ?? undefined, stored, assumedNew });
  }

  #isExpectedNew(table: TableName, key: string): boolean {
    const { fresh } = this.#unit ?? {};
    return fresh !== undefined && fresh[0] === table && fresh[1] === key;
  }

  /** Only writing the row shows whether it is new, so a unit that assumes it must write it. */
  #mustProve([table, key]: RowRef, writes: readonly Write[]): void {
    const seen = this.#rows.get(table)?.get(key);
    if (seen === undefined || !seen.assumedNew || seen.unitIndex !== ONLY_READ) return;
    if (writes.some((write) => 'row' in write && write.table === table && write.row.key === key)) return;
    throw new Error(`the unit takes ${table} "${key}" for new but does not write it`);
  }

  #note(seen: Pick<RowChange, 'table' | 'key' | 'row' | 'stored' | 'assumedNew'>): RowChange {
    const { table, key, row, stored, assumedNew } = seen;
    // Listed one by one: every row of every batch passes here, and a copy of the object takes twice as long.
    const change: RowChange = {
      table,
      key,
      row,
      stored,
      assumedNew,
      position: 0,
      reinserted: false,
      unitIndex: ONLY_READ,
    };
    let rows = this.#rows.get(table);
    if (rows === undefined) {
      rows = new Map();
      this.#rows.set(table, rows);
    }
    rows.set(key, change);
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
    this.#source.mayWrite(write.table, key);
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
    // Frozen, because stores may keep the row and compare it with the next one. A change in place would go unnoticed.
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
