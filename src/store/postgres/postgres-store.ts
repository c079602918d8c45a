// The PostgreSQL store: the group-commit queue over a backend that many nodes share. Reads go straight to the database,
// which shows only what is committed. See backend.ts for how a batch is written.
import type { Schedule } from '../../runtime/schedule.ts';
import { type SteadyClock, steadyClock } from '../../runtime/steady-clock.ts';
import type { Changes } from '../batch.ts';
import { TABLES } from '../columns.ts';
import { GroupCommit } from '../group-commit.ts';
import type { LogReader } from '../log-reader.ts';
import { findInLog, type LogSource, logExtent, type RawLogRow, seekInLog, tallyLog } from '../log-reads.ts';
import { unreadable } from '../read-state.ts';
import {
  type ScanRange,
  type Scanned,
  type StateCodec,
  type Store,
  StoreError,
  type Unit,
} from '../store.ts';
import type { IndexName, TableName, Tables } from '../tables.ts';
import { PostgresBackend } from './backend.ts';
import { checkRows } from './check.ts';
import { type Connections, type Statement, WHOLE_TABLE_MS } from './connections.ts';
import type { DatabaseClock } from './database-clock.ts';
import { unavailable } from './errors.ts';
import { Foreign } from './foreign.ts';
import { readHorizon } from './horizon.ts';
import { Known } from './known.ts';
import { Loader } from './loader.ts';
import { logSource } from './log-source.ts';
import type { NodeRow } from './node-row.ts';
import { PostgresNodes } from './nodes.ts';
import { readStoredState } from './rebuild.ts';
import { RowReader } from './rows.ts';
import { SearchIndex } from './search-index.ts';
import { StateReader } from './states.ts';

export interface PostgresParts {
  connections: Connections;
  node: NodeRow;
  clock: DatabaseClock;
  /** The latest time that is stored. */
  lastTime: number;
  codec: StateCodec;
  schedule: Schedule;
  log: (line: string) => void;
  fenced: () => void;
  around: (commit: () => Promise<void>) => Promise<void>;
  lockFirst: boolean;
  patienceMs: number;
  leaseMs?: number;
}

const STATES_A_PAGE = 200;
/** Whoever asks whether the store is ready wants to know it soon. */
const READY_MS = 500;
const WRITABLE: Statement = {
  name: 'writable',
  text: `SELECT current_setting('transaction_read_only') = 'off'`,
};
const COUNTS: Statement = {
  name: 'counts',
  text: `SELECT ${[...TABLES, 'state'].map((table) => `(SELECT count(*) FROM "${table}")`).join(', ')},
    (SELECT sum(pg_total_relation_size(oid)) FROM pg_class
      WHERE relnamespace = to_regnamespace(current_schema()) AND relkind = 'r')`,
};

export class PostgresStore implements Store {
  readonly clock: SteadyClock;
  readonly nodes: PostgresNodes;
  readonly #parts: PostgresParts;
  readonly #connections: Connections;
  readonly #queue: GroupCommit;
  readonly #rows: RowReader;
  readonly #states: StateReader;
  readonly #search: SearchIndex;
  readonly #source: LogSource;
  #closing: Promise<void> | undefined;

