// Who is who for obligations: every party is one of the protocol's identities, `agent:lead`, `human:U1`, `system:ci`, so
// that the author of one event and the recipient named in another can be compared. The directory is host data (an
// agent's configured `lead`, the workspace owner), handed to the fold with each record; the fold itself looks nothing up.
import type { Author } from '../protocol/chat-event.ts';
import { type Identity, identity, parseIdentity } from '../protocol/identity.ts';

export interface ObligationDirectory {
  /** The agent's `lead`. Unknown identities and people have none. */
  coordinatorOf(identity: Identity): Identity | undefined;
  /** Asked with an identity, and with a bare id as it stands on the wire. */
  isHuman(who: string): boolean;
  /** The last rung of every ladder. Without a configured owner the host puts its console inbox here. */
  owner: Identity;
}

/** Escalations are written by the host; nobody can react as this identity, so nobody discharges by being it. */
export const HOST_IDENTITY: Identity = 'system:earshot';

/** Prefixes that name many or nobody. An obligation addresses one responder, an escalation never a channel. */
const NOT_ONE_RESPONDER = ['role:', 'channel:', 'thread:', 'stream:', 'broadcast:'];

export function identityOf(author: Pick<Author, 'id' | 'kind'>): Identity {
  return identity(author.kind, author.id);
}

/** A recipient or delegate as written on the wire. A bare id is an agent's name unless the directory knows a person. */
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
