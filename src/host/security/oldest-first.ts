// A bounded set of what strangers hold open, counted by address. It never refuses a newcomer: whoever has been there
// longest makes room. Where one address has many, it is that address which gives way.
import type { ClientAddress } from './client-address.ts';

export interface Bounds {
  all: number;
  anAddress: number;
}

export class OldestFirst<T> {
  readonly #bounds: Bounds;
  /** By address, each in the order of arrival. */
  readonly #groups = new Map<string, Set<T>>();
  readonly #groupOf = new Map<T, string>();

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#groupOf.size;
  }

  /** Whether one more of this address would make somebody go. */
  isFull({ key, shared }: ClientAddress): boolean {
    const { all, anAddress } = this.#bounds;
    return this.size >= all || (!shared && (this.#groups.get(key)?.size ?? 0) >= anAddress);
  }

  has(item: T): boolean {
    return this.#groupOf.has(item);
  }

  hasFrom({ key }: ClientAddress): boolean {
    return this.#groups.has(key);
  }

  /** Adds it as the newest. Returns whoever had to make room, and which bound was reached. */
  add(item: T, { key, shared }: ClientAddress): { item: T; bound: 'all' | 'address' } | undefined {
    this.delete(item);
    const group = this.#groups.get(key) ?? new Set<T>();
    const atAddress = !shared && group.size >= this.#bounds.anAddress;
    const going = atAddress
      ? first(group)
      : this.size >= this.#bounds.all
        ? first(this.#largest())
        : undefined;
    if (going !== undefined) this.delete(going);
    this.#groups.set(key, group.add(item));
    this.#groupOf.set(item, key);
    return going === undefined ? undefined : { item: going, bound: atAddress ? 'address' : 'all' };
  }

  delete(item: T): void {
    const key = this.#groupOf.get(item);
    if (key === undefined) return;
    this.#groupOf.delete(item);
    const group = this.#groups.get(key);
    group?.delete(item);
    if (group?.size === 0) this.#groups.delete(key);
  }

  [Symbol.iterator](): IterableIterator<T> {
    return this.#groupOf.keys();
  }

  #largest(): Set<T> {
    let largest = new Set<T>();
    for (const group of this.#groups.values()) if (group.size > largest.size) largest = group;
    return largest;
  }
}

function first<T>(items: Set<T>): T | undefined {
  const [item] = items;
  return item;
}
