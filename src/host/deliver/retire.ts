// What becomes of an agent's deliveries when the agent leaves the settings. What had to be answered is a dead letter, with
// an inbox item and a line for whoever asked; the rest is over. Nothing ends without its reason.
import type { DeliveryRow } from '../../store/tables.ts';
import { deadLetter, supersede } from '../delivery/move.ts';
import { passOffer } from '../delivery/offers.ts';
import { type Change, addChange, mergeChanges, noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { tellAsker } from '../outbox/trouble-lines.ts';

/** Rows in one page, and in one commit. */
const PAGE = 100;
export const AGENT_REMOVED = 'agent_removed';

/** Returns how many were ended. */
export async function retireAgent(context: HostContext, agent: string): Promise<number> {
  let ended = 0;
  for (let after = 0; ; ) {
    const rows = await context.store.scan('delivery', 'openByAgent', { eq: [agent, 1], after, limit: PAGE });
    if (rows.length > 0) ended += await endAll(context, rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return ended;
    after = last.position;
  }
}

function endAll(context: HostContext, found: readonly DeliveryRow[]): Promise<number> {
  return context.apply({
    states: [...new Set(found.map(({ conversation }) => conversation))],
    rows: found.flatMap(({ key, source }) => [
      ['delivery', key] as const,
      ['offer', source] as const,
      ['log', source] as const,
    ]),
    run(view) {
      const change = { ...noChange(), result: 0 };
      for (const { key } of found) {
        const row = view.row('delivery', key);
        if (row?.open !== 1) continue;
        addChange(change, mergeChanges([end(context, view, row), passOffer(view, row.source, row.agent)]));
        change.result++;
      }
      return change;
    },
  });
}

function end(context: HostContext, view: Parameters<typeof tellAsker>[1], row: DeliveryRow): Change {
  if (row.policy !== 'must_respond') return supersede(row, AGENT_REMOVED, view.now);
  return mergeChanges([deadLetter(row, AGENT_REMOVED, view.now), tellAsker(context, view, row, 'gave-up')]);
}
