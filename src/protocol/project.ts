// Projection: a Delivery as one protocol version shows it. Pure and total over versions, modes, policies and kinds.
// Invariants: a projection never raises a policy, a notify has no content, and obligation fields appear only where
// negotiated. The host enforces what the Delivery says, never what a version shows.
import type { Delivery } from './delivery.ts';
import type { ContentPart, FullEnvelope } from './envelope.ts';
import { deliveryKey, displayName, identity } from './identity.ts';
import { knockFor } from './knock.ts';
import { SHORT_KIND_OF, SHORT_POLICY_OF, type ShortEvent, type ShortObligationEvent } from './short-event.ts';
import type { ProtocolVersion } from './vocabulary.ts';
import type { WireEvent, WireEvents } from './wire-event.ts';

/** The part of a session that decides how it sees events. An Agreement is one. */
export interface SessionView {
  protocolVersion: ProtocolVersion;
  capabilities: { obligations: boolean; chatTools?: { readThread: boolean } };
}

/** The draft makes these members optional. Earshot always sends them. */
export type SentEnvelope = FullEnvelope & {
  [K in 'source' | 'author' | 'timing']: NonNullable<FullEnvelope[K]>;
};

export function project(delivery: Delivery, session: SessionView): WireEvent {
  const { obligations, chatTools } = session.capabilities;
  const event = PROJECTIONS[session.protocolVersion](delivery, obligations);
  // A knock names a tool that the session may call.
  if (event.knock !== undefined && chatTools?.readThread === false) event.knock.pullWith = 'chat.list_events';
  return event;
}

type Projection<V extends ProtocolVersion> = (delivery: Delivery, obligations: boolean) => WireEvents[V];

const PROJECTIONS: { [V in ProtocolVersion]: Projection<V> } = {
  '2026-06-02': (delivery, obligations) => {
    const envelope = projectFull(delivery);
    if (obligations) addObligation(envelope, delivery);
    return envelope;
  },
  // This draft has no members for obligations, whatever the session negotiated.
  '2026-06-24': (delivery) => projectShort(delivery),
  '2026-08-11': (delivery, obligations) => {
    const event: ShortObligationEvent = projectShort(delivery);
    if (obligations) addObligation(event, delivery);
    return event;
  },
};

// Optional members are left out, not set to undefined, so equal events are equal objects. They are assigned after the
// literal, not spread into it: the members of a literal have fixed places, and writing its JSON takes 3/4 of the time.

export function projectFull(delivery: Delivery): SentEnvelope {
  const { eventId, agent, directedness, mode } = delivery;
  const envelope: SentEnvelope = {
    eventId,
    source: { platform: delivery.platform, workspaceId: delivery.workspaceId },
    conversation: fullConversation(delivery.conversation),
    author: shownAuthor(delivery.author),
    target: { mentions: delivery.mentions.map(({ kind, id }) => identity(kind, id)), directedness },
    timing: { createdAt: iso(delivery.createdAt), sequence: delivery.sequence },
    attention: { policy: delivery.policy, reason: delivery.reason, priority: delivery.priority },
    injection: { mode, context: delivery.context, role: 'user' },
    reliability: { attempt: delivery.attempt, idempotencyKey: deliveryKey(eventId, agent) },
  };
  if (delivery.sourceId !== undefined) envelope.source.eventId = delivery.sourceId;
  if (delivery.goesOnMs !== undefined) envelope.timing.goesOnMs = delivery.goesOnMs;
  if (delivery.addsWithinMs !== undefined) envelope.timing.addsWithinMs = delivery.addsWithinMs;
  if (directedness === 'to_me') envelope.target.recipient = identity('agent', agent);
  if (delivery.deadlineMs !== undefined) envelope.attention.deadlineMs = delivery.deadlineMs;
  if (mode === 'notify') envelope.knock = knockFor(delivery);
  else envelope.content = contentParts(delivery);
  addReferences(envelope, delivery);
  addAdvice(envelope.attention, delivery);
  return envelope;
}

