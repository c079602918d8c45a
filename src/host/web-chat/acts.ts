// What a person does, as events for the one door everything comes in by. Each is answered once it is durable. An act's
// key makes its event's id, so that the same act sent again is the same event.
import { createHash } from 'node:crypto';
import { type Place, isPairingText } from '../../attention/index.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { printableLine, parseIdentity } from '../../protocol/identity.ts';
import type { Signal } from '../../protocol/vocabulary.ts';
import { WEB_CHAT_LIMITS, type WebConversation, type WebMessage } from '../../protocol/web-chat.ts';
import type { LogRow } from '../../store/tables.ts';
import { membersAt } from './members.ts';
import type { Person } from './people.ts';
import { channelId, channelPlace, directId, directPlace, keyOfId, threadPlace } from './places.ts';
import { notFound, notTaken, notYours, otherBody, wrong } from './refusals.ts';
import type { Room } from './room.ts';
import { conversationFor, isSomebody, messageFor } from './where.ts';

/** More channels than this are not made: the list would be of use to nobody. */
const CHANNELS = 500;

interface Post {
  key: string;
  conversation: string;
  text: string;
  replyTo?: string | undefined;
}

export async function post(room: Room, person: Person, input: Post): Promise<WebMessage> {
  const { place } = await conversationFor(room, person.id, input.conversation);
  const answered = input.replyTo === undefined ? undefined : await messageFor(room, person.id, input.replyTo);
  if (answered !== undefined && answered.conversation !== keyOfId(place.conversation.id)) {
    throw wrong('A reply stands in the conversation of what it answers');
  }
  const { text } = input;
  const mentions = (await room.names()).mentionsIn(text);
  const replyTo =
    answered === undefined
      ? {}
      : { replyTo: { eventId: answered.key, authorId: answered.record.event.author.id } };
  const event: ChatEvent = {
    ...(await base(room, person, place, input.key)),
    type: 'message',
    text: text.toWellFormed(),
    ...(mentions.length === 0 ? {} : { mentions }),
    ...replyTo,
  };
  const row = await taken(room, event);
  return room.messages.current(row);
}

export async function edit(
  room: Room,
  person: Person,
  { key, eventId, text }: { key: string; eventId: string; text: string },
): Promise<void> {
  const row = await ownMessage(room, person, eventId, 'edit');
  if ((await room.messages.amendments(row.conversation)).of(eventId).deleted) throw notFound('message');
  const mentions = (await room.names()).mentionsIn(text);
  await taken(room, {
    ...(await base(room, person, row.record.event, key)),
    type: 'edit',
    targetEventId: eventId,
    text: text.toWellFormed(),
    mentions,
  });
}

export async function remove(
  room: Room,
  person: Person,
  { key, eventId }: { key: string; eventId: string },
): Promise<void> {
  const row = await ownMessage(room, person, eventId, 'delete');
  if ((await room.messages.amendments(row.conversation)).of(eventId).deleted) return;
  const about = { type: 'delete' as const, targetEventId: eventId };
  await taken(room, { ...(await base(room, person, row.record.event, key)), ...about });
}

export async function react(
  room: Room,
  person: Person,
  wanted: { key: string; eventId: string; signal: Signal; remove?: boolean | undefined },
): Promise<void> {
  const { key, eventId, signal, remove: removed = false } = wanted;
  const row = await messageFor(room, person.id, eventId);
  const { reactions, deleted } = (await room.messages.amendments(row.conversation)).of(eventId);
  if (deleted) throw notFound('message');
  const given = (reactions.get(signal) ?? []).some(({ id, kind }) => kind === 'human' && id === person.id);
  if (given === !removed) return; // so it is
  await taken(room, {
    ...(await base(room, person, row.record.event, key)),
    type: 'reaction',
    targetEventId: eventId,
    signal,
    ...(removed ? { removed } : {}),
  });
}

/** Only where somebody has written: a sign makes no conversation. */
export async function typing(room: Room, person: Person, id: string, is: boolean): Promise<void> {
  const { place } = await conversationFor(room, person.id, id);
  if (room.conversations.get(keyOfId(id)) === undefined) return;
  const key = room.context.random.id();
  const { membership: _, ...event } = await base(room, person, place, key);
  await taken(room, { ...event, type: 'typing', typing: is });
}

export type Create =
  | { kind: 'channel'; name: string }
  | { kind: 'dm'; with: string }
  | { kind: 'thread'; parent: string };

