// Our requests that have no answer yet, each with its time-out. One timer serves them all: a timer a request costs
// more than everything else about waiting for it. Invariants: each ends exactly once, and no timer outlives them.
import type { Cancel, Clock } from '../runtime/clock.ts';
import type { RequestOutcome } from './outcome.ts';

interface Waiting {
  resolve: (outcome: RequestOutcome) => void;
  endsAt: number;
  /** Takes back what listens for the caller's signal. */
  unlisten: (() => void) | undefined;
}

export class PendingRequests {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Waiting>();
  #cancelTimer: Cancel | undefined;
  /** When the timer comes: at the first end there is, or before it. */
  #wakesAt = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Resolves when it is settled, or with `timeout`. */
  add(id: string, timeoutMs: number, unlisten: (() => void) | undefined): Promise<RequestOutcome> {
    return new Promise((resolve) => {
      const endsAt = this.#clock.now() + timeoutMs;
      this.#waiting.set(id, { resolve, endsAt, unlisten });
      if (endsAt < this.#wakesAt) this.#wakeIn(timeoutMs, endsAt);
    });
  }

  /** Whatever is not waiting is ignored. */
  settle(id: string, outcome: RequestOutcome): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#rest();
    waiting.unlisten?.();
    waiting.resolve(outcome);
  }

  settleAll(outcome: RequestOutcome): void {
    for (const id of this.#waiting.keys()) this.settle(id, outcome);
  }

  #wakeIn(ms: number, at: number): void {
    this.#cancelTimer?.();
    this.#wakesAt = at;
    this.#cancelTimer = this.#clock.after(ms, () => this.#wake());
  }

  #rest(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#wakesAt = Number.POSITIVE_INFINITY;
  }

  #wake(): void {
    // The timer has the last word: by the time of day it may come a millisecond early.
    const now = Math.max(this.#clock.now(), this.#wakesAt);
    let next = Number.POSITIVE_INFINITY;
    for (const [id, { endsAt }] of this.#waiting) {
      if (endsAt <= now) this.settle(id, { ok: false, kind: 'timeout' });
      else next = Math.min(next, endsAt);
    }
    if (this.#waiting.size > 0) this.#wakeIn(next - now, next);
  }
}
