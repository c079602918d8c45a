// Approval is a conversation. A send that needs a person's word waits in the outbox, with an item in the inbox. Its
// agent is told by the call, and one short line says so where it was asked. When it is approved, it is posted. When it
// is declined, or nobody decides in time, it counts for nothing, and the agent is told at once by a delivery that it
// can answer: the event again, with the reason. Every step is one commit.
import type { Decision, Place } from '../../attention/index.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { hostId, undeliveredId } from '../../protocol/derived-id.ts';
import { printableLine } from '../../protocol/identity.ts';
import type { NotShown } from '../../protocol/not-shown.ts';
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow, LogRow, OutboxRow } from '../../store/tables.ts';
import type { Choice } from '../../surfaces/surface.ts';
import type { Committed } from '../attend/commit-event.ts';
import { answeredBy, deadlineOf, decisionOf, newDelivery } from '../delivery/delivery-row.ts';
import { countAnswer, deferUntil, queueDelivery, replaceQuietly, takeAnswerBack } from '../delivery/move.ts';
import { closeItem, fileApproval, inboxKeys } from '../inbox/inbox-row.ts';
import type { Committer } from '../ingest/committer.ts';
import {
  agentRecordIn,
  findTurn,
  readAgentRecord,
  withUndelivered,
  withoutSend,
  writeAgentRecord,
} from '../kernel/agent-record.ts';
import {
  type Change,
  type ChangeUnit,
  type UnitNames,
  addChange,
  namesOf,
  noChange,
} from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { INTERNAL_SURFACE, agentStateKey, conversationIn, parentKeyOf } from '../kernel/conversation.ts';
import { decisionForAgent } from '../kernel/log-row.ts';
import {
  answeredDelivery,
  cancelSend,
  hostKey,
  messageBodyOf,
  newAcknowledgement,
  queueSend,
  textWithFiles,
} from '../outbox/outbox-row.ts';
import type { SendView } from './send-rules.ts';
import { sentAs } from './take-back.ts';

/** What the place sees where it was asked. No model writes it. */
const WAITS = 'A person has to approve my answer before I can post it.';

/** The buttons under it. The text itself is shown to those alone who may decide. */
export const APPROVAL_CHOICES: readonly Choice[] = [
  { id: 'approve', label: 'Approve', style: 'primary' },
  { id: 'decline', label: 'Decline', style: 'danger' },
  { id: 'show', label: 'Show it to me' },
];

/** Files the approval, defers the delivery until a person has decided, and tells the place where it was asked. */
export function askAgreement(
  context: HostContext,
  view: UnitView,
  sent: SendView,
  row: OutboxRow,
  reason: string,
): Change {
  const { now, limits, delivery, licence, answers } = sent;
  const change = noChange();
  addChange(change, fileApproval(row, textWithFiles(row), reason, now));
  if (answers !== undefined) addChange(change, tellPlace(context, view, sent, answers, row));
  if (delivery === undefined) return change;
  if (licence.answers) addChange(change, countAnswer(view, delivery, false));
  const sends = delivery.sends + (licence.answers ? 1 : 0);
  // The approval lapses first, and that ends the delivery.
  const until = now + limits.approvalMs + limits.lapseMs;
  addChange(change, deferUntil({ ...delivery, sends }, 'deferred', until, { approval: true }));
  return change;
}

/** Once per event: the row has the event's key. It stands where the answer will: also in the thread that opens with it. */
function tellPlace(
  { speakers }: HostContext,
  view: UnitView,
  { agent, now }: SendView,
  answers: LogRow,
  waiting: OutboxRow,
): Change {
  const { key: eventId, conversation: asked } = answers;
  const room = conversationIn(view, asked);
  if (room === undefined || view.row('outbox', hostKey(agent, 'ack-approval', eventId)) !== undefined)
    return noChange();
  const thread = threadOpenedBy(waiting, asked);
  const { kind } = (thread?.place ?? room.place).conversation;
  const visibility = kind === 'dm' || kind === 'thread' ? kind : 'channel';
  const conversation = thread === undefined ? asked : waiting.conversation;
  const about = { agent, eventId, surface: speakers.homeOf(room), conversation, now };
  const body = { text: WAITS, visibility, mentions: [], approval: waiting.key, ...thread } as const;
  return queueSend(newAcknowledgement(about, 'approval', body));
}

