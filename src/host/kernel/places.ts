// Where things are: from what an agent writes (`thread:ID`, `agent:lead`) to a conversation of this host. Known places
// come from the log; agents can always write to each other directly, in conversations of the host's own.
import type { Place } from '../../attention/index.ts';
import { parseIdentity } from '../../protocol/identity.ts';
import type { StoreReader } from './context.ts';
import type { HostBus } from './news.ts';
import {
  INTERNAL_SURFACE,
  conversationKeyFor,
  conversationKeyOf,
  conversationKeys,
  parseConversationKey,
} from './conversation.ts';

const INTERNAL_WORKSPACE = 'local';

export interface Places {
  /** The conversation with this id, nearest to `near` when several workspaces have one. */
  find(id: string, near: Place | undefined): string | undefined;
  /** Has anything been logged there? By the conversation's key. */
  isKnown(key: string): boolean;
  /** Is this an agent of the host? */
  isAgent(id: string): boolean;
}

const PAGE = 1_000;

export async function createPlaces(
  store: StoreReader,
  bus: HostBus,
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
  return {
    isAgent,
    isKnown: (key) => known.has(key),
    find(id, near) {
      const keys = byId.get(id);
      if (keys === undefined) return undefined;
      if (near === undefined) return keys.size === 1 ? [...keys][0] : undefined;
      const wanted = conversationKeyFor(near.platform, near.workspaceId, id);
      return keys.has(wanted) ? wanted : undefined;
    },
  };
}

/** Two agents' own conversation, the same from either side. */
export function directPlace(a: string, b: string): Place {
  const [first, second] = [a, b].toSorted();
  return {
    platform: INTERNAL_SURFACE,
    workspaceId: INTERNAL_WORKSPACE,
    conversation: { id: `dm:${first}:${second}`, kind: 'dm' },
  };
}

export type Target =
  | { type: 'known'; key: string }
  | { type: 'direct'; key: string; place: Place; to: string }
  | { type: 'unknown'; what: string };

export function resolveTarget(places: Places, target: string, from: string, near: Place | undefined): Target {
  const identity = parseIdentity(target);
  if (identity?.kind === 'agent') {
    if (identity.id === from || !places.isAgent(identity.id)) return { type: 'unknown', what: 'agent' };
    const place = directPlace(from, identity.id);
    return { type: 'direct', key: conversationKeyOf(place), place, to: identity.id };
  }
  const id = target.slice(target.indexOf(':') + 1);
  const key = places.find(id, near) ?? places.find(id, undefined);
  return key === undefined ? { type: 'unknown', what: 'conversation' } : { type: 'known', key };
}
