// The basic changes of the chat's state: one conversation, one room.
import type { WebConversation } from '../../../protocol/web-chat.ts';
import { EMPTY_ROOM, type RoomState } from './room.ts';
import type { ChatState } from './state.ts';

export function withConversation(state: ChatState, conversation: WebConversation): ChatState {
  return { ...state, conversations: new Map([...state.conversations, [conversation.id, conversation]]) };
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