export function projectShort(delivery: Delivery): ShortEvent {
  const { mode, attachments = [] } = delivery;
  const policy = SHORT_POLICY_OF[delivery.policy];
  const conversation = { id: delivery.conversation.id, kind: SHORT_KIND_OF[delivery.conversation.kind] };
  const event: ShortEvent = {
    eventId: delivery.eventId,
    conversation,
    author: shownAuthor(delivery.author),
    addressedToMe: delivery.directedness === 'to_me',
    policy,
  };
  if (mode === 'notify') event.knock = knockFor({ ...delivery, policy, conversation });
  else {
    event.content = delivery.text;
    if (attachments.length > 0) event.attachments = attachments.map(attachmentPart);
  }
  // A missing mode means buffered, so the common event is exactly the draft's.
  if (mode !== 'buffered') event.mode = mode;
  if (delivery.sourceId !== undefined) event.sourceId = delivery.sourceId;
  addReferences(event, delivery);
  addAdvice(event, delivery);
  return event;
}

/** Obligations, section 1: every event gains `createdAt` (from the log) and `recipients`, with or without a debt. */
function addObligation(
  event: Pick<ShortObligationEvent, 'obligation' | 'createdAt' | 'recipients' | 'escalation'>,
  { obligation, createdAt, recipients = [], escalation }: Delivery,
): void {
  if (obligation !== undefined) event.obligation = obligation;
  if (escalation !== undefined) {
    const items = escalation.items.map((item) => ({ ...item, createdAt: iso(item.createdAt) }));
    event.escalation = { blockedOn: escalation.blockedOn, items };
  }
  event.createdAt = iso(createdAt);
  event.recipients = [...recipients];
}

function addReferences(
  event: Pick<ShortEvent, 'refersTo' | 'reaction' | 'notShown' | 'unanswered'>,
  { refersTo, reaction, notShown, unanswered }: Delivery,
): void {
  if (refersTo !== undefined) event.refersTo = refersTo;
  if (reaction !== undefined) event.reaction = reaction;
  if (notShown !== undefined) event.notShown = notShown;
  if (unanswered !== undefined) event.unanswered = unanswered;
}

function addAdvice(
  event: Pick<ShortEvent, 'requiresThreadCheck' | 'notices'>,
  { requiresThreadCheck, notices = [] }: Delivery,
): void {
  if (requiresThreadCheck !== undefined) event.requiresThreadCheck = requiresThreadCheck;
  if (notices.length > 0) event.notices = [...notices];
}

/** For the host a thread is a conversation of its own. The draft names the room and the thread within it. */
function fullConversation({
  id,
  kind,
  parentId,
  streamId,
}: Delivery['conversation']): FullEnvelope['conversation'] {
  const conversation: FullEnvelope['conversation'] = { id: parentId ?? id, kind };
  if (streamId !== undefined) conversation.streamId = streamId;
  if (kind === 'thread' || parentId !== undefined) conversation.threadId = id;
  return conversation;
}

/** Harnesses print this name in prompt headers, so the host makes it harmless first. */
function shownAuthor({ id, kind, displayName: name = '' }: Delivery['author']): SentEnvelope['author'] {
  const shown = displayName(name);
  return shown === '' ? { id, kind } : { id, kind, displayName: shown };
}

function contentParts({ text, attachments = [] }: Delivery): ContentPart[] {
  const parts: ContentPart[] = attachments.map(attachmentPart);
  if (text !== '') parts.unshift({ type: 'text', text });
  return parts;
}

function attachmentPart(attachment: NonNullable<Delivery['attachments']>[number]) {
  return { type: 'attachment' as const, ...attachment };
}

/** The last instant that ISO 8601 writes with a four-digit year. A later time is cut to it. */
const LAST_ISO_MS = 253_402_300_799_999;
/** Writing an instant costs 0.4 µs. Under load and for several agents the next instant is often the same. */
let written = { atMs: 0, text: new Date(0).toISOString() };

function iso(atMs: number): string {
  if (written.atMs !== atMs) {
    written = { atMs, text: new Date(Math.min(atMs, LAST_ISO_MS)).toISOString() };
  }
  return written.text;
}
