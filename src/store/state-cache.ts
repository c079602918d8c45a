// Decoded states, the most recently used first to stay: what makes the fold cheap, since a hot conversation is read
// from disk once. Only what is durable is in here; after a failed commit the whole cache is dropped.

export interface StoredState {
  value: unknown;
  wakeAt: number | null;
}

/** About 4 KB each at the most: 80 MB when every one is at its limit. */
export const CACHED_STATES_MAX = 20_000;

export class StateCache {
  readonly #states = new Map<string, StoredState>();
  readonly #max: number;

  constructor(max: number = CACHED_STATES_MAX) {
    this.#max = max;
  }

  get(key: string): StoredState | undefined {
    const state = this.#states.get(key);
    if (state === undefined) return undefined;
    this.#states.delete(key);
    this.#states.set(key, state);
    return state;
  }

  set(key: string, state: StoredState): void {
    this.#states.delete(key);
    this.#states.set(key, state);
    if (this.#states.size <= this.#max) return;
    for (const oldest of this.#states.keys()) {
      this.#states.delete(oldest);
      return;
    }
  }

  delete(key: string): void {
    this.#states.delete(key);
  }

  clear(): void {
    this.#states.clear();
  }

  get size(): number {
    return this.#states.size;
  }
}
