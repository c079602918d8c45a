// From a delivery row to what the harness reads: the row is joined with its logged event and the texts of its
// fragments, its mode is lowered to what the harness can take, and the result is projected onto the wire. Secrets are
// removed on the way, so no model ever sees them.
import { type Decision, type Roster, mentionsOf } from '../../attention/index.ts';
import { addsWithinMs, goesOnMs } from '../../compose/index.ts';
import type { Mention } from '../../protocol/chat-event.ts';
import type { Delivery } from '../../protocol/delivery.ts';
import { rootEventId, untagged } from '../../protocol/derived-id.ts';
import { type Identity, identity, parseIdentity } from '../../protocol/identity.ts';
import { instantMs } from '../../protocol/log-record.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { decisionOf, type DeliveryDetail, detailOf } from '../delivery/delivery-row.ts';
import { textOf } from '../kernel/log-row.ts';
import type { AgreedCapabilities } from '../../protocol/capabilities.ts';
import type { Agreement } from '../../protocol/initialize.ts';
import type { Unanswered } from '../../protocol/unanswered.ts';
import type { InjectionMode } from '../../protocol/vocabulary.ts';
import type { WireEvent } from '../../protocol/wire-event.ts';
import type { HostContext } from '../kernel/context.ts';
import { placeOf } from '../kernel/conversation.ts';
import { mayReadRoom } from '../read/may-read.ts';
import { isForNobodyElse, lineTo } from '../read/said-to.ts';
import { wasObserved } from '../read/seen-while-quiet.ts';
import { digestText } from './digest-text.ts';
import { fittingEvent, type Words } from './fit-payload.ts';
import type { LaneItem } from './lane.ts';
import { knockSubject } from './waiting-knocks.ts';

