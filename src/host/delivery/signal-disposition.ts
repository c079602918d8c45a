// What a reaction does to the delivery it answers. The protocol's table gives the disposition, with one exception: a
// signal that is not an answer leaves the delivery open. "Use acknowledged only when an acknowledgement or approval
// signal fully satisfies the request."
import {
  type Disposition,
  type Intent,
  SIGNAL_DISPOSITIONS,
  type Signal,
} from '../../protocol/vocabulary.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { decisionOf } from './delivery-row.ts';
import { type Moved, deferUntil, settle } from './move.ts';

/** Intents that a signal does not answer. */
const NOT_ANSWERED_BY: Partial<Record<Signal, ReadonlySet<Intent>>> = {
  seen: new Set(['question', 'request', 'blocker', 'urgent', 'safety', 'cancel']),
  agree: new Set(['question', 'blocker', 'urgent', 'safety']),
};

/** The delivery after the signal; undefined when the signal changes nothing. */
export function disposedBy(
  row: DeliveryRow,
  signal: Signal,
  now: number,
  lapseMs: number,
): Moved | undefined {
  const disposition = SIGNAL_DISPOSITIONS[signal];
  const { intent } = decisionOf(row);
  if (row.policy === 'must_respond' && NOT_ANSWERED_BY[signal]?.has(intent) === true) return undefined;
  // `unclear` waits for the author, as `blocked` does. Without an answer the delivery comes back.
  if (disposition === null) return deferUntil(row, 'deferred', now + lapseMs);
  if (disposition === 'claimed' || disposition === 'deferred') {
    return deferUntil(row, disposition, now + lapseMs);
  }
  return settle(row, disposition, signal, now);
}

/** The disposition in the tool's result. Null for `unclear`, which settles nothing. */
export function toldDisposition(signal: Signal, row: DeliveryRow | undefined): Disposition | null {
  return row === undefined || SIGNAL_DISPOSITIONS[signal] === null ? null : row.disposition;
}
