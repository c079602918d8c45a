// Follows the log: every row from a moment on, each once, in the order of positions. Where this host is alone on its store
// its own news is just that, and nothing is read. Where others write too, the log is read by position, below the store's
// horizon, so that no row of a commit under way is passed by. News and hints only say when to look.
import type { Cancel, Clock } from '../../runtime/clock.ts';
import type { Scanned } from '../../store/store.ts';
import type { LogRow } from '../../store/tables.ts';
import type { HostBus, HostLog } from './change.ts';
import type { Changes } from './changes.ts';
import type { StoreReader } from './context.ts';

/** Its position is there where the log was read for it. */
export type TailedRow = LogRow | Scanned<LogRow>;

export interface LogTail {
  /**
   * Tells the listener, which must not throw, of every row that is stored once this has resolved. `isWatching`: somebody
   * waits for it now; else it may be told a second later. Resolves to a function that ends it.
   */
  follow(listener: (row: TailedRow) => void, isWatching?: () => boolean): Promise<() => void>;
  /** Everything up to this position has been told to everybody who follows. */
  head(): Promise<number>;
}

export interface LogTailDeps {
  store: Pick<StoreReader, 'scan' | 'horizon'>;
  bus: HostBus;
  clock: Clock;
  log: HostLog;
  changes: Changes;
}

export function createLogTail(deps: LogTailDeps): LogTail {
  return deps.changes.isAlone ? ownNews(deps) : new SharedTail(deps);
}

function ownNews({ store, bus }: LogTailDeps): LogTail {
  return {
    follow: async (listener) => bus.listen((news) => news.type === 'logged' && listener(news.row)),
    async head() {
      const [last] = await store.scan('log', 'byPosition', { limit: 1, descending: true });
      return last?.position ?? 0;
    },
  };
}

/** How often it looks while somebody watches. News and hints make it look at once. */
const WATCHED_MS = 250;
const PAGE = 500;

interface Follower {
  tell: (row: TailedRow) => void;
  isWatching: () => boolean;
  /** It is told what is after this. Until that is known, rows wait. */
  after: number | undefined;
  waiting: Scanned<LogRow>[];
}

class SharedTail implements LogTail {
  readonly #deps: LogTailDeps;
  readonly #followers = new Set<Follower>();
  /** Told up to here; undefined while nobody follows. */
  #position: number | undefined;
  #reading: Promise<void> | undefined;
  #again = false;
  #timer: Cancel | undefined;

  constructor(deps: LogTailDeps) {
    this.#deps = deps;
    deps.bus.listen((news) => {
      if (news.type === 'logged') this.#lookSoon();
    });
    deps.changes.onLook(() => this.#lookSoon());
  }

  async follow(tell: Follower['tell'], isWatching = (): boolean => true): Promise<() => void> {
    const follower: Follower = { tell, isWatching, after: undefined, waiting: [] };
    this.#followers.add(follower);
    const leave = (): void => {
      this.#followers.delete(follower);
      if (this.#followers.size > 0) return;
      this.#position = undefined;
      this.#timer?.();
      this.#timer = undefined;
    };
    try {
      const after = await this.#deps.store.horizon();
      this.#position ??= after;
      follower.after = after;
    } catch (error) {
      leave();
      throw error;
    }
    for (const row of follower.waiting.splice(0)) this.#give(follower, row);
    this.#timer ??= this.#lookLater();
    return leave;
  }

  async head(): Promise<number> {
    await this.#look();
    return this.#position ?? this.#deps.store.horizon();
  }

  #lookSoon(): void {
    if (this.#position === undefined) return;
    this.#look().catch((error: unknown) =>
      this.#deps.log.warn({ err: error }, 'the log could not be followed; it is tried again shortly'),
    );
  }

  #lookLater(): Cancel {
    return this.#deps.clock.after(WATCHED_MS, () => {
      this.#timer = this.#lookLater();
      if ([...this.#followers].some(({ isWatching }) => isWatching())) this.#lookSoon();
    });
  }

  /** Resolves when everything that was stored before this call has been told. */
  #look(): Promise<void> {
    if (this.#reading !== undefined) {
      this.#again = true;
      return this.#reading;
    }
    this.#reading = this.#readAll().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    do {
      this.#again = false;
      await this.#read();
    } while (this.#again);
  }

  async #read(): Promise<void> {
    const { store } = this.#deps;
    const end = await store.horizon();
    while (this.#position !== undefined && this.#position < end) {
      const range = { after: this.#position, before: end + 1, limit: PAGE };
      const rows = await store.scan('log', 'byPosition', range);
      for (const row of rows) for (const follower of this.#followers) this.#give(follower, row);
      if (this.#followers.size === 0) return;
      this.#position = rows.length < PAGE ? end : (rows.at(-1)?.position ?? end);
    }
  }

  #give({ tell, after, waiting }: Follower, row: Scanned<LogRow>): void {
    if (after === undefined) waiting.push(row);
    else if (row.position > after) tell(row);
  }
}
