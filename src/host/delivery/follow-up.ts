// Asking the same question again: a reminder, an expired deadline, a lapse, a failed turn, an edit, or a dead letter
// that a person hands over again. A delivery that no harness has accepted is changed in place. One that was accepted
// gets a new row under a derived id, because every harness drops a repeated event id. The first row ends `superseded`
// and names its replacement.
import { type FollowUpKind, followUpId } from '../../protocol/derived-id.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { type Change, addChange, noChange } from '../kernel/change.ts';
import { type DetailChange, decisionOf, withDetail } from './delivery-row.ts';
import { move, queueDelivery, replace } from './move.ts';

export interface FollowUp {
  kind: FollowUpKind;
  now: number;
  change?: Partial<Pick<DeliveryRow, 'source' | 'policy' | 'mode' | 'dueAt' | 'dueFor'>>;
  detail?: DetailChange;
  /** A harness may have it already, although the row says `queued`. It then needs a new id. */
  mayHaveIt?: boolean;
  /** It is not handed over before this time. */
  heldUntil?: number;
}

export function followUp(row: DeliveryRow, asked: FollowUp): Change {
  const { kind, now, change, detail = {}, mayHaveIt, heldUntil } = asked;
  if (row.open === 0) return noChange();
  const again = { disposition: null, turnId: null, ...change } as const;
  if (mayHaveIt !== true && (row.state === 'queued' || row.state === 'held')) {
    const next = move(row, 'queued', again);
    return next === undefined ? noChange() : queueDelivery(withDetail(next, detail));
  }
  const held = heldUntil === undefined ? {} : ({ state: 'held', dueAt: heldUntil, dueFor: 'hand' } as const);
  const next: DeliveryRow = { ...successor(row, kind, now, again, detail), ...held };
  const all = noChange();
  addChange(all, replace(row, next.key, kind === 'edit' ? 'edited' : kind, now));
  addChange(all, queueDelivery(next));
  return all;
}

/** The row that replaces another: the same question, one more attempt, a derived id. */
export function successor(
  row: DeliveryRow,
  kind: FollowUpKind,
  now: number,
  change: Partial<DeliveryRow>,
  detail: DetailChange,
): DeliveryRow {
  const attempt = row.attempt + 1;
  const eventId = followUpId(row.eventId, kind, attempt);
  const first = detail.decision ?? decisionOf(row);
  const decision = { ...first, eventId, refersTo: first.refersTo ?? row.eventId };
  return {
    ...withDetail(row, { ...detail, decision }),
    ...change,
    key: deliveryKey(eventId, row.agent),
    eventId,
    state: 'queued',
    open: 1,
    why: null,
    settledAt: null,
    attempt,
    createdAt: now,
    sends: 0,
  };
}
