// The end of an offer: answered, resolved or deleted, a role mention goes to nobody any more, and every holder who was
// still waiting for it is told that it is over.
import { deliveryKey } from '../../protocol/identity.ts';
import type { UnitView } from '../../store/store.ts';
import { supersede } from './delivery-state.ts';
import { type Carried, nothingCarried } from '../attend/commit-view.ts';

/** `by` keeps its own delivery: it is settled by what it did. */
export function endOffer(
  view: UnitView,
  eventId: string,
  why: string,
  now: number,
  by: string | undefined,
): Carried & { ended: string[] } {
  const offer = view.row('offer', eventId);
  const carried = { ...nothingCarried(), ended: [] as string[] };
  if (offer === undefined || offer.open === 0) return carried;
  carried.writes.push({ table: 'offer', row: { ...offer, open: 0, dueAt: null } });
  for (const agent of offer.holders) {
    const row = agent === by ? undefined : view.row('delivery', deliveryKey(eventId, agent));
    const over = row === undefined ? undefined : supersede(row, why, now);
    if (over === undefined) continue;
    carried.ended.push(over.key);
    carried.writes.push({ table: 'delivery', row: over });
    carried.news.push({ type: 'withdraw', delivery: over, reason: why });
  }
  return carried;
}
