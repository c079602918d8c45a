// The store port. All changes go through `transact`. Units collect until the event loop turns, run in the order of
// arrival over states that are loaded once, and are written in one transaction with one sync. Then their callers go on.
// No caller holds a transaction across an await. An expected refusal is a value, not an exception.
import type { SteadyClock } from '../runtime/steady-clock.ts';
import type { LogReader } from './log-reader.ts';
import type { Nodes } from './nodes.ts';
import type { IndexName, TableName, Tables } from './tables.ts';

export interface Store {
  /** The time of everything stored. It follows the clock that the store was opened with, and never goes back. */
  readonly clock: SteadyClock;
  /** Resolves after the sync that made the unit durable. Rejects with StoreError. */
  transact<R>(unit: Unit<R>): Promise<R>;
  /** The newest committed row. */
  get<T extends TableName>(table: T, key: string): Promise<Tables[T] | undefined>;
  scan<T extends TableName>(table: T, index: IndexName<T>, range: ScanRange): Promise<Scanned<Tables[T]>[]>;
  state(key: string): Promise<unknown>;
  /** States whose `wakeAt` has come, the earliest first. */
  dueStates(until: number, limit: number): Promise<{ key: string; wakeAt: number }[]>;
  /** Every state key with this prefix, in order, a page at a time. */
  stateKeys(prefix: string, after: string, limit: number): Promise<string[]>;
  /** Messages containing these words, newest first. */
  search(words: string, limit: number): Promise<Scanned<Tables['log']>[]>;
  /**
   * A position up to which everything is there: nothing that is stored later gets one at or below it. Whoever remembers
   * how far they have read, in whatever table, reads no further than this.
   */
  horizon(): Promise<number>;
  /** The others that share the store. */
  readonly nodes: Nodes;
  /** Reads the log as people do. */
  readonly log: LogReader;
  /** Resolves when an event could be stored now. Else rejects with StoreError, which says why. */
  ready(): Promise<void>;
  /** Counts for metrics and doctor: rows per table, bytes on disk, wal bytes. */
  stats(): Promise<Record<string, number>>;
  /** Everything that is wrong with the stored data, in words. Empty when nothing is. */
  check(): Promise<string[]>;
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

/** One step. It is synchronous and pure, so it can run inside any transaction, and again if needed. */
export interface Unit<R> {
  /** The keys of the states to load and lock. A unit reads and writes no others. */
  states: readonly string[];
  /** The keys of states to look at, which are not locked and which the unit does not write: a thread's parent. */
  reads?: readonly string[];
  /** Rows to load in advance. A unit can read others too, for one more trip to the store. */
  rows?: readonly RowRef[];
  /**
   * A row that the unit writes and that is most likely new: the batch does not look for it. If it is stored after all,
   * the batch runs again and the unit sees it. So no event has to be searched for in the log before it is written.
   */
  fresh?: RowRef;
  run(view: UnitView): UnitOutcome<R>;
}

export type RowRef = { [T in TableName]: readonly [table: T, key: string] }[TableName];

export interface UnitView {
  /** The store's clock, epoch ms. Leases and TTLs are compared with it. */
  now: number;
  /** As the earlier units of the same batch left it. */
  state(key: string): unknown;
  /** The row is frozen. To change it, write a new one: `{ ...row, state }`. */
  row<T extends TableName>(table: T, key: string): Tables[T] | undefined;
}

export interface UnitOutcome<R> {
  writes: readonly Write[];
  result: R;
}

export type Write =
  | { [T in TableName]: { table: T; row: Tables[T] } }[TableName]
  | { [T in TableName]: { table: T; remove: string } }[TableName]
  /** A value of undefined removes the state. Without `wakeAt` the stored one stays. */
  | { state: string; value: unknown; wakeAt?: number | null };

export interface ScanRange {
  eq?: readonly (string | number)[];
  /** Exclusive bounds on the order column. */
  after?: number;
  before?: number;
  limit: number;
  descending?: boolean;
  /**
   * Of the rows within the limit, those without these characters in their JSON may be left out. A store that leaves them out
   * saves reading them; none has to, so the caller still looks at each.
   */
  holding?: string;
}

export type Scanned<Row> = Row & { position: number };

/** How a state becomes text and back. The owner of the key prefix decides; the store only keeps the text. */
export interface StateCodec {
  encode(key: string, value: unknown): string;
  /** Throws UnreadableState for text that says nothing; any other error is final. */
  decode(key: string, text: string): unknown;
  /**
   * The state again, from the rows that led to it; undefined when there is none. The store asks when decode has thrown
   * UnreadableState. Without it, and when it throws, whoever wanted the state gets the error.
   */
  rebuild?(key: string, text: string, stored: StoredRows): unknown;
}

/** Everything durable as of the end of the batch before. Read a page at a time, so that any log fits. */
export interface StoredRows {
  row<T extends TableName>(table: T, key: string): Tables[T] | undefined;
  /** In the order of the index: one by position, or by seq. */
  rows<T extends TableName>(
    table: T,
    index: IndexName<T>,
    ...eq: readonly (string | number)[]
  ): Iterable<Tables[T]>;
}

/** Stored text that cannot be read, and is worth nothing: the state may be rebuilt over it. */
export class UnreadableState extends Error {
  constructor(key: string, cause: unknown) {
    super(`state ${key} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = 'UnreadableState';
  }
}

/**
 * `unknown`: the commit failed, and it may or may not have happened. Every caller is told. Trying again is safe,
 * because units are idempotent by key. `unit`: this unit threw; the others went on. `full`: too many units wait.
 * `no_room`: the disk is full and nothing was stored. `unavailable`: the database cannot be reached, or it refused, and
 * nothing was stored. `closed`: the store takes no more.
 */
export class StoreError extends Error {
  readonly kind: 'unknown' | 'unit' | 'closed' | 'full' | 'no_room' | 'unavailable';
  readonly retryable: boolean;

  constructor(kind: StoreError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.kind = kind;
    this.retryable = kind !== 'unit' && kind !== 'closed';
  }
}
