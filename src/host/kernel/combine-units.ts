// Several units as one: each sees what those before it wrote, and all of them are stored or none is.
import type { RowRef, Unit, UnitView, Write } from '../../store/store.ts';
import type { TableName } from '../../store/tables.ts';

export function together<R>(units: readonly Unit<R>[]): Unit<R[]> {
  const rows = units.flatMap(({ rows: named = [], fresh }): RowRef[] =>
    fresh === undefined ? [...named] : [...named, fresh],
  );
  return {
    states: [...new Set(units.flatMap(({ states }) => states))],
    rows,
    run(view) {
      const over = new Overlay(view);
      const results: R[] = [];
      const writes: Write[] = [];
      for (const unit of units) {
        const outcome = unit.run(over.view);
        over.apply(outcome.writes);
        writes.push(...outcome.writes);
        results.push(outcome.result);
      }
      return { writes, result: results };
    },
  };
}

/** What a view shows once some writes have been made. */
class Overlay {
  readonly #states = new Map<string, unknown>();
  readonly #rows = new Map<string, unknown>();
  readonly view: UnitView;

  constructor(below: UnitView) {
    this.view = {
      now: below.now,
      state: (key) => (this.#states.has(key) ? this.#states.get(key) : below.state(key)),
      row: (table, key) => {
        const own = rowKey(table, key);
        return this.#rows.has(own) ? (this.#rows.get(own) as never) : below.row(table, key);
      },
    };
  }

  apply(writes: readonly Write[]): void {
    for (const write of writes) {
      if ('state' in write) this.#states.set(write.state, write.value);
      else if ('remove' in write) this.#rows.set(rowKey(write.table, write.remove), undefined);
      else this.#rows.set(rowKey(write.table, write.row.key), write.row);
    }
  }
}

function rowKey(table: TableName, key: string): string {
  return `${table} ${key}`;
}
