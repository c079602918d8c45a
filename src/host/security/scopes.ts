// What a token may do, as a closed list, and which kind of token may hold what. A scope is never implied by another.
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

/** Who a token stands for. `key` is its hash: names the token in logs and limits without giving it away. */
export interface Identity {
  kind: TokenKind;
  subject: string;
  scopes: readonly Scope[];
  key: string;
}

/** `usual` is what a token gets unless told otherwise. An operator may be given a surface's, for trying things out. */
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

/** Whether it holds the scope and, where a subject is named, is that one. Operators act for every subject. */
export function allows(identity: Identity, scope: Scope, subject?: string): boolean {
  if (!identity.scopes.includes(scope)) return false;
  return subject === undefined || identity.kind === 'operator' || identity.subject === subject;
}

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

/** What is wrong with these scopes for this kind of token, in words for whoever typed them. */
export function scopeProblem(kind: TokenKind, scopes: readonly string[]): string | undefined {
  const { possible } = SCOPES_OF[kind];
  const wrong = scopes.find((scope) => !(possible as readonly string[]).includes(scope));
  if (wrong === undefined && scopes.length > 0) return undefined;
  const problem = wrong === undefined ? 'no scope was given' : `"${wrong}" is not one of its scopes`;
  return `A token of kind ${kind}: ${problem}. Choose from ${possible.join(', ')}.`;
}
