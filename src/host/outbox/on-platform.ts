// What an outbox row says, in the words of those it goes to: the surface that shows it, and the log, in which a visible
// send is an event like any other.
import type { Place } from '../../attention/index.ts';
import type { ChatEvent, Mention } from '../../protocol/chat-event.ts';
import { parseIdentity } from '../../protocol/identity.ts';
import type { OutboxRow } from '../../store/tables.ts';
import type { OutboundMessage, OutboundReaction } from '../../surfaces/surface.ts';
import { messageBody, reactionBody } from './outbox-row.ts';
import type { Write } from '../../store/store.ts';
import type { StoreReader } from '../kernel/context.ts';

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

// The ids by which a platform knows what was posted there. A message of ours is in the log before it has an id on the
// platform. Once it is visible, an event that names it by that id means the event in the log. Each id is a small state,
// written and removed together with the outbox row.

export interface ShownAs {
  /** False: nothing there has an id of the platform's own, so nothing need be looked up. */
  any(surface: string): boolean;
  /** The event that is known there by this id. */
  find(surface: string, conversation: string, id: string): Promise<string | undefined>;
  /** From now on there may be some. */
  expect(surface: string): void;
}

const PREFIX = 'sent/';

export async function createShownAs(store: StoreReader, surfaces: Iterable<string>): Promise<ShownAs> {
  const used = new Set<string>();
  for (const surface of surfaces) {
    if ((await store.stateKeys(ofSurface(surface), '', 1)).length > 0) used.add(surface);
  }
  return {
    any: (surface) => used.has(surface),
    find: async (surface, conversation, id) =>
      (await store.state(shownAsKey(surface, conversation, id))) as string | undefined,
    expect: (surface) => void used.add(surface),
  };
}

function ofSurface(surface: string): string {
  return `${PREFIX}${encodeURIComponent(surface)}/`;
}

function shownAsKey(surface: string, conversation: string, id: string): string {
  return `${ofSurface(surface)}${conversation}/${encodeURIComponent(id.toWellFormed())}`;
}

/** Every id the platform has given it so far. Its own key and eventId need no telling. */
export function shownIds(row: OutboxRow, more: readonly string[] = []): string[] {
  const earlier = messageBody(row).shownAs ?? [];
  const ids = [...earlier, ...(row.platformId === null ? [] : [row.platformId]), ...more];
  return [...new Set(ids)].filter((id) => id !== row.key && id !== row.eventId);
}

/** The row known by these ids too; the last of them is the one it goes by. */
export function shownUnder(row: OutboxRow, ids: readonly string[]): OutboxRow {
  const platformId = ids.at(-1) ?? row.platformId;
  const others = shownIds(row, ids).filter((id) => id !== platformId);
  const next = { ...row, platformId };
  return others.length === 0 ? next : { ...next, body: { ...row.body, shownAs: others } };
}

/** Where a row's ids are kept; a unit has to name the states that it writes. */
export function shownAsKeys(row: OutboxRow): string[] {
  return shownIds(row).map((id) => shownAsKey(row.surface, row.conversation, id));
}

export function shownAsWrites(row: OutboxRow): Write[] {
  return shownAsKeys(row).map((state) => ({ state, value: row.eventId }));
}
