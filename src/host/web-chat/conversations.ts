// The conversations of the web chat: which exist, and how each looks to one person. The list is read from the stored
// states and kept in memory as places and times. Messages stay in the log.
import type { Place } from '../../attention/index.ts';
import { hostId } from '../../protocol/derived-id.ts';
import { printableLine } from '../../protocol/identity.ts';
import { WEB_CHAT_LIMITS, type WebConversation } from '../../protocol/web-chat.ts';
import type { LogRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { type ConversationState, placeAfter } from '../kernel/conversation.ts';
import { iso } from '../../protocol/log-record.ts';
import type { Names } from './names.ts';
import {
  CHANNEL_KEYS,
  DIRECT_KEYS,
  FIRST_CHANNEL,
  webDirectParties,
  keyOfId,
  personMaySee,
  partyIdentity,
  type DirectParty,
} from './places.ts';
import { unreadSince } from './read-marks.ts';

export interface KnownConversation {
  key: string;
  place: Place;
  /** The time of the last message, roughly; 0 when there is none. */
  lastAt: number;
}

export interface Conversations {
  get(key: string): KnownConversation | undefined;
  /** Whether the conversation, or the channel of a thread, is closed. */
  closed(place: Place): Closed | undefined;
  /** All channels, closed ones too. */
  channels(): KnownConversation[];
  threadsOf(channel: string): KnownConversation[];
  /** The conversations that the person may see, newest first, within the limits. */
  listed(person: string): KnownConversation[];
  /** Updates the list from a log row. Returns true when the conversation is new, renamed, closed or open again. */
  note(row: LogRow): boolean;
  webConversation(
    known: Pick<KnownConversation, 'place' | 'lastAt'>,
    person: string,
    names: Names,
  ): Promise<WebConversation>;
}

export interface ConversationsDeps {
  context: Pick<HostContext, 'store' | 'rosterAt'>;
  clean: (text: string) => string;
  /** The present text of a message; empty when there is none. */
  textNow: (eventId: string) => Promise<string>;
}

export type Closed = NonNullable<Place['conversation']['retired']>;

function closedOf(known: ReadonlyMap<string, KnownConversation>, place: Place): Closed | undefined {
  const { id, parentId = id } = place.conversation;
  // The place may be that of an earlier event.
  return known.get(keyOfId(parentId))?.place.conversation.retired;
}

const isThread = ({ place }: KnownConversation): boolean => place.conversation.kind === 'thread';
const PAGE = 500;
const TITLE_CHARS = 60;

export async function loadConversations(deps: ConversationsDeps): Promise<Conversations> {
  const known = new Map<string, KnownConversation>();
  for (const prefix of [CHANNEL_KEYS, DIRECT_KEYS]) await loadPrefix(deps, prefix, known);
  return {
    get: (key) => known.get(key),
    closed: (place) => closedOf(known, place),
    channels: () => [...known.values()].filter(({ place }) => place.conversation.kind === 'channel'),
    threadsOf: (id) =>
      [...known.values()].filter((one) => isThread(one) && one.place.conversation.parentId === id),
    listed(person) {
      const seen = [...known.values()].filter(
        ({ place }) => personMaySee(person, place.conversation.id) && closedOf(known, place) !== 'deleted',
      );
      const newest = seen.toSorted((a, b) => b.lastAt - a.lastAt);
      const threads = newest.filter(isThread).slice(0, WEB_CHAT_LIMITS.threadsListed);
      const others = newest.filter((one) => !isThread(one)).slice(0, WEB_CHAT_LIMITS.channelsListed);
      return [...others, ...threads];
    },
    note({ conversation: key, at, record: { event } }) {
      const before = known.get(key);
      const lastAt = event.type === 'message' ? at : (before?.lastAt ?? 0);
      const place = placeAfter(before?.place, event);
      known.set(key, { key, place, lastAt });
      const [now, then] = [place.conversation, before?.place.conversation];
      return then === undefined || then.title !== now.title || then.retired !== now.retired;
    },
    webConversation: (one, person, names) => webConversation(deps, one, person, names),
  };
}

async function loadPrefix(
  { context: { store } }: ConversationsDeps,
  prefix: string,
  known: Map<string, KnownConversation>,
): Promise<void> {
  for (let after = '', more = true; more; ) {
    const keys = await store.stateKeys(prefix, after, PAGE);
    for (const key of keys) {
      const state = (await store.state(key)) as ConversationState | undefined;
      if (state === undefined) continue;
      const { place, attention } = state;
      known.set(key, { key, place, lastAt: attention.n === 0 ? 0 : attention.at });
    }
    after = keys.at(-1) ?? after;
    more = keys.length === PAGE;
  }
}

async function webConversation(
  { context, clean, textNow }: ConversationsDeps,
  { place, lastAt }: Pick<KnownConversation, 'place' | 'lastAt'>,
  person: string,
  names: Names,
): Promise<WebConversation> {
  const { id, kind, parentId, retired, title = id } = place.conversation;
  const agents = context.rosterAt(place).agents.map((agent) => agent.id);
  const last = lastAt === 0 ? {} : { lastAt: iso(lastAt) };
  const parties = webDirectParties(id);
  if (parties !== undefined) {
    const other = otherOf(parties, person);
    const members = parties.map(partyIdentity);
    const unread = await unreadSince(context.store, person, keyOfId(id));
    return { id, kind: 'dm', title: names.author(other).name, members, agents, ...last, ...unread };
  }
  if (kind === 'thread') {
    const parent = parentId === undefined ? {} : { parentId };
    const first = printableLine(await textNow(id), TITLE_CHARS);
    return { id, kind, title: first || 'thread', ...parent, agents, ...last };
  }
  const unread = await unreadSince(context.store, person, keyOfId(id));
  const made = await context.store.get('log', hostId('web', `channel_${id}`));
  const mayDelete = id !== FIRST_CHANNEL && made?.author === `human:${person}`;
  return {
    id,
    kind: 'channel',
    title: clean(title),
    agents,
    ...last,
    ...unread,
    ...(retired === undefined ? {} : { closed: retired }),
    ...(mayDelete ? { mayDelete } : {}),
  };
}

/** The other party. In a direct message with oneself both are the same. */
function otherOf(parties: readonly [DirectParty, DirectParty], person: string): DirectParty {
  const [first, second] = parties;
  return first.id === person ? second : first;
}
