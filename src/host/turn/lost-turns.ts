// A turn that has lost what it had to another turn. Two harnesses with one identity may each have a turn about the same
// events, and a harness that died may have left one. One acts: the turn that took the events last.
import { isFollowUpId } from '../../protocol/derived-id.ts';
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { newestOf } from '../delivery/delivery-row.ts';
import type { AgentRecord, TurnRecord } from '../kernel/agent-record.ts';

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
