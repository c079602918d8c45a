// What leaves over HTTP: every text searched for secrets, and an outbox row in the shape in which its source shows it.
import { iso } from '../../protocol/log-record.ts';
import type { OutboxRow } from '../../store/tables.ts';
import { parseConversationKey } from '../kernel/conversation.ts';
import { surfacePlace } from '../outbox/on-platform.ts';
import { messageBodyOf, reactionBodyOf } from '../outbox/outbox-row.ts';

export type Clean = (text: string) => string;
type Shown = Record<string, unknown>;

/** What a source is to show, in the shape in which it would be posted to its URL. */
export function outboundOf(row: OutboxRow): Shown {
  const { key: idempotencyKey, eventId, agent, kind, inReplyTo, createdAt } = row;
  const place = placeShown(row);
  const common = { type: kind, idempotencyKey, agent, place, createdAt: iso(createdAt) };
  if (kind === 'reaction') {
    const { targetEventId, signal, glyph, remove } = reactionBodyOf(row);
    return { ...common, targetEventId, signal, glyph, ...(remove === true ? { remove } : {}) };
  }
  const { text, visibility, mentions } = messageBodyOf(row);
  const replyTo = inReplyTo === null ? {} : { replyTo: inReplyTo };
  return { ...common, eventId, text, visibility, mentions, ...replyTo };
}

/** What the host itself says carries no place; its conversation's key does. */
function placeShown(row: OutboxRow) {
  const { place } = messageBodyOf(row);
  if (place !== undefined) return surfacePlace(place);
  const { workspaceId, id } = parseConversationKey(row.conversation);
  return { workspaceId, conversationId: id };
}

/** Every text of an answer, searched for secrets: what is shown to people passes through here. */
export function cleanDeep(value: unknown, clean: Clean): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((item: unknown) => cleanDeep(item, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cleanDeep(item, clean)]));
}
