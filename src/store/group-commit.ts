// The queue in front of every store. Units collect until the event loop turns (or BATCH_UNITS_MAX), run as one batch in
// the order of arrival, and are made durable by one commit. Then their callers are answered. While a batch commits, the
// next one collects. There is no timer: at low load a batch is one unit.
import type { Clock } from '../runtime/clock.ts';
import type { Schedule } from '../runtime/schedule.ts';
import { type AnyRow, BadWrite, Batch, type BatchSource, type Changes, NotNew } from './batch.ts';
import { StoreError, type Unit } from './store.ts';
import type { TableName } from './tables.ts';

/** Units in one transaction. A larger batch gains little, and its first caller waits for its last. */
export const BATCH_UNITS_MAX = 500;
/** `transact` refuses when more units wait than this: 20 full batches, about a second of work. */
export const QUEUE_UNITS_MAX = 10_000;

export interface Backend {
  loadState(key: string): StoredState | undefined;
  loadRow(table: TableName, key: string): AnyRow | undefined;
  /**
   * Writes all or nothing, and resolves when it is durable. Throws BadWrite when one change alone is at fault, and
   * NotNew when a row that was assumed new is stored; then nothing is kept. A StoreError goes to the callers as it is.
   * After any other failure nobody knows what is stored.
   */
  commit(changes: Changes): void | Promise<void>;
}

export interface GroupCommitOptions {
  backend: Backend;
  clock: Pick<Clock, 'now'>;
  schedule: Schedule;
  lastPosition: number;
  batchUnitsMax?: number;
  queueUnitsMax?: number;
  cachedStatesMax?: number;
}

interface Waiter {
  unit: Unit<unknown>;
  resolve: (result: never) => void;
  reject: (error: StoreError) => void;
}