export async function create(room: Room, person: Person, wanted: Create): Promise<WebConversation> {
  const place = await placeToBe(room, person, wanted);
  const known = room.conversations.get(keyOfId(place.conversation.id));
  if (known === undefined && wanted.kind === 'channel') {
    const channels = room.conversations.listed(person.id).filter((one) => isChannel(one.place));
    if (channels.length >= CHANNELS) throw wrong(`There are ${CHANNELS} channels: use one of them`);
    await openChannel(room, person, place);
  }
  return room.conversations.shown(known ?? { place, lastAt: 0 }, person.id, await room.names());
}

/** The first record of a channel, the same whoever makes it: two people who make it at once make one. */
export async function openChannel(room: Room, person: Person, place: Place): Promise<void> {
  const event = await base(room, person, place, '');
  await taken(room, {
    ...event,
    eventId: `web_channel_${place.conversation.id}`,
    type: 'membership',
    change: 'joined',
  });
}

function isChannel({ conversation }: Place): boolean {
  return conversation.kind === 'channel';
}

async function placeToBe(room: Room, person: Person, wanted: Create): Promise<Place> {
  switch (wanted.kind) {
    case 'channel': {
      const title = printableLine(wanted.name.replace(/^[\s#]+/, ''), WEB_CHAT_LIMITS.nameChars);
      const id = channelId(title);
      if (id === '') throw wrong('name: expected letters or digits, such as "releases"');
      return channelPlace(id, title);
    }
    case 'dm': {
      const other = parseIdentity(wanted.with);
      if (other === undefined || (other.kind !== 'human' && other.kind !== 'agent')) {
        throw wrong('with: expected "human:ID" or "agent:ID"');
      }
      const party = { kind: other.kind, id: other.id };
      if (!(await isSomebody(room, party))) throw notFound(party.kind === 'human' ? 'person' : 'agent');
      if (party.kind === 'human' && party.id === person.id) throw wrong('with: expected somebody else');
      return directPlace(directId(person.id, party));
    }
    case 'thread': {
      const root = await messageFor(room, person.id, wanted.parent);
      const { conversation } = root.record.event;
      if (conversation.kind !== 'channel') throw wrong('parent: threads hang on messages of channels');
      return threadPlace(root.key, conversation.id);
    }
  }
}

async function base(
  { context, people }: Room,
  { id, name }: Person,
  { platform, workspaceId, conversation }: Place,
  key: string,
) {
  const { id: conversationId, parentId } = conversation;
  const where = { workspaceId, conversationId, ...(parentId === undefined ? {} : { parentId }) };
  return {
    eventId: eventIdOf(id, key),
    at: context.clock.now(),
    platform,
    workspaceId,
    conversation,
    author: { id, kind: 'human' as const, displayName: name },
    membership: await membersAt({ people, rosterAt: (there) => context.rosterAt(there) }, where),
  };
}

function eventIdOf(person: string, key: string): string {
  const hash = createHash('sha256').update(`${person}\n${key.toWellFormed()}`).digest('base64url');
  return `web_${hash.slice(0, 22)}`;
}

async function ownMessage(room: Room, person: Person, eventId: string, act: string): Promise<LogRow> {
  const row = await messageFor(room, person.id, eventId);
  if (row.author !== `human:${person.id}`) throw notYours(act);
  return row;
}

/** The row it became, which for a repeat is the first one; a key used for something else is refused. */
async function taken(room: Room, event: ChatEvent): Promise<LogRow> {
  const [result] = await room.door.ingest([event]);
  if (result === undefined) throw new Error('the door gave no result');
  if (result.status === 'refused') throw notTaken(result);
  const row = await room.context.store.get('log', event.eventId);
  if (row === undefined) throw new Error('what was taken is not in the log');
  if (result.status === 'repeat' && !isSame(row, event)) throw otherBody();
  return row;
}

function isSame({ type, conversation, record }: LogRow, event: ChatEvent): boolean {
  if (type !== event.type || conversation !== keyOfId(event.conversation.id)) return false;
  const { event: first } = record;
  const [target, other] = [first, event].map((one) =>
    'targetEventId' in one ? one.targetEventId : undefined,
  );
  if (target !== other) return false;
  const [said, again] = [first, event].map((one) => ('text' in one ? one.text : undefined));
  // Scrubbed since, or a pairing code, which is never kept: its words cannot be compared.
  return said === undefined || again === undefined || said === again || isPairingText(again);
}