export function payloadOf(
  row: DeliveryRow,
  logged: LogRow,
  roster: Roster,
  now: number,
  deadlineMs: number,
): Delivery {
  const decision = decisionOf(row);
  const { digest } = detailOf(row);
  const { event } = logged.record;
  const delivery: Delivery = {
    eventId: row.eventId,
    platform: event.platform,
    workspaceId: event.workspaceId,
    conversation: event.conversation,
    author: event.author,
    agent: row.agent,
    mentions: isDigest(row) ? [] : mentionsFor(row.agent, logged.record, decision, roster),
    text: digest === undefined ? textOf(logged) : digestText(digest),
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

/** A name that stood for a mention is one, and so is a call at the front door that is for this agent. */
function mentionsFor(
  agent: string,
  record: LogRow['record'],
  { trace }: Decision,
  roster: Roster,
): readonly Mention[] {
  const mentions = mentionsOf(record, roster);
  const { hailed, door = 'offered' } = trace.facts;
  const isCalled = hailed === true || door !== 'offered';
  const isListed = mentions.some(({ kind, id }) => kind === 'agent' && id === agent);
  return isCalled && !isListed ? [...mentions, { kind: 'agent', id: agent }] : mentions;
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
  const sourceId = sourceIdOf(row, logged);
  if (sourceId !== undefined) more.sourceId = sourceId;
  if (row.policy === 'must_respond') more.deadlineMs = deadlineMs;
  const detail = detailOf(row);
  if (row.mode === 'notify') Object.assign(more, knockSubject(row, logged));
  if (detail.requiresThreadCheck === true) more.requiresThreadCheck = true;
  if (detail.notShown !== undefined) more.notShown = detail.notShown;
  const unanswered = unansweredIn(detail);
  if (unanswered !== undefined) more.unanswered = unanswered;
  if ('attachments' in event && event.attachments !== undefined) more.attachments = event.attachments;
  if (detail.recipient !== undefined) more.recipients = [detail.recipient];
  else if (detail.escalation !== undefined) more.recipients = [identity('agent', row.agent)];
  else if (event.type === 'message' && event.recipients !== undefined)
    more.recipients = event.recipients.map(agentIdentity);
  const { blockedOn, items = [] } = detail;
  if (blockedOn !== undefined) more.escalation = { blockedOn, items };
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

/** Another agent's failure, for its lead. */
function unansweredIn({ escalation }: DeliveryDetail): Unanswered | undefined {
  const { from, why, error } = escalation ?? {};
  if (typeof from !== 'string' || typeof why !== 'string') return undefined;
  return { by: identity('agent', from), why, ...(typeof error === 'string' && { error }) };
}

/** The source's own id of the event that is delivered. An edit is delivered under the id of its message. */
function sourceIdOf({ eventId }: DeliveryRow, logged: LogRow): string | undefined {
  if (eventId === logged.key) return logged.sourceId;
  const root = rootEventId(eventId);
  return root === logged.key ? logged.sourceId : untagged(root);
}

/** An id without a kind names an agent. */
function agentIdentity(id: string): Identity {
  const parsed = parseIdentity(id);
  return parsed === undefined ? identity('agent', id) : identity(parsed.kind, parsed.id);
}

function isDigest(row: DeliveryRow): boolean {
  return detailOf(row).digest !== undefined;
}

/** Intents that answer a question of the agent. The notice saves the agent from interpreting the text. */
const ANSWERS: ReadonlySet<string> = new Set(['approval', 'rejection', 'answer']);

const NOTICE_OF = { not_delivered: 'undelivered', declined: 'declined', lapsed: 'declined' } as const;

function noticesOf(row: DeliveryRow, decision: Decision): string[] {
  const notices: string[] = [];
  if (decision.notice !== undefined) notices.push(decision.notice);
  if (decision.claimFirst === true) notices.push('claim_first');
  if (ANSWERS.has(decision.intent)) notices.push(decision.intent);
  const { reminder, edited, undelivered, notShown } = detailOf(row);
  if (reminder === true) notices.push('reminder');
  if (edited === true) notices.push('edited');
  // The short event has no reason. This notice says what the reason says in the full envelope.
  if (decision.reason === 'edited_after_response') notices.push('edited_after_response');
  if (undelivered === true) notices.push(NOTICE_OF[notShown?.why ?? 'not_delivered']);
  return notices;
}

/** How far back the lines just before a message are looked for. */
const LEAD_IN_ROWS = 200;

/**
 * The row with its logged event and, if the host composed it, with everything it is made of. Undefined without the
 * logged event. `leadIn`: the author's own lines just before belong to it, for a harness that does not ask for them.
 */
export async function laneItem(
  context: Pick<HostContext, 'store' | 'rosterAt'>,
  delivery: DeliveryRow,
  leadIn = false,
): Promise<LaneItem | undefined> {
  const { store } = context;
  const event = await store.get('log', delivery.source);
  if (event === undefined) return undefined;
  const ids = detailOf(delivery).fragments;
  const before = leadIn ? (decisionOf(delivery).leadIn ?? []) : [];
  if (ids === undefined && before.length === 0) return { delivery, event };
  const parts = await linesBefore(context, delivery, before);
  for (const id of ids ?? [delivery.source]) {
    const logged = await store.get('log', id);
    if (logged !== undefined) parts.push(logged);
  }
  return { delivery, event, parts };
}

/** The lines with these sequence numbers, as they read now, if the agent may see them and they were for nobody else. */
async function linesBefore(
  context: Pick<HostContext, 'store' | 'rosterAt'>,
  { conversation, agent }: DeliveryRow,
  seqs: readonly number[],
): Promise<LogRow[]> {
  const [first] = seqs;
  if (first === undefined || !(await mayReadRoom(context, agent, conversation))) return [];
  const range = { eq: [conversation], after: first - 1, limit: LEAD_IN_ROWS };
  const rows = await context.store.scan('log', 'byConversation', range);
  const edits = new Map<string, LogRow>();
  for (const row of rows) {
    const { event } = row.record;
    if (event.type === 'edit') edits.set(event.targetEventId, row);
  }
  const lines: LogRow[] = [];
  for (const row of rows) {
    if (!seqs.includes(row.seq) || !wasObserved(row, agent)) continue;
    const edit = edits.get(row.key);
    if (isForNobodyElse(await lineTo(context, row, edit), agent)) lines.push(edit ?? row);
  }
  return lines;
}

/** The mode in which a harness with these capabilities can take the delivery. */
export function lowerModeFor(
  row: DeliveryRow,
  { injection: can, chatTools }: Pick<AgreedCapabilities, 'injection' | 'chatTools'>,
): InjectionMode {
  const { claimFirst } = decisionOf(row);
  // Whoever cannot claim cannot take an offer. It goes to the next holder when its time is over.
  if (claimFirst === true && !chatTools.claim) return 'tool_mailbox';
  if (row.mode === 'immediate' && !can.immediate) return 'buffered';
  if (row.mode === 'notify' && !can.notify) {
    const answers = row.policy === 'must_respond' || claimFirst === true;
    return answers ? 'buffered' : 'tool_mailbox';
  }
  return row.mode === 'digest' && !can.digest ? 'tool_mailbox' : row.mode;
}

/** The event as the harness reads it, in the version it agreed to. */
export function wireEventOf(
  { clock, attention, rosterAt, rhythms }: Pick<HostContext, 'clock' | 'attention' | 'rosterAt' | 'rhythms'>,
  { delivery, event, parts, waiting }: LaneItem,
  agreement: Agreement,
): WireEvent {
  const roster = rosterAt(placeOf(event.record.event), event.conversation);
  const payload = payloadOf(delivery, event, roster, clock.now(), attention.limits.deadlineMs);
  if (waiting !== undefined) payload.waiting = waiting;
  if (agreement.capabilities.injection.buffered && delivery.mode === 'buffered') {
    const rhythm = rhythms.of(delivery.conversation, event.author);
    const goesOn = goesOnMs(rhythm);
    if (goesOn !== undefined) payload.goesOnMs = goesOn;
    const addsWithin = addsWithinMs(rhythm);
    if (addsWithin !== undefined) payload.addsWithinMs = addsWithin;
  }
  if (parts !== undefined) join(payload, parts, roster);
  if (!agreement.capabilities.chatTools.reactionSignals) putInWords(payload, agreement);
  return fittingEvent(payload, wordsOf(payload, delivery, parts), agreement);
}

/** The pieces of the text, each with the id under which the agent reads it again. A digest is in no event. */
function wordsOf(
  { eventId, text }: Delivery,
  delivery: DeliveryRow,
  parts: readonly LogRow[] | undefined,
): readonly Words[] {
  if (parts === undefined) return [{ eventId: isDigest(delivery) ? undefined : eventId, text }];
  return parts.map((part) => ({
    eventId: part.key === delivery.source ? eventId : part.key,
    text: textOf(part),
  }));
}

/** A harness that knows no signals reads a reaction as the glyph that its author chose, with its meaning. */
function putInWords(payload: Delivery, { capabilities: { glyphs } }: Agreement): void {
  if (payload.reaction === undefined) return;
  const { signal } = payload.reaction;
  payload.text = `${glyphs[signal][0]} (${signal})`;
  delete payload.reaction;
}

/** The words, mentions and attachments of all parts, in the order in which they were said. */
function join(payload: Delivery, parts: readonly LogRow[], roster: Roster): void {
  const events = parts.map(({ record }) => record.event);
  const texts = parts.map(textOf).filter((text) => text !== '');
  payload.text = texts.join('\n');
  const mentions = [...parts.flatMap(({ record }) => mentionsOf(record, roster)), ...payload.mentions];
  const named = new Map(mentions.map((mention) => [`${mention.kind}:${mention.id}`, mention]));
  payload.mentions = [...named.values()];
  const attachments = events.flatMap((event) => ('attachments' in event ? (event.attachments ?? []) : []));
  if (attachments.length > 0) payload.attachments = attachments;
}
