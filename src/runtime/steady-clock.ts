// The time that everything due is compared with. It follows the wall clock, and never goes back: not when somebody sets
// the wall clock back, and not over a restart, because it starts at the latest time that is stored. While it is ahead of
// the wall clock it runs at half speed, so it is back on it after twice the jump, and no wait takes more than twice as
// long. Slower would stretch waits further; faster would leave the times that people read wrong for longer.
// A wall clock that is set forward is followed at once, as after a sleep of the machine.
import type { Cancel, Clock } from './clock.ts';

export interface SteadyClock extends Clock {
  /** How far it is ahead of the wall clock, in ms. Above 0 it runs at half speed. */
  aheadMs(): number;
  /** The jumps of the wall clock since the start. */
  jumps(): ClockJumps;
  /** Calls back after each jump, with how far the wall clock was set, in ms. Below 0: back. */
  onJump(listener: (ms: number) => void): Cancel;
}

export interface ClockJumps {
  forward: number;
  back: number;
  /** How far the wall clock was set last, in ms, and when that was noticed. */
  last: { ms: number; at: number } | undefined;
}

/** The speed while it is ahead of the wall clock. */
const SPEED = 0.5;
/** A smaller difference between the wall clock and what has passed is no jump: clocks are kept right in small steps. */
const JUMP_MS = 2_000;

/** `mark`: the latest time that was used before, 0 when none was. */
export function steadyClock(wall: Clock, mark = 0): SteadyClock {
  let wallAt = wall.now();
  let passedAt = passed(wall);
  let time = Math.max(wallAt, mark);
  const jumps: ClockJumps = { forward: 0, back: 0, last: undefined };
  const listeners = new Set<(ms: number) => void>();
  const jumped = (ms: number, at: number): void => {
    jumps[ms < 0 ? 'back' : 'forward']++;
    jumps.last = { ms, at };
    // Not at once: whoever asks the time may be in the middle of a commit.
    queueMicrotask(() => {
      for (const listener of listeners) listener(ms);
    });
  };
  if (time - wallAt >= JUMP_MS) jumped(wallAt - time, wallAt);

  const now = (): number => {
    const wallNow = wall.now();
    // Under load the time is asked many times in one millisecond. What has passed is looked at when the wall clock moves.
    if (wallNow === wallAt && wallNow === time) return time;
    const passedNow = passed(wall);
    const passedMs = Math.max(0, passedNow - passedAt);
    const setMs = wallNow - wallAt - passedMs;
    wallAt = wallNow;
    passedAt = passedNow;
    time = Math.max(wallNow, time + passedMs * SPEED);
    if (Math.abs(setMs) >= JUMP_MS) jumped(Math.round(setMs), wallNow);
    return Math.floor(time);
  };
  const aheadMs = (): number => now() - wallAt;
  /** How much has to pass until this clock is further by so much. */
  const passing = (ms: number): number => ms + Math.min(ms, Math.max(0, aheadMs()));
  return {
    now,
    elapsed: () => passed(wall),
    aheadMs: () => Math.max(0, aheadMs()),
    jumps: () => ({ ...jumps }),
    onJump(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    after(ms, run) {
      const until = now() + Math.ceil(Math.max(0, ms));
      let cancel: Cancel | undefined;
      const wait = (left: number): void => {
        cancel = wall.after(passing(left), () => {
          // The wall clock was set back meanwhile: the rest takes longer.
          const rest = until - now();
          if (rest > 0) wait(rest);
          else run();
        });
      };
      wait(until - now());
      return () => cancel?.();
    },
  };
}

/** Looks at the clock again and again, so that a jump is noticed also by a host that has nothing to do. */
export function watchClock(clock: SteadyClock, wall: Clock, everyMs: number): Cancel {
  let cancel: Cancel | undefined;
  const look = (): void => {
    clock.now();
    cancel = wall.after(everyMs, look);
  };
  look();
  return () => cancel?.();
}

function passed(wall: Clock): number {
  return wall.elapsed?.() ?? wall.now();
}
