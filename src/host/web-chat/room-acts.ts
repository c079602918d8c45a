// What people do about a channel: give it another name, archive it, bring it back, delete it. Each is a membership
// record of the channel, so that the log tells who did it and a restart keeps it. Deleting scrubs every text as deleting
// a message does. Until that is done the channel is archived, so that a deletion that was cut short can be made again.
// What was on its way to agents is withdrawn right after the record; a tab repeats an act that was not answered, and the
// repeat withdraws too.
import type { Place } from '../../attention/index.ts';
import { printableLine } from '../../protocol/identity.ts';
import { WEB_CHAT_LIMITS, type WebConversation } from '../../protocol/web-chat.ts';
import type { LogRow } from '../../store/tables.ts';
import { eventBase, ingestAct } from './acts.ts';
import type { KnownConversation } from './conversations.ts';
import type { Person } from './people.ts';
import { FIRST_CHANNEL, channelId, keyOfId } from './places.ts';
import { invalidInput, notAllowed } from './refusals.ts';
import type { WebRoom } from './room.ts';
import { conversationFor } from './where.ts';

export type RoomAct = { key: string; conversation: string } & (
  | { act: 'rename'; name: string }
  | { act: 'archive' }
  | { act: 'restore' }
  | { act: 'delete'; name: string }
);

export async function changeRoom(room: WebRoom, person: Person, wanted: RoomAct): Promise<WebConversation> {
  const known = await channelFor(room, person, wanted.conversation);
  const { conversation } = known.place;
  const { retired: _, ...open } = conversation;
  switch (wanted.act) {
    case 'rename':
      return record(room, person, known, wanted.key, {
        ...conversation,
        title: nameFor(room, known, wanted.name),
      });
    case 'archive':
      refuseFirst(conversation.id);
      return archive(room, person, known, wanted.key);
    case 'restore':
      return record(room, person, known, wanted.key, open);
    case 'delete': {
      const { mayDelete } = await room.conversations.webConversation(known, person.id, await room.names());
      if (mayDelete !== true)
        throw notAllowed(
          'delete',
          'Only whoever made a channel, or an operator, can delete it. You can archive it.',
        );
      return deleteChannel(room, person, wanted);
    }
  }
}

/**
 * `person` is whoever deletes it: its maker, or an operator. The name is written once more, so nobody does it by mistake.
 * `audit` runs when it may be deleted and nothing is removed yet.
 */
export async function deleteChannel(
  room: WebRoom,
  person: Person,
  { conversation: id, key, name }: { conversation: string; key: string; name: string },
  audit: () => Promise<void> = async () => undefined,
): Promise<WebConversation> {
  const known = await channelFor(room, person, id);
  const { conversation } = known.place;
  refuseFirst(conversation.id);
  const title = conversation.title ?? conversation.id;
  if (name.replace(/^[\s#]+/, '').trim() !== title) throw invalidInput(`name: write "${title}" to delete it`);
  await audit();
  await archive(room, person, known, `${key} archived`);
  await scrubRoom(room, person, known);
  return record(room, person, known, key, { ...conversation, retired: 'deleted' });
}

async function channelFor(room: WebRoom, person: Person, id: string): Promise<KnownConversation> {
  const known = await conversationFor(room, person.id, id);
  if (known.place.conversation.kind !== 'channel')
    throw invalidInput('Only channels are renamed, archived and deleted');
  return known;
}

async function archive(
  room: WebRoom,
  person: Person,
  known: KnownConversation,
  key: string,
): Promise<WebConversation> {
  const { conversation } = known.place;
  const archived = await record(room, person, known, key, { ...conversation, retired: 'archived' });
  for (const one of conversationsIn(room, known)) await room.withdraw(one);
  return archived;
}

/** The channel and its threads. */
function conversationsIn(room: WebRoom, { key, place }: KnownConversation): string[] {
  return [key, ...room.conversations.threadsOf(place.conversation.id).map((thread) => thread.key)];
}

async function record(
  room: WebRoom,
  person: Person,
  known: KnownConversation,
  key: string,
  conversation: Place['conversation'],
): Promise<WebConversation> {
  const place = { ...known.place, conversation };
  await ingestAct(room, { ...(await eventBase(room, person, place, key)), type: 'membership' });
  const after = { place, lastAt: known.lastAt };
  return room.conversations.webConversation(after, person.id, await room.names());
}

function nameFor(room: WebRoom, { key }: KnownConversation, given: string): string {
  const title = printableLine(given.replace(/^[\s#]+/, ''), WEB_CHAT_LIMITS.nameChars);
  const id = channelId(title);
  if (id === '') throw invalidInput('name: expected letters or digits, such as "releases"');
  const isTaken = room.conversations
    .channels()
    .some((one) => one.key !== key && channelId(one.place.conversation.title ?? '') === id);
  if (isTaken || (keyOfId(id) !== key && room.conversations.get(keyOfId(id)) !== undefined))
    throw invalidInput(`A channel is called "${title}", or was: choose another name`);
  return title;
}

function refuseFirst(id: string): void {
  if (id === FIRST_CHANNEL) throw invalidInput(`#${id} stays: everybody begins there`);
}

/** Log rows in one read. */
const ROWS = 200;

/** Deletes every message of the channel and of its threads that is not deleted yet. */
async function scrubRoom(room: WebRoom, person: Person, known: KnownConversation): Promise<void> {
  for (const conversation of conversationsIn(room, known)) {
    for (let after = 0, more = true; more; ) {
      const rows = await room.context.store.scan('log', 'byConversation', {
        eq: [conversation],
        after,
        limit: ROWS,
      });
      for (const row of rows) if (row.type === 'message') await scrubMessage(room, person, row);
      after = rows.at(-1)?.seq ?? after;
      more = rows.length === ROWS;
    }
  }
}

async function scrubMessage(room: WebRoom, person: Person, row: LogRow): Promise<void> {
  if ((await room.messages.amendments(row.conversation)).of(row.key).deleted) return;
  const base = await eventBase(room, person, row.record.event, `room-deleted ${row.key}`);
  await ingestAct(room, { ...base, type: 'delete', targetEventId: row.key });
}
