// The disk of the memory store. It holds only durable data; a crash leaves an image of it.
import { BadWrite, type Changes, NotNew, type RowChange, rowText, stateText } from '../batch.ts';
import { columnValue, indexedFields, TABLES } from '../columns.ts';
import type { StateCodec } from '../store.ts';
import type { TableName } from '../tables.ts';
import { type MemoryRow, MemoryTable } from './memory-table.ts';

export interface MemoryState {
  text: string;
  wakeAt: number | null;
}

/** Plain data: rows by table and key, states by key, and the last position that was given. */
export interface MemoryImage {
  tables: Partial<Record<TableName, readonly (readonly [string, MemoryRow])[]>>;
  states: readonly (readonly [string, MemoryState])[];
  lastPosition: number;
  /** The latest time of a batch. An image of earlier has none. */
  lastTime?: number;
  /** The last row of the log that was ever removed. An image of earlier has none. */
  cut?: number;
}

/** The changes as texts, so later changes of the values do not matter. */
export interface Prepared {
  rows: readonly (Pick<RowChange, 'table' | 'key' | 'position' | 'reinserted'> & {
    doc: string | undefined;
    /** What the indexes read. */
    fields: object;
  })[];
  states: readonly { key: string; text: string | undefined; wakeAt: number | null }[];
  lastPosition: number;
  now: number;
}

const NO_FIELDS = {};

export class Disk {
  readonly tables: Readonly<Record<TableName, MemoryTable>>;
  readonly states: Map<string, MemoryState>;
  lastPosition: number;
  lastTime: number;
  cut: number;

  constructor(image?: MemoryImage) {
    const made = TABLES.map((name) => [name, new MemoryTable(name, image?.tables[name])]);
    this.tables = Object.fromEntries(made) as Record<TableName, MemoryTable>;
    this.states = new Map(image?.states);
    this.lastPosition = image?.lastPosition ?? 0;
    this.lastTime = image?.lastTime ?? 0;
    this.cut = image?.cut ?? 0;
  }

  /** Throws as SQLite does: BadWrite for a change that cannot be stored, NotNew for a row that exists after all. */
  prepare({ rows, states, lastPosition, now }: Changes, codec: StateCodec): Prepared {
    for (const { table, key, assumedNew } of rows) {
      if (assumedNew && this.tables[table].get(key) !== undefined) throw new NotNew(table, key);
    }
    return {
      rows: rows.map((change) => {
        const { table, key, position, reinserted, row = NO_FIELDS } = change;
        return { table, key, position, reinserted, doc: docOf(change), fields: row };
      }),
      states: states.map((change) => ({ ...change, text: stateText(codec, change) })),
      lastPosition,
      now,
    };
  }

  apply({ rows, states, lastPosition, now }: Prepared): void {
    for (const { table, key, doc, position, reinserted, fields } of rows) {
      if (doc === undefined || reinserted) {
        if (table === 'log') this.cut = Math.max(this.cut, this.tables.log.get(key)?.position ?? 0);
        this.tables[table].remove(key);
      }
      if (doc !== undefined) this.tables[table].put(key, doc, position, fields);
    }
    for (const { key, text, wakeAt } of states) {
      if (text === undefined) this.states.delete(key);
      else this.states.set(key, { text, wakeAt });
    }
    this.lastPosition = lastPosition;
    this.lastTime = now;
  }

  image(): MemoryImage {
    return {
      tables: Object.fromEntries(TABLES.map((name) => [name, [...this.tables[name].texts()]])),
      states: [...this.states],
      lastPosition: this.lastPosition,
      lastTime: this.lastTime,
      cut: this.cut,
    };
  }
}

function docOf(change: RowChange): string | undefined {
  const { table, row, unitIndex } = change;
  if (row === undefined) return undefined;
  try {
    for (const field of indexedFields(table)) columnValue(row, field);
  } catch (error) {
    throw new BadWrite(unitIndex, error);
  }
  return rowText(change);
}
