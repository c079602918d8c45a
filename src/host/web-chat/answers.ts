// What a tab that has signed in may ask, one entry a method: read the params, do it, answer. Refusals are thrown.
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
import { Refused, notFound } from './refusals.ts';
import type { Room } from './room.ts';
import { conversationFor, messageFor } from './where.ts';

export type AskedMethod = Exclude<WebChatMethod, 'hello' | 'ping'>;
type Answers = { [M in AskedMethod]: (params: unknown) => Promise<WebChatResult<M>> };

/** `writes` are limited tighter, and done in the order in which they came. */
export const KIND: Readonly<Record<AskedMethod, 'read' | 'write'>> = {
  open: 'read',
  post: 'write',
  edit: 'write',
  delete: 'write',
  react: 'write',
  create: 'write',
  typing: 'read',
  read: 'read',
};

export function answersFor(room: Room, person: Person): Answers {
  const { clock, store, apply } = room.context;
  const typed = new Map<string, { at: number; typing: boolean }>();
  return {
    async open(params) {
      const { conversation: id, before, limit } = read('open', params);
      const known = await conversationFor(room, person.id, id);
      const from = before === undefined ? undefined : await messageFor(room, person.id, before);
      if (from !== undefined && from.conversation !== known.key) throw notFound('message');
      const { kind } = known.place.conversation;
      const root = kind === 'thread' ? await store.get('log', id) : undefined;
      const conversation = await room.conversations.shown(known, person.id, await room.names());
      const page = await room.messages.page(known.key, from?.seq, limit);
      return { conversation, ...page, ...(root && { root: await room.messages.current(root) }) };
    },
    post: async (params) => ({ message: await acts.post(room, person, read('post', params)) }),
    async edit(params) {
      const wanted = read('edit', params);
      await acts.edit(room, person, wanted);
      return { eventId: wanted.eventId };
    },
    async delete(params) {
      const wanted = read('delete', params);
      await acts.remove(room, person, wanted);
      return { eventId: wanted.eventId };
    },
    async react(params) {
      const wanted = read('react', params);
      await acts.react(room, person, wanted);
      return { eventId: wanted.eventId };
    },
    async typing(params) {
      const { conversation, typing } = read('typing', params);
      const last = typed.get(conversation);
      const now = clock.now();
      const tooSoon = last !== undefined && now - last.at < WEB_CHAT_LIMITS.typingEveryMs;
      if (typing ? tooSoon : last?.typing !== true) return {};
      if (typed.size > CONVERSATIONS_TYPED_IN) typed.clear();
      typed.set(conversation, { at: now, typing });
      await acts.typing(room, person, conversation, typing);
      return {};
    },
    create: async (params) => ({ conversation: await acts.create(room, person, read('create', params)) }),
    async read(params) {
      const { conversation: id, eventId } = read('read', params);
      const { key } = await conversationFor(room, person.id, id);
      const row = await messageFor(room, person.id, eventId);
      if (row.conversation !== key) throw notFound('message');
      await markRead(apply, person.id, key, row.seq);
      return { unread: await unreadSince(store, person.id, key) };
    },
  };
}

/** Remembered for their last sign; beyond, all are forgotten and a sign may come sooner. */
const CONVERSATIONS_TYPED_IN = 100;

export function read<M extends WebChatMethod>(
  method: M,
  params: unknown,
): z.output<(typeof WEB_CHAT_METHODS)[M]['params']> {
  const outcome = readParams(WEB_CHAT_METHODS[method].params, params);
  if (!outcome.ok) throw new Refused(outcome.error);
  return outcome.value as z.output<(typeof WEB_CHAT_METHODS)[M]['params']>;
}
