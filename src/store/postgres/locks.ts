// Locks the states of a batch before it is folded, where another node writes them too. Only newer texts come over the
// wire. What another node holds at the moment is passed over (SKIP LOCKED) and left to a later batch: with thousands of
// conversations two nodes rarely want the same one, and if each waited for the other's whole batch, they would work one
// after the other. It is waited for where most of a batch is held, and what was passed over again and again. A lock that is
// not to be had within the time limit is left out until it can be locked again.
//
// A state that does not exist cannot be locked. Two nodes that make the same one at once would both fold it, one of them
// for nothing, so whoever is about to make it takes a claim on its name until the commit. And a state that is gone looks
// like one that is held: only a look without a lock tells.
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

/** Names that another node has claimed. The number only keeps these claims apart from other uses of such locks. */
const CLAIMED: Statement = {
  name: 'claimed_states',
  text: `SELECT key FROM unnest($1::text[]) AS i(key)
    WHERE NOT pg_try_advisory_xact_lock(1161904723, hashtext(current_schema() || ' ' || key))`,
};
const THERE: Statement = { name: 'states_there', text: 'SELECT key FROM state WHERE key = ANY ($1)' };

/** So often a state is passed over, then it is waited for. */
const PASSED_OVER_MAX = 2;
/** What was waited for in vain is passed over so much more often, unless it was free meanwhile. */
const STUCK = -50;
/** After a batch of which others held more than half, so many batches wait at once. */
const CROWDED_BATCHES = 5;
/** The server keeps each claim in memory that all share. Without one a batch may be folded for nothing, no more. */
const CLAIMS_MAX = 100;

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
  /** What others held when it was last tried: how often it was passed over. */
  readonly #heldStates = new Map<string, number>();
  readonly #heldRows = new Map<string, RowRef>();
  #crowdedFor = 0;
  #isOpen = false;
  #held: Held | undefined;

  constructor(options: LocksOptions) {
    this.#options = options;
  }

  /** A transaction is open, with the locks of the batch under way. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** What the open transaction could not lock, and what waits for it. */
  get held(): Held | undefined {
    return this.#held;
  }

  concern({ states }: BatchNames): boolean {
    if (this.#heldRows.size > 0) return true;
    return this.#heldStates.size > 0 && [...states].some((key) => this.#heldStates.has(key));
  }

  /** Begins a transaction and locks what it can. */
  async take(names: BatchNames): Promise<Held | undefined> {
    const keys = [...names.states].toSorted(compareKeys);
    await this.#findHeldRows();
    // Without the only state of a batch there would be nothing to do.
    const waits = this.#crowdedFor > 0 || keys.length === 1;
    if (this.#crowdedFor > 0) this.#crowdedFor--;
    let held = await this.#lock(keys, waits ? keys : keys.filter((key) => this.#isOverdue(key)));
    if (!waits && held.filter((key) => !this.#isStuck(key)).length * 2 > keys.length) {
      this.#crowdedFor = CROWDED_BATCHES;
      await this.rollBack();
      held = await this.#lock(keys, keys);
    }
    const isAll = held.length === 0 && this.#heldRows.size === 0;
    this.#held = isAll ? undefined : new Held(held, this.#heldRows.values());
    return this.#held;
  }

  /** A commit had to wait too long for these: remembers which of them somebody holds. */
  async look(states: readonly string[], rows: readonly RowRef[]): Promise<void> {
    for (const ref of rows) this.#heldRows.set(rowName(ref), ref);
    const { connections } = this.#options;
    const [held] = await Promise.all([
      connections.write<[string]>(heldIn('state'), [binaryArray('text', states)]),
      this.#findHeldRows(),
    ]);
    for (const [key] of held) this.#heldStates.set(key, STUCK);
  }

  /** The transaction has ended with the commit. */
  ended(): void {
    this.#isOpen = false;
    this.#held = undefined;
  }

  async rollBack(): Promise<void> {
    if (!this.#isOpen) return;
    this.ended();
    await this.#options.connections.write('ROLLBACK');
  }

  #isOverdue(key: string): boolean {
    return (this.#heldStates.get(key) ?? 0) >= PASSED_OVER_MAX;
  }

  #isStuck(key: string): boolean {
    return (this.#heldStates.get(key) ?? 0) < 0;
  }

  /**
   * Returns the states that others hold. Some are waited for, and that before any other is locked: who waits holds only
   * earlier ones that it has waited for too, so no two wait for each other.
   */
  async #lock(keys: readonly string[], awaited: readonly string[]): Promise<string[]> {
    const patiently = awaited.filter((key) => !this.#isStuck(key));
    try {
      if (patiently.length > 0) {
        const missing = await this.#ask(LOCK, patiently);
        if (patiently.length === keys.length) return await this.#heldOf(missing, false);
      }
    } catch (error) {
      if (faultOf(error) !== 'locked') throw error;
      await this.rollBack();
      this.#crowdedFor = 0;
      for (const key of patiently) this.#heldStates.set(key, STUCK);
    }
    return this.#heldOf(await this.#ask(LOCK_FREE, keys), true);
  }

  /** Returns what it did not lock. */
  async #ask(statement: Statement, keys: readonly string[]): Promise<string[]> {
    const { connections, known, loader } = this.#options;
    const versions = keys.map((key) => known.state(key)?.version ?? -1);
    const begins = this.#isOpen ? undefined : connections.write('BEGIN');
    this.#isOpen = true;
    const [locked] = await Promise.all([
      connections.write<NewerState>(statement, [binaryArray('text', keys), binaryArray('bigint', versions)]),
      begins,
    ]);
    const missing = new Set(keys);
    for (const state of locked) {
      const [key, , , text] = state;
      missing.delete(key);
      this.#heldStates.delete(key);
      if (text !== null) await loader.take(state);
    }
    return [...missing];
  }

  /** States that were not locked are gone, were never there, or are held by others. */
  async #heldOf(keys: readonly string[], skipped: boolean): Promise<string[]> {
    if (keys.length === 0) return [];
    const { connections, known, loader } = this.#options;
    // The look comes after the claims: whoever had one before has committed by then.
    const [claimed, found] = await Promise.all([
      connections.write<[string]>(CLAIMED, [binaryArray('text', keys.slice(0, CLAIMS_MAX))]),
      connections.write<[string]>(THERE, [binaryArray('text', keys)]),
    ]);
    const there = new Set(found.map(([key]) => key));
    // A claim is waited for by nobody, and whoever claims may never make it: so it is respected only so often.
    const held = new Set(
      claimed.flatMap(([key]) => (this.#isOverdue(key) || this.#isStuck(key) ? [] : [key])),
    );
    if (skipped) for (const key of there) held.add(key);
    for (const key of keys) {
      if (!there.has(key)) known.setState(key);
      if (held.has(key)) this.#heldStates.set(key, (this.#heldStates.get(key) ?? 0) + 1);
      else this.#heldStates.delete(key);
    }
    // Made by another node since the lock was tried: it is loaded, and the commit checks it.
    const made = skipped ? [] : [...there].filter((key) => !held.has(key));
    if (made.length > 0) await loader.load(made, []);
    return [...held];
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
