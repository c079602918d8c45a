// The same question once more: a reminder, an expired deadline, a lapse, a turn that failed, an edit, a dead letter that
// a person hands over again. A delivery that no harness has accepted is changed where it lies. One that was accepted
// goes out as a new row under a derived id, because every harness drops repeats of an event id; the first ends
// `superseded` and names the one that took its place.
import { type FollowUpKind, followUpId } from '../../protocol/derived-id.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { type Change, addChange, noChange } from '../kernel/change.ts';
import { type DeliveryDetail, decisionOf, withDetail } from './delivery-row.ts';
import { move, queueDelivery, replace } from './move.ts';

export interface FollowUp {
  kind: FollowUpKind;
  now: number;
  change?: Partial<Pick<DeliveryRow, 'source' | 'policy' | 'mode' | 'dueAt' | 'dueFor'>>;
  detail?: Partial<DeliveryDetail>;
  /** A harness may have it already, whatever the row's state says: it goes out under a new id. */
  mayHaveIt?: boolean;
}

export function followUp(row: DeliveryRow, { kind, now, change, detail = {}, mayHaveIt }: FollowUp): Change {
  if (row.open === 0) return noChange();
  const again = { disposition: null, turnId: null, ...change } as const;
  if (mayHaveIt !== true && (row.state === 'queued' || row.state === 'held')) {
    const next = move(row, 'queued', again);
    return next === undefined ? noChange() : queueDelivery(withDetail(next, detail));
  }
  const next = successor(row, kind, now, again, detail);
  const all = noChange();
  addChange(all, replace(row, next.key, kind === 'edit' ? 'edited' : kind, now));
  addChange(all, queueDelivery(next));
  return all;
}

/** The row that takes another's place: the same question, one attempt more, under a derived id. */
export function successor(
  row: DeliveryRow,
  kind: FollowUpKind,
  now: number,
  change: Partial<DeliveryRow>,
  detail: Partial<DeliveryDetail>,
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
