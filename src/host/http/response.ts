// Prepares what leaves over HTTP: cuts secrets out of every text, and gives an outbox row the shape that a source
// reads.
import { iso } from '../../protocol/log-record.ts';
import type { OutboxRow } from '../../store/tables.ts';
import { parseConversationKey } from '../kernel/conversation.ts';
import type { StoreReader } from '../kernel/context.ts';
import { namedOnPlatform, surfacePlace } from '../outbox/on-platform.ts';
import { messageBodyOf, reactionBodyOf } from '../outbox/outbox-row.ts';

/** An outbox row for a source that pulls, in the same shape that a source with a URL gets posted. */
export async function outboundOf(store: StoreReader, row: OutboxRow): Promise<Record<string, unknown>> {
  const { key: idempotencyKey, eventId, agent, kind, createdAt } = row;
  const named = await namedOnPlatform(store, row);
  const place = placeShown(row);
  const common = { type: kind, idempotencyKey, agent, place, createdAt: iso(createdAt) };
  if (kind === 'reaction') {
    const { targetEventId, signal, glyph, remove } = reactionBodyOf(row);
    return {
      ...common,
      targetEventId: named ?? targetEventId,
      signal,
      glyph,
      ...(remove === true ? { remove } : {}),
    };
  }
  const { text, visibility, mentions } = messageBodyOf(row);
  const replyTo = named === undefined ? {} : { replyTo: named };
  return { ...common, eventId, text, visibility, mentions, ...replyTo };
}

/** The host's own messages hold no place, so it is read from the conversation's key. */
function placeShown(row: OutboxRow) {
  const { place } = messageBodyOf(row);
  if (place !== undefined) return surfacePlace(place);
  const { platform, workspaceId, id } = parseConversationKey(row.conversation);
  return { platform, workspaceId, conversationId: id };
}

/** The same value with `clean` applied to every string in it. All answers to operators pass through here. */
export function cleanDeep(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((item: unknown) => cleanDeep(item, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cleanDeep(item, clean)]));
}
