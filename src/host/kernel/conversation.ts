// A conversation as the host keeps it: its place, the surface it came from, and its attention state. Each conversation
// has one state key, and events are ordered per key. Here are the keys, their stored form, and how a target that an
// agent writes (`thread:ID`, `agent:lead`) becomes a conversation.
import {
  type AttentionState,
  NewerState,
  OBLIGATIONS_VERSION,
  type Place,
  decodeState,
  emptyState,
  encodeState,
} from '../../attention/index.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { type StateCodec, type Store, type UnitView, UnreadableState } from '../../store/store.ts';
import { parseIdentity } from '../../protocol/identity.ts';
import type { HostContext, StoreReader } from './context.ts';

export interface ConversationState {
  place: Place;
  /** The surface it came from. Sends go back there. */
  surface: string;
  attention: AttentionState;
}

/** The surface of conversations between agents. A message sent there is visible at once. */
export const INTERNAL_SURFACE = 'earshot';
/** The platform and surface of the web chat. */
export const WEB_SURFACE = 'web';

/** Whether only the host's own surfaces speak for this platform. */
export function isOwnPlatform(platform: string): boolean {
  return platform === INTERNAL_SURFACE || platform === WEB_SURFACE;
}

const DIRECT = /^dm:([^:]+):([^:]+)$/;

/** The two agents of a direct conversation between agents; undefined for every other place. */
export function agentDmParties({ platform, conversation }: Place): readonly string[] | undefined {
  if (platform !== INTERNAL_SURFACE || conversation.kind !== 'dm') return undefined;
  return DIRECT.exec(conversation.id)?.slice(1);
}

/** Whether only two agents talk there. A person of the web chat has an `@` in the id. */
export function isBetweenAgents(place: Place): boolean {
  return agentDmParties(place)?.every((party) => !party.startsWith('@')) === true;
}

/** The one state of all debts, as an earlier Earshot kept it. It is divided when the host starts. */
export const OLD_OBLIGATIONS_KEY = 'obligations';
export const OBLIGATIONS_PREFIX = 'obligations/';
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

/** The state with the debts of a place's workspace. */
export function obligationsKeyOf({ platform, workspaceId }: Pick<Place, 'platform' | 'workspaceId'>): string {
  return `${OBLIGATIONS_PREFIX}${part(platform)}/${part(workspaceId)}`;
}

export function isObligationsKey(key: string): boolean {
  return key.startsWith(OBLIGATIONS_PREFIX) || key === OLD_OBLIGATIONS_KEY;
}

export function isAgentStateKey(key: string): boolean {
  return key.startsWith(AGENT_PREFIX);
}

export function isConversationKey(key: string): boolean {
  return key.startsWith(CONVERSATION_PREFIX);
}

/** The parts of a conversation key, as the platform names them. This is the only parser of these keys. */
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

/** An id may hold any character, slashes too. Most ids need no escaping. */
function part(text: string): string {
  return PLAIN.test(text) ? text : encodeURIComponent(text);
}

export function placeOf(event: Pick<ChatEvent, 'platform' | 'workspaceId' | 'conversation'>): Place {
  const { platform, workspaceId, conversation } = event;
  return { platform, workspaceId, conversation };
}

/**
 * The place as this event leaves it. In the web chat only a membership record names, closes or opens a channel, so that
 * a message which was on its way does not undo it.
 */
export function placeAfter(
  before: Place | undefined,
  event: Pick<ChatEvent, 'type' | 'platform' | 'workspaceId' | 'conversation'>,
): Place {
  const place = placeOf(event);
  if (before === undefined || place.platform !== WEB_SURFACE || event.type === 'membership') return place;
  const { retired: _, ...conversation } = place.conversation;
  const { retired, title = conversation.title } = before.conversation;
  if (retired === place.conversation.retired && title === conversation.title) return place;
  const kept = { ...(title === undefined ? {} : { title }), ...(retired === undefined ? {} : { retired }) };
  return { ...place, conversation: { ...conversation, ...kept } };
}

export function parentKeyOf(place: Place): string | undefined {
  const { parentId } = place.conversation;
  return parentId === undefined ? undefined : conversationKeyFor(place.platform, place.workspaceId, parentId);
}

export function newConversation(place: Place, surface: string): ConversationState {
  return { place, surface, attention: emptyState() };
}

/** A conversation is stored in a compact form. Every other state is plain JSON. */
export const hostStateCodec: StateCodec = {
  encode(key, value) {
    if (!isConversationKey(key)) return JSON.stringify(value);
    const { place, surface, attention } = value as ConversationState;
    return `${JSON.stringify({ place, surface })}\n${encodeState(attention)}`;
  },
  decode(key, text) {
    try {
      return isConversationKey(key) ? decodeConversation(text) : decodePlain(key, text);
    } catch (error) {
      // A state that a newer Earshot wrote is not damaged, so nothing may overwrite it.
      throw error instanceof NewerState ? error : new UnreadableState(key, error);
    }
  },
};

function decodeConversation(text: string): ConversationState {
  const cut = text.indexOf('\n');
  return { ...headerOf(text.slice(0, cut)), attention: decodeState(text.slice(cut + 1)) };
}

/** The first line of the stored form: the conversation's place and surface. */
export function headerOf(line: string): Pick<ConversationState, 'place' | 'surface'> {
  const { place, surface } = JSON.parse(line) as Partial<ConversationState>;
  if (typeof surface !== 'string' || typeof place?.conversation?.id !== 'string')
    throw new Error('its place is damaged');
  return { place, surface };
}

