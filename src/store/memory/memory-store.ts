// The memory store: the group-commit queue over a Disk, with the faults it was given. A running batch is not on the
// disk until its delay has passed. Reads wait for it, as they do in SQLite.
import type { Clock } from '../../runtime/clock.ts';
import type { Schedule } from '../../runtime/schedule.ts';
import { aloneNode } from '../nodes.ts';
import { type SteadyClock, steadyClock } from '../../runtime/steady-clock.ts';
import type { Backend } from '../backend.ts';
import type { AnyRow, Changes } from '../batch.ts';
import { TABLES } from '../columns.ts';
import { GroupCommit } from '../group-commit.ts';
import { compareKeys } from '../key-order.ts';
import type { LogRange, LogReader } from '../log-reader.ts';
import { type LogSource, findInLog, logExtent, seekInLog, tallyLog } from '../log-reads.ts';
import { type RowSource, readState } from '../read-state.ts';
import type { StoredState } from '../state-cache.ts';
import { containsRuns, foldWords, searchableText, soughtRuns } from '../search-words.ts';
import { type ScanRange, type Scanned, type StateCodec, StoreError, type Unit } from '../store.ts';
import type { IndexName, LogRow, TableName, Tables } from '../tables.ts';
import { checkDisk } from './check.ts';
import { Disk, type MemoryImage, type Prepared } from './disk.ts';
import type { MemoryRow, ReadRow } from './memory-table.ts';
import type { MemoryStore, MemoryStoreFaults } from './open.ts';

export interface CrashableOptions {
  clock: Clock;
  codec: StateCodec;
  faults: MemoryStoreFaults;
  schedule: Schedule;
  log: (line: string) => void;
  image?: MemoryImage;
}

export class CrashableStore implements MemoryStore, Backend, RowSource {
  readonly clock: SteadyClock;
  readonly nodes = aloneNode();
  readonly #options: CrashableOptions;
  readonly #disk: Disk;
  readonly #queue: GroupCommit;
  #unsynced: Prepared | undefined;
  #closed = false;

  constructor(options: CrashableOptions) {
    const { schedule } = options;
    this.#options = options;
    this.#disk = new Disk(options.image);
    const { lastPosition, lastTime } = this.#disk;
    this.clock = steadyClock(options.clock, lastTime);
    this.#queue = new GroupCommit({ backend: this, clock: this.clock, schedule, lastPosition });
  }

  transact<R>(unit: Unit<R>): Promise<R> {
    return this.#queue.transact(unit);
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
    return this.#disk.tables[table].scan(index, range).map(({ scanned }) => scanned as Scanned<Tables[T]>);
  }

  async state(key: string): Promise<unknown> {
    await this.#readable();
    return this.#queue.loadState(key)?.value;
  }

