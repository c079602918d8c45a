// An author goes on while an earlier line of theirs waits for a second opinion. Both are for the agent then, in the order
// in which they were said, so that they are composed into one turn and nothing is answered twice.
import { type Decision, startsTurn } from '../../attention/index.ts';
import type { UnitView } from '../../store/store.ts';
import { deadlineOf, decisionOf } from '../delivery/delivery-row.ts';
import { releaseHeld } from '../delivery/move.ts';
import { type Change, mergeChanges } from '../kernel/change.ts';

/**
 * `waiting`: the deliveries that wait. Those that ended or were handed over meanwhile are left alone. Their news carry the
 * event, as that of the new line does: else they would be read first, and come after it.
 */
export function releaseEarlier(
  view: UnitView,
  waiting: readonly { delivery: string; event: string }[],
  decisions: readonly Decision[],
  deadlineMs: number,
): Change {
  const agents = new Set(decisions.filter(startsTurn).map(({ agent }) => agent));
  return mergeChanges(
    waiting.flatMap(({ delivery, event }) => {
      const row = view.row('delivery', delivery);
      if (row === undefined || row.state !== 'held' || row.dueFor !== 'hand' || !agents.has(row.agent))
        return [];
      const { writes, news } = releaseHeld(row, deadlineOf(decisionOf(row), view.now, deadlineMs));
      const said = view.row('log', event);
      return { writes, news: news.map((one) => (one.type === 'deliver' ? { ...one, event: said } : one)) };
    }),
  );
}