  constructor(parts: PostgresParts) {
    const { connections, clock, codec, log, schedule } = parts;
    const known = new Known();
    this.#parts = parts;
    this.#connections = connections;
    this.#rows = new RowReader(connections);
    this.#states = new StateReader(connections, known);
    this.#search = new SearchIndex(connections, log);
    this.#source = logSource(connections, (words, range) => this.#search.page(words, range));
    this.clock = steadyClock(clock, parts.lastTime);
    this.nodes = new PostgresNodes({ ...parts, clock });
    const foreign = new Foreign(
      () => clock.elapsed(),
      () => this.nodes.count() === 1,
    );
    const loader = new Loader({ connections, known, rows: this.#rows, codec, foreign, log });
    const backend = new PostgresBackend({
      ...parts,
      known,
      loader,
      foreign,
      fenced: () => {
        this.nodes.fenced();
        parts.fenced();
      },
      stored: (changes) => this.#stored(changes),
      told: (atMs, sentAt) => clock.learn(atMs, sentAt),
      sentAt: () => clock.elapsed(),
    });
    this.#queue = new GroupCommit({ backend, clock: this.clock, schedule, cachedStatesMax: 0 });
  }

  transact<R>(unit: Unit<R>): Promise<R> {
    return this.#queue.transact(unit);
  }

  async get<T extends TableName>(table: T, key: string): Promise<Tables[T] | undefined> {
    this.#mustBeOpen();
    const doc = await this.#rows.get(table, key);
    return doc === undefined ? undefined : (JSON.parse(doc) as Tables[T]);
  }

  async scan<T extends TableName>(
    table: T,
    index: IndexName<T>,
    range: ScanRange,
  ): Promise<Scanned<Tables[T]>[]> {
    this.#mustBeOpen();
    return (await this.#rows.scan(table, index, range)).map((row) => parseRow<T>(row));
  }

  async state(key: string): Promise<unknown> {
    this.#mustBeOpen();
    const { codec, log } = this.#parts;
    return this.#states.get(key, (name, text) => readStoredState(codec, name, text, this.#rows, log));
  }

  async dueStates(until: number, limit: number): Promise<{ key: string; wakeAt: number }[]> {
    this.#mustBeOpen();
    return this.#states.due(until, limit);
  }

  async stateKeys(prefix: string, after: string, limit: number): Promise<string[]> {
    this.#mustBeOpen();
    return this.#states.keys(prefix, after, limit);
  }

  async search(words: string, limit: number): Promise<Scanned<Tables['log']>[]> {
    this.#mustBeOpen();
    return (await this.#search.search(words, limit)).map((row) => parseRow<'log'>(row));
  }

  async horizon(): Promise<number> {
    this.#mustBeOpen();
    return readHorizon(this.#connections);
  }

  readonly log: LogReader = {
    find: async (filter, range) => {
      this.#mustBeOpen();
      const { rows, ...rest } = await findInLog(this.#source, filter, range);
      return { rows: rows.map((row) => parseRow<'log'>(row)), ...rest };
    },
    extent: async (conversation, before) => {
      this.#mustBeOpen();
      return logExtent(this.#source, conversation, before);
    },
    seek: async (place) => {
      this.#mustBeOpen();
      return seekInLog(this.#source, place);
    },
    tally: async (query) => {
      this.#mustBeOpen();
      return tallyLog(this.#source, query);
    },
  };

  async ready(): Promise<void> {
    this.#mustBeOpen();
    const [row] = await this.#connections.read<[boolean]>(WRITABLE, [], READY_MS);
    if (row?.[0] !== true) throw unavailable('the database only lets itself be read', 'it may be a standby');
  }

  async stats(): Promise<Record<string, number>> {
    this.#mustBeOpen();
    const [row = []] = await this.#connections.readLong<string[]>(COUNTS, [], WHOLE_TABLE_MS);
    const names = [...TABLES, 'state', 'bytes'];
    return { ...Object.fromEntries(names.map((name, at) => [name, Number(row[at] ?? 0)])), walBytes: 0 };
  }

  async check(): Promise<string[]> {
    this.#mustBeOpen();
    const findings = await checkRows(this.#connections);
    for (let after = ''; ; ) {
      const states = await this.#states.texts(after, STATES_A_PAGE);
      for (const [key, text] of states) findings.push(...unreadable(this.#parts.codec, key, text));
      const last = states.at(-1);
      if (last === undefined) return findings;
      [after] = last;
    }
  }

  backup(): Promise<void> {
    return Promise.reject(new Error('the store is a PostgreSQL database: back it up with pg_dump'));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Scrubbed text leaves the index in the same commit; what the row says now is indexed soon. */
  #stored({ rows }: Changes): void {
    const changed = rows.some(
      ({ table, row, stored }) => table === 'log' && (row === undefined || (stored ?? null) !== null),
    );
    if (changed) this.#search.follow();
  }

  #mustBeOpen(): void {
    if (this.#closing !== undefined) throw new StoreError('closed', 'the store is closed');
  }

  async #close(): Promise<void> {
    await this.#queue.close();
    await this.#search.close();
    // A node that is gone for good leaves no row. One that cannot say so is reaped.
    await this.#parts.node.remove().catch(() => undefined);
    await this.#connections.close();
  }
}

function parseRow<T extends TableName>({ position, doc }: RawLogRow): Scanned<Tables[T]> {
  return Object.assign(JSON.parse(doc) as Tables[T], { position });
}
