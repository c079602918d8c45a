// The backend of the group-commit queue: guess, else lock. A batch whose states this node wrote last is folded over what
// the node knows and written in one trip; the write checks every version. Where another node has written lately the states
// are locked first, then folded: two trips and no fold for nothing. Guessing alone collapses when nodes share conversations
// (0.86 conflicts a batch), locking alone costs a fifth more in PostgreSQL and doubles the latency at 1,000/s.
import { type Backend, type BatchNames, NotLoaded, Stale } from '../backend.ts';
import { type AnyRow, type Changes, NotNew } from '../batch.ts';
import type { Held } from '../held.ts';
import type { StoredState } from '../state-cache.ts';
import { type RowRef, type StateCodec, StoreError } from '../store.ts';
import type { TableName } from '../tables.ts';
import { COMMIT, commitParameters } from './commit-parameters.ts';
import { type Connections, Pause, pauseFor } from './connections.ts';
import { faultOf, isStaleState, unavailable } from './errors.ts';
import type { Foreign } from './foreign.ts';
import type { Known } from './known.ts';
import type { Loader } from './loader.ts';
import { Locks } from './locks.ts';
import type { NodeRow } from './node-row.ts';

export interface BackendOptions {
  connections: Connections;
  known: Known;
  loader: Loader;
  foreign: Foreign;
  node: NodeRow;
  codec: StateCodec;
  /** Always lock first. For tests. */
  lockFirst: boolean;
  patienceMs: number;
  /** Receives lines for the operator. */
  log: (line: string) => void;
  /** Called after every commit that wrote something. */
  stored: (changes: Changes) => void;
  /** The database's time as it was between sending and hearing. */
  told: (atMs: number, sentAt: number) => void;
  sentAt: () => number;
  /** Runs every commit that writes. */
  around: (commit: () => Promise<void>) => Promise<void>;
  /** This node was taken for dead. It has a new epoch by now. */
  fenced: () => void;
}

/** So many conflicts are left to guessing. */
const GUESSES = 2;
/** More conflicts than this in one batch are no chance. */
const TRIES_MAX = 50;
/** How long it waits when others hold everything that the queue is about. */
const HELD_MS = 20;

const LOST_ANSWER = {
  stored: 'the answer to a commit was lost: it was stored',
  'not stored': 'the answer to a commit was lost: it was not stored, and is made again',
};

export class PostgresBackend implements Backend {
  readonly #options: BackendOptions;
  readonly #locks: Locks;
  #names: BatchNames = { states: new Set(), reads: new Set(), rows: [] };
  #tries = 0;
  /** A state that the batch under way had guessed has changed. */
  #guessedWrong = false;

  constructor(options: BackendOptions) {
    this.#options = options;
    this.#locks = new Locks(options);
  }

