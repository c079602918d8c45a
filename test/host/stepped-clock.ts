// A clock that is stepped from one due time to the next, so that between two timers every promise can run. A life is a
// view of it that can end: what a crashed host had asked for never comes.
import type { Cancel, Clock } from '../../src/runtime/clock.ts';

interface Timer {
  at: number;
  order: number;
  run: () => void;
}

export class SteppedClock implements Clock {
  /** What has passed, as a time of day. Timers are kept by it. */
  #now: number;
  #setBy = 0;
  #order = 0;
  /** Sorted by time, then by order of asking. */
  #timers: Timer[] = [];

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
    const timer: Timer = { at: this.#now + Math.ceil(Math.max(0, ms)), order: this.#order++, run };
    let low = 0;
    let high = this.#timers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#timers[middle] as Timer).at <= timer.at) low = middle + 1;
      else high = middle;
    }
    this.#timers.splice(low, 0, timer);
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
    };
  }

  nextAt(): number | undefined {
    const first = this.#timers[0];
    return first === undefined ? undefined : first.at + this.#setBy;
  }

  /** Timers that are still to come. */
  waiting(): number {
    return this.#timers.length;
  }

  /** To this time, running what is due at exactly it. */
  stepTo(at: number): void {
    this.#now = Math.max(this.#now, at - this.#setBy);
    const due: Timer[] = [];
    while (this.#timers[0] !== undefined && this.#timers[0].at <= this.#now)
      due.push(this.#timers.shift() as Timer);
    for (const timer of due) timer.run();
  }
}

export interface Life extends Clock {
  end(): void;
}

export function lifeOf(clock: Clock): Life {
  let alive = true;
  return {
    now: () => clock.now(),
    elapsed: () => clock.elapsed?.() ?? clock.now(),
    after: (ms, run) => (alive ? clock.after(ms, () => alive && run()) : () => undefined),
    end: () => {
      alive = false;
    },
  };
}
