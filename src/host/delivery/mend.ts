// Deliveries that nothing would ever move, found when the host starts. One that a pull has leased has a time at which the
// lease ends, and one that is held has a time or an open offer. One without was left by damage. Each of them is due now.
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { mergeChanges } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { revise } from './move.ts';

/** Rows in one page, and in one commit. */
const PAGE = 200;

/** Returns how many there were. */
export async function mendDeliveries(context: Pick<HostContext, 'store' | 'apply' | 'log'>): Promise<number> {
  const mended = (await mendThose(context, 'handed')) + (await mendThose(context, 'held'));
  if (mended > 0)
    context.log.warn({ deliveries: mended }, 'deliveries that nothing would have moved are due again');
  return mended;
}

async function mendThose(
  { store, apply }: Pick<HostContext, 'store' | 'apply'>,
  state: DeliveryRow['state'],
): Promise<number> {
  let mended = 0;
  for (let after = 0; ; ) {
    const rows = await store.scan('delivery', 'byState', { eq: [state], after, limit: PAGE });
    const found = rows.filter(({ dueAt }) => dueAt === null);
    if (found.length > 0) {
      mended += await apply({
        states: [],
        rows: found.flatMap(({ key, source }) => [['delivery', key] as const, ['offer', source] as const]),
        run(view) {
          const stuck = found.flatMap(({ key }) => stuckIn(view, key));
          const due = { dueAt: view.now, dueFor: 'hand' } as const;
          const news = stuck.length === 0 ? [] : [{ type: 'due' } as const];
          const change = mergeChanges(stuck.map((row) => revise(row, due)));
          return { writes: change.writes, news, result: stuck.length };
        },
      });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return mended;
    after = last.position;
  }
}

function stuckIn(view: UnitView, key: string): DeliveryRow[] {
  const row = view.row('delivery', key);
  if (row === undefined || row.dueAt !== null) return [];
  const isOffered = row.state === 'held' && view.row('offer', row.source)?.open === 1;
  return (row.state === 'handed' || row.state === 'held') && !isOffered ? [row] : [];
}
