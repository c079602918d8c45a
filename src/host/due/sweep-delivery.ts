// Handles a delivery whose time has come. A held one is handed over. A missed deadline asks the same harness again, and
// then escalates. A claimed or deferred one comes back once. Focus postpones hand-overs and deadlines.
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { deadlineOf, decisionOf, detailOf } from '../delivery/delivery-row.ts';
import { escalateUnanswered } from '../delivery/escalate.ts';
import { followUp } from '../delivery/follow-up.ts';
import { clearDue, deadLetter, giveBack, releaseHeld, revise, settle } from '../delivery/move.ts';
import { agentRecordIn, hasAnswered } from '../kernel/agent-record.ts';
import { type Change, mergeChanges, noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { agentStateKey } from '../kernel/conversation.ts';
import { tellAsker } from '../outbox/trouble-lines.ts';

export interface SweepDeliveryDeps {
  context: HostContext;
  focusUntil(agent: string): number;
}

/** What is known of the row from a scan. It may have moved since, so the unit reads it again. */
type Known = Pick<DeliveryRow, 'key' | 'agent' | 'conversation' | 'state' | 'dueFor'>;

export function sweepDelivery(
  deps: SweepDeliveryDeps,
  { key, agent, conversation, state, dueFor }: Known,
): Promise<void> {
  const mayGiveUp = state !== 'held' && dueFor === 'hand';
  return deps.context.apply({
    states: [agentStateKey(agent), ...(mayGiveUp ? [conversation] : [])],
    rows: [['delivery', key]],
    run(view) {
      const row = view.row('delivery', key);
      const due = row !== undefined && row.dueAt !== null && row.dueAt <= view.now;
      if (!due) return { ...noChange(), result: undefined };
      return { ...(row.open === 1 ? handleDue(deps, view, row) : clearDue(row)), result: undefined };
    },
  });
}

function handleDue(deps: SweepDeliveryDeps, view: UnitView, row: DeliveryRow): Change {
  const { context } = deps;
  switch (row.dueFor) {
    case 'hand':
      return handOver(context, view, row, deps.focusUntil(row.agent));
    case 'deadline':
      return missedDeadline(context, view, row, deps.focusUntil(row.agent));
    case 'lapse':
      return lapsed(context, view, row);
    case 'offer':
    case null:
      return revise(row, { dueAt: null });
  }
}

/** It was held (focus, a followed thread), or leased by a pull harness that has not settled it. */
function handOver(context: HostContext, view: UnitView, row: DeliveryRow, focusUntil: number): Change {
  const { now } = view;
  // The agent has extended its focus meanwhile. A delivery that pierces focus was never held.
  if (row.state === 'held' && focusUntil > now) return revise(row, { dueAt: focusUntil });
  const due = nextDeadline(context, row, now);
  if (row.state === 'held') return releaseHeld(row, due);
  if (isAnswered(view, row)) return settle(row, 'responded', null, now);
  if (row.attempt >= context.settings.limits.handAttempts)
    return mergeChanges([
      deadLetter(row, 'no_acknowledgement', now),
      tellAsker(context, view, row, 'gave-up'),
    ]);
  return giveBack(row, due);
}

/** Its turn has answered, and the end of the turn was never told. It may have been handed out again since. */
function isAnswered(view: UnitView, row: DeliveryRow): boolean {
  return hasAnswered(agentRecordIn(view, row.agent), row.turnId);
}

function nextDeadline({ attention }: HostContext, row: DeliveryRow, now: number) {
  return deadlineOf({ ...decisionOf(row), policy: row.policy }, now, attention.limits.deadlineMs);
}

/** The first time the same harness is asked again. The second time it is escalated and becomes may_respond. */
function missedDeadline(context: HostContext, view: UnitView, row: DeliveryRow, focusUntil: number): Change {
  const { deadlineMs } = context.attention.limits;
  const { now } = view;
  const later = { dueAt: now + deadlineMs, dueFor: 'deadline' as const };
  const { waited, expired } = detailOf(row);
  if (focusUntil > now) return revise(row, { dueAt: focusUntil + deadlineMs });
  if (isAnswered(view, row)) return settle(row, 'responded', null, now);
  // A running turn gets one more deadline before the harness is asked again.
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

/** The claim or deferral ran out. It is asked once more; the second time it is given up. */
function lapsed(context: HostContext, view: UnitView, row: DeliveryRow): Change {
  const { now } = view;
  const { approval, lateApproval, lapsed: isLast } = detailOf(row);
  // Its answer waits for a person, and that ends first. Where the clock jumped or the host was away both are due now, and
  // the question would be asked by both.
  if (approval === true && lateApproval !== true)
    return revise(row, { dueAt: now + context.settings.limits.lapseMs }, { lateApproval: true });
  if (isLast !== true) {
    const change = nextDeadline(context, row, now);
    return followUp(row, { kind: 'lapsed', now, change, detail: { lapsed: true } });
  }
  if (row.policy !== 'must_respond') return settle(row, 'ignored', 'lapsed', now);
  return mergeChanges([
    settle(row, 'failed', 'no_answer', now),
    escalateUnanswered(context, view, row, 'lapsed'),
  ]);
}