/** Checks a few fields, to see that the value is what its key says. */
function decodePlain(key: string, text: string): unknown {
  const value: unknown = JSON.parse(text);
  const fields = (value ?? {}) as Record<string, unknown>;
  if (isObligationsKey(key)) {
    const { version, open, held, closed } = fields;
    if (typeof version === 'number' && version > OBLIGATIONS_VERSION)
      throw new NewerState('obligations state', version, OBLIGATIONS_VERSION);
    if (version !== OBLIGATIONS_VERSION || ![open, held, closed].every(Array.isArray))
      throw new Error('its lists are damaged');
  } else if (isAgentStateKey(key)) {
    const { turns, said, unprompted, digest } = fields;
    if (![turns, said, unprompted].every(Array.isArray) || typeof digest !== 'object')
      throw new Error('its lists are damaged');
  } else if (typeof value !== 'string') throw new Error('it is no text');
  return value;
}

// Targets. Known conversations come from the log. Two agents can always write to each other directly, in a conversation
// that lives in the host itself.

/** The workspace of what lives in the host itself. */
export const INTERNAL_PLACE = { platform: INTERNAL_SURFACE, workspaceId: 'local' } as const;

export interface Places {
  /**
   * The conversation with this id. `near` decides between workspaces that use the same id. A whole key names one anywhere,
   * whatever else is called so.
   */
  find(id: string, near: Place | undefined): Promise<string | undefined>;
  /** The keys of all conversations with this id, on any platform. */
  withId(id: string): Promise<readonly string[]>;
  /** Whether this host knows that something was logged in the conversation with this key. */
  isKnown(key: string): boolean;
  /** Whether this is the id of an agent of this host. */
  isAgent(id: string): boolean;
}

const PAGE = 1_000;

export async function createPlaces(
  { store, bus, changes }: Pick<HostContext, 'store' | 'bus' | 'changes'>,
  isAgent: (id: string) => boolean,
): Promise<Places> {
  const byId = new Map<string, Set<string>>();
  const known = new Set<string>();
  const note = (key: string): void => {
    known.add(key);
    const { id } = parseConversationKey(key);
    const keys = byId.get(id);
    if (keys === undefined) byId.set(id, new Set([key]));
    else keys.add(key);
  };
  for (let after = '', page = await conversationKeys(store, after, PAGE); page.length > 0; ) {
    page.forEach(note);
    after = page.at(-1) ?? after;
    page = page.length < PAGE ? [] : await conversationKeys(store, after, PAGE);
  }
  bus.listen((news) => {
    if (news.type === 'logged' && news.row.seq === 1) note(news.row.conversation);
  });
  /** Where it is not known here, another host may have logged it. */
  const exists = async (key: string): Promise<boolean> => {
    if (known.has(key)) return true;
    if (changes.isAlone || !isConversationKey(key) || (await store.state(key)) === undefined) return false;
    note(key);
    return true;
  };
  const withId = async (id: string): Promise<readonly string[]> => {
    if (!changes.isAlone) for (const workspace of await workspaces(store)) await exists(workspace + part(id));
    return [...(byId.get(id) ?? [])];
  };
  return {
    isAgent,
    isKnown: (key) => known.has(key),
    withId,
    async find(id, near) {
      if (await exists(id)) return id;
      if (near !== undefined) {
        const wanted = conversationKeyFor(near.platform, near.workspaceId, id);
        return (await exists(wanted)) ? wanted : undefined;
      }
      const keys = await withId(id);
      return keys.length === 1 ? keys[0] : undefined;
    },
  };
}

/** The prefix of the keys of each workspace. One read for each: the rest of its keys is passed over. */
async function workspaces(store: StoreReader): Promise<string[]> {
  const prefixes: string[] = [];
  for (let after = ''; ; ) {
    const [key] = await conversationKeys(store, after, 1);
    if (key === undefined) return prefixes;
    const prefix = key.slice(0, key.lastIndexOf('/') + 1);
    prefixes.push(prefix);
    after = `${prefix.slice(0, -1)}${AFTER_SLASH}`;
  }
}

/** The character after the slash, in the order of keys. */
const AFTER_SLASH = '0';

/** The direct conversation of two agents. The order of the two does not matter. */
export function agentDmPlace(a: string, b: string): Place {
  const [first, second] = [a, b].toSorted();
  return {
    ...INTERNAL_PLACE,
    conversation: { id: `dm:${first}:${second}`, kind: 'dm' },
  };
}

export type Target =
  | { type: 'known'; key: string }
  | { type: 'direct'; key: string; place: Place; to: string }
  | { type: 'unknown'; what: string };

export async function resolveTarget(
  places: Places,
  target: string,
  from: string,
  near: Place | undefined,
): Promise<Target> {
  const identity = parseIdentity(target);
  if (identity?.kind === 'agent') {
    if (identity.id === from || !places.isAgent(identity.id)) return { type: 'unknown', what: 'agent' };
    const place = agentDmPlace(from, identity.id);
    return { type: 'direct', key: conversationKeyOf(place), place, to: identity.id };
  }
  const id = target.slice(target.indexOf(':') + 1);
  const key = (await places.find(id, near)) ?? (await places.find(id, undefined));
  return key === undefined ? { type: 'unknown', what: 'conversation' } : { type: 'known', key };
}
