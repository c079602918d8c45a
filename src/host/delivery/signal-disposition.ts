// What a signal does to the delivery it answers, as a table: the protocol's disposition, except that a question is not
// answered by having been read. "Use acknowledged only when an acknowledgement or approval signal fully satisfies the
// request."
import {
  type Disposition,
  type Intent,
  SIGNAL_DISPOSITIONS,
  type Signal,
} from '../../protocol/vocabulary.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { decisionOf } from './delivery-row.ts';
import { type Moved, deferUntil, settle } from './move.ts';

/** What asks for more than to be seen, and what asks for more than to be agreed to. */
const NOT_BY: Partial<Record<Signal, ReadonlySet<Intent>>> = {
  seen: new Set(['question', 'request', 'blocker', 'urgent', 'safety', 'cancel']),
  agree: new Set(['question', 'blocker', 'urgent', 'safety']),
};

/** The delivery as the signal leaves it; undefined when the signal leaves it as it is. */
export function disposedBy(
  row: DeliveryRow,
  signal: Signal,
  now: number,
  lapseMs: number,
): Moved | undefined {
  const disposition = SIGNAL_DISPOSITIONS[signal];
  const { intent } = decisionOf(row);
  if (row.policy === 'must_respond' && NOT_BY[signal]?.has(intent) === true) return undefined;
  // `unclear` waits for the author, as `blocked` does: it comes back when nothing is heard.
  if (disposition === null) return deferUntil(row, 'deferred', now + lapseMs);
  if (disposition === 'claimed' || disposition === 'deferred') {
    return deferUntil(row, disposition, now + lapseMs);
  }
  return settle(row, disposition, signal, now);
}

/** What the caller is told: `unclear` settles nothing and has no word of its own. */
export function toldDisposition(signal: Signal, row: DeliveryRow | undefined): Disposition | null {
  return row === undefined || SIGNAL_DISPOSITIONS[signal] === null ? null : row.disposition;
}
