// Turns what a person does into events, which enter the host as those of every surface do. Each act is answered once
// its event is durable. The event's id comes from the act's key, so the same act sent again is the same event.
import { createHash } from 'node:crypto';
import { type Place, isPairingText } from '../../attention/index.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { hostId } from '../../protocol/derived-id.ts';
import { printableLine, parseIdentity } from '../../protocol/identity.ts';
import type { Signal } from '../../protocol/vocabulary.ts';
import { WEB_CHAT_LIMITS, type WebConversation, type WebMessage } from '../../protocol/web-chat.ts';
import type { LogRow } from '../../store/tables.ts';
import { attachmentOf } from '../outbox/file-row.ts';
import { surfacePlace } from '../outbox/on-platform.ts';
import { membersAt, type Person } from './people.ts';
import { channelId, channelPlace, directId, webDirectPlace, keyOfId, threadPlace } from './places.ts';
import { noSuch, notTaken, notYours, otherBody, invalidInput, uploadGone } from './refusals.ts';
import type { WebRoom } from './room.ts';
import { isSomebody, messageFor, openConversationFor, refuseClosed } from './where.ts';

/** No more channels than this can be created. A longer list would help nobody. */
const CHANNELS_MAX = 500;

interface NewMessage {
  key: string;
  conversation: string;
  text: string;
  replyTo?: string | undefined;
  uploads?: readonly string[] | undefined;
}

export async function postMessage(room: WebRoom, person: Person, input: NewMessage): Promise<WebMessage> {
  const { place } = await openConversationFor(room, person.id, input.conversation);
  const answered = input.replyTo === undefined ? undefined : await messageFor(room, person.id, input.replyTo);
  if (answered !== undefined && answered.conversation !== keyOfId(place.conversation.id)) {
    throw invalidInput('A reply stands in the conversation of what it answers');
  }
  const { text } = input;
  const mentions = (await room.names()).mentionsIn(text);
  const replyTo =
    answered === undefined
      ? {}
      : { replyTo: { eventId: answered.key, authorId: answered.record.event.author.id } };
  const event: Extract<ChatEvent, { type: 'message' }> = {
    ...(await eventBase(room, person, place, input.key)),
    type: 'message',
    text: text.toWellFormed(),
    ...(mentions.length === 0 ? {} : { mentions }),
    ...replyTo,
  };
  const row = await ingestWithFiles(room, person, event, input.uploads ?? []);
  return room.messages.current(row, person.id);
}

/** The files are stored in the commit of the message, and wait no more then. */
async function ingestWithFiles(
  room: WebRoom,
  person: Person,
  event: Extract<ChatEvent, { type: 'message' }>,
  ids: readonly string[],
): Promise<LogRow> {
  const { store, filesToCome } = room.context;
  // A repeat has its files already.
  if (ids.length === 0 || (await store.get('log', event.eventId)) !== undefined)
    return ingestAct(room, event);
  const files = room.uploads.find(person.id, ids);
  if (files === undefined) throw uploadGone();
  if (files.reduce((sum, { bytes }) => sum + bytes, 0) > WEB_CHAT_LIMITS.filesBytes)
    throw invalidInput(`The files of one message are larger than ${WEB_CHAT_LIMITS.filesBytes} bytes`);
  filesToCome.set(event.eventId, files);
  try {
    const row = await ingestAct(room, { ...event, attachments: files.map(attachmentOf) });
    for (const id of ids) room.uploads.remove(person.id, id);
    return row;
  } finally {
    filesToCome.delete(event.eventId);
  }
}

export async function editMessage(
  room: WebRoom,
  person: Person,
  { key, eventId, text }: { key: string; eventId: string; text: string },
): Promise<void> {
  const row = await ownMessage(room, person, eventId, 'edit');
  if ((await room.messages.amendments(row.conversation)).of(eventId).deleted) throw noSuch('message');
  const mentions = (await room.names()).mentionsIn(text);
  await ingestAct(room, {
    ...(await eventBase(room, person, row.record.event, key)),
    type: 'edit',
    targetEventId: eventId,
    text: text.toWellFormed(),
    mentions,
  });
}

export async function deleteMessage(
  room: WebRoom,
  person: Person,
  { key, eventId }: { key: string; eventId: string },
): Promise<void> {
  const row = await ownMessage(room, person, eventId, 'delete');
  if ((await room.messages.amendments(row.conversation)).of(eventId).deleted) return;
  const about = { type: 'delete' as const, targetEventId: eventId };
  await ingestAct(room, { ...(await eventBase(room, person, row.record.event, key)), ...about });
}

