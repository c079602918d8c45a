// Rows as an operator's page or terminal shows them: times as ISO text, secrets cut out of every text, internals left
// out. The same shapes over HTTP, in the stream and in `earshot tail`.
import type { LogRow, DeliveryRow, InboxRow, OutboxRow } from '../../store/tables.ts';
import { unpackDecisions } from '../pack-decisions.ts';
import { textOf } from '../payload.ts';

export type Clean = (text: string) => string;
type Shown = Record<string, unknown>;

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

export function shownEvent(row: LogRow): Shown {
  const { event } = row.record;
  const { eventId, type, platform, workspaceId, conversation, author } = event;
  const more = 'text' in event && event.text !== undefined ? { text: textOf(row) } : {};
  const about = 'targetEventId' in event ? { targetEventId: event.targetEventId } : {};
  const signal = 'signal' in event ? { signal: event.signal } : {};
  return {
    eventId,
    seq: row.seq,
    at: iso(row.at),
    type,
    platform,
    workspaceId,
    conversation,
    author,
    ...more,
    ...about,
    ...signal,
    decisions: unpackDecisions(row.decisions, row.key).map(
      ({ agent, decision, directedness, policy, mode, reason, trace }) => ({
        agent,
        decision,
        directedness,
        policy,
        mode,
        reason,
        trace,
      }),
    ),
  };
}

export function shownDelivery(row: DeliveryRow): Shown {
  const { key, agent, conversation, eventId, source, policy, mode, state, disposition, why, attempt, sends } =
    row;
  return {
    key,
    agent,
    conversation,
    eventId,
    source,
    policy,
    mode,
    state,
    disposition,
    why,
    attempt,
    sends,
    createdAt: iso(row.createdAt),
    settledAt: row.settledAt === null ? null : iso(row.settledAt),
    dueAt: row.dueAt === null ? null : iso(row.dueAt),
    dueFor: row.dueFor,
  };
}

export function shownInbox(row: InboxRow): Shown {
  const { key, kind, eventId, agents, detail, open } = row;
  return {
    key,
    kind,
    eventId,
    agents,
    detail,
    open: open === 1,
    createdAt: iso(row.createdAt),
    closedAt: row.closedAt === null ? null : iso(row.closedAt),
  };
}

/** What a source is to show, in the shape in which it would be posted to its URL. */
export function outboundOf(row: OutboxRow): Shown {
  const { key: idempotencyKey, eventId, agent, kind, inReplyTo, createdAt } = row;
  const { place, text, visibility, mentions, targetEventId, signal, glyph, remove } = row.body;
  const common = {
    type: kind,
    idempotencyKey,
    agent,
    place: placeShown(row, place),
    createdAt: iso(createdAt),
  };
  if (kind === 'reaction') {
    return { ...common, targetEventId, signal, glyph, ...(remove === true ? { remove } : {}) };
  }
  const replyTo = inReplyTo === null ? {} : { replyTo: inReplyTo };
  return { ...common, eventId, text, visibility, mentions: mentions ?? [], ...replyTo };
}

/** What the host itself says carries no place; its conversation's key does. */
function placeShown({ conversation }: OutboxRow, place: unknown): Shown {
  if (typeof place === 'object' && place !== null && 'conversation' in place) {
    const { workspaceId, conversation: where } = place as {
      workspaceId: string;
      conversation: { id: string; parentId?: string };
    };
    const parent = where.parentId === undefined ? {} : { parentId: where.parentId };
    return { workspaceId, conversationId: where.id, ...parent };
  }
  const [, , workspaceId = '', conversationId = ''] = conversation.split('/').map(decodeURIComponent);
  return { workspaceId, conversationId };
}

/** Every text of an answer, searched for secrets: what is shown to people passes through here. */
export function cleanDeep(value: unknown, clean: Clean): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((item: unknown) => cleanDeep(item, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cleanDeep(item, clean)]));
}
