// Finds the conversation or message behind an id that a page sends. What a person may not see is answered as if it did
// not exist. A thread or a direct message can be named before anybody has written there.
import type { Place } from '../../attention/index.ts';
import type { LogRow } from '../../store/tables.ts';
import type { KnownConversation } from './conversations.ts';
import {
  WEB_PLATFORM,
  directId,
  webDirectParties,
  webDirectPlace,
  isWebKey,
  keyOfId,
  personMaySee,
  type DirectParty,
  threadPlace,
} from './places.ts';
import { noSuch, notAllowed } from './refusals.ts';
import type { WebRoom } from './room.ts';

type Where = Pick<WebRoom, 'conversations' | 'context' | 'people'>;

export async function conversationFor(room: Where, person: string, id: string): Promise<KnownConversation> {
  const key = keyOfId(id);
  const known = room.conversations.get(key);
  if (known !== undefined) {
    if (!personMaySee(person, known.place.conversation.id)) throw noSuch('conversation');
    if (room.conversations.closed(known.place) === 'deleted') throw noSuch('conversation');
    return known;
  }
  const place = (await newDirect(room, person, id)) ?? (await newThread(room, id));
  if (place === undefined) throw noSuch('conversation');
  return { key, place, lastAt: 0 };
}

/** A message of a conversation that the person may see. */
export async function messageFor(room: Where, person: string, eventId: string): Promise<LogRow> {
  const { context } = room;
  const row = await context.store.get('log', eventId);
  if (row === undefined || row.type !== 'message' || !isWebKey(row.conversation)) throw noSuch('message');
  if (!personMaySee(person, row.record.event.conversation.id)) throw noSuch('message');
  if (room.conversations.closed(row.record.event) === 'deleted') throw noSuch('message');
  return row;
}

/** The conversation, to write there. */
export async function openConversationFor(
  room: Where,
  person: string,
  id: string,
): Promise<KnownConversation> {
  const known = await conversationFor(room, person, id);
  refuseClosed(room, known.place);
  return known;
}

export function refuseClosed({ conversations }: Where, place: Place): void {
  if (conversations.closed(place) !== undefined)
    throw notAllowed('write', 'This channel is archived: it can be read, and brought back.');
}

/** True for an agent of the host and for a person of the web chat. A direct message needs one of them. */
export async function isSomebody({ context, people }: Where, { kind, id }: DirectParty): Promise<boolean> {
  if (kind === 'agent') return context.attention.agents.some((agent) => agent.id === id);
  return (await people.all()).has(id);
}

async function newDirect(room: Where, person: string, id: string): Promise<Place | undefined> {
  for (const other of webDirectParties(id) ?? []) {
    const isOther = other.kind === 'agent' || other.id !== person;
    if (isOther && directId(person, other) === id && (await isSomebody(room, other)))
      return webDirectPlace(id);
  }
  return undefined;
}

/** Threads hang on messages of channels only. Everybody could see a thread on a direct message. */
async function newThread({ context }: Where, rootId: string): Promise<Place | undefined> {
  const root = await context.store.get('log', rootId);
  if (root === undefined || root.type !== 'message') return undefined;
  const { platform, conversation } = root.record.event;
  return platform === WEB_PLATFORM && conversation.kind === 'channel'
    ? threadPlace(rootId, conversation.id)
    : undefined;
}
