// A delivery whose time has come. A held one is handed. A deadline asks the same harness once more and then escalates.
// What was claimed or deferred comes back once. Obligations never downgrade, and focus pauses the clock.
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { deadlineOf, decisionOf, detailOf } from '../delivery/delivery-row.ts';
import { escalateUnanswered } from '../delivery/escalate.ts';
import { followUp } from '../delivery/follow-up.ts';
import { deadLetter, giveBack, release, revise, settle } from '../delivery/move.ts';
import { type Change, mergeChanges, noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';

export interface SweepDeliveryDeps {
  context: HostContext;
  focusUntil(agent: string): number;
}

export function sweepDelivery(deps: SweepDeliveryDeps, key: string): Promise<void> {
  return deps.context.apply({
    states: [],
    rows: [['delivery', key]],
    run(view) {
      const row = view.row('delivery', key);
      const due = row !== undefined && row.open === 1 && row.dueAt !== null && row.dueAt <= view.now;
      return { ...(due ? fallenDue(deps, view, row) : noChange()), result: undefined };
    },
  });
}

function fallenDue(deps: SweepDeliveryDeps, view: UnitView, row: DeliveryRow): Change {
  const { context } = deps;
  switch (row.dueFor) {
    case 'hand':
      return handNow(context, row, view.now, deps.focusUntil(row.agent));
    case 'deadline':
      return deadline(context, view, row, deps.focusUntil(row.agent));
    case 'lapse':
      return lapse(context, view, row);
    case 'offer':
    case null:
      return revise(row, { dueAt: null });
  }
}

/** Held until now (focus, a followed thread), or leased by a pull harness that never came back. */
function handNow(context: HostContext, row: DeliveryRow, now: number, focusUntil: number): Change {
  // The agent asked for more time meanwhile. What pierces focus was never held.
  if (row.state === 'held' && focusUntil > now) return revise(row, { dueAt: focusUntil });
  const due = nextDeadline(context, row, now);
  if (row.state === 'held') return release(row, due);
  if (row.attempt >= context.settings.limits.handAttempts) return deadLetter(row, 'no_acknowledgement', now);
  return giveBack(row, due);
}

function nextDeadline({ attention }: HostContext, row: DeliveryRow, now: number) {
  return deadlineOf({ ...decisionOf(row), policy: row.policy }, now, attention.limits.deadlineMs);
}

/** First the same harness again, then its lead or a person, and only then less than must_respond. */
function deadline(context: HostContext, view: UnitView, row: DeliveryRow, focusUntil: number): Change {
  const { deadlineMs } = context.attention.limits;
  const { now } = view;
  const later = { dueAt: now + deadlineMs, dueFor: 'deadline' as const };
  const { waited, expired } = detailOf(row);
  if (focusUntil > now) return revise(row, { dueAt: focusUntil + deadlineMs });
  // A model at work is answering: it gets one deadline more before it is asked again.
  if (row.state === 'turn_taken' && waited !== true) return revise(row, later, { waited: true });
  if (expired !== true) {
    const detail = { expired: true, requiresThreadCheck: true };
    return followUp(row, { kind: 'expired', now, change: later, detail });
  }
  return mergeChanges([
    revise(row, { policy: 'may_respond', dueAt: null, dueFor: null }),
    escalateUnanswered(context, view, row, 'deadline'),
  ]);
}

function lapse(context: HostContext, view: UnitView, row: DeliveryRow): Change {
  const { now } = view;
  if (detailOf(row).lapsed !== true) {
    const change = nextDeadline(context, row, now);
    return followUp(row, { kind: 'lapsed', now, change, detail: { lapsed: true } });
  }
  if (row.policy !== 'must_respond') return settle(row, 'ignored', 'lapsed', now);
  return mergeChanges([
    settle(row, 'failed', 'no_answer', now),
    escalateUnanswered(context, view, row, 'lapsed'),
  ]);
}
