// The clock of a test. It moves only when told to, from one timer to the next, so that every waiting promise can run
// between two timers. It never asks the machine for the time.
import type { Cancel, Clock } from '../runtime/clock.ts';

interface Timer {
  at: number;
  run: () => void;
}

export class SteppedClock implements Clock {
  /** What has passed, as a time of day. Timers are kept by it. */
  #now: number;
  #setBy = 0;
  /** Sorted by time, then by the order in which they were set. */
  readonly #timers: Timer[] = [];

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now + this.#setBy;
  }

  elapsed(): number {
    return this.#now;
  }

  /** Somebody sets the clock by so much, forward or back. No time passes, and no timer comes earlier or later. */
  jump(ms: number): void {
    this.#setBy += ms;
  }

  after(ms: number, run: () => void): Cancel {
    // Whole ms, like every time on the wire.
    const timer: Timer = { at: this.#now + Math.ceil(Math.max(0, ms)), run };
    const later = this.#timers.findLastIndex(({ at }) => at <= timer.at) + 1;
    this.#timers.splice(later, 0, timer);
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
    };
  }

  /** The time of the next timer. */
  nextAt(): number | undefined {
    const first = this.#timers[0];
    return first === undefined ? undefined : first.at + this.#setBy;
  }

  /**
   * Moves to this time and runs the timers due by then. A timer that they set for the same time waits for the next
   * step.
   */
  stepTo(at: number): void {
    this.#now = Math.max(this.#now, at - this.#setBy);
    const still = this.#timers.findIndex((timer) => timer.at > this.#now);
    const due = this.#timers.splice(0, still < 0 ? this.#timers.length : still);
    for (const { run } of due) run();
  }
}
