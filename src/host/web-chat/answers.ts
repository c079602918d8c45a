// The methods of a tab that has signed in. Each reads its params, acts, and returns the answer. Refusals are thrown, and
// the tab sends them (tab.ts).
import type { z } from 'zod';
import { readParams } from '../../protocol/read-params.ts';
import {
  WEB_CHAT_LIMITS,
  WEB_CHAT_METHODS,
  type WebChatMethod,
  type WebChatResult,
} from '../../protocol/web-chat.ts';
import * as acts from './acts.ts';
import type { Person } from './people.ts';
import { invitePerson, renamePerson } from './person-acts.ts';
import { markRead, unreadSince } from './read-marks.ts';
import { readFile } from './files.ts';
import { choose } from './questions.ts';
import { changeRoom } from './room-acts.ts';
import { Refused, noSuch } from './refusals.ts';
import type { WebRoom } from './room.ts';
import { webGrowing } from './growing.ts';
import { searchMessages } from './search.ts';
import { conversationFor, messageFor } from './where.ts';

export type AskedMethod = Exclude<WebChatMethod, 'hello' | 'ping'>;
type Answers = { [M in AskedMethod]: (params: unknown) => Promise<WebChatResult<M>> };

/** Each kind has a limit of its own (serve.ts). Writes run in the order in which they arrive. */
export const METHOD_KIND: Readonly<Record<AskedMethod, 'read' | 'write' | 'search'>> = {
  open: 'read',
  search: 'search',
  find: 'read',
  file: 'read',
  post: 'write',
  edit: 'write',
  delete: 'write',
  react: 'write',
  choose: 'write',
  create: 'write',
  change: 'write',
  invite: 'write',
  rename: 'write',
  typing: 'read',
  read: 'read',
};

export function createAnswers(room: WebRoom, person: Person): Answers {
  const { clock, store, apply } = room.context;
  const typed = new Map<string, { at: number; typing: boolean }>();
  return {
    async open(params) {
      const { conversation: id, before, limit } = readWebParams('open', params);
      const known = await conversationFor(room, person.id, id);
      const from = before === undefined ? undefined : await messageFor(room, person.id, before);
      if (from !== undefined && from.conversation !== known.key) throw noSuch('message');
      const { kind } = known.place.conversation;
      const root = kind === 'thread' ? await store.get('log', id) : undefined;
      const conversation = await room.conversations.webConversation(known, person.id, await room.names());
      const page = await room.messages.page(known.key, person.id, from?.seq, limit);
      room.loaded(page.messages);
      const above = root && { root: await room.messages.current(root, person.id) };
      // Read last: what grows after this is told, and a tab has the answer by then.
      const growing = webGrowing(room.growing.at(known.key), known, await room.names());
      return { conversation, ...page, ...above, ...(growing.length > 0 && { growing }) };
    },
    search: (params) => searchMessages(room, person, readWebParams('search', params)),
    async find(params) {
      const row = await messageFor(room, person.id, readWebParams('find', params).eventId);
      const known = await conversationFor(room, person.id, row.record.event.conversation.id);
      const conversation = await room.conversations.webConversation(known, person.id, await room.names());
      return { conversation, message: await room.messages.current(row, person.id) };
    },
    file: (params) => readFile(room, person, readWebParams('file', params)),
    post: async (params) => ({
      message: await acts.postMessage(room, person, readWebParams('post', params)),
    }),
    async edit(params) {
      const wanted = readWebParams('edit', params);
      await acts.editMessage(room, person, wanted);
      return { eventId: wanted.eventId };
    },
    async delete(params) {
      const wanted = readWebParams('delete', params);
      await acts.deleteMessage(room, person, wanted);
      return { eventId: wanted.eventId };
    },
    async react(params) {
      const wanted = readWebParams('react', params);
      await acts.reactToMessage(room, person, wanted);
      return { eventId: wanted.eventId };
    },
    choose: (params) => choose(room, person, readWebParams('choose', params)),
    async typing(params) {
      const { conversation, typing } = readWebParams('typing', params);
      const last = typed.get(conversation);
      const now = clock.now();
      const tooSoon = last !== undefined && now - last.at < WEB_CHAT_LIMITS.typingEveryMs;
      if (typing ? tooSoon : last?.typing !== true) return {};
      if (typed.size > CONVERSATIONS_TYPED_IN) typed.clear();
      typed.set(conversation, { at: now, typing });
      await acts.reportTyping(room, person, conversation, typing);
      return {};
    },
    create: async (params) => ({
      conversation: await acts.createConversation(room, person, readWebParams('create', params)),
    }),
    invite: (params) => invitePerson(room, person, readWebParams('invite', params).name),
    rename: async (params) => ({
      me: await renamePerson(room, person, readWebParams('rename', params).name),
    }),
    change: async (params) => ({
      conversation: await changeRoom(room, person, readWebParams('change', params)),
    }),
    async read(params) {
      const { conversation: id, eventId } = readWebParams('read', params);
      const { key } = await conversationFor(room, person.id, id);
      const row = await messageFor(room, person.id, eventId);
      if (row.conversation !== key) throw noSuch('message');
      await markRead(apply, person.id, key, row.seq);
      return unreadSince(store, person.id, key);
    },
  };
}

/** Conversations whose last typing event is remembered. With more, all are forgotten and one may pass too early. */
const CONVERSATIONS_TYPED_IN = 100;

export function readWebParams<M extends WebChatMethod>(
  method: M,
  params: unknown,
): z.output<(typeof WEB_CHAT_METHODS)[M]['params']> {
  const outcome = readParams(WEB_CHAT_METHODS[method].params, params);
  if (!outcome.ok) throw new Refused(outcome.error);
  return outcome.value as z.output<(typeof WEB_CHAT_METHODS)[M]['params']>;
}
