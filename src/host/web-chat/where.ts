// From an id that a page sends to a conversation or a message that this person may see. What they may not see does not
// exist for them. A thread and a direct message can be meant before anybody has written there.
import type { Place } from '../../attention/index.ts';
import type { LogRow } from '../../store/tables.ts';
import type { Known } from './conversations.ts';
import {
  WEB_PLATFORM,
  directId,
  directParties,
  directPlace,
  isWebKey,
  keyOfId,
  maySee,
  type Party,
  threadPlace,
} from './places.ts';
import { notFound } from './refusals.ts';
import type { Room } from './room.ts';

type Where = Pick<Room, 'conversations' | 'context' | 'people'>;

export async function conversationFor(room: Where, person: string, id: string): Promise<Known> {
  const key = keyOfId(id);
  const known = room.conversations.get(key);
  if (known !== undefined) {
    if (!maySee(person, known.place.conversation.id)) throw notFound('conversation');
    return known;
  }
  const place = (await newDirect(room, person, id)) ?? (await newThread(room, id));
  if (place === undefined) throw notFound('conversation');
  return { key, place, lastAt: 0 };
}

/** A message of a conversation that the person may see. */
export async function messageFor({ context }: Where, person: string, eventId: string): Promise<LogRow> {
  const row = await context.store.get('log', eventId);
  if (row === undefined || row.type !== 'message' || !isWebKey(row.conversation)) throw notFound('message');
  if (!maySee(person, row.record.event.conversation.id)) throw notFound('message');
  return row;
}

/** Somebody to write to directly: an agent of the host, or a person who has access. */
export async function isSomebody({ context, people }: Where, { kind, id }: Party): Promise<boolean> {
  if (kind === 'agent') return context.attention.agents.some((agent) => agent.id === id);
  return (await people.all()).has(id);
}

async function newDirect(room: Where, person: string, id: string): Promise<Place | undefined> {
  for (const other of directParties(id) ?? []) {
    const isOther = other.kind === 'agent' || other.id !== person;
    if (isOther && directId(person, other) === id && (await isSomebody(room, other))) return directPlace(id);
  }
  return undefined;
}

/** Threads hang on messages of channels: a direct message is small enough, and its threads would be everybody's. */
async function newThread({ context }: Where, rootId: string): Promise<Place | undefined> {
  const root = await context.store.get('log', rootId);
  if (root === undefined || root.type !== 'message') return undefined;
  const { platform, conversation } = root.record.event;
  return platform === WEB_PLATFORM && conversation.kind === 'channel'
    ? threadPlace(rootId, conversation.id)
    : undefined;
}
