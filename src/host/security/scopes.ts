// The scopes: what a token may do, and which kind of token may hold which scope. No scope implies another, so a token
// may do exactly what its list says.
import type { TokenRow } from '../../store/tables.ts';

export type TokenKind = TokenRow['kind'];
export const TOKEN_KINDS = ['agent', 'surface', 'operator', 'person'] as const satisfies readonly TokenKind[];

export const SCOPES = [
  'events:write',
  'outbox:read',
  'agent:connect',
  'operator:read',
  'operator:write',
  'chat:web',
] as const;
export type Scope = (typeof SCOPES)[number];

/** The owner of a token and what the token may do. */
export interface TokenIdentity {
  kind: TokenKind;
  subject: string;
  scopes: readonly Scope[];
  /** The token's hash. It names the token in logs and limits without revealing it. */
  key: string;
}

/**
 * A new token gets the `usual` scopes unless others are asked for. An operator's token may also hold the scopes of a
 * surface, so that an operator can try things out.
 */
export const SCOPES_OF: Readonly<Record<TokenKind, { usual: readonly Scope[]; possible: readonly Scope[] }>> =
  {
    agent: { usual: ['agent:connect'], possible: ['agent:connect'] },
    surface: { usual: ['events:write', 'outbox:read'], possible: ['events:write', 'outbox:read'] },
    operator: {
      usual: ['operator:read', 'operator:write'],
      possible: ['operator:read', 'operator:write', 'events:write', 'outbox:read'],
    },
    person: { usual: ['chat:web'], possible: ['chat:web'] },
  };

/** True when the token holds the scope and, if `subject` is given, belongs to it. Operators act for every subject. */
export function allows(identity: TokenIdentity, scope: Scope, subject?: string): boolean {
  if (!identity.scopes.includes(scope)) return false;
  return subject === undefined || identity.kind === 'operator' || identity.subject === subject;
}

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

/** Says what is wrong with these scopes for this kind of token. The message is for the person who typed them. */
export function scopeProblem(kind: TokenKind, scopes: readonly string[]): string | undefined {
  const { possible } = SCOPES_OF[kind];
  const wrong = scopes.find((scope) => !(possible as readonly string[]).includes(scope));
  if (wrong === undefined && scopes.length > 0) return undefined;
  const problem = wrong === undefined ? 'no scope was given' : `"${wrong}" is not one of its scopes`;
  return `A token of kind ${kind}: ${problem}. Choose from ${possible.join(', ')}.`;
}
