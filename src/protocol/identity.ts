// Who somebody is, as one string on the wire: `agent:lead`, `human:U123`, `role:backend`. The host keeps kind and id
// apart; only these functions join and split them.
import type { AuthorKind } from './vocabulary.ts';

export const IDENTITY_KINDS = ['agent', 'human', 'role', 'system', 'broadcast'] as const;
export type IdentityKind = (typeof IDENTITY_KINDS)[number] | AuthorKind;
export type Identity = `${IdentityKind}:${string}`;

/** An agent's id: letters, digits, ".", "_" and "-". Without a slash or a colon it can stand inside other ids. */
export const AGENT_ID = /^[a-z0-9][a-z0-9_.-]*$/i;
export const AGENT_ID_CHARS = 64;

/** An id that already carries its own kind (some surfaces write `agent:lead`) is not prefixed twice. */
export function identity(kind: IdentityKind, id: string): Identity {
  const prefix = `${kind}:`;
  return `${kind}:${id.startsWith(prefix) && id !== prefix ? id.slice(prefix.length) : id}`;
}

/** The id itself may contain colons (Matrix ids do). Only the first colon separates. */
export function parseIdentity(text: string): { kind: IdentityKind; id: string } | undefined {
  const colon = text.indexOf(':');
  const kind = IDENTITY_KINDS.find((known) => known === text.slice(0, Math.max(colon, 0)));
  const id = text.slice(colon + 1);
  return kind === undefined || id === '' ? undefined : { kind, id };
}

/** The draft's `reliability.idempotencyKey`: it names one delivery and is the same on every attempt. */
export function deliveryKey(eventId: string, agent: string): string {
  return `${eventId}:agent_${agent}`;
}
