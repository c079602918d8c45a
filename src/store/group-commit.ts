// The queue in front of every store. Units collect until the event loop turns (or BATCH_UNITS_MAX), run as one batch in
// the order of arrival, and are made durable by one commit. Then their callers are answered. While a batch commits, the
// next one collects. There is no timer: at low load a batch is one unit.
import type { Clock } from '../runtime/clock.ts';
import type { Schedule } from '../runtime/schedule.ts';
import { type Backend, type BatchNames, NotLoaded, Stale } from './backend.ts';
import { type AnyRow, BadWrite, Batch, type BatchSource, type Changes, NotNew } from './batch.ts';
import { type Held, HeldByOthers } from './held.ts';
import { StateCache, type StoredState } from './state-cache.ts';
import { type RowRef, StoreError, type Unit } from './store.ts';
import type { TableName } from './tables.ts';

/** Units in one transaction. A larger batch gains little, and its first caller waits for its last. */
export const BATCH_UNITS_MAX = 500;
/** `transact` refuses when more units wait than this: 20 full batches, about a second of work. */
export const QUEUE_UNITS_MAX = 10_000;

export interface GroupCommitOptions {
  backend: Backend;
  clock: Pick<Clock, 'now'>;
  schedule: Schedule;
  /** Absent: every batch counts its positions from 1, and the backend gives it its place. */
  lastPosition?: number;
  batchUnitsMax?: number;
  queueUnitsMax?: number;
  /** 0: the backend keeps states itself. */
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
  /** What the backend reads is the newest, so nothing has to be prepared and nothing is stale. */
  readonly #sure: boolean;
  #held: Held | undefined;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#cache = new StateCache(options.cachedStatesMax);
    this.#batchMax = options.batchUnitsMax ?? BATCH_UNITS_MAX;
    this.#queueMax = options.queueUnitsMax ?? QUEUE_UNITS_MAX;
    this.#position = options.lastPosition ?? 0;
    this.#sure = options.backend.prepare === undefined;
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
    if (this.#held !== undefined) this.mayWrite(table, key);
    return this.#options.backend.loadRow(table, key);
  }

