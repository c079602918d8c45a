// The one shape of every change of the host: rows and states to write, and the news to tell once they are durable.
// Every step builds a Change inside a unit; `apply` is the only place of the host that commits one. It publishes the
// news after the sync, so nobody ever acts on something that a crash could take back.
import type { RowRef, Store, Unit, UnitView, Write } from '../../store/store.ts';
import type { TableName } from '../../store/tables.ts';
import type { HostBus, HostNews } from './news.ts';

export interface Change {
  writes: Write[];
  news: HostNews[];
}

/** A unit of the store whose outcome is a change, and an answer for the caller. It is pure and may run again. */
export interface ChangeUnit<R> extends Omit<Unit<R>, 'run'> {
  run(view: UnitView): Change & { result: R };
}

/** Commits a unit. Resolves with the unit's answer after the sync and after its news was published. */
export type Apply = <R>(unit: ChangeUnit<R>) => Promise<R>;

export function createApply(store: Pick<Store, 'transact'>, bus?: Pick<HostBus, 'publish'>): Apply {
  return (unit) =>
    store
      .transact({
        ...unit,
        run(view) {
          const outcome = unit.run(view);
          return { writes: outcome.writes, result: outcome };
        },
      })
      .then(({ news, result }) => {
        for (const item of news) bus?.publish(item);
        return result;
      });
}

export const noChange = (): Change => ({ writes: [], news: [] });

export function mergeChanges(parts: readonly Change[]): Change {
  const merged = noChange();
  for (const part of parts) addChange(merged, part);
  return merged;
}

/** Adds a part to a change that its caller is still building. */
export function addChange(to: Change, { writes, news }: Change): void {
  for (const write of writes) to.writes.push(write);
  for (const item of news) to.news.push(item);
}

/** Several units as one: each sees what those before it wrote, and either all of them are stored or none is. */
export function combineUnits<R>(units: readonly ChangeUnit<R>[]): ChangeUnit<R[]> {
  const rows = units.flatMap(({ rows: named = [], fresh }): RowRef[] =>
    fresh === undefined ? [...named] : [...named, fresh],
  );
  return {
    states: [...new Set(units.flatMap(({ states }) => states))],
    rows,
    run(view) {
      const over = new Overlay(view);
      const all = { ...noChange(), result: [] as R[] };
      for (const unit of units) {
        const { result, ...change } = unit.run(over.view);
        over.add(change.writes);
        addChange(all, change);
        all.result.push(result);
      }
      return all;
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

  add(writes: readonly Write[]): void {
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
