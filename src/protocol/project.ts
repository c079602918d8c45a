// Projection: a Delivery as one protocol version shows it. Pure and total over versions, modes, policies and kinds.
// Invariants: a projection never raises a policy, a notify carries no content, obligation fields appear only where
// negotiated. Enforcement reads the Delivery, never what was projected.
import type { Delivery } from './delivery.ts';
import { displayName } from './display-name.ts';
import type { ContentPart, FullEnvelope } from './envelope.ts';
import { deliveryKey, identity } from './identity.ts';
import { knockFor } from './knock.ts';
import { SHORT_KIND_OF, SHORT_POLICY_OF, type ShortEvent, type ShortObligationEvent } from './short-event.ts';
import type { ProtocolVersion } from './vocabulary.ts';
import type { WireEvent, WireEvents } from './wire-event.ts';

/** What of a session decides how it sees events; an Agreement is one. */
export interface SessionView {
  protocolVersion: ProtocolVersion;
  capabilities: { obligations: boolean };
}

/** The draft makes these optional for a receiver; a host that is Earshot always sends them. */
export type SentEnvelope = FullEnvelope & {
  [K in 'source' | 'author' | 'timing']: NonNullable<FullEnvelope[K]>;
};

export function project(delivery: Delivery, session: SessionView): WireEvent {
  return PROJECTIONS[session.protocolVersion](
    delivery,
    session.capabilities.obligations ? obligationOf(delivery) : {},
  );
}

type Owed = Pick<ShortObligationEvent, 'obligation' | 'createdAt' | 'recipients'>;

const PROJECTIONS: { [V in ProtocolVersion]: (delivery: Delivery, owed: Owed) => WireEvents[V] } = {
  '2026-06-02': (delivery, owed) => ({ ...projectFull(delivery), ...owed }),
  // This draft has no place for obligations, whatever a session claims to have negotiated.
  '2026-06-24': (delivery) => projectShort(delivery),
  '2026-08-11': (delivery, owed) => ({ ...projectShort(delivery), ...owed }),
};

export function projectFull(delivery: Delivery): SentEnvelope {
  const withheld = delivery.mode === 'notify';
  return {
    eventId: delivery.eventId,
    ...refersTo(delivery),
    source: { platform: delivery.platform, workspaceId: delivery.workspaceId },
    conversation: fullConversation(delivery.conversation),
    author: shownAuthor(delivery),
    target: {
      mentions: delivery.mentions.map((mention) => identity(mention.kind, mention.id)),
      ...(delivery.directedness === 'to_me' ? { recipient: identity('agent', delivery.agent) } : {}),
      directedness: delivery.directedness,
    },
    ...(withheld ? {} : { content: contentParts(delivery) }),
    ...(delivery.reaction === undefined ? {} : { reaction: delivery.reaction }),
    timing: { createdAt: iso(delivery.createdAt), sequence: delivery.sequence },
    attention: {
      policy: delivery.policy,
      reason: delivery.reason,
      priority: delivery.priority,
      ...(delivery.deadlineMs === undefined ? {} : { deadlineMs: delivery.deadlineMs }),
      ...advice(delivery),
    },
    injection: { mode: delivery.mode, context: delivery.context, role: 'user' },
    reliability: { attempt: delivery.attempt, idempotencyKey: deliveryKey(delivery.eventId, delivery.agent) },
    ...(withheld ? { knock: knockFor(delivery) } : {}),
  };
}

export function projectShort(delivery: Delivery): ShortEvent {
  const policy = SHORT_POLICY_OF[delivery.policy];
  const conversation = { id: delivery.conversation.id, kind: SHORT_KIND_OF[delivery.conversation.kind] };
  const attachments = delivery.attachments?.map(attachmentPart);
  const seen =
    delivery.mode === 'notify'
      ? { knock: knockFor({ ...delivery, policy, conversation }) }
      : { content: delivery.text, ...(attachments?.length ? { attachments } : {}) };
  return {
    eventId: delivery.eventId,
    ...refersTo(delivery),
    conversation,
    author: shownAuthor(delivery),
    addressedToMe: delivery.directedness === 'to_me',
    policy,
    ...seen,
    ...(delivery.reaction === undefined ? {} : { reaction: delivery.reaction }),
    // Buffered is what a missing mode means, so the common event is exactly the draft's.
    ...(delivery.mode === 'buffered' ? {} : { mode: delivery.mode }),
    ...advice(delivery),
  };
}

/** Obligations 1: events gain `createdAt` (from the log) and `recipients`, with or without a debt. */
function obligationOf(delivery: Delivery): Owed {
  return {
    ...(delivery.obligation === undefined ? {} : { obligation: delivery.obligation }),
    createdAt: iso(delivery.createdAt),
    recipients: [...(delivery.recipients ?? [])],
  };
}

/** Inside, a thread is a conversation of its own; the draft names its room and puts the thread beside it. */
function fullConversation({
  id,
  kind,
  parentId,
  streamId,
}: Delivery['conversation']): FullEnvelope['conversation'] {
  const isThread = kind === 'thread' || parentId !== undefined;
  return {
    id: parentId ?? id,
    kind,
    ...(streamId === undefined ? {} : { streamId }),
    ...(isThread ? { threadId: id } : {}),
  };
}

/** Harnesses print this name in prompt headers, so it leaves the host already harmless. */
function shownAuthor({ author }: Delivery): NonNullable<FullEnvelope['author']> {
  const name = displayName(author.displayName ?? '');
  return { id: author.id, kind: author.kind, ...(name === '' ? {} : { displayName: name }) };
}

function contentParts({ text, attachments = [] }: Delivery): ContentPart[] {
  const spoken: ContentPart[] = text === '' ? [] : [{ type: 'text', text }];
  return [...spoken, ...attachments.map(attachmentPart)];
}

function attachmentPart(attachment: NonNullable<Delivery['attachments']>[number]) {
  return { type: 'attachment' as const, ...attachment };
}

/** Optional members are left out, not undefined, so that equal events are equal as objects too. */
function advice({ requiresThreadCheck, notices = [] }: Delivery) {
  return {
    ...(requiresThreadCheck === undefined ? {} : { requiresThreadCheck }),
    ...(notices.length === 0 ? {} : { notices: [...notices] }),
  };
}

function refersTo(delivery: Delivery) {
  return delivery.refersTo === undefined ? {} : { refersTo: delivery.refersTo };
}

/** The last instant that ISO 8601 writes with four digits; a wilder clock is cut, not thrown at. */
const LAST_ISO_MS = 253_402_300_799_999;

function iso(atMs: number): string {
  return new Date(Math.min(atMs, LAST_ISO_MS)).toISOString();
}
