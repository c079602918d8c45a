// Locks the states of a batch before it is folded, where another node writes them too. Only newer texts come over the
// wire. A lock that is not to be had within the time limit is left out (SKIP LOCKED), and what others hold is remembered
// until it can be locked again. A state that is gone looks like one that is held: only a look without a lock tells.
import type { BatchNames } from '../backend.ts';
import { Held, rowName } from '../held.ts';
import { compareKeys } from '../key-order.ts';
import type { RowRef } from '../store.ts';
import type { TableName } from '../tables.ts';
import { binaryArray } from './arrays.ts';
import type { Connections, Statement } from './connections.ts';
import { faultOf } from './errors.ts';
import type { Known } from './known.ts';
import type { Loader, NewerState } from './loader.ts';

const LOCK_TEXT = `SELECT t.key, t.version, CASE WHEN t.version <> i.version THEN t.wake_at END,
    CASE WHEN t.version <> i.version THEN t.text END
  FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS i(key, version, ord) JOIN state AS t ON t.key = i.key
  ORDER BY i.ord FOR NO KEY UPDATE OF t`;
const LOCK: Statement = { name: 'lock_states', text: LOCK_TEXT };
const LOCK_FREE: Statement = { name: 'lock_free_states', text: `${LOCK_TEXT} SKIP LOCKED` };

/** Keys that are there and that somebody else holds. It locks nothing itself for longer than the statement. */
function heldIn(table: string): Statement {
  return {
    name: `held_${table}`,
    text: `WITH free AS MATERIALIZED (SELECT key FROM "${table}" WHERE key = ANY ($1) FOR NO KEY UPDATE SKIP LOCKED)
      SELECT key FROM "${table}" WHERE key = ANY ($1) AND key NOT IN (SELECT key FROM free)`,
  };
}

export interface LocksOptions {
  connections: Connections;
  known: Known;
  loader: Loader;
}

export class Locks {
  readonly #options: LocksOptions;
  /** What others held when it was last tried. */
  readonly #heldStates = new Set<string>();
  readonly #heldRows = new Map<string, RowRef>();
  #isOpen = false;

  constructor(options: LocksOptions) {
    this.#options = options;
  }

  /** A transaction is open, with the locks of the batch under way. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  concern({ states }: BatchNames): boolean {
    if (this.#heldRows.size > 0) return true;
    return this.#heldStates.size > 0 && [...states].some((key) => this.#heldStates.has(key));
  }

  /** Begins a transaction and locks what it can. `newer` hears of every state that another node had written. */
  async take(names: BatchNames, newer: (key: string) => void): Promise<Held | undefined> {
    const keys = [...names.states].toSorted(compareKeys);
    await this.#findHeldRows();
    let held = this.concern(names) ? await this.#lock(LOCK_FREE, keys, newer) : undefined;
    try {
      held ??= await this.#lock(LOCK, keys, newer);
    } catch (error) {
      if (faultOf(error) !== 'locked') throw error;
      await this.rollBack();
      held = await this.#lock(LOCK_FREE, keys, newer);
    }
    if (held.length === 0 && this.#heldRows.size === 0) return undefined;
    return new Held(held, this.#heldRows.values());
  }

  /** A commit had to wait too long for these: remembers which of them somebody holds. */
  async look(states: readonly string[], rows: readonly RowRef[]): Promise<void> {
    for (const ref of rows) this.#heldRows.set(rowName(ref), ref);
    const { connections } = this.#options;
    const [held] = await Promise.all([
      connections.write<[string]>(heldIn('state'), [binaryArray('text', states)]),
      this.#findHeldRows(),
    ]);
    for (const [key] of held) this.#heldStates.add(key);
  }

  /** The transaction has ended with the commit. */
  ended(): void {
    this.#isOpen = false;
  }

  async rollBack(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#options.connections.write('ROLLBACK');
  }

  /** Returns the states that others hold. */
  async #lock(
    statement: Statement,
    keys: readonly string[],
    newer: (key: string) => void,
  ): Promise<string[]> {
    const { connections, known, loader } = this.#options;
    const versions = keys.map((key) => known.state(key)?.version ?? -1);
    this.#isOpen = true;
    const [, locked] = await Promise.all([
      connections.write('BEGIN'),
      connections.write<NewerState>(statement, [binaryArray('text', keys), binaryArray('bigint', versions)]),
    ]);
    const missing = new Set(keys);
    for (const state of locked) {
      const [key, , , text] = state;
      missing.delete(key);
      this.#heldStates.delete(key);
      if (text === null) continue;
      if (known.state(key) !== undefined) newer(key);
      await loader.take(state);
    }
    return missing.size === 0 ? [] : this.#heldOf([...missing], statement === LOCK_FREE);
  }

  /** States that were not locked are gone, were never there, or are held by others. */
  async #heldOf(keys: readonly string[], skipped: boolean): Promise<string[]> {
    const { connections, known, loader } = this.#options;
    const there = { name: 'there', text: 'SELECT key FROM state WHERE key = ANY ($1)' };
    const sure = skipped || keys.some((key) => (known.state(key)?.version ?? -1) !== 0);
    const found = sure ? await connections.write<[string]>(there, [binaryArray('text', keys)]) : [];
    const held = skipped ? found.map(([key]) => key) : [];
    const others = new Set(found.map(([key]) => key));
    for (const key of keys) {
      if (!others.has(key)) known.setState(key);
      this.#heldStates.delete(key);
    }
    // Made by another node since the lock was tried: it is loaded, and the commit checks it.
    if (!skipped && found.length > 0) await loader.load([...others], []);
    for (const key of held) this.#heldStates.add(key);
    return held;
  }

  async #findHeldRows(): Promise<void> {
    const { connections } = this.#options;
    const byTable = Map.groupBy(this.#heldRows.values(), ([table]) => table);
    await Promise.all(
      [...byTable].map(async ([table, refs]: [TableName, RowRef[]]) => {
        const keys = refs.map(([, key]) => key);
        const held = await connections.write<[string]>(heldIn(table), [binaryArray('text', keys)]);
        const still = new Set(held.map(([key]) => key));
        for (const ref of refs) if (!still.has(ref[1])) this.#heldRows.delete(rowName(ref));
      }),
    );
  }
}
