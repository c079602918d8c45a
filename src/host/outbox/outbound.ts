// What an outbox row says, in the words of those it goes to: the surface that shows it, and the log, in which a visible
// send is an event like any other.
import type { Place } from '../../attention/index.ts';
import type { ChatEvent, Mention } from '../../protocol/chat-event.ts';
import { parseIdentity } from '../../protocol/identity.ts';
import type { OutboxRow } from '../../store/tables.ts';
import type { OutboundMessage, OutboundReaction } from '../../surfaces/surface.ts';
import { messageBody, reactionBody } from './outbox-row.ts';

export function surfacePlace({ workspaceId, conversation }: Place): OutboundMessage['place'] {
  const { id, parentId } = conversation;
  return { workspaceId, conversationId: id, ...(parentId === undefined ? {} : { parentId }) };
}

export function messageOf(row: OutboxRow, place: Place): OutboundMessage {
  const { text, visibility, mentions } = messageBody(row);
  return {
    idempotencyKey: row.key,
    eventId: row.eventId,
    agent: row.agent,
    place: surfacePlace(place),
    text,
    visibility,
    mentions,
    ...(row.inReplyTo === null ? {} : { replyTo: row.inReplyTo }),
  };
}

export function reactionOf(row: OutboxRow, place: Place): OutboundReaction {
  const { targetEventId, signal, glyph, remove } = reactionBody(row);
  const reaction = {
    idempotencyKey: row.key,
    agent: row.agent,
    place: surfacePlace(place),
    targetEventId,
    signal,
    glyph,
  };
  return remove === true ? { ...reaction, remove } : reaction;
}

/** The event a visible send is for everybody else. */
export function eventOf(
  row: OutboxRow,
  place: Place,
  now: number,
  answeredAuthor: string | undefined,
): ChatEvent {
  const base = {
    eventId: row.eventId,
    at: now,
    platform: place.platform,
    workspaceId: place.workspaceId,
    conversation: place.conversation,
    author: { id: row.agent, kind: 'agent' as const, displayName: row.agent },
  };
  if (row.kind === 'reaction') {
    const { targetEventId, signal, recipient, remove } = reactionBody(row);
    return {
      ...base,
      type: 'reaction',
      targetEventId,
      signal,
      ...(recipient && { recipient }),
      ...(remove && { removed: true }),
    };
  }
  return { ...base, type: 'message', ...said(row, answeredAuthor) };
}

function said(row: OutboxRow, answeredAuthor: string | undefined) {
  const body = messageBody(row);
  const mentions = body.mentions.flatMap(mentionOf);
  return {
    text: body.text,
    visibility: body.visibility,
    ...(mentions.length > 0 && { mentions }),
    ...(row.inReplyTo !== null && { inReplyTo: row.inReplyTo }),
    ...(row.inReplyTo !== null &&
      answeredAuthor !== undefined && { replyTo: { eventId: row.inReplyTo, authorId: answeredAuthor } }),
    ...(body.recipient !== undefined && { recipients: [body.recipient] }),
    ...(body.obligation !== undefined && { obligation: body.obligation }),
    target: {
      ...(body.directedness !== undefined && { directedness: body.directedness }),
      ...(body.recipient !== undefined && { recipient: body.recipient }),
    },
  };
}

function mentionOf(identity: string): Mention[] {
  const parsed = parseIdentity(identity);
  if (parsed === undefined) return [];
  const { kind, id } = parsed;
  return kind === 'agent' || kind === 'human' || kind === 'role' ? [{ kind, id }] : [];
}