export async function reactToMessage(
  room: WebRoom,
  person: Person,
  wanted: { key: string; eventId: string; signal: Signal; remove?: boolean | undefined },
): Promise<void> {
  const { key, eventId, signal, remove: removed = false } = wanted;
  const row = await messageFor(room, person.id, eventId);
  refuseClosed(room, row.record.event);
  const { reactions, deleted } = (await room.messages.amendments(row.conversation)).of(eventId);
  if (deleted) throw noSuch('message');
  const given = (reactions.get(signal) ?? []).some(({ id, kind }) => kind === 'human' && id === person.id);
  if (given === !removed) return; // nothing changes
  await ingestAct(room, {
    ...(await eventBase(room, person, row.record.event, key)),
    type: 'reaction',
    targetEventId: eventId,
    signal,
    ...(removed ? { removed } : {}),
  });
}

/** A typing event never creates a conversation. */
export async function reportTyping(room: WebRoom, person: Person, id: string, is: boolean): Promise<void> {
  const { place } = await openConversationFor(room, person.id, id);
  if (room.conversations.get(keyOfId(id)) === undefined) return;
  const key = room.context.random.id();
  const { membership: _, ...event } = await eventBase(room, person, place, key);
  await ingestAct(room, { ...event, type: 'typing', typing: is });
}

export type NewConversation =
  | { kind: 'channel'; name: string }
  | { kind: 'dm'; with: string }
  | { kind: 'thread'; parent: string };

export async function createConversation(
  room: WebRoom,
  person: Person,
  wanted: NewConversation,
): Promise<WebConversation> {
  const place = await placeFor(room, person, wanted);
  const known = room.conversations.get(keyOfId(place.conversation.id));
  if (known !== undefined && room.conversations.closed(known.place) === 'deleted')
    throw invalidInput('name: a channel of this name was deleted: choose another name');
  if (known === undefined && wanted.kind === 'channel') {
    const channels = room.conversations.listed(person.id).filter((one) => isChannel(one.place));
    if (channels.length >= CHANNELS_MAX)
      throw invalidInput(`There are ${CHANNELS_MAX} channels: use one of them`);
    await openChannel(room, person, place);
  }
  return room.conversations.webConversation(known ?? { place, lastAt: 0 }, person.id, await room.names());
}

/** Writes the first record of a channel. Its id depends only on the channel, so two people who create it make one. */
export async function openChannel(room: WebRoom, person: Person, place: Place): Promise<void> {
  const event = await eventBase(room, person, place, '');
  await ingestAct(room, {
    ...event,
    eventId: hostId('web', `channel_${place.conversation.id}`),
    type: 'membership',
    change: 'joined',
  });
}

function isChannel({ conversation }: Place): boolean {
  return conversation.kind === 'channel';
}

async function placeFor(room: WebRoom, person: Person, wanted: NewConversation): Promise<Place> {
  switch (wanted.kind) {
    case 'channel': {
      const title = printableLine(wanted.name.replace(/^[\s#]+/, ''), WEB_CHAT_LIMITS.nameChars);
      const id = channelId(title);
      if (id === '') throw invalidInput('name: expected letters or digits, such as "releases"');
      return channelPlace(id, title);
    }
    case 'dm': {
      const other = parseIdentity(wanted.with);
      if (other === undefined || (other.kind !== 'human' && other.kind !== 'agent')) {
        throw invalidInput('with: expected "human:ID" or "agent:ID"');
      }
      const party = { kind: other.kind, id: other.id };
      if (!(await isSomebody(room, party))) throw noSuch(party.kind === 'human' ? 'person' : 'agent');
      if (party.kind === 'human' && party.id === person.id)
        throw invalidInput('with: expected somebody else');
      return webDirectPlace(directId(person.id, party));
    }
    case 'thread': {
      const root = await messageFor(room, person.id, wanted.parent);
      const { conversation } = root.record.event;
      if (conversation.kind !== 'channel') throw invalidInput('parent: threads hang on messages of channels');
      return threadPlace(root.key, conversation.id);
    }
  }
}

export async function eventBase(
  { context, people }: WebRoom,
  { id, name: before }: Person,
  { platform, workspaceId, conversation }: Place,
  key: string,
) {
  // The person may have another name since the tab signed in.
  const { name } = (await people.all()).get(id) ?? { name: before };
  const where = surfacePlace({ platform, workspaceId, conversation });
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
  return hostId('web', hash.slice(0, 22));
}

async function ownMessage(room: WebRoom, person: Person, eventId: string, act: string): Promise<LogRow> {
  const row = await messageFor(room, person.id, eventId);
  if (row.author !== `human:${person.id}`) throw notYours(act);
  refuseClosed(room, row.record.event);
  return row;
}

/** Ingests the event and returns its row. A repeat returns the first row. A key that was used otherwise is refused. */
export async function ingestAct(room: WebRoom, event: ChatEvent): Promise<LogRow> {
  const [result] = await room.door.ingest([event]);
  if (result === undefined) throw new Error('the door gave no result');
  if (result.status === 'refused') throw notTaken(result);
  const row = await room.context.store.get('log', result.eventId);
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
  // A scrubbed text is gone, and a pairing code is never stored. Neither can be compared.
  return said === undefined || again === undefined || said === again || isPairingText(again);
}
