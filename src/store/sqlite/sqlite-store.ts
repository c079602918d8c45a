// The SQLite store: the group-commit queue over one writing connection. Short reads run on that connection, all others
// in the worker. A read waits for the running commit, so nobody acts on data that a crash could still undo. When the
// disk fails the store stops (store-health.ts).
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../runtime/clock.ts';
import type { Schedule } from '../../runtime/schedule.ts';
import { aloneNode } from '../nodes.ts';
import { type SteadyClock, steadyClock } from '../../runtime/steady-clock.ts';
import type { Backend } from '../backend.ts';
import { type AnyRow, BadWrite, type Changes, NotNew } from '../batch.ts';
import { TABLES } from '../columns.ts';
import { GroupCommit } from '../group-commit.ts';
import type { LogReader } from '../log-reader.ts';
import { type RowSource, readState, unreadable } from '../read-state.ts';
import type { StoredState } from '../state-cache.ts';
import {
  type ScanRange,
  type Scanned,
  type StateCodec,
  type Store,
  StoreError,
  type Unit,
} from '../store.ts';
import type { IndexName, TableName, Tables } from '../tables.ts';
import { type CheckpointHelp, type CheckpointLimits, Checkpoints } from './checkpoints.ts';
import { inWords } from './errors.ts';
import type { FileIdentity } from './file-identity.ts';
import { RowCache } from './row-cache.ts';
import { type RawRow, RowReader } from './rows.ts';
import { Scrubber } from './scrubber.ts';
import { StateReader } from './states.ts';
import { StoreHealth } from './store-health.ts';
import type { WalSync } from './wal-sync.ts';
import { WorkerClient } from './worker-client.ts';
import { TIME_EVERY_MS, Writer } from './writer.ts';

/** Longer scans go to the worker. Reading and parsing this many rows takes about a millisecond. */
export const INLINE_ROWS_MAX = 256;
const STATES_A_PAGE = 200;

export interface SqliteParts {
  db: DatabaseSync;
  wal: WalSync;
  files: FileIdentity;
  unlock: () => void;
}

export interface StoreContext {
  file: string;
  clock: Clock;
  codec: StateCodec;
  schedule: Schedule;
  log: (line: string) => void;
  onStop: (reason: Error) => void;
  walLimits?: CheckpointLimits | undefined;
}

export class SqliteStore implements Store, Backend, RowSource {
  readonly clock: SteadyClock;
  readonly nodes = aloneNode();
  readonly #context: StoreContext;
  readonly #parts: SqliteParts;
  readonly #queue: GroupCommit;
  readonly #writer: Writer;
  readonly #rows: RowReader;
  readonly #written = new RowCache();
  readonly #states: StateReader;
  readonly #worker: WorkerClient;
  readonly #checkpoints: Checkpoints;
  readonly #scrubber: Scrubber;
  readonly #health: StoreHealth;
  #closing: Promise<void> | undefined;

