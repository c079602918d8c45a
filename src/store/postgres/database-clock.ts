// The database's time on this node. Every answer of the database says what time it was there at some moment between asking
// and hearing, so each answer gives bounds for the difference to this node's own count of time. Nodes that share a
// database share its time, whatever their own clocks say.
import type { Clock } from '../../runtime/clock.ts';

export interface DatabaseClock extends Clock {
  /** The database said this, in answer to what was sent at that time of `elapsed`. */
  learn(atMs: number, sentAt: number): void;
  elapsed(): number;
}

export function databaseClock(own: Clock): DatabaseClock {
  const elapsed = (): number => own.elapsed?.() ?? own.now();
  let ahead: number | undefined;
  return {
    elapsed,
    now: () => (ahead === undefined ? own.now() : Math.floor(elapsed() + ahead)),
    after: (ms, run) => own.after(ms, run),
    learn(atMs, sentAt) {
      const [least, most] = [atMs - elapsed(), atMs - sentAt];
      ahead = Math.max(least, Math.min(most, ahead ?? (least + most) / 2));
    },
  };
}

/** Follows its own clock alone. For tests that say what time it is. */
export function ownClock(own: Clock): DatabaseClock {
  return {
    elapsed: () => own.elapsed?.() ?? own.now(),
    now: () => own.now(),
    after: (ms, run) => own.after(ms, run),
    learn: () => undefined,
  };
}
