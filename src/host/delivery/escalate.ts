// Escalation of what an agent owed and did not give: to its lead by direct delivery, else to a human's inbox. Never a
// broadcast, and one escalation per delivery.
import type { Decision } from '../../attention/index.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow, InboxRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { leadOf } from '../kernel/directory.ts';
import { type Carried, nothingCarried } from '../attend/commit-view.ts';

export function escalateUnanswered(
  context: HostContext,
  view: UnitView,
  row: DeliveryRow,
  why: string,
): Carried {
  const { now } = view;
  const first = row.detail['decision'] as Decision;
  // What is owed has a ladder of its own, which is already at work.
  if (first.reason === 'obligation') return nothingCarried();
  const lead = leadOf(context, row.agent);
  // An escalation that is itself not answered goes to people, not round in circles.
  if (lead === undefined || lead === row.agent || row.detail['escalation'] !== undefined) {
    return toInbox(row, why, now);
  }
  const about = first.refersTo ?? row.source;
  const eventId = `${about}/escalated-${row.agent}`;
  // Once per event and agent: an ended delivery never opens again.
  if (view.row('delivery', deliveryKey(eventId, lead)) !== undefined) return nothingCarried();
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
  const deadlineMs = context.attention.limits.deadlineMs;
  const delivery: DeliveryRow = {
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
    dueAt: now + deadlineMs,
    dueFor: 'deadline',
    createdAt: now,
    settledAt: null,
    turnId: null,
    sends: 0,
    detail: { decision, escalation: { why, from: row.agent } },
  };
  return {
    writes: [{ table: 'delivery', row: delivery }],
    news: [{ type: 'deliver', delivery, event: undefined }],
  };
}

function toInbox(row: DeliveryRow, why: string, now: number): Carried {
  const inbox: InboxRow = {
    key: `unanswered:${row.key}`,
    kind: why === 'declined' ? 'declined' : 'no_answer',
    eventId: row.source,
    agents: [row.agent],
    detail: { why, conversation: row.conversation, delivery: row.key },
    createdAt: now,
    closedAt: null,
    open: 1,
  };
  return { writes: [{ table: 'inbox', row: inbox }], news: [{ type: 'inbox', key: inbox.key }] };
}
