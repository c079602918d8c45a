// A send outside the outbox: the message or reaction that goes to the surface, the event that goes to the log once it
// is visible, and the ids by which the platform knows it.
import type { Place } from '../../attention/index.ts';
import type { ChatEvent, Mention } from '../../protocol/chat-event.ts';
import { isHostIdOf } from '../../protocol/derived-id.ts';
import { parseIdentity } from '../../protocol/identity.ts';
import type { OutboxRow } from '../../store/tables.ts';
import type {
  Named,
  OutboundFile,
  OutboundMention,
  OutboundMessage,
  OutboundReaction,
} from '../../surfaces/surface.ts';
import { attachmentOf, outboundFile } from './file-row.ts';
import { amendBodyOf, answersNothing, filesOf, messageBodyOf, reactionBodyOf } from './outbox-row.ts';
import { nextPart, partKey, partNaming } from './parts.ts';
import type { Write } from '../../store/store.ts';
import type { AgentsShown } from '../kernel/accounts.ts';
import type { HostContext, StoreReader } from '../kernel/context.ts';
import { parentKeyOf } from '../kernel/conversation.ts';

export function surfacePlace({ platform, workspaceId, conversation }: Place): OutboundMessage['place'] {
  const { id, parentId } = conversation;
  return { platform, workspaceId, conversationId: id, ...(parentId === undefined ? {} : { parentId }) };
}

/** What a send is about and what goes with it: other messages, by our ids and by the platform's, and its files. */
export interface NamedOnPlatform {
  /** What it answers or reacts to. */
  about?: Named;
  /** The message that its thread begins on. */
  opens?: Named;
  files?: readonly OutboundFile[];
}

export async function namedOnPlatform(store: StoreReader, row: OutboxRow): Promise<NamedOnPlatform> {
  const { root } = messageBodyOf(row);
  const about = row.kind === 'reaction' ? reactionBodyOf(row).targetEventId : row.inReplyTo;
  return {
    ...(about !== null && { about: await namedEvent(store, about) }),
    ...(root !== undefined && { opens: await namedEvent(store, root) }),
    files: filesOf(row).map((file) => outboundFile(store, row, file)),
  };
}

export async function namedEvent(store: StoreReader, eventId: string): Promise<Named> {
  if (!isHostIdOf('send', eventId)) {
    return { eventId, platformId: (await store.get('log', eventId))?.sourceId ?? eventId };
  }
  const [sent] = await store.scan('outbox', 'byEvent', { eq: [eventId], limit: 1 });
  return sent === undefined || sent.platformId === null
    ? { eventId }
    : { eventId, platformId: sent.platformId };
}

/** What is posted next of it. The first part opens the thread and is the reply; the others follow it there. */
export function messageOf(
  row: OutboxRow,
  place: Place,
  named: NamedOnPlatform,
  agents: AgentsShown,
): OutboundMessage {
  const { visibility, onlyFor, mentions } = messageBodyOf(row);
  const { number, of, text, files } = nextPart(row);
  const { opens, about } = number === 1 ? named : {};
  return {
    idempotencyKey: partKey(row.key, number),
    eventId: row.eventId,
    createdAt: row.createdAt,
    agent: row.agent,
    place: { ...surfacePlace(place), ...(opens !== undefined && { opens }) },
    text,
    visibility,
    ...(onlyFor !== undefined && { onlyFor }),
    persona: agents.persona(row.agent),
    part: { number, of },
    mentions: mentions
      .map((identity) => mentioned(identity, agents))
      .filter(({ name }) => of === 1 || partNaming(row, name) === number),
    ...(about !== undefined && { replyTo: about }),
    ...filesIn(row, named.files ?? [], files),
  };
}

/** The files that this part shows, or else those that a later part will. */
function filesIn(
  row: OutboxRow,
  files: readonly OutboundFile[],
  isShown: boolean,
): Pick<OutboundMessage, 'attachments' | 'following'> {
  if (files.length === 0) return {};
  if (isShown) return { attachments: files };
  return messageBodyOf(row).parts?.files === true ? { following: files } : {};
}

/** People are known by their ids on the platform, an agent by the account that is its own. */
export function mentioned(identity: string, agents: AgentsShown): OutboundMention {
  const parsed = parseIdentity(identity);
  const name = parsed?.id ?? identity;
  if (parsed?.kind === 'human') return { identity, name, account: name };
  const account = parsed?.kind === 'agent' ? agents.accountOf(parsed.id) : undefined;
  return account === undefined ? { identity, name } : { identity, name, account };
}

export function reactionOf(row: OutboxRow, place: Place, { about }: NamedOnPlatform): OutboundReaction {
  const { targetEventId, signal, glyph, remove } = reactionBodyOf(row);
  const reaction = {
    idempotencyKey: row.key,
    agent: row.agent,
    place: surfacePlace(place),
    target: about ?? { eventId: targetEventId },
    signal,
    glyph,
  };
  return remove === true ? { ...reaction, remove } : reaction;
}

