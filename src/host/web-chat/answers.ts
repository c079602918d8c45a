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
import { markRead, unreadSince } from './read-marks.ts';
import { readFile } from './files.ts';
import { Refused, noSuch } from './refusals.ts';
import type { WebRoom } from './room.ts';
import { conversationFor, messageFor } from './where.ts';

export type AskedMethod = Exclude<WebChatMethod, 'hello' | 'ping'>;
type Answers = { [M in AskedMethod]: (params: unknown) => Promise<WebChatResult<M>> };

/** Writes have a tighter limit than reads, and run in the order in which they arrive. */
export const METHOD_KIND: Readonly<Record<AskedMethod, 'read' | 'write'>> = {
  open: 'read',
  file: 'read',
  post: 'write',
  edit: 'write',
  delete: 'write',
  react: 'write',
  create: 'write',
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
      const page = await room.messages.page(known.key, from?.seq, limit);
      return { conversation, ...page, ...(root && { root: await room.messages.current(root) }) };
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
    async read(params) {
      const { conversation: id, eventId } = readWebParams('read', params);
      const { key } = await conversationFor(room, person.id, id);
      const row = await messageFor(room, person.id, eventId);
      if (row.conversation !== key) throw noSuch('message');
      await markRead(apply, person.id, key, row.seq);
      return { unread: await unreadSince(store, person.id, key) };
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
