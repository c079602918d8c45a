// Several turns of one agent about the same events: two harnesses with one identity may each have one, and a harness that died
// may have left one. One acts, the turn that took the events last; a turn that has lost all that it had is fenced.
//
// A harness that was away for a moment may come back and find that another one of the same agent was handed what it works
// on. Its session replaces the other's, whose turn nobody ends any more, and it lists what it holds, so that it is handed
// nothing twice. The end of its turn then decides about all that the turn had taken: nothing stays open with a harness
// that is gone.
import { isFollowUpId } from '../../protocol/derived-id.ts';
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { newestOf } from '../delivery/delivery-row.ts';
import { followUp } from '../delivery/follow-up.ts';
import { settle } from '../delivery/move.ts';
import { type AgentRecord, hasAnswered, type TurnRecord } from '../kernel/agent-record.ts';
import { type Change, addChange, noChange } from '../kernel/change.ts';
import type { TurnOutcome } from './turns.ts';

/** A turn that has lost events to this one, also under the ids under which they are asked anew, and has none left, is fenced. */
export function fenceLosers(
  view: UnitView,
  record: AgentRecord,
  taken: readonly DeliveryRow[],
  turnId: string,
): AgentRecord {
  const lost = new Map(taken.map(({ key, turnId: before }) => [key, before]));
  const isAskedAnew = taken.some(({ eventId }) => isFollowUpId(eventId));
  const isLost = (id: string, key: string): boolean =>
    lost.get(key) === id || (isAskedAnew && lost.has(newestOf(view, key)?.key ?? ''));
  const has = (id: string, key: string): boolean => {
    const row = lost.has(key) ? undefined : view.row('delivery', key);
    return row?.state === 'turn_taken' && row.turnId === id;
  };
  const isLoser = ({ id, ended, deliveries }: TurnRecord): boolean =>
    id !== turnId &&
    !ended &&
    deliveries.some((key) => isLost(id, key)) &&
    !deliveries.some((key) => has(id, key));
  const turns = record.turns.map((turn) =>
    isLoser(turn) ? { ...turn, ended: true, lost: true as const } : turn,
  );
  return { ...record, turns };
}

/** From now on it ends by itself. */
export function withoutLoss(turn: TurnRecord): TurnRecord {
  const { lost: _over, ...rest } = turn;
  return rest;
}

/** It has lost what it had. Its harness lives all the same, and goes on with what nobody has, such as what it claimed. */
export function goesOn({ lost }: TurnRecord, rows: readonly (DeliveryRow | undefined)[]): boolean {
  return lost === true && rows.some((row) => row?.open === 1 && row.turnId === null);
}

/** The session over which a harness reports its turns. A call over HTTP has none. */
export interface TurnSession {
  epoch: number;
  /** The ids of the turns that were begun in it and have not ended. */
  begun: Set<string>;
}

/** Turns of one session that run at once. Of a harness that begins more and ends none, the oldest is forgotten. */
const BEGUN_MAX = 10_000;

export function noteBegun({ begun }: TurnSession, turnId: string): void {
  begun.add(turnId);
  const [oldest] = begun;
  if (begun.size > BEGUN_MAX && oldest !== undefined) begun.delete(oldest);
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
