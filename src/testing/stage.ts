// Where a test plays: the clock, and the turns of the event loop that the store asks for. `settle` runs until nothing is
// left to do without time passing; `advance` goes from due time to due time and settles in between.
import { nextTurn, type Schedule } from '../runtime/schedule.ts';
import { SteppedClock } from './stepped-clock.ts';

/** A host that cannot get past a millisecond is a failure, not a hang. */
const STEPS_AT_ONE_TIME = 10_000;

export class Stage {
  readonly clock: SteppedClock;
  #queue: (() => void)[] = [];

  constructor(now: number) {
    this.clock = new SteppedClock(now);
  }

  readonly schedule: Schedule = (run) => {
    this.#queue.push(run);
  };

  async settle(): Promise<void> {
    for (;;) {
      // One turn of the real loop: every promise that can go on has gone on when it is over.
      await new Promise<void>(nextTurn);
      if (this.#queue.length === 0) return;
      const queue = this.#queue;
      this.#queue = [];
      for (const run of queue) run();
    }
  }

  /** Until `done` says so or the time is over; whether it said so. */
  async advance(ms: number, done: () => boolean = () => false): Promise<boolean> {
    const { clock } = this;
    const until = clock.now() + ms;
    await this.settle();
    for (let here = 0; !done(); ) {
      const next = clock.nextAt();
      if (next === undefined || next > until) {
        clock.stepTo(until);
        await this.settle();
        return done();
      }
      here = next > clock.now() ? 0 : here + 1;
      if (here > STEPS_AT_ONE_TIME) throw new Error(`testHost: the clock cannot get past ${next}`);
      clock.stepTo(next);
      await this.settle();
    }
    return true;
  }

  /** Lets as much time pass as this needs. */
  async through<T>(promise: Promise<T>, limitMs: number): Promise<T> {
    let over = false;
    const ended = promise.finally(() => {
      over = true;
    });
    // Whoever awaits it hears of a failure; here it only counts as an end.
    ended.catch(() => undefined);
    await this.advance(limitMs, () => over);
    return ended;
  }
}