/** The event that a visible send becomes in the log. */
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
    const { targetEventId, about, signal, recipient, remove } = reactionBodyOf(row);
    return {
      ...base,
      type: 'reaction',
      targetEventId: about ?? targetEventId,
      signal,
      ...(recipient && { recipient }),
      ...(remove && { removed: true }),
    };
  }
  if (row.kind === 'delete')
    return { ...base, type: 'delete', targetEventId: amendBodyOf(row).targetEventId };
  if (row.kind === 'edit') return { ...base, type: 'edit', ...editFields(row) };
  return { ...base, type: 'message', ...messageFields(row, answeredAuthor) };
}

function messageFields(row: OutboxRow, answeredAuthor: string | undefined) {
  const body = messageBodyOf(row);
  const mentions = body.mentions.flatMap(mentionOf);
  const attachments = filesOf(row).map(attachmentOf);
  return {
    text: body.text,
    visibility: body.visibility,
    ...(mentions.length > 0 && { mentions }),
    ...(attachments.length > 0 && { attachments }),
    ...(row.inReplyTo !== null && !answersNothing(row) && { inReplyTo: row.inReplyTo }),
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

/** An edit mentions whom its message mentioned, and nobody anew. */
function editFields(row: OutboxRow) {
  const { targetEventId, text = '', mentions: named = [] } = amendBodyOf(row);
  const mentions = named.flatMap(mentionOf);
  return {
    targetEventId,
    text,
    mentionsResolved: true as const,
    ...(mentions.length > 0 && { mentions }),
  };
}

function mentionOf(identity: string): Mention[] {
  const parsed = parseIdentity(identity);
  if (parsed === undefined) return [];
  const { kind, id } = parsed;
  return kind === 'agent' || kind === 'human' || kind === 'role' ? [{ kind, id }] : [];
}

// Platform ids. A send has its event id before it has an id on the platform. A later event (an edit, a reply) names it
// by the platform's id, so each platform id is stored as a small state that holds the event id. The state is written
// and removed together with the outbox row.

export interface ShownAs {
  /** Whether anything on this surface has a platform id. If not, nothing needs a look-up. With other hosts it may. */
  hasAny(surface: string): boolean;
  /** The id in the log of the event with this platform id. */
  find(surface: string, conversation: string, id: string): Promise<string | undefined>;
  /** Says that the surface is about to get its first platform id. */
  expect(surface: string): void;
}

const PREFIX = 'sent/';

/** `doorsOf`: surfaces that are the same account. What was posted through one comes back through all. */
export async function createShownAs(
  { store, changes }: Pick<HostContext, 'store' | 'changes'>,
  surfaces: Iterable<string>,
  doorsOf: (surface: string) => readonly string[],
): Promise<ShownAs> {
  const used = new Set<string>();
  for (const surface of surfaces) {
    if ((await store.stateKeys(ofSurface(surface), '', 1)).length > 0) used.add(surface);
  }
  return {
    hasAny: (surface) =>
      !changes.isAlone || (used.size > 0 && doorsOf(surface).some((door) => used.has(door))),
    async find(surface, conversation, id) {
      for (const door of doorsOf(surface)) {
        const found = await findShown(store, door, conversation, id);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    expect: (surface) => void used.add(surface),
  };
}

/** The event id of the post with this platform id. */
export async function findShown(
  store: StoreReader,
  surface: string,
  conversation: string,
  id: string,
): Promise<string | undefined> {
  return (await store.state(shownAsKey(surface, conversation, id))) as string | undefined;
}

function ofSurface(surface: string): string {
  return `${PREFIX}${encodeURIComponent(surface)}/`;
}

function shownAsKey(surface: string, conversation: string, id: string): string {
  return `${ofSurface(surface)}${conversation}/${encodeURIComponent(id.toWellFormed())}`;
}

/** Every platform id of the row, and the given ones. Its own key and event id are left out. */
export function shownIds(row: OutboxRow, more: readonly string[] = []): string[] {
  const earlier = messageBodyOf(row).shownAs ?? [];
  const ids = [...earlier, ...(row.platformId === null ? [] : [row.platformId]), ...more];
  return [...new Set(ids)].filter((id) => id !== row.key && id !== row.eventId);
}

/** The row with further platform ids. The last one becomes its main id. */
export function withPlatformIds(row: OutboxRow, ids: readonly string[]): OutboxRow {
  const platformId = ids.at(-1) ?? row.platformId;
  const others = shownIds(row, ids).filter((id) => id !== platformId);
  const next = { ...row, platformId };
  return others.length === 0 ? next : { ...next, body: { ...row.body, shownAs: others } };
}

/**
 * The state keys of the row's platform ids. A unit has to name every state that it writes. A post in a thread is found
 * in its room too: some platforms tell a reaction or a delete with the room only.
 */
export function shownAsKeys(row: OutboxRow): string[] {
  const { place } = messageBodyOf(row);
  const room = place === undefined ? undefined : parentKeyOf(place);
  const conversations = room === undefined ? [row.conversation] : [row.conversation, room];
  return shownIds(row).flatMap((id) => conversations.map((key) => shownAsKey(row.surface, key, id)));
}

export function shownAsWrites(row: OutboxRow): Write[] {
  return shownAsKeys(row).map((state) => ({ state, value: row.eventId }));
}
