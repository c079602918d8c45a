// Where web chat happens: the ids of its conversations, which of them one person may see, and where each is in the
// store. Channels and threads are on the platform `web`. A direct message is a conversation of the host's own, as it is
// between two agents: only its parties are bound there, whatever the settings say.
import type { Place } from '../../attention/index.ts';
import { WEB_CHAT_LIMITS } from '../../protocol/web-chat.ts';
import { INTERNAL_SURFACE, conversationKeyFor, conversationKeyOf } from '../kernel/conversation.ts';

export const WEB_PLATFORM = 'web';
export const WEB_WORKSPACE = 'local';
/** There from the start. */
export const FIRST_CHANNEL = 'general';

export const CHANNEL_KEYS = conversationKeyFor(WEB_PLATFORM, WEB_WORKSPACE, '');
export const DIRECT_KEYS = conversationKeyFor(INTERNAL_SURFACE, WEB_WORKSPACE, 'dm:@');

/** One side of a direct message. */
export interface Party {
  kind: 'human' | 'agent';
  id: string;
}

/** The same from either side. People carry an `@`, which no id can hold, so that neither is taken for the other. */
export function directId(person: string, other: Party): string {
  if (other.kind === 'agent') return `dm:@${person}:${other.id}`;
  const [first, second] = [person, other.id].toSorted();
  return `dm:@${first}:@${second}`;
}

const DIRECT = /^dm:(@[^:@]+):(@?[^:@]+)$/;

/** The parties, a person first; undefined for every other conversation, agents' own among them. */
export function directParties(id: string): readonly [Party, Party] | undefined {
  const [, first, second] = DIRECT.exec(id) ?? [];
  return first === undefined || second === undefined ? undefined : [partyOf(first), partyOf(second)];
}

function partyOf(text: string): Party {
  return text.startsWith('@') ? { kind: 'human', id: text.slice(1) } : { kind: 'agent', id: text };
}

export function partyIdentity({ kind, id }: Party): string {
  return `${kind}:${id}`;
}

/** Channels and their threads are everybody's; a direct message is its parties' alone. */
export function maySee(person: string, conversationId: string): boolean {
  const parties = directParties(conversationId);
  if (parties === undefined) return true;
  return parties.some(({ kind, id }) => kind === 'human' && id === person);
}

export function isWebKey(key: string): boolean {
  return key.startsWith(CHANNEL_KEYS) || key.startsWith(DIRECT_KEYS);
}

export function keyOfId(id: string): string {
  const platform = directParties(id) === undefined ? WEB_PLATFORM : INTERNAL_SURFACE;
  return conversationKeyFor(platform, WEB_WORKSPACE, id);
}

export function channelPlace(id: string, title: string): Place {
  return { platform: WEB_PLATFORM, workspaceId: WEB_WORKSPACE, conversation: { id, kind: 'channel', title } };
}

/** A thread is named by the message it hangs on. */
export function threadPlace(rootId: string, parentId: string): Place {
  const conversation = { id: rootId, kind: 'thread' as const, parentId };
  return { platform: WEB_PLATFORM, workspaceId: WEB_WORKSPACE, conversation };
}

export function directPlace(id: string): Place {
  return { platform: INTERNAL_SURFACE, workspaceId: WEB_WORKSPACE, conversation: { id, kind: 'dm' } };
}

export { conversationKeyOf };

/** From a name to the id that settings can match: letters and digits with single hyphens. Empty: nothing is left. */
export function channelId(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, WEB_CHAT_LIMITS.nameChars)
    .replace(/^-+|-+$/g, '')
    .toWellFormed();
}
