// Applies each piece of the host's news to the state of the chat.
import type { WebChatNews, WebConversation, WebMessage } from '../../../protocol/web-chat.ts';
import { TYPING_MS, UNREAD_MAX } from '../limits.ts';
import type { Amendment } from './amendment.ts';
import { countedAs, inList, inRoom, withConversation, withPerson } from './change.ts';
import { grown, withoutAnswer } from './growing.ts';
import { withAmendment, withMessage } from './room.ts';
import { matched } from './sends.ts';
import type { ChatState, ChatNews } from './state.ts';

export function withNews(state: ChatState, news: ChatNews, nowMs: number): ChatState {
  switch (news.name) {
    case 'message':
      return heard(at(state, news.news.position), news.news);
    case 'edited': {
      const { position, conversation, eventId, text, mentions, editedAt } = news.news;
      return amend(at(state, position), conversation, eventId, { edit: { text, mentions, editedAt } });
    }
    case 'deleted': {
      const { position, conversation, eventId } = news.news;
      return amend(at(state, position), conversation, eventId, { deleted: true });
    }
    case 'reaction': {
      const { position, conversation, eventId, signal, glyph, by, removed } = news.news;
      return amend(at(state, position), conversation, eventId, {
        reactions: [{ signal, glyph, by, removed }],
      });
    }
    case 'state': {
      const { conversation, eventId, states, why = null, question = null } = news.news;
      return amend(state, conversation, eventId, { states, why, question });
    }
    case 'conversation':
      return opened(at(state, news.news.position), news.news.conversation);
    case 'growing':
      return { ...state, growing: grown(state.growing, news.news) };
    case 'withdrawn':
      return { ...state, growing: withoutAnswer(state.growing, news.news.eventId) };
    case 'typing':
      return typed(state, news.news, nowMs);
    case 'presence':
      return present(state, news.news);
  }
}

/** The messages of a new conversation follow and are counted as they come. */
function opened(state: ChatState, conversation: WebConversation): ChatState {
  return withConversation(state, countedAs(conversation, state.conversations.get(conversation.id)));
}

function heard(state: ChatState, { message, position }: WebChatNews<'message'>): ChatState {
  const { conversation: id, author, at: time, eventId } = message;
  const isOwn = author.kind === 'human' && author.id === state.me?.id;
  const isNew =
    Number(position) > state.countedTo &&
    state.rooms.get(id)?.held.some((one) => one.message.eventId === eventId) !== true;
  let next = inRoom(state, id, (room) => withMessage(room, message, Number(position)));
  next = inList(next, id, (conversation) => ({
    ...conversation,
    lastAt: time > (conversation.lastAt ?? '') ? time : (conversation.lastAt ?? time),
    ...(isOwn || !isNew || state.watching === id ? {} : oneMore(conversation, message, state.me?.id)),
  }));
  next = withReply(next, message);
  // The author of a message is no longer typing.
  const typing = next.typing.filter((one) => one.conversation !== id || one.author.id !== author.id);
  const growing = author.kind === 'human' ? next.growing : withoutAnswer(next.growing, eventId);
  return { ...next, typing, growing, sends: isOwn ? matched(next.sends, message) : next.sends };
}

function oneMore(
  { unread, mentioned = 0, firstUnread }: WebConversation,
  message: WebMessage,
  me: string | undefined,
): Partial<WebConversation> {
  if (unread === undefined) return {};
  return {
    unread: Math.min(UNREAD_MAX, unread + 1),
    mentioned: mentioned + (mentionsMe(message, me) ? 1 : 0),
    firstUnread: firstUnread ?? message.eventId,
  };
}

/** By name, or as everybody. */
export function mentionsMe({ mentions }: Pick<WebMessage, 'mentions'>, me: string | undefined): boolean {
  return mentions.some(({ kind, id }) => kind === 'broadcast' || (kind === 'human' && id === me));
}

/** A message in a thread is counted at the message that the thread belongs to. */
function withReply(state: ChatState, { conversation: id, at: time }: WebMessage): ChatState {
  const conversation = state.conversations.get(id);
  if (conversation?.kind !== 'thread' || conversation.parentId === undefined) return state;
  return inRoom(state, conversation.parentId, (room) => ({
    ...room,
    held: room.held.map((one) => {
      if (one.message.eventId !== id) return one;
      const { thread = { conversation: id, replies: 0, lastAt: '' } } = one.message;
      // The page has counted it already.
      if (time <= thread.lastAt) return one;
      return {
        ...one,
        message: { ...one.message, thread: { ...thread, replies: thread.replies + 1, lastAt: time } },
      };
    }),
  }));
}

function typed(
  state: ChatState,
  { conversation, author, typing }: WebChatNews<'typing'>,
  nowMs: number,
): ChatState {
  if (author.kind === 'human' && author.id === state.me?.id) return state;
  const others = state.typing.filter(
    (one) => one.conversation !== conversation || one.author.id !== author.id,
  );
  return {
    ...state,
    typing: typing ? [...others, { conversation, author, untilMs: nowMs + TYPING_MS }] : others,
  };
}

function present(state: ChatState, news: WebChatNews<'presence'>): ChatState {
  if (news.kind === 'human') {
    return withPerson(state, news.person);
  }
  const agent = state.agents.get(news.agent);
  if (agent === undefined) return state;
  return {
    ...state,
    agents: new Map([...state.agents, [agent.id, { ...agent, connected: news.connected }]]),
  };
}

/** News may come twice after a gap. The position never goes back. */
function at(state: ChatState, position: string): ChatState {
  return Number(position) > Number(state.position ?? 0) ? { ...state, position } : state;
}

function amend(state: ChatState, conversation: string, eventId: string, amendment: Amendment): ChatState {
  const next = inRoom(state, conversation, (room) => withAmendment(room, eventId, amendment));
  // The message that a thread belongs to is shown in the thread too.
  return next.rooms.has(eventId)
    ? inRoom(next, eventId, (room) => withAmendment(room, eventId, amendment))
    : next;
}
