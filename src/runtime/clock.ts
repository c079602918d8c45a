// The clock, as a port. Every part that waits or asks the time is given one. `systemClock` is the machine's.
// VirtualClock moves only when it is told to, so tests and the simulator never sleep.

export type Cancel = () => void;

export interface Clock {
  /** Epoch ms. */
  now(): number;
  /** Calls back once, after so many ms, unless cancelled. */
  after(ms: number, run: () => void): Cancel;
}

/** setTimeout takes 31 bits of ms. A longer wait is made of several. */
const LONGEST_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    let left = Math.max(0, ms);
    let timer: NodeJS.Timeout | undefined;
    const wait = (): void => {
      const step = Math.min(left, LONGEST_MS);
      left -= step;
      timer = setTimeout(left > 0 ? wait : run, step);
    };
    wait();
    return () => clearTimeout(timer);
  },
};

interface Timer {
  at: number;
  order: number;
  run: () => void;
}

export class VirtualClock implements Clock {
  #now: number;
  #order = 0;
  readonly #timers = new Set<Timer>();

  constructor(now = 0) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): Cancel {
    // Whole ms, like the system's timers and every stored time.
    const timer: Timer = { at: this.#now + Math.ceil(Math.max(0, ms)), order: this.#order++, run };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** How many callbacks are waiting. */
  pending(): number {
    return this.#timers.size;
  }

  advance(ms: number): void {
    this.advanceTo(this.#now + ms);
  }

  /** Runs every callback that is due on the way, in order of time, then of asking. Never goes back. */
  advanceTo(at: number): void {
    for (let timer = this.#due(at); timer !== undefined; timer = this.#due(at)) {
      this.#timers.delete(timer);
      this.#now = Math.max(this.#now, timer.at);
      timer.run();
    }
    this.#now = Math.max(this.#now, at);
  }

  #due(until: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at > until) continue;
      if (
        first === undefined ||
        timer.at < first.at ||
        (timer.at === first.at && timer.order < first.order)
      ) {
        first = timer;
      }
    }
    return first;
  }
}
