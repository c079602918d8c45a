// Fair turns at the door. Requests of a caller that come in together, on hundreds of connections, would all be worked on
// before anybody else is heard: six hundred took 170 ms. So a caller begins a few in each turn of the event loop, and the
// rest wait for the next ones, in the order in which they came. How many may wait is bounded by the caller's rate.
import type { Schedule } from '../../runtime/schedule.ts';

export interface FairTurns {
  /** Undefined: begin at once. Otherwise resolves when it is the request's turn. */
  take(who: string): Promise<void> | undefined;
  /** How many of a caller's wait. */
  waiting(who: string): number;
}

interface Caller {
  begun: number;
  queue: (() => void)[];
}

export function createFairTurns(aTurn: number, schedule: Schedule): FairTurns {
  const callers = new Map<string, Caller>();
  let scheduled = false;
  const wake = (): void => {
    if (scheduled || callers.size === 0) return;
    scheduled = true;
    schedule(() => {
      scheduled = false;
      for (const [who, caller] of callers) {
        const next = caller.queue.splice(0, aTurn);
        caller.begun = next.length;
        if (next.length === 0) callers.delete(who);
        for (const begin of next) begin();
      }
      wake();
    });
  };
  return {
    take(who) {
      const caller = callers.get(who) ?? { begun: 0, queue: [] };
      callers.set(who, caller);
      wake();
      if (caller.begun < aTurn && caller.queue.length === 0) {
        caller.begun++;
        return undefined;
      }
      return new Promise((resolve) => void caller.queue.push(resolve));
    },
    waiting: (who) => callers.get(who)?.queue.length ?? 0,
  };
}
