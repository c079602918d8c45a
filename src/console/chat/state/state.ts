// Everything the chat of one tab knows, and how each action changes it. Pure: the same actions give the same state.
// News comes in order and at least once; a message is shown once, even if it comes twice.
import type {
  WebAgent,
  WebAuthor,
  WebChatNews,
  WebChatNotification,
  WebChatResult,
  WebConversation,
  WebMessage,
  WebPerson,
} from '../../../protocol/web-chat.ts';
import type { Amendment } from './amendment.ts';
import { countedAs, inList, inRoom, withConversation, withPerson } from './change.ts';
import { type GrowingState, NOTHING_GROWS, withGrowing } from './growing.ts';
import { withNews } from './news.ts';
import { type Page, type RoomState, withOwn, withPage } from './room.ts';
import type { Send } from './sends.ts';

type Hello = WebChatResult<'hello'>;

/** `lost`: the connection is gone and comes back by itself. `refused`: only another token helps. */
export type Status = 'connecting' | 'live' | 'lost' | 'refused';

export interface ChatState {
  status: Status;
  /** Why it is not live, in words. */
  problem?: string;
  me?: Hello['me'];
  /** The settings let this person invite others. */
  mayInvite: boolean;
  instance?: string;
  /** The newest position in the news. The connection resumes from it. */
  position?: string;
  /** The position of the log at `hello`. Its counts include all older news. */
  countedTo: number;
  people: ReadonlyMap<string, WebPerson>;
  agents: ReadonlyMap<string, WebAgent>;
  roles: Hello['roles'];
  broadcasts: readonly string[];
  signals: Hello['signals'];
  conversations: ReadonlyMap<string, WebConversation>;
  rooms: ReadonlyMap<string, RoomState>;
  sends: readonly Send[];
  typing: readonly Typing[];
  /** Answers that agents are writing. */
  growing: GrowingState;
  /** The conversation whose end is on the screen. Nothing there is unread. */
  watching?: string;
}

export interface Typing {
  conversation: string;
  author: WebAuthor;
  untilMs: number;
}

export type ChatNews = { [N in WebChatNotification]: { name: N; news: WebChatNews<N> } }[WebChatNotification];

export type ChatAction =
  | { type: 'status'; status: Status; problem?: string }
  | { type: 'hello'; hello: Hello }
  | { type: 'news'; news: ChatNews; nowMs: number }
  | { type: 'reading'; conversation: string }
  | { type: 'page'; conversation: WebConversation; page: Page }
  | { type: 'no_page'; conversation: string; problem?: string }
  | { type: 'conversation'; conversation: WebConversation }
  | { type: 'send'; send: Send }
  | { type: 'sent'; key: string; message: WebMessage }
  | { type: 'not_sent'; key: string; problem: string }
  | { type: 'resend'; key: string }
  | { type: 'discard'; key: string }
  | { type: 'watching'; conversation: string | undefined }
  | { type: 'read'; conversation: string; unread: WebChatResult<'read'> }
  | { type: 'me'; me: WebPerson }
  | { type: 'tick'; nowMs: number };

export const INITIAL: ChatState = {
  status: 'connecting',
  countedTo: 0,
  mayInvite: false,
  people: new Map(),
  agents: new Map(),
  roles: [],
  broadcasts: [],
  signals: [],
  conversations: new Map(),
  rooms: new Map(),
  sends: [],
  typing: [],
  growing: NOTHING_GROWS,
};

