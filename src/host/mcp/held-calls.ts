// Calls under way, so that they can be cancelled from outside. A 2025 client over HTTP cancels with a request of its own,
// which the SDK, stateless there, gives to a server object that knows of no call. Left alone, a cancelled long poll
// would go on and take the next event to where nobody reads it.
import type { RequestId } from '@modelcontextprotocol/server';

export interface HeldCalls {
  /** Runs with a signal that also ends when the call is cancelled by its id. */
  hold<T>(
    id: RequestId,
    signals: readonly AbortSignal[],
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  cancel(id: RequestId): void;
}

/** Of one agent: nobody else may cancel. Two of its clients may use one id at once; both calls end, and are made again. */
export function createHeldCalls(): HeldCalls {
  const held = new Map<RequestId, Set<AbortController>>();
  return {
    async hold(id, signals, run) {
      const controller = new AbortController();
      const same = held.get(id) ?? new Set();
      held.set(id, same.add(controller));
      try {
        return await run(AbortSignal.any([controller.signal, ...signals]));
      } finally {
        same.delete(controller);
        if (same.size === 0 && held.get(id) === same) held.delete(id);
      }
    },
    cancel(id) {
      for (const controller of held.get(id) ?? []) controller.abort();
    },
  };
}