/** The thread that the answer opens on what was asked. */
function threadOpenedBy(waiting: OutboxRow, asked: string): { place: Place; root: string } | undefined {
  const { place, root } = messageBodyOf(waiting);
  if (place === undefined || root === undefined || parentKeyOf(place) !== asked) return undefined;
  return { place, root };
}

export interface ApprovalDeps {
  context: HostContext;
  committer: Committer;
}

/** How it ended without agreement. `reason` is what the person said. */
export interface NotAgreed {
  why: 'declined' | 'lapsed';
  reason?: string | undefined;
}

/** The parts of a unit that ends a waiting send. `run` gets the row as the unit sees it. */
export interface ApprovalEnd extends Required<UnitNames> {
  run(view: UnitView, row: OutboxRow): Change;
}

/** How much of a person's reason is kept. */
const REASON_CHARS = 500;

export async function endOfApproval(
  deps: ApprovalDeps,
  row: OutboxRow,
  end: NotAgreed,
): Promise<ApprovalEnd> {
  const { context } = deps;
  const given = printableLine(end.reason ?? '', REASON_CHARS);
  const notShown: NotShown = {
    eventId: row.eventId,
    why: end.why,
    ...(given === '' ? {} : { reason: given }),
  };
  const about = await askedEvent(deps, row);
  const notice = about === undefined ? await noticeUnit(deps, row, notShown) : undefined;
  return {
    ...namesOf([{ states: [agentStateKey(row.agent)] }, ...(notice === undefined ? [] : [notice])]),
    run(view, current) {
      const change = noChange();
      addChange(change, cancelSend(current, end.why, notShown.reason));
      const told =
        about === undefined
          ? tellByNotice(view, row, notice)
          : tellAgain(context, view, current, about, notShown);
      addChange(change, told);
      return change;
    },
  };
}

/** The event that the send was about: what it answers, or what its turn was asked in the same place. */
async function askedEvent({ context: { store } }: ApprovalDeps, row: OutboxRow): Promise<LogRow | undefined> {
  if (row.inReplyTo !== null) return store.get('log', row.inReplyTo);
  const turn = findTurn(await readAgentRecord(store, row.agent), row.turnId ?? undefined);
  for (const key of turn?.deliveries ?? []) {
    const delivery = await store.get('delivery', key);
    if (delivery !== undefined) return store.get('log', delivery.source);
  }
  return undefined;
}

/** Takes the answer back, and delivers the event again with the reason. */
function tellAgain(
  { attention }: HostContext,
  view: UnitView,
  row: OutboxRow,
  about: LogRow,
  notShown: NotShown,
): Change {
  const change = noChange();
  const key = answeredDelivery(row);
  const delivery = key === undefined ? undefined : answeredBy(view, key);
  const asked = askedAgain(view, row, about, delivery, notShown, attention.limits.deadlineMs);
  const record = withoutSend(agentRecordIn(view, row.agent), sentAs(row));
  // Another session of the agent has answered meanwhile. Asked again, it would answer twice.
  const isAnswered = row.inReplyTo !== null && record.said.some((said) => said.about === row.inReplyTo);
  if (asked === undefined || isAnswered) {
    change.writes.push(writeAgentRecord(row.agent, record));
    return change;
  }
  const times = record.undelivered?.find((one) => one.about === about.key)?.times ?? 0;
  const entry = { about: about.key, conversation: about.conversation, delivery: asked.key, times };
  const ofTurn = row.turnId === null ? {} : { turnId: row.turnId };
  change.writes.push(writeAgentRecord(row.agent, withUndelivered(record, { ...entry, ...ofTurn })));
  if (delivery !== undefined) {
    addChange(change, takeAnswerBack(view, delivery));
    const taken = { ...delivery, sends: Math.max(0, delivery.sends - 1) };
    addChange(change, replaceQuietly(taken, asked.key, 'declined', view.now));
  }
  addChange(change, queueDelivery(asked, about));
  return change;
}

