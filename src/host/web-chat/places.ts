// The places of the web chat: the ids of its conversations, their keys in the store, and which of them a person may
// see. Channels and threads are on the platform `web`. A direct message is on the host's own surface, as between two
// agents: only its two parties are bound there, whatever the settings say.
import type { Place } from '../../attention/index.ts';
import { WEB_CHAT_LIMITS } from '../../protocol/web-chat.ts';
import { INTERNAL_SURFACE, conversationKeyFor } from '../kernel/conversation.ts';

export const WEB_PLATFORM = 'web';
export const WEB_WORKSPACE = 'local';
/** The channel that exists from the start. */
export const FIRST_CHANNEL = 'general';

export const CHANNEL_KEYS = conversationKeyFor(WEB_PLATFORM, WEB_WORKSPACE, '');
export const DIRECT_KEYS = conversationKeyFor(INTERNAL_SURFACE, WEB_WORKSPACE, 'dm:@');

/** One side of a direct message. */
export interface DirectParty {
  kind: 'human' | 'agent';
  id: string;
}

/** The id is the same from either side. A person has an `@` before the id, which tells people from agents. */
export function directId(person: string, other: DirectParty): string {
  if (other.kind === 'agent') return `dm:@${person}:${other.id}`;
  const [first, second] = [person, other.id].toSorted();
  return `dm:@${first}:@${second}`;
}

const DIRECT_ID = /^dm:(@[^:@]+):(@?[^:@]+)$/;

/** The two parties, a person first. Undefined for other conversations, also for those between two agents. */
export function webDirectParties(id: string): readonly [DirectParty, DirectParty] | undefined {
  const [, first, second] = DIRECT_ID.exec(id) ?? [];
  return first === undefined || second === undefined ? undefined : [parseParty(first), parseParty(second)];
}

function parseParty(text: string): DirectParty {
  return text.startsWith('@') ? { kind: 'human', id: text.slice(1) } : { kind: 'agent', id: text };
}

export function partyIdentity({ kind, id }: DirectParty): string {
  return `${kind}:${id}`;
}

/** Everybody may see channels and their threads. Only its parties may see a direct message. */
export function personMaySee(person: string, conversationId: string): boolean {
  const parties = webDirectParties(conversationId);
  if (parties === undefined) return true;
  return parties.some(({ kind, id }) => kind === 'human' && id === person);
}

export function isWebKey(key: string): boolean {
  return key.startsWith(CHANNEL_KEYS) || key.startsWith(DIRECT_KEYS);
}

export function keyOfId(id: string): string {
  const platform = webDirectParties(id) === undefined ? WEB_PLATFORM : INTERNAL_SURFACE;
  return conversationKeyFor(platform, WEB_WORKSPACE, id);
}

export function channelPlace(id: string, title: string): Place {
  return { platform: WEB_PLATFORM, workspaceId: WEB_WORKSPACE, conversation: { id, kind: 'channel', title } };
}

/** A thread has the id of the message that it hangs on. */
export function threadPlace(rootId: string, parentId: string): Place {
  const conversation = { id: rootId, kind: 'thread' as const, parentId };
  return { platform: WEB_PLATFORM, workspaceId: WEB_WORKSPACE, conversation };
}

export function webDirectPlace(id: string): Place & { conversation: { kind: 'dm' } } {
  return { platform: INTERNAL_SURFACE, workspaceId: WEB_WORKSPACE, conversation: { id, kind: 'dm' } };
}

/** Makes an id that settings can match: letters and digits with single hyphens. Empty when the name has neither. */
export function channelId(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, WEB_CHAT_LIMITS.nameChars)
    .replace(/^-+|-+$/g, '')
    .toWellFormed();
}
