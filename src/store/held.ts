// What other processes hold while a batch runs, and whatever the units name that have to wait for it. A unit that names
// something of this waits too, so the units of one conversation stay in order.
import type { RowRef, Unit } from './store.ts';

export class Held {
  /** Others are likely to change them before the batch is stored. */
  readonly #changing: ReadonlySet<string>;
  readonly #states: Set<string>;
  readonly #rows: Set<string>;

  constructor(states: Iterable<string>, rows: Iterable<RowRef>) {
    this.#changing = new Set(states);
    this.#states = new Set(this.#changing);
    this.#rows = new Set([...rows].map(rowName));
  }

  /** A unit that only looks at a state waits for whoever changes it, and not for other units of this process. */
  concerns({ states, reads = [], rows = [], fresh }: Unit<unknown>): boolean {
    return (
      states.some((key) => this.#states.has(key)) ||
      reads.some((key) => this.#changing.has(key)) ||
      rows.some((row) => this.hasRow(row)) ||
      (fresh !== undefined && this.hasRow(fresh))
    );
  }

  hasRow(row: RowRef): boolean {
    return this.#rows.has(rowName(row));
  }

  /** The unit waits, and so does every later one that shares a name with it. */
  add({ states, rows = [], fresh }: Unit<unknown>): void {
    for (const key of states) this.#states.add(key);
    for (const row of rows) this.#rows.add(rowName(row));
    if (fresh !== undefined) this.#rows.add(rowName(fresh));
  }
}

/** A unit needs a row that another process holds. It waits for a later batch. */
export class HeldByOthers extends Error {
  constructor([table, key]: RowRef) {
    super(`${table} ${key} is held by another process`);
    this.name = 'HeldByOthers';
  }
}

export function rowName([table, key]: RowRef): string {
  return `${table} ${key}`;
}
