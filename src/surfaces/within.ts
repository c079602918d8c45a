// Waiting that has an end.
import type { Clock } from '../runtime/clock.ts';

/** Resolves with the work, or undefined after the time. */
export function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => resolve(undefined));
    work.then(resolve, reject).finally(cancel);
  });
}