function askedAgain(
  view: UnitView,
  row: OutboxRow,
  about: LogRow,
  delivery: DeliveryRow | undefined,
  notShown: NotShown,
  deadlineMs: number,
): DeliveryRow | undefined {
  const decided = delivery === undefined ? decisionForAgent(about, row.agent) : decisionOf(delivery);
  if (decided === undefined) return undefined;
  // It was not the answer, so nothing has to be said about it.
  const policy = delivery === undefined ? 'may_respond' : delivery.policy;
  const eventId = undeliveredId(about.key, row.eventId);
  const decision: Decision = { ...decided, eventId, refersTo: about.key, policy, mode: 'buffered' };
  const due = deadlineOf(decision, view.now, deadlineMs);
  const detail = { undelivered: true, notShown };
  return newDelivery({ about, decision, ...due, now: view.now, detail });
}

// A send that nobody asked for has no event that could be delivered again. The agent is told by a message of the host
// in a conversation of its own, which only that agent is handed.

function noticeUnit(
  { context, committer }: ApprovalDeps,
  row: OutboxRow,
  { why, reason }: NotShown,
): Promise<ChangeUnit<Committed>> {
  const { conversation } = messageBodyOf(row).place ?? {};
  const where =
    conversation === undefined ? 'another conversation' : `${conversation.kind}:${conversation.id}`;
  const who = why === 'declined' ? 'A person did not agree' : 'Nobody agreed in time';
  const because = reason === undefined ? '' : ` The reason: ${reason}`;
  const event: ChatEvent = {
    eventId: hostId('act', context.random.id()),
    at: context.clock.now(),
    platform: INTERNAL_SURFACE,
    workspaceId: 'local',
    conversation: { id: `notices:${row.agent}`, kind: 'system' },
    author: { id: 'earshot', kind: 'system' },
    type: 'message',
    text: `${who} to your message to ${where} (${row.eventId}), so it was not posted.${because}`,
  };
  const prepared = committer.prepare(event, INTERNAL_SURFACE, 'host');
  return Promise.resolve(prepared).then((input) => committer.unit(input));
}

function tellByNotice(view: UnitView, row: OutboxRow, unit: ChangeUnit<Committed> | undefined): Change {
  if (unit === undefined) return noChange();
  const { result, ...change } = unit.run(view);
  const decision: Decision = {
    eventId: result.row.key,
    agent: row.agent,
    decision: 'engage',
    directedness: 'to_me',
    policy: 'may_respond',
    mode: 'buffered',
    context: 'none',
    reason: 'signal',
    intent: 'statement',
    priority: 'normal',
    trace: { rung: 'act', row: 'signal', facts: {} },
  };
  const delivery = newDelivery({ about: result.row, decision, dueAt: null, dueFor: null, now: view.now });
  addChange(change, queueDelivery(delivery, result.row));
  const record = withoutSend(agentRecordIn(view, row.agent), sentAs(row));
  change.writes.push(writeAgentRecord(row.agent, record));
  return change;
}

/** Nobody decided in time. */
export async function lapseApproval(deps: ApprovalDeps, row: OutboxRow): Promise<void> {
  const end = await endOfApproval(deps, row, { why: 'lapsed' });
  const item = inboxKeys.approval(row.key);
  await deps.context.apply({
    states: end.states,
    reads: end.reads,
    rows: [['outbox', row.key], ['inbox', item], ...end.rows],
    run(view) {
      const current = view.row('outbox', row.key);
      const waits = current?.state === 'awaiting_approval';
      if (!waits) return { ...noChange(), result: undefined };
      const change = { ...noChange(), result: undefined };
      addChange(change, end.run(view, current));
      const closed = closeItem(view.row('inbox', item), view.now);
      if (closed !== undefined) addChange(change, closed);
      return change;
    },
  });
}
