// From a delivery row and its logged event to the Delivery that is projected onto the wire, secrets removed on the way:
// what leaves for a model never holds them, whatever the log keeps.
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
  if (isDigest(row)) return more; // it stands on its newest event and shows nothing of it
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

/** A bare id names an agent. */
function agentIdentity(id: string): Identity {
  const parsed = parseIdentity(id);
  return parsed === undefined ? identity('agent', id) : identity(parsed.kind, parsed.id);
}

function isDigest(row: DeliveryRow): boolean {
  return detailOf(row).digest !== undefined;
}

/** A digest shows its roll-up, never the newest message it stands on. */
function digestText(row: DeliveryRow): string | undefined {
  return detailOf(row)
    .digest?.map(({ where, stream, events, authors, types }) => {
      const at = stream === undefined ? where : `${where} (${stream})`;
      return `${at}: ${events} ${types.join('/')} by ${authors.map((author) => printableLine(author, 64)).join(', ')}`;
    })
    .join('\n');
}

/** What it is to a question of the agent's: whoever asked need not read yes and no for themselves. */
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

// A delivery row made ready to be handed: with its logged event, with the text of every fragment the host has merged into
// it as the log has it now, in a mode that the harness can take, and projected onto the wire.

/** Undefined when the event is gone: there is nothing to hand over. */
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

/** The mode in which a harness of these capabilities takes it: lowered at the last moment, never dropped. */
export function lowerModeFor(row: DeliveryRow, can: InjectionCapabilities): InjectionMode {
  if (row.mode === 'immediate' && !can.immediate) return 'buffered';
  if (row.mode === 'notify' && !can.notify) {
    const answers = row.policy === 'must_respond' || decisionOf(row).claimFirst === true;
    return answers ? 'buffered' : 'tool_mailbox';
  }
  return row.mode === 'digest' && !can.digest ? 'tool_mailbox' : row.mode;
}

/** What the harness reads, in the shape it agreed to. */
export function wireEventOf(
  { clock, attention }: Pick<HostContext, 'clock' | 'attention'>,
  { delivery, event, text }: LaneItem,
  agreement: Agreement,
): WireEvent {
  const payload = payloadOf(delivery, event, clock.now(), attention.limits.deadlineMs);
  if (text !== undefined) payload.text = text;
  return project(payload, agreement);
}
