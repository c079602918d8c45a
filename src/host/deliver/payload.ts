// From a delivery row to what the harness reads: the row is joined with its logged event and the texts of its
// fragments, its mode is lowered to what the harness can take, and the result is projected onto the wire. Secrets are
// removed on the way, so no model ever sees them.
import type { Decision } from '../../attention/index.ts';
import type { Delivery } from '../../protocol/delivery.ts';
import { type Identity, identity, parseIdentity, printableLine } from '../../protocol/identity.ts';
import { instantMs } from '../../protocol/log-record.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { decisionOf, detailOf } from '../delivery/delivery-row.ts';
import { textOf } from '../kernel/log-row.ts';
import type { Agreement } from '../../protocol/initialize.ts';
import { project } from '../../protocol/project.ts';
import type { InjectionMode } from '../../protocol/vocabulary.ts';
import type { WireEvent } from '../../protocol/wire-event.ts';
import type { HostContext } from '../kernel/context.ts';
import type { LaneItem } from './lane.ts';

export function payloadOf(row: DeliveryRow, logged: LogRow, now: number, deadlineMs: number): Delivery {
  const decision = decisionOf(row);
  const { event } = logged.record;
  const delivery: Delivery = {
    eventId: row.eventId,
    platform: event.platform,
    workspaceId: event.workspaceId,
    conversation: event.conversation,
    author: event.author,
    agent: row.agent,
    mentions: 'mentions' in event && !isDigest(row) ? (event.mentions ?? []) : [],
    text: digestText(row) ?? textOf(logged),
    createdAt: instantMs(event.at),
    handedAt: now,
    sequence: logged.seq,
    directedness: decision.directedness,
    policy: row.policy,
    mode: row.mode,
    context: decision.context,
    reason: decision.reason,
    intent: decision.intent,
    priority: decision.priority,
    attempt: row.attempt,
    notices: noticesOf(row, decision),
  };
  return Object.assign(delivery, optional(row, logged, decision, deadlineMs));
}

function optional(
  row: DeliveryRow,
  logged: LogRow,
  decision: Decision,
  deadlineMs: number,
): Partial<Delivery> {
  const { event } = logged.record;
  const more: Partial<Delivery> = {};
  const refersTo = decision.refersTo ?? (row.eventId === row.source ? undefined : row.source);
  if (isDigest(row)) return more; // a digest shows nothing of the event it is attached to
  if (refersTo !== undefined) more.refersTo = refersTo;
  if (row.policy === 'must_respond') more.deadlineMs = deadlineMs;
  const detail = detailOf(row);
  if (detail.requiresThreadCheck === true) more.requiresThreadCheck = true;
  if ('attachments' in event && event.attachments !== undefined) more.attachments = event.attachments;
  if (event.type === 'message' && event.recipients !== undefined)
    more.recipients = event.recipients.map(agentIdentity);
  const owed = detail.obligation ?? (event.type === 'message' ? event.obligation : undefined);
  if (owed !== undefined) {
    const { blocks, defaultAction, dischargeDelegate } = owed;
    more.obligation = { blocks, defaultAction };
    if (dischargeDelegate !== undefined) more.obligation.dischargeDelegate = agentIdentity(dischargeDelegate);
  }
  if (event.type === 'reaction') {
    more.reaction = { targetEventId: event.targetEventId, signal: event.signal };
    if (event.recipient !== undefined) more.reaction.recipient = agentIdentity(event.recipient);
  }
  return more;
}

/** An id without a kind names an agent. */
function agentIdentity(id: string): Identity {
  const parsed = parseIdentity(id);
  return parsed === undefined ? identity('agent', id) : identity(parsed.kind, parsed.id);
}

function isDigest(row: DeliveryRow): boolean {
  return detailOf(row).digest !== undefined;
}

/** The text of a digest: one line per conversation, never the text of a message. */
function digestText(row: DeliveryRow): string | undefined {
  return detailOf(row)
    .digest?.map(({ where, stream, events, authors, types }) => {
      const at = stream === undefined ? where : `${where} (${stream})`;
      return `${at}: ${events} ${types.join('/')} by ${authors.map((author) => printableLine(author, 64)).join(', ')}`;
    })
    .join('\n');
}

/** Intents that answer a question of the agent. The notice saves the agent from interpreting the text. */
const ANSWERS: ReadonlySet<string> = new Set(['approval', 'rejection', 'answer']);

function noticesOf(row: DeliveryRow, decision: Decision): string[] {
  const notices: string[] = [];
  if (decision.notice !== undefined) notices.push(decision.notice);
  if (decision.claimFirst === true) notices.push('claim_first');
  if (ANSWERS.has(decision.intent)) notices.push(decision.intent);
  const { reminder, edited, undelivered } = detailOf(row);
  if (reminder === true) notices.push('reminder');
  if (edited === true) notices.push('edited');
  if (undelivered === true) notices.push('undelivered');
  return notices;
}

/** The row with its logged event and the current texts of its fragments. Undefined without the logged event. */
export async function laneItem(
  { store }: Pick<HostContext, 'store'>,
  delivery: DeliveryRow,
): Promise<LaneItem | undefined> {
  const event = await store.get('log', delivery.source);
  if (event === undefined) return undefined;
  const ids = detailOf(delivery).fragments;
  if (ids === undefined) return { delivery, event };
  const texts: string[] = [];
  for (const id of ids) {
    const logged = await store.get('log', id);
    if (logged !== undefined) texts.push(textOf(logged));
  }
  return { delivery, event, text: texts.join('\n') };
}

type InjectionCapabilities = Readonly<
  Record<'immediate' | 'buffered' | 'notify' | 'tool_mailbox' | 'digest', boolean>
>;

/** The mode in which a harness with these capabilities can take the delivery. */
export function lowerModeFor(row: DeliveryRow, can: InjectionCapabilities): InjectionMode {
  if (row.mode === 'immediate' && !can.immediate) return 'buffered';
  if (row.mode === 'notify' && !can.notify) {
    const answers = row.policy === 'must_respond' || decisionOf(row).claimFirst === true;
    return answers ? 'buffered' : 'tool_mailbox';
  }
  return row.mode === 'digest' && !can.digest ? 'tool_mailbox' : row.mode;
}

/** The event as the harness reads it, in the version it agreed to. */
export function wireEventOf(
  { clock, attention }: Pick<HostContext, 'clock' | 'attention'>,
  { delivery, event, text }: LaneItem,
  agreement: Agreement,
): WireEvent {
  const payload = payloadOf(delivery, event, clock.now(), attention.limits.deadlineMs);
  if (text !== undefined) payload.text = text;
  return project(payload, agreement);
}
