// The parties of obligations, as identities of the protocol: `agent:lead`, `human:U1`, `system:ci`. So the author of
// one event can be compared with the recipient of another. The host passes its directory (each agent's `lead`, the
// owner) with every record; the fold itself looks nothing up.
import type { Author } from '../protocol/chat-event.ts';
import { type Identity, identity, parseIdentity } from '../protocol/identity.ts';

export interface ObligationDirectory {
  /** The agent's `lead`. Unknown identities and people have none. */
  coordinatorOf(identity: Identity): Identity | undefined;
  /** `who` is an identity, or a bare id as it came on the wire. */
  isHuman(who: string): boolean;
  /** The last rung of every ladder. Without a configured owner it is the inbox of the host's console. */
  owner: Identity;
}

/** The author of escalations. Nobody can react as this identity, so nobody can close one by claiming to be it. */
export const HOST_IDENTITY: Identity = 'system:earshot';

/** Prefixes that name many or nobody. An obligation has one responder; an escalation never goes to a channel. */
const NOT_ONE_RESPONDER = ['role:', 'channel:', 'thread:', 'stream:', 'broadcast:'];

export function identityOf(author: Pick<Author, 'id' | 'kind'>): Identity {
  return identity(author.kind, author.id);
}

/** A recipient or delegate from the wire. A bare id means an agent, unless the directory knows a person by it. */
export function toIdentity(raw: string, directory: ObligationDirectory): Identity {
  const written = parseIdentity(raw);
  if (written !== undefined) return identity(written.kind, written.id);
  return identity(directory.isHuman(raw) ? 'human' : 'agent', raw);
}

export function namesOneResponder(raw: string): boolean {
  return !NOT_ONE_RESPONDER.some((prefix) => raw.startsWith(prefix));
}

export function isHumanRung(who: Identity, directory: ObligationDirectory): boolean {
  return who === directory.owner || directory.isHuman(who);
}
