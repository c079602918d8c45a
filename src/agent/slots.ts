// How many turns run at once over all conversations. Urgent ones go to the front of the line; who waits and is
// cancelled leaves it.

export interface Slots {
  /** Resolves with what gives the place back, or with undefined when the wait was cancelled. */
  take(urgent: boolean, signal: AbortSignal): Promise<(() => void) | undefined>;
}

interface Waiter {
  urgent: boolean;
  start: () => void;
}

export function createSlots(count: number): Slots {
  let free = count;
  let line: Waiter[] = [];
  const next = (): void => {
    while (free > 0) {
      const index = Math.max(
        0,
        line.findIndex(({ urgent }) => urgent),
      );
      const [waiter] = line.splice(index, 1);
      if (waiter === undefined) return;
      free -= 1;
      waiter.start();
    }
  };
  const giveBack = (): (() => void) => {
    let given = false;
    return () => {
      if (given) return;
      given = true;
      free += 1;
      next();
    };
  };
  return {
    take(urgent, signal) {
      if (signal.aborted) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const waiter: Waiter = { urgent, start: () => resolve(giveBack()) };
        signal.addEventListener('abort', () => {
          if (!line.includes(waiter)) return;
          line = line.filter((other) => other !== waiter);
          resolve(undefined);
        });
        line.push(waiter);
        next();
      });
    },
  };
}