  async dueStates(until: number, limit: number): Promise<{ key: string; wakeAt: number }[]> {
    await this.#readable();
    return [...this.#disk.states]
      .flatMap(([key, { wakeAt }]) => (wakeAt !== null && wakeAt <= until ? [{ key, wakeAt }] : []))
      .toSorted((a, b) => a.wakeAt - b.wakeAt || compareKeys(a.key, b.key))
      .slice(0, Math.max(0, limit));
  }

  async stateKeys(prefix: string, after: string, limit: number): Promise<string[]> {
    await this.#readable();
    return [...this.#disk.states.keys()]
      .filter((key) => key.startsWith(prefix) && compareKeys(key, after) > 0)
      .toSorted(compareKeys)
      .slice(0, Math.max(0, limit));
  }

  async search(words: string, limit: number): Promise<Scanned<Tables['log']>[]> {
    const runs = soughtRuns(words);
    if (runs.length === 0) return [];
    const rows = await this.scan('log', 'byPosition', { limit: Number.MAX_SAFE_INTEGER, descending: true });
    return rows
      .filter((row) => {
        const text = searchableText(row);
        return text !== undefined && containsRuns(foldWords(text), runs);
      })
      .slice(0, Math.max(0, limit));
  }

  async horizon(): Promise<number> {
    await this.#readable();
    return this.#queue.lastPosition;
  }

  readonly log: LogReader = {
    find: async (filter, range) => {
      await this.#readable();
      const { rows, ...rest } = await findInLog(this.#logSource, filter, range);
      return { rows: rows.map(({ scanned }) => scanned as Scanned<LogRow>), ...rest };
    },
    extent: async (conversation, before) => {
      await this.#readable();
      return logExtent(this.#logSource, conversation, before);
    },
    seek: async (place) => {
      await this.#readable();
      return seekInLog(this.#logSource, place);
    },
    tally: async (query) => {
      await this.#readable();
      return tallyLog(this.#logSource, query);
    },
  };

  readonly #logSource: LogSource<ReadRow> = {
    page: (conversation, range) => this.#logPage(conversation, range),
    count: (conversation, before) =>
      this.#logPage(conversation, { ...EVERYTHING, before: before ?? EVERYTHING.before }).length,
    nth: (conversation, offset) => this.#logPage(conversation, EVERYTHING)[offset]?.position,
  };

  #logPage(conversation: string | undefined, range: Required<LogRange>): ReadRow[] {
    if (conversation === undefined) return this.#disk.tables.log.scan('byPosition', range);
    const { after, before, limit, descending } = range;
    const all = { eq: [conversation], limit: Number.MAX_SAFE_INTEGER, descending };
    return this.#disk.tables.log
      .scan('byConversation', all)
      .filter(({ position }) => position > after && position < before)
      .slice(0, limit);
  }

  async ready(): Promise<void> {
    await this.#readable();
  }

  async stats(): Promise<Record<string, number>> {
    await this.#readable();
    const counts = TABLES.map((table) => [table, this.#disk.tables[table].size]);
    return { ...Object.fromEntries(counts), state: this.#disk.states.size, bytes: 0, walBytes: 0 };
  }

  async check(): Promise<string[]> {
    await this.#readable();
    return checkDisk(this.#disk, this.#options.codec);
  }

  backup(): Promise<void> {
    return Promise.reject(new Error('the memory store has no file to back up: use SQLite'));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#queue.close();
  }

  crash(): MemoryImage {
    this.#closed = true;
    this.#queue.abandon();
    if (this.#unsynced !== undefined && this.#options.faults.crashKeepsUnsynced?.() === true) {
      this.#disk.apply(this.#unsynced);
    }
    this.#unsynced = undefined;
    return this.#disk.image();
  }

  // The Backend of the group-commit queue.

  loadState(key: string): StoredState | undefined {
    const state = this.#disk.states.get(key);
    if (state === undefined) return undefined;
    const { codec, log } = this.#options;
    return { value: readState(codec, key, state.text, this, log), wakeAt: state.wakeAt };
  }

  scanDocs(table: TableName, index: string, range: ScanRange): readonly MemoryRow[] {
    return this.#disk.tables[table].scan(index, range);
  }

  loadRow(table: TableName, key: string): AnyRow | undefined {
    const row = this.#disk.tables[table].get(key);
    return row?.row as AnyRow | undefined;
  }

  commit(changes: Changes): void | Promise<void> {
    const { faults, clock, codec } = this.#options;
    const prepared = this.#disk.prepare(changes, codec);
    const delayMs = faults.syncDelayMs?.() ?? 0;
    if (delayMs <= 0) return this.#end(prepared);
    this.#unsynced = prepared;
    return new Promise((resolve, reject) => {
      clock.after(delayMs, () => {
        // After a crash nobody waits for this callback.
        if (this.#unsynced !== prepared) return;
        this.#unsynced = undefined;
        try {
          resolve(this.#end(prepared));
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
  }

  #end(prepared: Prepared): void {
    const fault = this.#options.faults.commit?.() ?? 'none';
    if (fault !== 'lost') this.#disk.apply(prepared);
    if (fault !== 'none') throw new Error(`simulated: the commit failed (${fault})`);
  }

  async #readable(): Promise<void> {
    if (this.#closed) throw new StoreError('closed', 'the store is closed');
    await this.#queue.settled();
  }
}

const EVERYTHING = {
  after: Number.MIN_SAFE_INTEGER,
  before: Number.MAX_SAFE_INTEGER,
  limit: Number.MAX_SAFE_INTEGER,
  descending: false,
};
