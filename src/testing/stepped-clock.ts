// The clock of a test: it moves only when told to, from one due time to the next, so that between two timers everything
// that waits on a promise can run. Nothing here asks the machine for the time.
import type { Cancel, Clock } from '../runtime/clock.ts';

interface Timer {
  at: number;
  run: () => void;
}

export class SteppedClock implements Clock {
  #now: number;
  /** By time, then by order of asking. */
  readonly #timers: Timer[] = [];

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): Cancel {
    // Whole ms, as every time on the wire.
    const timer: Timer = { at: this.#now + Math.ceil(Math.max(0, ms)), run };
    const later = this.#timers.findLastIndex(({ at }) => at <= timer.at) + 1;
    this.#timers.splice(later, 0, timer);
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
    };
  }

  /** When the next callback is due. */
  nextAt(): number | undefined {
    return this.#timers[0]?.at;
  }

  /** To this time, running what is due by then. What they ask for at the same time waits for the next step. */
  stepTo(at: number): void {
    this.#now = Math.max(this.#now, at);
    const still = this.#timers.findIndex((timer) => timer.at > this.#now);
    const due = this.#timers.splice(0, still < 0 ? this.#timers.length : still);
    for (const { run } of due) run();
  }
}
