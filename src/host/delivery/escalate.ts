// Escalation: an agent should have answered and did not. Its lead gets a delivery; without a lead a person gets an
// inbox item. An event is escalated once per agent, and never to several at once.
import type { Decision } from '../../attention/index.ts';
import { escalatedId } from '../../protocol/derived-id.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { fileUnanswered } from '../inbox/inbox-row.ts';
import { type Change, noChange } from '../kernel/change.ts';
import { type HostContext, leadOf } from '../kernel/context.ts';
import { decisionOf, detailOf, keptIn } from './delivery-row.ts';
import { queueDelivery } from './move.ts';

export function escalateUnanswered(
  context: HostContext,
  view: UnitView,
  row: DeliveryRow,
  why: string,
  error?: string,
): Change {
  const { now } = view;
  const first = decisionOf(row);
  // Obligations escalate by their own ladder.
  if (first.reason === 'obligation') return noChange();
  const lead = leadOf(context, row.agent);
  // An escalation that is not answered goes to a person, never to another agent.
  if (lead === undefined || lead === row.agent || detailOf(row).escalation !== undefined) {
    return fileUnanswered(row, why, now, error);
  }
  // An error may repeat words of the question, so that of a private one stays with the operators.
  const told = error === undefined || detailOf(row).private === true ? {} : { error };
  const about = first.refersTo ?? row.source;
  const eventId = escalatedId(about, row.agent);
  // It was escalated before. An ended delivery never opens again, so there is nothing to do.
  if (view.row('delivery', deliveryKey(eventId, lead)) !== undefined) return noChange();
  const decision: Decision = {
    ...first,
    eventId,
    refersTo: about,
    agent: lead,
    decision: 'engage',
    policy: 'must_respond',
    mode: 'notify',
    context: 'none',
  };
  return queueDelivery({
    ...row,
    key: deliveryKey(eventId, lead),
    agent: lead,
    eventId,
    policy: 'must_respond',
    mode: 'notify',
    state: 'queued',
    open: 1,
    disposition: null,
    why: null,
    attempt: 1,
    dueAt: now + context.attention.limits.deadlineMs,
    dueFor: 'deadline',
    createdAt: now,
    settledAt: null,
    turnId: null,
    sends: 0,
    detail: { ...keptIn(decision), escalation: { why, from: row.agent, ...told } },
  });
}
