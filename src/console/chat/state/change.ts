// The basic changes of the chat's state: one conversation, one room.
import type { WebAuthor, WebConversation, WebMessage, WebPerson } from '../../../protocol/web-chat.ts';
import { EMPTY_ROOM, type RoomState } from './room.ts';
import type { ChatState } from './state.ts';

export function withConversation(state: ChatState, conversation: WebConversation): ChatState {
  if (conversation.closed === 'deleted') return withoutChannel(state, conversation);
  return { ...state, conversations: new Map([...state.conversations, [conversation.id, conversation]]) };
}

/** Its threads go with it. Whoever looks at it is told. */
function withoutChannel(state: ChatState, { id, title }: WebConversation): ChatState {
  const isGone = (one: WebConversation): boolean => one.id === id || one.parentId === id;
  const gone = [...state.conversations.values()].filter(isGone).map((one) => one.id);
  const rooms = new Map(state.rooms);
  for (const one of gone) {
    if (rooms.has(one)) rooms.set(one, { ...EMPTY_ROOM, problem: `#${title} was deleted.` });
  }
  const conversations = new Map([...state.conversations].filter(([, one]) => !isGone(one)));
  return { ...state, conversations, rooms };
}

/** The conversation with the counts that this tab had before. */
export function countedAs(
  conversation: WebConversation,
  before: WebConversation | undefined,
): WebConversation {
  if (conversation.unread === undefined) return conversation;
  const { firstUnread: _, ...rest } = conversation;
  const { unread = 0, mentioned = 0, firstUnread } = before ?? {};
  return { ...rest, unread, mentioned, ...(firstUnread === undefined ? {} : { firstUnread }) };
}

export function inList(
  state: ChatState,
  id: string,
  change: (one: WebConversation) => WebConversation,
): ChatState {
  const one = state.conversations.get(id);
  return one === undefined ? state : withConversation(state, change(one));
}

export function inRoom(state: ChatState, id: string, change: (room: RoomState) => RoomState): ChatState {
  return { ...state, rooms: new Map([...state.rooms, [id, change(state.rooms.get(id) ?? EMPTY_ROOM)]]) };
}

/** What is on the screen shows one name throughout, so a new name also reaches the messages and the list. */
export function withPerson(state: ChatState, person: WebPerson): ChatState {
  const before = state.people.get(person.id)?.name;
  const people = new Map([...state.people, [person.id, person]]);
  if (before === undefined || before === person.name) return { ...state, people };
  const { id, name } = person;
  const isMe = state.me?.id === id;
  const rooms = new Map([...state.rooms].map(([key, room]) => [key, renamed(room, id, name)]));
  const conversations = new Map(
    [...state.conversations].map(([key, one]) => {
      const isTheirs = one.kind === 'dm' && !isMe && one.members?.includes(`human:${id}`) === true;
      return [key, isTheirs ? { ...one, title: name } : one];
    }),
  );
  const typing = state.typing.map((one) => ({ ...one, author: called(one.author, id, name) }));
  // The name that the host told of oneself was chosen.
  const me = isMe ? { me: person } : {};
  return { ...state, ...me, people, rooms, conversations, typing };
}

function renamed(room: RoomState, id: string, name: string): RoomState {
  const held = room.held.map((one) => ({ ...one, message: inMessage(one.message, id, name) }));
  return { ...room, held, ...(room.root === undefined ? {} : { root: inMessage(room.root, id, name) }) };
}

function inMessage(message: WebMessage, id: string, name: string): WebMessage {
  const { replyTo } = message;
  const quoted = replyTo?.author;
  return {
    ...message,
    author: called(message.author, id, name),
    ...(replyTo === undefined || quoted === undefined
      ? {}
      : { replyTo: { ...replyTo, author: called(quoted, id, name) } }),
    reactions: message.reactions.map((one) => ({
      ...one,
      by: one.by.map((author) => called(author, id, name)),
    })),
  };
}

function called(author: WebAuthor, id: string, name: string): WebAuthor {
  return author.kind === 'human' && author.id === id ? { ...author, name } : author;
}
