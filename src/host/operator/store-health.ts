// What `earshot doctor` wants to know of the data: broken invariants, records from the future, sizes. It looks, it
// never mends.
import { z } from 'zod';
import type { Clock } from '../../runtime/clock.ts';
import type { HostContext } from '../kernel/context.ts';

export const storeHealthSchema = z.object({
  findings: z.array(z.string()),
  stats: z.record(z.string(), z.number()),
  /** By how much the newest record is ahead of the clock: the system's was set back, or is wrong. */
  aheadMs: z.number(),
});
export type StoreHealth = z.infer<typeof storeHealthSchema>;

export async function storeHealth(
  { store, apply }: Pick<HostContext, 'store' | 'apply'>,
  clock: Pick<Clock, 'now'>,
): Promise<StoreHealth> {
  const [newest] = await store.scan('log', 'byPosition', { limit: 1, descending: true });
  const storeNow = await apply({ states: [], run: ({ now }) => ({ writes: [], news: [], result: now }) });
  const ahead = Math.max(newest?.at ?? 0, storeNow) - clock.now();
  return { findings: await store.check(), stats: await store.stats(), aheadMs: Math.max(0, ahead) };
}
