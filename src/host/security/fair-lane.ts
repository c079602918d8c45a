// A lane: one kind of work that callers share, such as reading the log. A caller does a few calls at a time, however many
// connections it has. Further calls wait in its own short queue. Callers get their turns in rotation, so one with a
// thousand calls delays another by one call at most. With a full queue a call is refused, with a time to come back.
import type { Cancel, Clock } from '../../runtime/clock.ts';
import type { Schedule } from '../../runtime/schedule.ts';

export interface LaneLimit {
  /** Calls of one caller being worked on. */
  each: number;
  /** Calls of all callers being worked on. */
  all: number;
  /** Calls of one caller that wait. One more is refused. */
  waiting: number;
}

/** Ends a turn, so that the next call may start. Safe to call twice. */
export type EndTurn = () => void;

export interface FairLane {
  /**
   * Resolves with the end of the turn, or with a refusal. Not a promise when there is room: then the caller starts at
   * once, and calls of one caller start in the order in which they came.
   */
  enter(who: string, signal?: AbortSignal): Entered | Promise<Entered>;
  /** What one caller has here now. */
  of(who: string): { running: number; waiting: number };
  callers(): string[];
}

export type Entered = { ok: true; end: EndTurn } | { ok: false; retryAfterMs: number };

export interface LaneDeps {
  clock: Clock;
  /** How long the caller must rest before its next turn, in ms. 0: it need not. */
  restMs?: (who: string) => number;
  /**
   * Runs between two turns. Reads that find everything in memory would otherwise follow each other without a pause, and
   * nothing would be received or delivered until the last is done.
   */
  pause?: Schedule;
}

/** Where nothing says when there will be room. */
const RETRY_MS = 1_000;

interface Waiting {
  start: (entered: Entered) => void;
}

interface Caller {
  running: number;
  queue: Set<Waiting>;
  /** Its place in the rotation: whoever was served last has the highest. */
  place: number;
}

export function createFairLane(limit: LaneLimit, deps: LaneDeps): FairLane {
  const { clock, restMs = () => 0, pause } = deps;
  const callers = new Map<string, Caller>();
  let lastPlace = 0;
  let running = 0;
  /** Calls that wait, of all callers. */
  let waiting = 0;
  /** The next turns begin after a pause. */
  let pausing = false;
  let wakes: { at: number; cancel: Cancel } | undefined;

  const callerOf = (who: string): Caller => {
    const known = callers.get(who);
    if (known !== undefined) return known;
    const caller = { running: 0, queue: new Set<Waiting>(), place: ++lastPlace };
    callers.set(who, caller);
    return caller;
  };
  const begin = (who: string, caller: Caller): Entered => {
    running++;
    caller.running++;
    caller.place = ++lastPlace;
    let ended = false;
    return {
      ok: true,
      end() {
        if (ended) return;
        ended = true;
        running--;
        caller.running--;
        serveNext();
        forgetIdle(who, caller);
      },
    };
  };
  const forgetIdle = (who: string, caller: Caller): void => {
    if (caller.running === 0 && caller.queue.size === 0) callers.delete(who);
  };
  const wakeIn = (ms: number): void => {
    const at = clock.now() + ms;
    if (wakes !== undefined && wakes.at <= at) return;
    wakes?.cancel();
    const cancel = clock.after(ms, () => {
      wakes = undefined;
      serve();
    });
    wakes = { at, cancel };
  };
  /** The caller whose turn it is: of those that may start one, who has the fewest running, then who waits longest. */
  const nextCaller = (): [string, Caller] | undefined => {
    let best: [string, Caller] | undefined;
    for (const [who, caller] of callers) {
      if (caller.queue.size === 0 || caller.running >= limit.each) continue;
      if (best !== undefined && !isBefore(caller, best[1])) continue;
      const ms = restMs(who);
      if (ms > 0) wakeIn(ms);
      else best = [who, caller];
    }
    return best;
  };
  const serve = (): void => {
    while (waiting > 0 && running < limit.all) {
      const [who, caller] = nextCaller() ?? [];
      const [next] = caller?.queue ?? [];
      if (who === undefined || caller === undefined || next === undefined) return;
      caller.queue.delete(next);
      waiting--;
      next.start(begin(who, caller));
    }
  };

  const serveNext = (): void => {
    if (pause === undefined) return serve();
    if (pausing) return;
    pausing = true;
    pause(() => {
      pausing = false;
      serve();
    });
  };

  return {
    enter(who, signal) {
      const caller = callerOf(who);
      const rest = restMs(who);
      const isFree =
        !pausing && caller.queue.size === 0 && caller.running < limit.each && running < limit.all;
      if (isFree && rest === 0) return begin(who, caller);
      if (caller.queue.size >= limit.waiting || signal?.aborted === true) {
        forgetIdle(who, caller);
        return { ok: false, retryAfterMs: Math.max(RETRY_MS, rest) };
      }
      if (rest > 0) wakeIn(rest);
      return new Promise((resolve) => {
        const leave = (): void => {
          if (!caller.queue.delete(call)) return;
          waiting--;
          forgetIdle(who, caller);
          resolve({ ok: false, retryAfterMs: RETRY_MS });
        };
        const call: Waiting = {
          start(entered) {
            signal?.removeEventListener('abort', leave);
            resolve(entered);
          },
        };
        caller.queue.add(call);
        waiting++;
        signal?.addEventListener('abort', leave, { once: true });
      });
    },
    of(who) {
      const caller = callers.get(who);
      return { running: caller?.running ?? 0, waiting: caller?.queue.size ?? 0 };
    },
    callers: () => [...callers.keys()],
  };
}

function isBefore(one: Caller, other: Caller): boolean {
  return one.running === other.running ? one.place < other.place : one.running < other.running;
}