  constructor(context: StoreContext, parts: SqliteParts) {
    const { db } = parts;
    this.#context = context;
    this.#parts = parts;
    this.#writer = new Writer(db, context.codec, (table, key) => this.#written.positionOf(table, key));
    this.#rows = new RowReader(db);
    this.#states = new StateReader(db);
    this.#worker = new WorkerClient({ file: context.file });
    this.#scrubber = new Scrubber(() => this.#worker.ask('index'), context.log);
    this.#checkpoints = new Checkpoints(db, this.#checkpointHelp(), context.walLimits);
    this.#health = new StoreHealth({
      file: context.file,
      files: parts.files,
      probe: () => this.#writer.probe(),
      onStop: context.onStop,
    });
    this.clock = steadyClock(context.clock, lastTime(db, context.clock.now()));
    const { clock } = this;
    const { schedule } = context;
    this.#queue = new GroupCommit({ backend: this, clock, schedule, lastPosition: lastPosition(db) });
  }

  transact<R>(unit: Unit<R>): Promise<R> {
    const { refusal } = this.#health;
    return refusal === undefined ? this.#queue.transact(unit) : Promise.reject(refusal);
  }

  async get<T extends TableName>(table: T, key: string): Promise<Tables[T] | undefined> {
    await this.#readable();
    return this.loadRow(table, key) as Tables[T] | undefined;
  }

  async scan<T extends TableName>(
    table: T,
    index: IndexName<T>,
    range: ScanRange,
  ): Promise<Scanned<Tables[T]>[]> {
    await this.#readable();
    const raw =
      range.limit > INLINE_ROWS_MAX
        ? await this.#worker.ask('scan', table, index, range)
        : this.#rows.scan(table, index, range);
    return raw.map((row) => parseRow<T>(row));
  }

  async state(key: string): Promise<unknown> {
    await this.#readable();
    return this.#queue.loadState(key)?.value;
  }

  async dueStates(until: number, limit: number): Promise<{ key: string; wakeAt: number }[]> {
    await this.#readable();
    return this.#states.due(until, limit);
  }

  async stateKeys(prefix: string, after: string, limit: number): Promise<string[]> {
    await this.#readable();
    return this.#states.keys(prefix, after, limit);
  }

  async search(words: string, limit: number): Promise<Scanned<Tables['log']>[]> {
    await this.#readable();
    const raw = await this.#worker.ask('search', words, limit);
    return raw.map((row) => parseRow<'log'>(row));
  }

  async horizon(): Promise<number> {
    await this.#readable();
    return this.#queue.lastPosition;
  }

  readonly log: LogReader = {
    find: async (filter, range) => {
      await this.#readable();
      const { rows, ...rest } = await this.#worker.ask('findLog', filter, range);
      return { rows: rows.map((row) => parseRow<'log'>(row)), ...rest };
    },
    extent: async (conversation, before) => {
      await this.#readable();
      return this.#worker.ask('logExtent', conversation, before);
    },
    seek: async (place) => {
      await this.#readable();
      return this.#worker.ask('seekLog', place);
    },
    tally: async (query) => {
      await this.#readable();
      return this.#worker.ask('tallyLog', query);
    },
  };

  async ready(): Promise<void> {
    await this.#readable();
    this.#health.check();
  }

  async stats(): Promise<Record<string, number>> {
    await this.#readable();
    return this.#worker.ask('stats');
  }

  async check(): Promise<string[]> {
    await this.#readable();
    const findings = await this.#worker.ask('check');
    for (let after = ''; ; ) {
      const keys = await this.stateKeys('', after, STATES_A_PAGE);
      for (const key of keys) findings.push(...this.#checkState(key));
      const last = keys.at(-1);
      if (last === undefined) return findings;
      after = last;
    }
  }

  async backup(file: string): Promise<void> {
    await this.#readable();
    await this.#worker.ask('backup', file);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  // The Backend of the group-commit queue.

  loadState(key: string): StoredState | undefined {
    const raw = this.#states.get(key);
    if (raw === undefined) return undefined;
    const { codec, log } = this.#context;
    return { value: readState(codec, key, raw.text, this, log), wakeAt: raw.wakeAt };
  }

  scanDocs(table: TableName, index: string, range: ScanRange): readonly RawRow[] {
    return this.#rows.scan(table, index, range);
  }

  loadRow(table: TableName, key: string): AnyRow | undefined {
    const written = this.#written.get(table, key);
    if (written !== undefined) return written;
    const doc = this.#rows.get(table, key);
    return doc === undefined ? undefined : (JSON.parse(doc) as AnyRow);
  }

  commit(changes: Changes): void | Promise<void> {
    const { refusal } = this.#health;
    if (refusal !== undefined) throw refusal;
    if (changes.rows.length === 0 && changes.states.length === 0) return;
    try {
      this.#writer.write(changes, this.#scrubber.followed);
    } catch (error) {
      if (error instanceof BadWrite || error instanceof NotNew) throw error;
      this.#written.clear(); // nobody knows what is stored now
      throw this.#health.writeFailed(error);
    }
    return this.#parts.wal.sync().then(
      () => this.#afterSync(changes),
      (error: unknown) => {
        throw this.#health.syncFailed(error);
      },
    );
  }

  /** Resolves when the next batch may be written. */
  async #afterSync(changes: Changes): Promise<void> {
    this.#health.synced();
    this.#written.keep(changes);
    this.#scrubber.afterBatch(changes);
    try {
      await this.#checkpoints.betweenBatches();
    } catch (error) {
      this.#checkpointFailed(error);
    }
  }

  #checkpointHelp(): CheckpointHelp {
    return {
      pass: async () => {
        await this.#worker.ask('checkpoint');
        void this.#scrubber.run(); // the index follows the log from time to time; nobody waits for it
      },
      hold: () => this.#worker.ask('hold'),
      release: () => void this.#worker.ask('release').catch(() => undefined),
      failed: (error) => this.#checkpointFailed(error),
      after: (ms) => new Promise((resolve) => void this.#context.clock.after(ms, resolve)),
      log: this.#context.log,
    };
  }

  #checkpointFailed(error: unknown): void {
    this.#health.noticed(error);
    this.#context.log(`checkpoint failed, will try again: ${inWords(error, this.#context.file).message}`);
  }

  async #readable(): Promise<void> {
    if (this.#closing !== undefined) throw new StoreError('closed', 'the store is closed');
    await this.#queue.settled();
  }

  /** Looks and never mends: what would be rebuilt is a finding too. */
  #checkState(key: string): string[] {
    const raw = this.#states.get(key);
    return raw === undefined ? [] : unreadable(this.#context.codec, key, raw.text);
  }

  async #close(): Promise<void> {
    await this.#queue.close();
    await this.#scrubber.idle();
    await this.#worker.close();
    await this.#parts.wal.close();
    this.#parts.db.close();
    this.#parts.unlock();
  }
}

function parseRow<T extends TableName>({ position, doc }: RawRow): Scanned<Tables[T]> {
  return Object.assign(JSON.parse(doc) as Tables[T], { position });
}

/** A position is never given twice. `meta` remembers the last one when rows were removed. */
export function lastPosition(db: DatabaseSync): number {
  const tops = TABLES.map((table) => `SELECT max(position) AS top FROM "${table}"`);
  const sql = `SELECT max(top) AS last FROM (${tops.join(' UNION ALL ')}
    UNION ALL SELECT value FROM meta WHERE name = 'position')`;
  return Number(db.prepare(sql).get()?.last ?? 0);
}

/**
 * The latest time that was used, as `meta` and the newest record have it. When the wall clock is behind it, what `meta`
 * was not yet told is added, so that no time is used twice.
 */
function lastTime(db: DatabaseSync, wallNow: number): number {
  const sql = `SELECT max(at) AS last FROM (SELECT value AS at FROM meta WHERE name = 'time'
    UNION ALL SELECT * FROM (SELECT json_extract(doc, '$.at') FROM log ORDER BY position DESC LIMIT 1))`;
  const last = Number(db.prepare(sql).get()?.last ?? 0);
  return last > wallNow ? last + TIME_EVERY_MS : last;
}
