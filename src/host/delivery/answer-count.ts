// One question, one answer. A question may be delivered under several ids: the offer and what its claim delivered, and
// the delivery after an answer that a platform refused. `sends` of a delivery counts the answers to it, and every
// answer counts at the first delivery of its question too, so that a second answer under another id is seen as one.
import { claimedId, withoutAnswerEndings } from '../../protocol/derived-id.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { type Change, addChange, noChange } from '../kernel/change.ts';
import { answeredBy, newestOf } from './delivery-row.ts';
import { countSend, settle } from './move.ts';

/**
 * The delivery that an answer to this event settles: of the one with its id, its replacements and its claim the one that
 * is open. What was said to nobody has only that of its claim.
 */
export function askedIn(view: UnitView, eventId: string, agent: string): DeliveryRow | undefined {
  const named = answeredBy(view, deliveryKey(eventId, agent));
  if (named?.open === 1) return named;
  const first = withoutAnswerEndings(named?.eventId ?? eventId);
  const claimed = answeredBy(view, deliveryKey(claimedId(first), agent));
  return claimed?.open === 1 ? claimed : named;
}

/** Whether the question has its answer. An open delivery asks for one of its own. */
export function isAnswered(view: UnitView, row: DeliveryRow): boolean {
  if (row.sends > 0) return true;
  return row.open === 0 && (firstOf(view, row)?.sends ?? 0) > 0;
}

/** Counts an answer, and settles the delivery unless it waits for something. */
export function countAnswer(view: UnitView, row: DeliveryRow, settles: boolean): Change {
  const change = noChange();
  const settled = settles ? settle(row, 'responded', null, view.now, { sends: row.sends + 1 }) : undefined;
  addChange(change, settled?.row === undefined ? countSend(row, 1) : settled);
  const first = firstOf(view, row);
  if (first !== undefined) addChange(change, countSend(first, 1));
  return change;
}

/** The answer did not arrive, so the question may be answered again. */
export function takeAnswerBack(view: UnitView, row: DeliveryRow): Change {
  const change = noChange();
  addChange(change, countSend(row, -1));
  const first = firstOf(view, row);
  if (first !== undefined) addChange(change, countSend(first, -1));
  return change;
}

/** The first delivery of the same question; undefined when this is the first. */
function firstOf(view: UnitView, row: DeliveryRow): DeliveryRow | undefined {
  const first = withoutAnswerEndings(row.eventId);
  if (first === row.eventId) return undefined;
  const found = newestOf(view, deliveryKey(first, row.agent));
  return found?.key === row.key ? undefined : found;
}
