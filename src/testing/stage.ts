// Where a test plays: the clock, and the turns of the event loop that the store asks for. `settle` runs until nothing is
// left to do without time passing; `advance` goes from due time to due time and settles in between.
import { nextTurn, type Schedule } from '../runtime/schedule.ts';
import { SteppedClock } from './stepped-clock.ts';

/** A host that never gets past one millisecond fails the test instead of hanging it. */
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
      // After one turn of the real event loop, every promise that could go on has gone on.
      await new Promise<void>(nextTurn);
      if (this.#queue.length === 0) return;
      const queue = this.#queue;
      this.#queue = [];
      for (const run of queue) run();
    }
  }

  /** Advances until `done` returns true or the time is over. Returns whether `done` was true. */
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

  /** Advances the time until the promise ends. */
  async through<T>(promise: Promise<T>, limitMs: number): Promise<T> {
    let over = false;
    const ended = promise.finally(() => {
      over = true;
    });
    // The caller hears of a failure. Here it only counts as an end.
    ended.catch(() => undefined);
    await this.advance(limitMs, () => over);
    return ended;
  }
}
