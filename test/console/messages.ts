// Messages and news as the host tells them, for tests of what the page makes of them.
import type {
  WebChatNews,
  WebChatNotification,
  WebChatResult,
  WebMessage,
} from '../../src/protocol/web-chat.ts';
import {
  INITIAL,
  reduce,
  type ChatAction,
  type ChatState,
  type ChatNews,
} from '../../src/console/chat/state/state.ts';

export const ADA = { id: 'ada', kind: 'human', name: 'Ada' } as const;
export const BOB = { id: 'bob', kind: 'human', name: 'Bob' } as const;
export const LEAD = { id: 'lead', kind: 'agent', name: 'Lead' } as const;

/** The n-th message of a conversation; its time and its id follow from n. */
export function said(n: number, more: Partial<WebMessage> = {}): WebMessage {
  return {
    eventId: `e${n}`,
    conversation: 'general',
    author: BOB,
    text: `message ${n}`,
    at: new Date(1_000_000 + n * 1_000).toISOString(),
    mentions: [],
    reactions: [],
    states: [],
    ...more,
  };
}

export function hello(more: Partial<WebChatResult<'hello'>> = {}): ChatAction {
  const general = { id: 'general', kind: 'channel', title: 'general', agents: ['lead'], unread: 0 } as const;
  return {
    type: 'hello',
    hello: {
      me: { id: 'ada', name: 'Ada', connected: true },
      mayInvite: false,
      instance: 'i1',
      position: '100',
      resumed: false,
      people: [{ id: 'ada', name: 'Ada', connected: true }],
      agents: [{ id: 'lead', name: 'Lead', aliases: ['boss'], roles: ['oncall'], connected: true }],
      roles: [{ name: 'oncall', agents: ['lead'] }],
      broadcasts: ['here'],
      signals: [],
      conversations: [{ ...general, agents: [...general.agents] }],
      ...more,
    },
  };
}

export function news<N extends WebChatNotification>(name: N, what: WebChatNews<N>): ChatAction {
  return { type: 'news', news: { name, news: what } as ChatNews, nowMs: 0 };
}

export function told(n: number, position = 100 + n, more: Partial<WebMessage> = {}): ChatAction {
  return news('message', { position: String(position), message: said(n, more) });
}

export function page(messages: readonly WebMessage[], more = false, before?: string): ChatAction {
  const conversation = {
    id: 'general',
    kind: 'channel' as const,
    title: 'general',
    agents: ['lead'],
    unread: 0,
  };
  return { type: 'page', conversation, page: { messages, more, before } };
}

export function after(actions: readonly ChatAction[], from: ChatState = INITIAL): ChatState {
  return actions.reduce(reduce, from);
}

export function shown(state: ChatState, conversation = 'general'): string[] {
  return (state.rooms.get(conversation)?.held ?? []).map(({ message }) => message.eventId);
}

export function find(state: ChatState, eventId: string, conversation = 'general'): WebMessage | undefined {
  return state.rooms.get(conversation)?.held.find(({ message }) => message.eventId === eventId)?.message;
}