export class GroupCommit implements BatchSource {
  readonly #options: GroupCommitOptions;
  readonly #cache: StateCache;
  readonly #batchMax: number;
  readonly #queueMax: number;
  #queue: Waiter[] = [];
  #scheduled = false;
  #committing: Promise<void> | undefined;
  #closed = false;
  #now = 0;
  #position: number;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#cache = new StateCache(options.cachedStatesMax);
    this.#batchMax = options.batchUnitsMax ?? BATCH_UNITS_MAX;
    this.#queueMax = options.queueUnitsMax ?? QUEUE_UNITS_MAX;
    this.#position = options.lastPosition;
  }

  transact<R>(unit: Unit<R>): Promise<R> {
    if (this.#closed) return Promise.reject(new StoreError('closed', 'the store is closed'));
    if (this.#queue.length >= this.#queueMax) {
      return Promise.reject(
        new StoreError('full', `${this.#queueMax} units are waiting to be stored: try again shortly`),
      );
    }
    return new Promise<R>((resolve, reject) => {
      this.#queue.push({ unit, resolve, reject });
      if (this.#queue.length >= this.#batchMax && this.#committing === undefined) this.#flush();
      else this.#wake();
    });
  }

  /** Resolves when no commit is running, so a read after it sees only durable data. */
  settled(): Promise<void> | undefined {
    return this.#committing;
  }

  /** A state from the cache, else from the store. Call it only when no commit is running. */
  loadState(key: string): StoredState | undefined {
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const stored = this.#options.backend.loadState(key);
    if (stored !== undefined) this.#cache.set(key, stored);
    return stored;
  }

  loadRow(table: TableName, key: string): AnyRow | undefined {
    return this.#options.backend.loadRow(table, key);
  }

  /** Takes no more units. Resolves when all earlier ones are answered. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#queue.length > 0 || this.#committing !== undefined) {
      if (this.#committing === undefined) this.#flush();
      else await this.#committing;
    }
  }

  /** Stops at once without answering. Tests use it to simulate a crash. */
  abandon(): void {
    this.#closed = true;
    this.#queue = [];
    this.#committing = undefined;
  }

  #wake(): void {
    if (this.#scheduled || this.#committing !== undefined || this.#queue.length === 0) return;
    this.#scheduled = true;
    this.#options.schedule(() => {
      this.#scheduled = false;
      if (this.#committing === undefined) this.#flush();
    });
  }

  #flush(): void {
    const waiters = this.#queue.splice(0, this.#batchMax);
    if (waiters.length === 0) return;
    this.#now = Math.max(this.#now, this.#options.clock.now());
    const pending = this.#runBatch(waiters);
    if (pending === undefined) {
      this.#wake();
      return;
    }
    this.#committing = pending.then(() => {
      this.#committing = undefined;
      this.#wake();
    });
  }

  /** Runs and commits the batch. Takes out, one by one, the units that cannot be stored. Never throws. */
  #runBatch(waiters: Waiter[]): Promise<void> | undefined {
    let looks = false;
    for (;;) {
      const { batch, done } = this.#fold(waiters, looks);
      if (done.length === 0) return undefined;
      try {
        const changes = batch.changes();
        this.#position = Math.max(this.#position, changes.lastPosition);
        const durable = this.#options.backend.commit(changes);
        if (durable === undefined) {
          this.#succeed(changes, done);
          return undefined;
        }
        return durable.then(
          () => this.#succeed(changes, done),
          (error: unknown) => this.#fail(done, error),
        );
      } catch (error) {
        if (error instanceof NotNew && !looks) {
          looks = true;
          waiters = done.map(({ waiter }) => waiter);
          continue;
        }
        if (!(error instanceof BadWrite)) {
          this.#fail(done, error);
          return undefined;
        }
        const culprit = waiters[error.unitIndex];
        if (culprit === undefined) throw error;
        culprit.reject(unitError(error.cause));
        waiters = done.map(({ waiter }) => waiter).filter((waiter) => waiter !== culprit);
      }
    }
  }

  #fold(waiters: readonly Waiter[], looks: boolean): { batch: Batch; done: Done[] } {
    const batch = new Batch(this, this.#now, this.#position, looks);
    const done: Done[] = [];
    let by = 0;
    for (const waiter of waiters) {
      try {
        done.push({ waiter, result: batch.run(waiter.unit, by++) });
      } catch (error) {
        waiter.reject(unitError(error));
      }
    }
    return { batch, done };
  }

  #succeed(changes: Changes, done: readonly Done[]): void {
    for (const { key, value, wakeAt } of changes.states) {
      if (value === undefined) this.#cache.delete(key);
      else this.#cache.set(key, { value, wakeAt });
    }
    for (const { waiter, result } of done) waiter.resolve(result as never);
  }

  #fail(done: readonly Done[], cause: unknown): void {
    this.#cache.clear();
    for (const { waiter } of done) waiter.reject(commitError(cause));
  }
}

interface Done {
  waiter: Waiter;
  result: unknown;
}

function unitError(cause: unknown): StoreError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new StoreError('unit', `a unit failed and left nothing behind: ${why}`, { cause });
}

/** A backend that knows what became of the batch says so itself. */
function commitError(cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new StoreError('unknown', `it is not known whether this was stored: ${why}`, { cause });
}

export interface StoredState {
  value: unknown;
  wakeAt: number | null;
}

/** About 4 KB each at the most: 80 MB when every one is at its limit. */
const CACHED_STATES_MAX = 20_000;

/**
 * Decoded states, the most recently used first to stay. They make the fold cheap: a hot conversation is read from disk
 * once. Only durable states are in here. After a failed commit the whole cache is dropped.
 */
class StateCache {
  readonly #states = new Map<string, StoredState>();
  readonly #max: number;

  constructor(max: number = CACHED_STATES_MAX) {
    this.#max = max;
  }

  get(key: string): StoredState | undefined {
    const state = this.#states.get(key);
    if (state === undefined) return undefined;
    this.#states.delete(key);
    this.#states.set(key, state);
    return state;
  }

  set(key: string, state: StoredState): void {
    this.#states.delete(key);
    this.#states.set(key, state);
    if (this.#states.size <= this.#max) return;
    for (const oldest of this.#states.keys()) {
      this.#states.delete(oldest);
      return;
    }
  }

  delete(key: string): void {
    this.#states.delete(key);
  }

  clear(): void {
    this.#states.clear();
  }
}
