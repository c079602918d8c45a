// Waits before connecting again: longer each time, and randomly, so that tabs do not reconnect all at once. Coming back
// to the tab or to the network ends the wait.

/** The wait in ms after this many failures. */
export type Pace = (failures: number) => number;

const FIRST_MS = 400;
const LONGEST_MS = 8_000;

export const PACE: Pace = (failures) =>
  Math.min(LONGEST_MS, FIRST_MS * 2 ** failures) * (0.75 + Math.random() / 2);

export function pause(ms: number, signal: AbortSignal, wake?: EventTarget): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const stop = new AbortController();
  const now = { once: true, signal: stop.signal };
  signal.addEventListener('abort', () => resolve(), now);
  wake?.addEventListener('online', () => resolve(), now);
  wake?.addEventListener('focus', () => resolve(), now);
  return promise.finally(() => {
    clearTimeout(timer);
    stop.abort();
  });
}
