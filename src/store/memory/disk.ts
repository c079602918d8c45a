// The disk of the memory store: what is durable, and nothing else. An image of it is what a crash leaves behind.
import { BadWrite, type Changes, NotNew } from '../batch.ts';
import { columnValue, indexedFields, TABLES } from '../columns.ts';
import type { TableName } from '../tables.ts';
import { type MemoryRow, MemoryTable } from './memory-table.ts';

export interface MemoryState {
  text: string;
  wakeAt: number | null;
}

/** Plain data: rows by table and key, states by key, the last position given. */
export interface MemoryImage {
  tables: Partial<Record<TableName, readonly (readonly [string, MemoryRow])[]>>;
  states: readonly (readonly [string, MemoryState])[];
  lastPosition: number;
}

export class Disk {
  readonly tables: Readonly<Record<TableName, MemoryTable>>;
  readonly states: Map<string, MemoryState>;
  lastPosition: number;

  constructor(image?: MemoryImage) {
    const made = TABLES.map((name) => [name, new MemoryTable(name, image?.tables[name])]);
    this.tables = Object.fromEntries(made) as Record<TableName, MemoryTable>;
    this.states = new Map(image?.states);
    this.lastPosition = image?.lastPosition ?? 0;
  }

  /** Throws as SQLite does: BadWrite for a row that no index could hold, NotNew for one that is there after all. */
  verify(changes: Changes): void {
    for (const { table, key, row, taken, by } of changes.rows) {
      if (taken && this.tables[table].get(key) !== undefined) throw new NotNew(table, key);
      if (row === undefined) continue;
      try {
        for (const field of indexedFields(table)) columnValue(row, field);
      } catch (error) {
        throw new BadWrite(by, error);
      }
    }
  }

  apply(changes: Changes): void {
    for (const { table, key, row, doc, position, anew } of changes.rows) {
      if (row === undefined || anew) this.tables[table].remove(key);
      if (row !== undefined) this.tables[table].put(key, doc, position);
    }
    for (const { key, text, wakeAt } of changes.states) {
      if (text === undefined) this.states.delete(key);
      else this.states.set(key, { text, wakeAt });
    }
    this.lastPosition = changes.lastPosition;
  }

  image(): MemoryImage {
    return {
      tables: Object.fromEntries(TABLES.map((name) => [name, [...this.tables[name].entries()]])),
      states: [...this.states],
      lastPosition: this.lastPosition,
    };
  }
}