export function reduce(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case 'status': {
      const { problem: _, ...rest } = state;
      const why = action.problem === undefined ? {} : { problem: action.problem };
      // A page that was on its way will not come.
      const rooms = action.status === 'live' ? state.rooms : mapped(state.rooms, notReading);
      // Nothing of a growing answer is kept anywhere: without the host nobody knows whether it goes on.
      const growing = action.status === 'live' ? state.growing : NOTHING_GROWS;
      return { ...rest, ...why, rooms, growing, status: action.status };
    }
    case 'hello':
      return greeted(state, action.hello);
    case 'news':
      return withNews(state, action.news, action.nowMs);
    case 'reading':
      return inRoom(state, action.conversation, (room) => ({ ...room, reading: true }));
    case 'page': {
      const growing = withGrowing(state.growing, action.page.growing ?? []);
      return inRoom(withPageOf({ ...state, growing }, action), action.conversation.id, (room) =>
        withPage(room, action.page),
      );
    }
    case 'no_page':
      return inRoom(state, action.conversation, (room) => ({
        ...notReading(room),
        ...(action.problem === undefined ? {} : { problem: action.problem }),
      }));
    case 'conversation':
      return withConversation(state, action.conversation);
    case 'send':
      return { ...state, sends: [...state.sends, action.send] };
    case 'sent': {
      const next = inRoom(state, action.message.conversation, (room) => withOwn(room, action.message));
      return { ...next, sends: state.sends.filter(({ key }) => key !== action.key) };
    }
    case 'not_sent':
      return withSend(state, action.key, (send) => {
        const { shownAs: _, ...rest } = send;
        return { ...rest, problem: action.problem };
      });
    case 'resend':
      return withSend(state, action.key, (send) => {
        const { problem: _, ...rest } = send;
        return rest;
      });
    case 'discard':
      return { ...state, sends: state.sends.filter(({ key }) => key !== action.key) };
    case 'watching': {
      const { watching: _, ...rest } = state;
      return action.conversation === undefined ? rest : { ...rest, watching: action.conversation };
    }
    case 'read':
      return inList(state, action.conversation, (conversation) => {
        const { firstUnread: _, ...rest } = conversation;
        return { ...rest, ...action.unread };
      });
    case 'me':
      return withPerson({ ...state, me: action.me }, action.me);
    case 'tick': {
      const typing = state.typing.filter(({ untilMs }) => untilMs > action.nowMs);
      return typing.length === state.typing.length ? state : { ...state, typing };
    }
  }
}

/** What is unread was counted before the page was sent. With an older page, the counts of this tab are newer. */
function withPageOf(
  state: ChatState,
  { conversation, page }: Extract<ChatAction, { type: 'page' }>,
): ChatState {
  if (page.before === undefined) return withConversation(state, conversation);
  return withConversation(state, countedAs(conversation, state.conversations.get(conversation.id)));
}

/** After a resumed connection, everything missed follows. Otherwise the messages may have holes and are dropped. */
function greeted(state: ChatState, hello: Hello): ChatState {
  const { resumed, people, agents, roles, broadcasts, signals, me, mayInvite, instance } = hello;
  const listed = hello.conversations.map((one) => [one.id, one] as const);
  const { problem: _, ...rest } = state;
  return {
    ...rest,
    status: 'live',
    me,
    mayInvite,
    instance,
    // Keeps the old position while missed news is still coming, so that a second loss does not skip the rest.
    position: resumed ? (state.position ?? hello.position) : hello.position,
    countedTo: Number(hello.position),
    people: new Map(people.map((one) => [one.id, one])),
    agents: new Map(agents.map((one) => [one.id, one])),
    roles,
    broadcasts,
    signals,
    conversations: new Map([...(resumed ? state.conversations : []), ...listed]),
    rooms: resumed ? mapped(state.rooms, withoutEarlyStates) : new Map(),
    typing: [],
    growing: NOTHING_GROWS,
  };
}

/** What agents do is not sent again after a gap. */
function withoutEarlyStates(room: RoomState): RoomState {
  const early = new Map<string, Amendment>();
  for (const [eventId, { states: _, ...rest }] of room.early) early.set(eventId, rest);
  return { ...notReading(room), early };
}

function withSend(state: ChatState, key: string, change: (send: Send) => Send): ChatState {
  return { ...state, sends: state.sends.map((send) => (send.key === key ? change(send) : send)) };
}

function notReading(room: RoomState): RoomState {
  return room.reading ? { ...room, reading: false } : room;
}

function mapped(rooms: ChatState['rooms'], change: (room: RoomState) => RoomState): ChatState['rooms'] {
  return new Map([...rooms].map(([id, room]) => [id, change(room)]));
}

/** The person's own newest message in a conversation. The up arrow edits it. */
export function lastOwnIn({ rooms, me }: ChatState, conversation: string): WebMessage | undefined {
  const held = rooms.get(conversation)?.held ?? [];
  return held.findLast(
    ({ message: { author, deleted } }) => author.kind === 'human' && author.id === me?.id && deleted !== true,
  )?.message;
}

/** Whether a channel, or the channel of a thread, is archived. */
export function isArchived({ conversations }: Pick<ChatState, 'conversations'>, id: string): boolean {
  const one = conversations.get(id);
  return (one?.closed ?? conversations.get(one?.parentId ?? '')?.closed) !== undefined;
}
