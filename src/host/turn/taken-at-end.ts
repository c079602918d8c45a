// A harness that was away for a moment may come back and find that another one of the same agent was handed what it works
// on. Its session replaces the other's, whose turn nobody ends any more, and it lists what it holds, so that it is handed
// nothing twice. The end of its turn then decides about all that the turn had taken: nothing stays open with a harness
// that is gone.
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { followUp } from '../delivery/follow-up.ts';
import { settle } from '../delivery/move.ts';
import { type AgentRecord, hasAnswered, type TurnRecord } from '../kernel/agent-record.ts';
import { type Change, addChange, noChange } from '../kernel/change.ts';
import type { TurnOutcome } from './turns.ts';

/** The session over which a harness reports its turns. A call over HTTP has none. */
export interface TurnSession {
  epoch: number;
  /** The ids of the turns that were begun in it. */
  begun: Set<string>;
}

interface EndingTurn {
  record: AgentRecord;
  turn: TurnRecord;
  outcome: TurnOutcome;
  session: TurnSession | undefined;
}

/**
 * `had`: what the turn had taken, as it is now. `rows`: what its end is about. It has these, or has them once more because
 * nobody else is at work on them. `change`: what becomes of others of them.
 */
export function takenAtEnd(
  view: UnitView,
  had: readonly DeliveryRow[],
  { record, turn, outcome, session }: EndingTurn,
): { rows: DeliveryRow[]; change: Change } {
  const change = noChange();
  const isNewest = (agent: string): boolean =>
    session !== undefined && view.row('session', agent)?.epoch === session.epoch;
  /** Another turn has it, and was begun in a session that this one has replaced. */
  const isLost = ({ turnId, agent }: DeliveryRow): boolean =>
    turnId !== null && turnId !== turn.id && session?.begun.has(turnId) === false && isNewest(agent);
  const taken = (row: DeliveryRow): DeliveryRow => ({ ...row, state: 'turn_taken', turnId: turn.id });
  const rows = had.flatMap((row) => {
    if (row.open === 0 || row.dueFor === 'lapse') return [row];
    // Another harness has accepted it and never begun. The row may name a turn that had it before.
    const isFree = row.state === 'accepted';
    if (!isFree && !isLost(row)) return [row];
    if (hasAnswered(record, row.turnId)) addChange(change, settle(row, 'responded', null, view.now));
    else if (!turn.ended) return [taken(row)];
    // The other turn had fenced this one, which could not answer any more. Its harness is done with this id.
    else if (outcome !== 'cancelled' && isNewest(row.agent))
      addChange(change, followUp(row, { kind: 'retry', now: view.now }));
    return [];
  });
  return { rows: turn.ended ? [] : rows, change };
}
