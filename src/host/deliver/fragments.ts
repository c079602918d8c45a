// What composing by the host has in common, whether a session is handed deliveries or a harness pulls them: which
// deliveries wait in a compose window, how long, and how a closed window becomes one delivery.
import { type ComposeOptions, type FragmentInput, goesOnMs } from '../../compose/index.ts';
import { isDerivedId } from '../../protocol/derived-id.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { decisionOf, detailOf } from '../delivery/delivery-row.ts';
import { mergeCorrection, mergeFragments } from '../delivery/merge.ts';
import { revise } from '../delivery/move.ts';
import { addChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { textOf } from '../kernel/log-row.ts';

/** A repeated, an already composed and a claimed delivery do not wait for new fragments. */
export function isFragment(delivery: DeliveryRow): boolean {
  const { mode, attempt } = delivery;
  if (mode !== 'buffered' && mode !== 'immediate') return false;
  if (decisionOf(delivery).reason === 'claimed') return false;
  return attempt === 1 && detailOf(delivery).fragments === undefined;
}

/** The delivery counts from when it was made, not from when somebody came to take it. */
export function fragmentInput(
  { rhythms }: Pick<HostContext, 'rhythms'>,
  delivery: DeliveryRow,
  event: LogRow,
): FragmentInput {
  const about = refersTo(delivery);
  const goesOn = goesOnMs(rhythms.of(delivery.conversation, event.author));
  return {
    type: 'fragment',
    eventId: delivery.eventId,
    author: event.author,
    at: delivery.createdAt,
    chars: textOf(event).length,
    addressee: delivery.agent,
    mode: delivery.mode === 'immediate' ? 'immediate' : 'buffered',
    ...(about === undefined ? {} : { refersTo: about }),
    ...(goesOn === undefined ? {} : { goesOnMs: goesOn }),
  };
}

/** For what follows from another event, that event. It is never merged with what people type. */
function refersTo(delivery: DeliveryRow): string | undefined {
  const { refersTo: about } = decisionOf(delivery);
  if (about !== undefined && about !== delivery.eventId) return about;
  return isDerivedId(delivery.eventId) ? delivery.source : undefined;
}

export function composeOptions({ attention }: Pick<HostContext, 'attention'>): Partial<ComposeOptions> {
  const { composeMs, composeMaxMs } = attention.limits;
  return { quietMs: composeMs, maxWindowMs: composeMaxMs };
}

/**
 * Makes one delivery of a closed window, in one commit. Undefined when none of them waits any more. `earlier`: what its
 * author said before, if the harness may still be at work on it.
 */
export function commitMerge(
  { apply }: Pick<HostContext, 'apply'>,
  keys: readonly string[],
  earlier?: string,
): Promise<DeliveryRow | undefined> {
  return apply({
    states: [],
    rows: [...keys, ...(earlier === undefined ? [] : [earlier])].map((key) => ['delivery', key] as const),
    run(view) {
      const waiting = keys.flatMap((key) => view.row('delivery', key) ?? []);
      const { row, ...change } = mergeFragments(waiting, view.now);
      if (row === undefined) return { ...change, result: undefined };
      const corrected = mergeCorrection(view, row, earlier);
      addChange(change, corrected);
      addChange(change, revise(corrected.row, {}));
      return { ...change, result: corrected.row };
    },
  });
}
