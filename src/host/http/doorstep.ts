// Where a connection waits that can only come in when another stranger goes. Strangers who are cut come back at once, so
// a rush would be cut and taken in thousands of times a second, and that costs more than everything they ask for. So an
// address replaces strangers at a bounded rate; its further connections wait here, unread, and come in as they came.
import type { Cancel, Clock } from '../../runtime/clock.ts';
import type { ClientAddress } from '../security/client-address.ts';
import { type Bounds, OldestFirst } from '../security/oldest-first.ts';
import { createRateLimiter, type RateLimiter } from '../security/rate-limit.ts';
import { STRANGER_LIMITS } from '../security/stranger-limits.ts';

export interface Waiting {
  address: ClientAddress;
}

export interface DoorstepOptions<T> {
  clock: Clock;
  bounds: Bounds;
  /** Whether one of this address can come in and nobody has to go. */
  hasRoom: (address: ClientAddress) => boolean;
  letIn: (waiting: T) => void;
}

/** How often those who wait are looked at, and how many then come in at most: what they ask comes in small parts too. */
const LOOK_EVERY_MS = 10;
const AT_ONCE = 50;

export class Doorstep<T extends Waiting> {
  readonly #options: DoorstepOptions<T>;
  readonly #line: OldestFirst<T>;
  readonly #limits: Record<'one' | 'shared', RateLimiter>;
  #cancelLook: Cancel | undefined;

  constructor(options: DoorstepOptions<T>) {
    this.#options = options;
    const { clock, bounds } = options;
    const { replaced, sharedReplaced } = STRANGER_LIMITS;
    this.#line = new OldestFirst(bounds);
    this.#limits = {
      one: createRateLimiter(replaced, clock),
      shared: createRateLimiter(sharedReplaced, clock),
    };
  }

  get size(): number {
    return this.#line.size;
  }

  /** Whether one more of this address may come in now. Nobody passes those of its address who wait already. */
  mayEnter(address: ClientAddress): boolean {
    return !this.#line.hasFrom(address) && (this.#options.hasRoom(address) || this.#take(address));
  }

  /** Returns whoever has to come in now, because too many wait. Nobody is cut here: it may be somebody with a token. */
  add(waiting: T): T | undefined {
    this.#lookLater();
    return this.#line.add(waiting, waiting.address)?.item;
  }

  has(waiting: T): boolean {
    return this.#line.has(waiting);
  }

  delete(waiting: T): void {
    this.#line.delete(waiting);
  }

  [Symbol.iterator](): IterableIterator<T> {
    return this.#line[Symbol.iterator]();
  }

  stop(): void {
    this.#cancelLook?.();
  }

  #take({ key, shared }: ClientAddress): boolean {
    return this.#limits[shared ? 'shared' : 'one'].take(key).ok;
  }

  #lookLater(): void {
    this.#cancelLook ??= this.#options.clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  #look(): void {
    this.#cancelLook = undefined;
    const over = new Set<string>();
    let left = AT_ONCE;
    for (const waiting of this.#line) {
      const { address } = waiting;
      if (left === 0) break;
      if (over.has(address.key)) continue;
      if (!this.#options.hasRoom(address) && !this.#take(address)) {
        over.add(address.key);
        continue;
      }
      left--;
      this.#line.delete(waiting);
      this.#options.letIn(waiting);
    }
    if (this.size > 0) this.#lookLater();
  }
}
