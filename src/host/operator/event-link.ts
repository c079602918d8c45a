// Finds the event that a person pastes. It accepts the event's id, its address on the page (a message's link too) or in the API, the id of a
// follow-up (`evt_1/claimed`), which leads to the event that the follow-up is about, and the id by which the event's
// source knows it. Several sources may use the same id: then the room tells which event is meant. With the room, what an
// agent sent is found by the platform's id too. A link of the platform names both.
import type { Namesake } from '../../protocol/operator-api.ts';
import { iso } from '../../protocol/log-record.ts';
import type { LogRow } from '../../store/tables.ts';
import type { ServerContext } from '../http/context.ts';
import { HttpError } from '../http/http-error.ts';
import type { StoreReader } from '../kernel/context.ts';
import {
  type Places,
  conversationKeyFor,
  isConversationKey,
  readConversation,
} from '../kernel/conversation.ts';
import { findShown } from '../outbox/on-platform.ts';

export interface FoundEvent {
  row: LogRow;
  /** Other events that their sources call by the id that was given. */
  namesakes: readonly LogRow[];
}

/** Namesakes that are read, and those that are named when a person has to choose. */
const NAMESAKES_MAX = 100;
const NAMED_MAX = 10;

/** `room` is the id or the key of a conversation. Without it an event id means its event, whoever else has that id. */
export async function findEvent(server: ServerContext, given: string, room?: string): Promise<FoundEvent> {
  const { context, places, surfaces } = server.host;
  const linked = /^https?:\/\//i.test(given.trim()) ? surfaces.fromLink(given.trim()) : undefined;
  if (linked !== undefined) {
    const { platform, workspaceId, conversationId } = linked.place;
    const beside = await findBeside(context.store, linked);
    if (beside !== undefined) return { row: beside, namesakes: [] };
    return findEvent(server, linked.platformId, conversationKeyFor(platform, workspaceId, conversationId));
  }
  for (const id of candidates(given.trim())) {
    const exact = await context.store.get('log', id);
    const named = await context.store.scan('log', 'bySourceId', { eq: [id], limit: NAMESAKES_MAX });
    const all = [...(exact === undefined ? [] : [exact]), ...named];
    const meant = room === undefined ? all : all.filter((row) => isIn(row, room));
    const [row] = meant;
    if (row !== undefined && (meant.length === 1 || (room === undefined && row === exact)))
      return { row, namesakes: all.filter((other) => other !== row) };
    if (row !== undefined) throw chooseOne(id, meant);
  }
  const posted = room === undefined ? undefined : await findPost(context.store, places, given.trim(), room);
  if (posted !== undefined) return { row: posted, namesakes: [] };
  const where = room === undefined ? 'with this id' : 'with this id in that conversation';
  throw new HttpError(
    404,
    'not_found',
    `There is no event ${where}: copy it from "earshot tail --json", from the page, or from what your source posted.`,
  );
}

/** A link may name the room and the message, but not in which thread of the room the message is. */
async function findBeside(
  store: StoreReader,
  { place: { platform, workspaceId, parentId }, platformId }: Linked,
): Promise<LogRow | undefined> {
  if (parentId === undefined) return undefined;
  const exact = await store.get('log', platformId);
  const named = await store.scan('log', 'bySourceId', { eq: [platformId], limit: NAMESAKES_MAX });
  const inRoom = [...(exact === undefined ? [] : [exact]), ...named].filter(
    ({ record: { event } }) =>
      event.platform === platform &&
      event.workspaceId === workspaceId &&
      event.conversation.parentId === parentId,
  );
  return inRoom.length === 1 ? inRoom[0] : undefined;
}

type Linked = NonNullable<ReturnType<ServerContext['host']['surfaces']['fromLink']>>;

/** What an agent sent there, by the id that the platform gave it. Only the room says on which platform. */
async function findPost(
  store: StoreReader,
  places: Places,
  id: string,
  room: string,
): Promise<LogRow | undefined> {
  const key = isConversationKey(room) ? room : await places.find(room, undefined);
  const state = key === undefined ? undefined : await readConversation(store, key);
  if (key === undefined || state === undefined) return undefined;
  const eventId = await findShown(store, state.surface, key, id);
  return eventId === undefined ? undefined : store.get('log', eventId);
}

function isIn({ conversation, record }: LogRow, room: string): boolean {
  const { id, title } = record.event.conversation;
  const name = room.replace(/^#/, '').toLowerCase();
  return conversation === room || id === room || [id, title].some((one) => one?.toLowerCase() === name);
}

function chooseOne(id: string, rows: readonly LogRow[]): HttpError {
  const named = rows.slice(0, NAMED_MAX).map(({ key, conversation }) => `${key} in ${conversation}`);
  const more = rows.length > NAMED_MAX ? `, and ${rows.length - NAMED_MAX} more` : '';
  return new HttpError(
    409,
    'ambiguous',
    `${rows.length} events are called "${id}" by their sources: ${named.join(', ')}${more}. Ask for one by its event id, or name its conversation (conversation=KEY, --in KEY).`,
  );
}

export function shownNamesake({ key, at, conversation, record: { event } }: LogRow): Namesake {
  const { platform, workspaceId, conversation: place } = event;
  return {
    eventId: key,
    at: iso(at),
    platform,
    workspaceId,
    conversation: place,
    conversationKey: conversation,
  };
}

export function candidates(given: string): string[] {
  const found = [given];
  if (/^https?:\/\//i.test(given)) found.push(...fromLink(given));
  // An id may itself hold slashes, so the whole text is tried before its parts.
  for (const id of found.slice()) {
    for (let cut = id.lastIndexOf('/'); cut > 0; cut = id.lastIndexOf('/', cut - 1))
      found.push(id.slice(0, cut));
  }
  return [...new Set(found)].slice(0, CANDIDATES_MAX);
}

const CANDIDATES_MAX = 16;
const IN_PATH = /\/(?:why|events?)\/(.+)$/;

function fromLink(link: string): string[] {
  let url: URL;
  try {
    url = new URL(link);
  } catch {
    return [];
  }
  const hash = url.hash.replace(/^#/, '');
  const [hashPath = '', hashQuery = hash] = hash.split('?', 2);
  const named = [url.searchParams, new URLSearchParams(hashQuery)].map(
    (query) => query.get('event') ?? query.get('why') ?? query.get('message'),
  );
  const inPath = [url.pathname, hashPath].map((path) => IN_PATH.exec(path)?.[1]).map(decoded);
  return [...named, ...inPath].filter((id) => id !== null && id !== undefined && id !== '') as string[];
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return text;
  }
}