  prepare(names: BatchNames): Promise<Held | undefined> | undefined {
    this.#names = names;
    if (!this.#locks.isOpen && this.#mustLock(names)) return this.#enduring(() => this.#lock(names));
    const { states, rows } = this.#unknown(names);
    if (states.length === 0 && rows.length === 0) return undefined;
    return this.#enduring(async () => {
      await this.#load(names);
      // Only now it is seen that another node writes them.
      return !this.#locks.isOpen && this.#mustLock(names) ? this.#lock(names) : this.#locks.held;
    });
  }

  loadState(key: string): StoredState | undefined {
    const state = this.#options.known.state(key);
    if (state === undefined) throw new Error(`state ${key} was not prepared`);
    if (state.error !== undefined) throw state.error;
    return state.version === 0 ? undefined : state;
  }

  loadRow(table: TableName, key: string): AnyRow | undefined {
    const ref: RowRef = [table, key];
    const known = this.#options.known.row(ref);
    if (known === undefined) throw new NotLoaded(ref);
    return known.row;
  }

  commit(changes: Changes): Promise<void> {
    const writes = changes.rows.length > 0 || changes.states.length > 0;
    return writes ? this.#options.around(() => this.#commit(changes, true)) : this.#commit(changes, false);
  }

  async #commit(changes: Changes, writes: boolean): Promise<void> {
    const { known, node, codec, foreign } = this.#options;
    const looked = changes.onlyRead();
    if (!writes && looked.states.length === 0 && looked.rows.length === 0) {
      await this.#enduring(() => this.#locks.rollBack());
      this.#endBatch();
      return;
    }
    const values = commitParameters({ changes, known, codec, locks: this.#names.states, node });
    node.sending();
    try {
      const version = await this.#send(values);
      if (writes) {
        node.committed();
        foreign.wrote(version);
      }
      known.keep(changes, version);
    } catch (error) {
      await this.#failed(changes, error);
    }
    this.#newBatch();
    if (writes) this.#options.stored(changes);
  }

  async release(): Promise<void> {
    await this.#enduring(() => this.#locks.rollBack());
    const waits = this.#locks.concern(this.#names);
    this.#endBatch();
    if (waits) await pauseFor(HELD_MS);
  }

  #mustLock(names: BatchNames): boolean {
    const { lockFirst, foreign } = this.#options;
    if (this.#locks.concern(names)) return true;
    const { states, reads } = names;
    if (this.#tries > GUESSES && (states.size > 0 || reads.size > 0)) return true;
    if (states.size === 0) return false;
    if (lockFirst || this.#guessedWrong) return true;
    return foreign.hasAny(states) || foreign.hasAny(reads);
  }

  #unknown({ states, reads, rows }: BatchNames): { states: string[]; rows: RowRef[] } {
    const { known } = this.#options;
    const isUnknown = (key: string): boolean => known.state(key) === undefined;
    return {
      states: [...states, ...reads].filter(isUnknown),
      rows: rows.filter((ref) => known.row(ref) === undefined),
    };
  }

  async #load(names: BatchNames): Promise<void> {
    const { states, rows } = this.#unknown(names);
    await this.#options.loader.load(states, rows);
  }

  /**
   * Rows are loaded under the locks, so that they are as new as the states. A rebuild takes too long for that. States that
   * are only looked at are not locked. Where others write, those too are likely to have changed, so they are loaded anew;
   * and if they change again and again before the commit, they are locked like the others.
   */
  async #lock(names: BatchNames): Promise<Held | undefined> {
    const { loader } = this.#options;
    const { states } = this.#unknown(names);
    if (states.length > 0) await loader.load(states, []);
    const locked = this.#tries > GUESSES ? new Set([...names.states, ...names.reads]) : names.states;
    const held = await this.#locks.take({ ...names, states: locked });
    const looked = [...names.reads].filter((key) => !locked.has(key));
    await loader.load(looked, this.#unknown(names).rows);
    return held;
  }

  /** One trip: with a transaction open, the commit goes along. Answers the version of all that was written. */
  async #send(values: Parameters<Connections['write']>[1]): Promise<number> {
    const { connections, told, sentAt } = this.#options;
    const sent = sentAt();
    const call = connections.write<[written: string, atMs: number]>(COMMIT, values);
    const isOpen = this.#locks.isOpen;
    const [called, ended] = await Promise.allSettled([
      call,
      isOpen ? connections.write('COMMIT') : undefined,
    ]);
    this.#locks.ended();
    if (called.status === 'rejected') throw called.reason;
    if (ended.status === 'rejected') throw ended.reason;
    const [answer] = called.value;
    if (answer === undefined) throw new Error('the commit gave no answer');
    told(answer[1], sent);
    return Number(answer[0]);
  }

  /** Returns only when the batch was stored after all. */
  async #failed(changes: Changes, error: unknown): Promise<void> {
    const fault = faultOf(error);
    switch (fault) {
      case 'lost':
        return this.#askAgain(error);
      case 'stale':
      case 'repeated':
        return this.#refresh(changes, error);
      case 'locked': {
        const looked = changes.onlyRead();
        const rows = changes.rows.map(({ table, key }): RowRef => [table, key]);
        const states = [...changes.states.map(({ key }) => key), ...looked.states];
        await this.#enduring(() => this.#locks.look(states, [...rows, ...looked.rows]));
        throw this.#again('a lock that another process held', error);
      }
      case 'fenced':
        await this.#enduring(() => this.#options.node.register());
        this.#forget();
        this.#options.fenced();
        throw unavailable('this node was taken for dead, and has begun anew', error);
      case 'no_room':
        this.#forget();
        throw new StoreError('no_room', 'the disk of the database is full', { cause: error });
      case 'refused':
        this.#forget();
        throw unavailable('the database refused the batch', error);
      case undefined:
        this.#forget();
        throw error;
    }
  }

  async #refresh(changes: Changes, error: unknown): Promise<never> {
    const { loader, known } = this.#options;
    if (isStaleState(error)) {
      // Locking brings the newest of all that the batch names. Without a state to be locked it is loaded.
      this.#guessedWrong = true;
      known.endBatch();
      const { states, reads } = this.#names;
      if (states.size === 0) await this.#enduring(() => loader.load([...reads], []));
      throw this.#again('a state that the batch saw', error);
    }
    await this.#enduring(() => loader.refresh(changes));
    const repeated = changes.rows.find(
      ({ table, key, assumedNew }) => assumedNew && (known.row([table, key])?.version ?? 0) > 0,
    );
    if (repeated !== undefined) throw new NotNew(repeated.table, repeated.key);
    throw this.#again('what the batch saw', error);
  }

  /** The answer was lost with the connection: the row of this node says what became of the batch. */
  async #askAgain(cause: unknown): Promise<void> {
    this.#forget();
    const pause = new Pause(this.#options.patienceMs);
    for (;;) {
      try {
        const committed = await this.#renew();
        if (committed !== undefined) this.#options.log(LOST_ANSWER[committed ? 'stored' : 'not stored']);
        if (committed === true) return;
        if (committed === false) throw new Stale('the connection');
        throw new StoreError('unknown', 'this node was fenced, and its last batch cannot be found', {
          cause,
        });
      } catch (error) {
        const fault = faultOf(error);
        if (fault !== 'lost' && fault !== 'locked') throw error;
        if (!(await pause.next())) {
          throw new StoreError(
            'unknown',
            'the database does not answer: nobody knows whether this was stored',
            {
              cause,
            },
          );
        }
      }
    }
  }

  /** Every connection that writes has an epoch of its own: nothing that an older one still does is stored. */
  async #renew(): Promise<boolean | undefined> {
    const { connections, node, fenced } = this.#options;
    await connections.renewWriter();
    try {
      const { committed, wasFenced } = await node.takeBack();
      if (wasFenced) fenced();
      return committed;
    } catch (error) {
      connections.dropWriter();
      throw error;
    }
  }

  #again(what: string, cause: unknown): Error {
    if (++this.#tries <= TRIES_MAX) return new Stale(what);
    this.#forget();
    return unavailable(`a batch found its data changed ${TRIES_MAX} times`, cause);
  }

  #endBatch(): void {
    this.#options.known.endBatch();
    this.#newBatch();
  }

  #forget(): void {
    this.#locks.ended();
    this.#options.known.clear();
    this.#newBatch();
  }

  #newBatch(): void {
    this.#tries = 0;
    this.#guessedWrong = false;
  }

  /** Does what stores nothing, on a new connection if need be. */
  async #enduring<R>(attempt: () => Promise<R>): Promise<R> {
    const { connections, patienceMs } = this.#options;
    const pause = new Pause(patienceMs);
    for (;;) {
      try {
        if (!connections.hasWriter) await this.#renew();
        return await attempt();
      } catch (error) {
        const fault = faultOf(error);
        if (fault !== 'lost' && fault !== 'locked') {
          // A transaction that failed half-way would stay on the connection.
          if (this.#locks.isOpen) connections.dropWriter();
          this.#forget();
          throw fault === undefined ? error : unavailable('the database refused', error);
        }
        if (fault === 'lost') {
          connections.dropWriter();
          this.#forget();
        }
        if (!(await pause.next())) throw unavailable('the database cannot be reached', error);
      }
    }
  }
}
