// Finds messages by their words, for one person: in the conversations that the person may see, as the messages read
// now. What others say to each other privately is left out before anything is counted, so no answer depends on it.
import { printableLine } from '../../protocol/identity.ts';
import { WEB_CHAT_LIMITS, type WebChatResult } from '../../protocol/web-chat.ts';
import { containsRuns, foldWords, soughtRuns } from '../../store/search-words.ts';
import type { LogRow } from '../../store/tables.ts';
import { excerptOf } from './excerpt.ts';
import type { Person } from './people.ts';
import { isWebKey, keyOfId, personMaySee, webDirectParties } from './places.ts';
import { invalidInput } from './refusals.ts';
import type { WebRoom } from './room.ts';

/** Hits in one read of the index. */
const ROWS = 100;
/** The most reads for one answer. The cursor goes on after them. */
const READS = 20;

interface Sought {
  words: string;
  conversation?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}
type Found = WebChatResult<'search'>['found'][number];

export async function searchMessages(
  room: WebRoom,
  person: Person,
  { words, conversation, cursor, limit }: Sought,
): Promise<WebChatResult<'search'>> {
  const runs = soughtRuns(words);
  if (runs.length === 0) throw invalidInput('words: expected letters or digits');
  const { store } = room.context;
  const key = conversation === undefined ? undefined : keyOfId(conversation);
  const filter = { words, types: ['message', 'edit'], ...(key === undefined ? {} : { conversation: key }) };
  const found: Found[] = [];
  // What a commit under way may still put before a newer row is left for the next search.
  let before = cursor === undefined ? (await store.horizon()) + 1 : Number(cursor);
  for (let read = 0; read < READS; read++) {
    const range = { limit: ROWS, descending: true, before };
    const { rows, reached } = await store.log.find(filter, range);
    for (const row of rows) {
      before = row.position;
      const hit = await hitOf(room, person, row, runs);
      if (hit !== undefined) found.push(hit);
      if (found.length === limit) return { found, cursor: String(row.position) };
    }
    if (reached === undefined) return { found };
    before = reached;
  }
  return { found, cursor: String(before) };
}

/** The message of a row, if the person may see it and the row is how it reads now. An edit stands for its message. */
async function hitOf(
  room: WebRoom,
  person: Person,
  row: LogRow,
  runs: readonly (readonly string[])[],
): Promise<Found | undefined> {
  const { event } = row.record;
  if (!isWebKey(row.conversation) || !personMaySee(person.id, event.conversation.id)) return undefined;
  const eventId = event.type === 'edit' ? event.targetEventId : row.key;
  const { editIds, deleted } = (await room.messages.amendments(row.conversation)).of(eventId);
  // Only the newest wording counts, so a message is found once.
  if (deleted || (editIds.at(-1) ?? eventId) !== row.key) return undefined;
  const said = event.type === 'edit' ? await room.context.store.get('log', eventId) : row;
  if (said?.type !== 'message' || said.conversation !== row.conversation) return undefined;
  const { author, text, at } = await room.messages.current(said, person.id);
  if (!containsRuns(foldWords(text), runs)) return undefined;
  const place = await placeFor(room, person, said);
  return { eventId, conversation: place, author, at, ...excerptOf(text, runs, WEB_CHAT_LIMITS.excerptChars) };
}

async function placeFor(room: WebRoom, person: Person, row: LogRow): Promise<Found['conversation']> {
  const { id, kind, parentId, title = id } = row.record.event.conversation;
  const parties = webDirectParties(id);
  if (parties !== undefined) {
    const other = parties.find((party) => party.kind !== 'human' || party.id !== person.id) ?? parties[0];
    return { id, kind: 'dm', title: (await room.names()).author(other).name };
  }
  if (kind === 'thread' && parentId !== undefined)
    return { id, kind: 'thread', title: titleOf(room, parentId, parentId), parentId };
  return { id, kind: 'channel', title: titleOf(room, id, title) };
}

function titleOf({ conversations, clean }: WebRoom, id: string, given: string): string {
  const title = conversations.get(keyOfId(id))?.place.conversation.title ?? given;
  return printableLine(clean(title), WEB_CHAT_LIMITS.nameChars);
}
