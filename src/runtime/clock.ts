// The clock, as a port. Every part that waits or asks the time is given one. `systemClock` is the machine's.
// VirtualClock moves only when it is told to, so tests and the simulator never sleep.

export type Cancel = () => void;

export interface Clock {
  /** Epoch ms. May jump when somebody sets the clock. */
  now(): number;
  /** Ms since some moment, which nobody can set. Timers follow it. A clock without it is taken at its word. */
  elapsed?(): number;
  /** Calls back once, after so many ms, unless cancelled. */
  after(ms: number, run: () => void): Cancel;
}

/** setTimeout takes 31 bits of ms. A longer wait is made of several. */
const LONGEST_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
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
  /** What has passed, as a time of day. Timers are kept by it, and nothing sets it back. */
  #passed: number;
  /** How far somebody has set the clock. */
  #setBy = 0;
  #order = 0;
  readonly #timers = new Set<Timer>();

  constructor(now = 0) {
    this.#passed = now;
  }

  now(): number {
    return this.#passed + this.#setBy;
  }

  elapsed(): number {
    return this.#passed;
  }

  after(ms: number, run: () => void): Cancel {
    // Whole ms, like the system's timers and every stored time.
    const timer: Timer = { at: this.#passed + Math.ceil(Math.max(0, ms)), order: this.#order++, run };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** How many callbacks are waiting. */
  pending(): number {
    return this.#timers.size;
  }

  /** Somebody sets the clock by so much, forward or back. No time passes, and no timer comes earlier or later. */
  jump(ms: number): void {
    this.#setBy += ms;
  }

  advance(ms: number): void {
    this.advanceTo(this.now() + ms);
  }

  /** Runs every callback that is due on the way, in order of time, then of asking. Never goes back. */
  advanceTo(at: number): void {
    const until = at - this.#setBy;
    for (let timer = this.#due(until); timer !== undefined; timer = this.#due(until)) {
      this.#timers.delete(timer);
      this.#passed = Math.max(this.#passed, timer.at);
      timer.run();
    }
    this.#passed = Math.max(this.#passed, until);
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