  mayWrite(table: TableName, key: string): void {
    const row: RowRef = [table, key];
    if (this.#held?.hasRow(row) === true) throw new HeldByOthers(row);
  }

  /** The last position that was given. Whoever reads after `settled` finds everything up to it. */
  get lastPosition(): number {
    return this.#position;
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
    this.#held = undefined;
    const pending = this.#attempt({ waiters, looks: false, missing: [] });
    if (pending === undefined) {
      this.#wake();
      return;
    }
    this.#committing = pending.then(() => {
      this.#committing = undefined;
      this.#wake();
    });
  }

  /**
   * Prepares, runs and commits the batch, again where that is needed. It never throws. Where the backend answers at once
   * all of it happens in this turn, so SQLite and memory wait for nothing but their sync.
   */
  #attempt(run: BatchRun): Promise<void> | undefined {
    const { backend } = this.#options;
    const preparing = this.#sure ? undefined : backend.prepare?.(namesOf(run));
    if (preparing === undefined) return this.#runBatch(run);
    return preparing.then(
      (held) => {
        this.#held = held;
        return this.#runBatch(run);
      },
      (error: unknown) => this.#fail(run.waiters, error),
    );
  }

  #runBatch(run: BatchRun): Promise<void> | undefined {
    const folded = this.#fold(run);
    if (folded.missing.length > 0) {
      run.missing.push(...folded.missing);
      return this.#attempt(run);
    }
    this.#putBack(run, folded);
    if (this.#sure) this.#rejectFailed(run, folded);
    if (run.waiters.length === 0) return this.#sure ? undefined : this.#options.backend.release?.();
    try {
      const changes = folded.batch.changes();
      this.#position = Math.max(this.#position, changes.lastPosition);
      const durable = this.#options.backend.commit(changes);
      if (durable === undefined) {
        this.#succeed(changes, folded);
        return undefined;
      }
      return durable.then(
        () => this.#succeed(changes, folded),
        (error: unknown) => this.#again(run, folded, error),
      );
    } catch (error) {
      return this.#again(run, folded, error);
    }
  }

  /** A commit that kept nothing may run again, without the unit that was at fault. */
  #again(run: BatchRun, folded: Folded, error: unknown): Promise<void> | undefined {
    if (error instanceof Stale) return this.#attempt(run);
    if (error instanceof NotNew && !run.looks) {
      run.looks = true;
      return this.#attempt(run);
    }
    const culprit = error instanceof BadWrite ? folded.ran[error.unitIndex] : undefined;
    if (culprit === undefined || !(error instanceof BadWrite)) {
      this.#fail(run.waiters, error);
      return undefined;
    }
    culprit.reject(unitError(error.cause));
    run.waiters = run.waiters.filter((waiter) => waiter !== culprit);
    if (run.waiters.length > 0) return this.#attempt(run);
    return this.#sure ? undefined : this.#options.backend.release?.();
  }

  #fold({ waiters, looks }: BatchRun): Folded {
    const batch = new Batch(this, this.#now, this.#startsAt(), looks);
    const folded: Folded = { batch, ran: waiters, done: [], failed: [], waiting: [], missing: [] };
    let by = 0;
    for (const waiter of waiters) {
      const unitIndex = by++;
      if (this.#held?.concerns(waiter.unit) === true) {
        this.#wait(folded, waiter);
        continue;
      }
      try {
        folded.done.push({ waiter, result: batch.run(waiter.unit, unitIndex) });
      } catch (error) {
        if (error instanceof NotLoaded) folded.missing.push(error.row);
        else if (error instanceof HeldByOthers) this.#wait(folded, waiter);
        else folded.failed.push({ waiter, error });
      }
    }
    return folded;
  }

  #wait(folded: Folded, waiter: Waiter): void {
    this.#held?.add(waiter.unit);
    folded.waiting.push(waiter);
  }

  /** Units that need what others hold go back to the front of the queue, in order. */
  #putBack(run: BatchRun, { waiting }: Folded): void {
    if (waiting.length === 0) return;
    this.#queue.unshift(...waiting);
    const gone = new Set(waiting);
    run.waiters = run.waiters.filter((waiter) => !gone.has(waiter));
  }

  /** A unit that throws over data that may be stale is told only once the commit has shown that it was not. */
  #rejectFailed(run: BatchRun, { done, failed }: Folded): void {
    for (const { waiter, error } of failed) waiter.reject(unitError(error));
    if (failed.length > 0) run.waiters = done.map(({ waiter }) => waiter);
    failed.length = 0;
  }

  #succeed(changes: Changes, { done, failed }: Folded): void {
    for (const { key, value, wakeAt } of changes.states) {
      if (value === undefined) this.#cache.delete(key);
      else this.#cache.set(key, { value, wakeAt });
    }
    for (const { waiter, error } of failed) waiter.reject(unitError(error));
    for (const { waiter, result } of done) waiter.resolve(result as never);
  }

  #fail(waiters: readonly Waiter[], cause: unknown): void {
    this.#cache.clear();
    for (const waiter of waiters) waiter.reject(commitError(cause));
  }

  #startsAt(): number {
    return this.#options.lastPosition === undefined ? 0 : this.#position;
  }
}

/** One batch on its way. Units leave it when they are answered, or go back to the queue. */
interface BatchRun {
  waiters: Waiter[];
  /** It also looks for rows that units expect to be new. */
  looks: boolean;
  /** Rows that units have looked at without naming them. */
  missing: RowRef[];
}

interface Folded {
  batch: Batch;
  /** By the index that the batch knows them by. */
  ran: readonly Waiter[];
  done: Done[];
  failed: { waiter: Waiter; error: unknown }[];
  /** Units that need what others hold. */
  waiting: Waiter[];
  /** Rows that must be loaded before it can run. */
  missing: RowRef[];
}

function namesOf({ waiters, looks, missing }: BatchRun): BatchNames {
  const states = new Set<string>();
  const reads = new Set<string>();
  const rows: RowRef[] = [...missing];
  for (const { unit } of waiters) {
    for (const key of unit.states) states.add(key);
    for (const key of unit.reads ?? []) reads.add(key);
    if (unit.rows !== undefined) rows.push(...unit.rows);
    if (looks && unit.fresh !== undefined) rows.push(unit.fresh);
  }
  return { states, reads, rows };
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
