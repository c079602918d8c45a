// The one shape of every change of the host: rows and states to write, and the news to publish once they are durable.
// Every step builds a Change inside a unit; `apply` is the only place of the host that commits one. It publishes the
// news after the sync, so nobody ever acts on something that a crash could take back.
import type { Store, Unit, UnitView, Write } from '../../store/store.ts';
import type { TableName, DeliveryRow, LogRow, OutboxRow, TokenRow } from '../../store/tables.ts';

export interface Change {
  writes: Write[];
  news: HostNews[];
}

/** A unit of the store that returns a change and an answer for the caller. It is pure and may run again. */
export interface ChangeUnit<R> extends Omit<Unit<R>, 'run'> {
  run(view: UnitView): Change & { result: R };
}

export type UnitNames = Pick<Unit<unknown>, 'states' | 'reads' | 'rows'>;

/** Commits a unit. Resolves with the unit's answer after the sync and after its news was published. */
export type Apply = <R>(unit: ChangeUnit<R>) => Promise<R>;

export function createApply(store: Pick<Store, 'transact'>, bus?: Pick<HostBus, 'publish'>): Apply {
  return (unit) =>
    store
      .transact({
        ...unit,
        run(view) {
          const { writes, news, result } = unit.run(view);
          // The writes are not part of what is waited for: most of a state is garbage once the next unit of the batch has run.
          return { writes, result: { news, result } };
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

/** Makes one unit of several. Each sees what those before it wrote. Either all of them are stored or none is. */
export function combineUnits<R>(units: readonly ChangeUnit<R>[]): ChangeUnit<R[]> {
  return {
    ...namesOf(units),
    run(view) {
      const overlay = new Overlay(view);
      const all = { ...noChange(), result: [] as R[] };
      for (const unit of units) {
        const { result, ...change } = unit.run(overlay.view);
        overlay.add(change.writes);
        addChange(all, change);
        all.result.push(result);
      }
      return all;
    },
  };
}

/** Everything that these units name, for a unit that runs them. What a unit takes for new is looked for. */
export function namesOf(units: readonly Omit<ChangeUnit<unknown>, 'run'>[]): Required<UnitNames> {
  return {
    states: [...new Set(units.flatMap(({ states }) => states))],
    reads: [...new Set(units.flatMap(({ reads = [] }) => reads))],
    rows: units.flatMap(({ rows = [], fresh }) => (fresh === undefined ? [...rows] : [...rows, fresh])),
  };
}

/** Runs a unit as if the change had been written before it. The caller adds both to its own. */
export function runAfter<R>(view: UnitView, before: Change, unit: ChangeUnit<R>): Change & { result: R } {
  const overlay = new Overlay(view);
  overlay.add(before.writes);
  return unit.run(overlay.view);
}

/** A view as it looks after some writes. */
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

// The news: what has just been committed or has just happened. News about stored rows is part of a Change and is
// published after the sync, never before. Steps of the pipeline reach each other over the bus, without imports.

export type HostNews =
  | { type: 'logged'; row: LogRow }
  /** A new or changed delivery is ready to be handed over. Without `event` the listener reads it from the log. */
  | { type: 'deliver'; delivery: DeliveryRow; event?: LogRow | undefined }
  /** Another node has made one ready for an agent that pulls. */
  | { type: 'ready'; agent: string }
  | { type: 'withdraw'; delivery: DeliveryRow; reason: string }
  | { type: 'settled'; delivery: DeliveryRow }
  /** An outbox row is to be posted. */
  | { type: 'outbox'; key: string }
  /** Nobody need wait for an outbox row any more: it is visible, failed or cancelled, or its source pulls it. */
  | { type: 'outbox_done'; row: OutboxRow }
  /** The sweep has work: at the given time, or now without one. */
  | { type: 'due'; at?: number }
  | { type: 'typing'; conversation: string; author: LogRow['record']['event']['author']; typing: boolean }
  /** A person stopped the agent. Its work in the conversation from before the record with this seq ends. */
  | { type: 'cancel_turn'; agent: string; conversation: string; reason: string; seq: number }
  /** A turn failed. It is tried again later, or given up. `key` is of the delivery that it was about. */
  | {
      type: 'turn_failed';
      agent: string;
      conversation: string;
      key: string;
      error: string | undefined;
      isGivenUp: boolean;
    }
  | { type: 'inbox'; key: string }
  /** A token was written in chat, so it is revoked. */
  | { type: 'token_revoked'; row: TokenRow }
  | { type: 'session'; agent: string; connected: boolean }
  /** A surface works again, or no longer. */
  | { type: 'surface'; surface: string; state: string }
  /** Somebody has set the machine's clock by so much. */
  | { type: 'clock'; jumpMs: number }
  /** Other settings are in force. */
  | { type: 'settings'; added: readonly string[]; removed: readonly string[] }
  | { type: 'progress'; agent: string; detail: Record<string, unknown> }
  /** A line for the log. A unit may run more than once, so it returns its warnings as news instead of logging them. */
  | { type: 'warning'; message: string; fields: Record<string, unknown> };

export interface HostLog {
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

export interface HostBus {
  publish(news: HostNews): void;
  /** Listeners must not throw and must not wait. Returns the function that stops listening. */
  listen(listener: (news: HostNews) => void): () => void;
}

export function createBus(log: HostLog): HostBus {
  const listeners = new Set<(news: HostNews) => void>();
  return {
    publish(news) {
      if (news.type === 'warning') log.warn(news.fields, news.message);
      for (const listener of listeners) {
        try {
          listener(news);
        } catch (error) {
          // One broken listener must not keep the news from the others.
          log.error({ err: error, news: news.type }, 'a listener failed');
        }
      }
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
