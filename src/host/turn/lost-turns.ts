// Several turns of one agent can be about the same events: two processes run as one agent, or a process died in the middle
// of a turn. Only the turn that took the events last may act. A turn that has lost all its events is fenced: nothing it
// sends is accepted.
//
// A process can also be away for a moment while another one is handed its events. When the first comes back, the session
// of the other is closed, and nobody will end the other's turn. So the end of the first turn decides about all events
// that it had taken, and none of them stays open.
import { isFollowUpId } from '../../protocol/derived-id.ts';
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { newestOf } from '../delivery/delivery-row.ts';
import { followUp } from '../delivery/follow-up.ts';
import { settle } from '../delivery/move.ts';
import { type AgentRecord, hasAnswered, type TurnRecord } from '../kernel/agent-record.ts';
import { type Change, addChange, noChange } from '../kernel/change.ts';
import type { TurnOutcome } from './turns.ts';

/** Fences each turn that loses its last event to this one. An event that is asked again under a new id counts as the same. */
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

/** The same turn without the mark that another one took its events. */
export function withoutLoss(turn: TurnRecord): TurnRecord {
  const { lost: _over, ...rest } = turn;
  return rest;
}

/** A turn that lost its events may go on with a delivery that no turn has, such as one that its harness has claimed. */
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
 * `had`: the rows of all events that the turn had taken. `rows`: those that its end decides about, because the turn has them
 * or nobody else works on them. `change`: what happens to the others.
 */
export function takenAtEnd(
  view: UnitView,
  had: readonly DeliveryRow[],
  { record, turn, outcome, session }: EndingTurn,
): { rows: DeliveryRow[]; change: Change } {
  const change = noChange();
  const isNewest = (agent: string): boolean =>
    session !== undefined && view.row('session', agent)?.epoch === session.epoch;
  /** It belongs to another turn, which began in a session that this one has replaced. */
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
    // This turn was fenced and could not answer. Its harness drops the id as a repeat, so the question needs a new one.
    else if (outcome !== 'cancelled' && isNewest(row.agent))
      addChange(change, followUp(row, { kind: 'retry', now: view.now }));
    return [];
  });
  return { rows: turn.ended ? [] : rows, change };
}
