// A conversation as the host keeps it: where it is, which surface it came from, and its attention state. One state key
// per conversation, and that key is the unit of order and of locking.
import {
  type AttentionState,
  type Place,
  decodeState,
  emptyState,
  encodeState,
} from '../../attention/index.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import type { StateCodec, Store, UnitView } from '../../store/store.ts';

export interface ConversationState {
  place: Place;
  /** The surface that brought it; sends go back there. */
  surface: string;
  attention: AttentionState;
}

/** The surface of conversations among agents: what is sent there is visible at once. */
export const INTERNAL_SURFACE = 'earshot';
const DIRECT = /^dm:([^:]+):([^:]+)$/;

/** Who two agents' own conversation is between; undefined for every other place. */
export function directParties({ platform, conversation }: Place): readonly string[] | undefined {
  if (platform !== INTERNAL_SURFACE || conversation.kind !== 'dm') return undefined;
  return DIRECT.exec(conversation.id)?.slice(1);
}

export const OBLIGATIONS_KEY = 'obligations';
const CONVERSATION_PREFIX = 'c/';
const AGENT_PREFIX = 'agent/';

export function agentStateKey(agent: string): string {
  return `${AGENT_PREFIX}${agent}`;
}

export function conversationKeyOf(place: Place): string {
  return conversationKeyFor(place.platform, place.workspaceId, place.conversation.id);
}

export function conversationKeyFor(platform: string, workspaceId: string, id: string): string {
  return `${CONVERSATION_PREFIX}${part(platform)}/${part(workspaceId)}/${part(id)}`;
}

export function isConversationKey(key: string): boolean {
  return key.startsWith(CONVERSATION_PREFIX);
}

/** The parts of a conversation key, as the platform names them. The one parser of what conversationKeyFor writes. */
export function parseConversationKey(key: string): { platform: string; workspaceId: string; id: string } {
  const [, platform = '', workspaceId = '', id = ''] = key.split('/');
  return {
    platform: decodeURIComponent(platform),
    workspaceId: decodeURIComponent(workspaceId),
    id: decodeURIComponent(id),
  };
}

/** The keys of all conversations, a page at a time. */
export function conversationKeys(
  store: Pick<Store, 'stateKeys'>,
  after: string,
  limit: number,
): Promise<string[]> {
  return store.stateKeys(CONVERSATION_PREFIX, after, limit);
}

export async function readConversation(
  store: Pick<Store, 'state'>,
  key: string,
): Promise<ConversationState | undefined> {
  return (await store.state(key)) as ConversationState | undefined;
}

/** The conversation as a unit sees it. */
export function conversationIn(view: UnitView, key: string): ConversationState | undefined {
  return view.state(key) as ConversationState | undefined;
}

const PLAIN = /^[\w.:@#!+=-]*$/;

/** Ids hold anything, slashes too; most hold nothing that needs care. */
function part(text: string): string {
  return PLAIN.test(text) ? text : encodeURIComponent(text);
}

export function placeOf(event: Pick<ChatEvent, 'platform' | 'workspaceId' | 'conversation'>): Place {
  const { platform, workspaceId, conversation } = event;
  return { platform, workspaceId, conversation };
}

export function parentKeyOf(place: Place): string | undefined {
  const { parentId } = place.conversation;
  return parentId === undefined ? undefined : conversationKeyFor(place.platform, place.workspaceId, parentId);
}

export function newConversation(place: Place, surface: string): ConversationState {
  return { place, surface, attention: emptyState() };
}

/** Conversations have a compact form of their own; every other state is plain JSON. */
export const hostStateCodec: StateCodec = {
  encode(key, value) {
    if (!isConversationKey(key)) return JSON.stringify(value);
    const { place, surface, attention } = value as ConversationState;
    return `${JSON.stringify({ place, surface })}\n${encodeState(attention)}`;
  },
  decode(key, text) {
    if (!isConversationKey(key)) return JSON.parse(text) as unknown;
    const cut = text.indexOf('\n');
    const { place, surface } = JSON.parse(text.slice(0, cut)) as Pick<ConversationState, 'place' | 'surface'>;
    return { place, surface, attention: decodeState(text.slice(cut + 1)) } satisfies ConversationState;
  },
};
