// Decoded states, the most recently used first to stay. They make the fold cheap: a hot conversation is read from disk
// once. Only durable states are in here. After a failed commit the whole cache is dropped.
//
// Two generations instead of an order of use: what is used moves to the younger one, and when that is full the older one is
// dropped. A Map that has a key removed and added for every use grows a new table every few dozen uses, and each table
// that was left behind keeps its states, and the next table, from being collected as young objects.

export interface StoredState {
  value: unknown;
  wakeAt: number | null;
}

/** About 6 KB each at the most: 120 MB when every one is at its limit. */
export const CACHED_STATES_MAX = 20_000;

export class StateCache<State = StoredState> {
  #young = new Map<string, State>();
  #old = new Map<string, State>();
  /** Of each generation. */
  readonly #max: number;

  /** At least the half of them that was used last is kept. With 0 nothing is. */
  constructor(max: number = CACHED_STATES_MAX) {
    this.#max = Math.ceil(max / 2);
  }

  get(key: string): State | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, state: State): void {
    if (this.#max === 0) return;
    if (!this.#young.has(key)) {
      this.#old.delete(key);
      if (this.#young.size >= this.#max) {
        this.#old = this.#young;
        this.#young = new Map();
      }
    }
    this.#young.set(key, state);
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
