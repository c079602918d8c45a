// The clock of a test. It moves only when told to, from one timer to the next, so that every waiting promise can run
// between two timers. It never asks the machine for the time.
import type { Cancel, Clock } from '../runtime/clock.ts';

interface Timer {
  at: number;
  run: () => void;
}

export class SteppedClock implements Clock {
  #now: number;
  /** Sorted by time, then by the order in which they were set. */
  readonly #timers: Timer[] = [];

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
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
    return this.#timers[0]?.at;
  }

  /**
   * Moves to this time and runs the timers due by then. A timer that they set for the same time waits for the next
   * step.
   */
  stepTo(at: number): void {
    this.#now = Math.max(this.#now, at);
    const still = this.#timers.findIndex((timer) => timer.at > this.#now);
    const due = this.#timers.splice(0, still < 0 ? this.#timers.length : still);
    for (const { run } of due) run();
  }
}
