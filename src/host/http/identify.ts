// Who shows this token? The one place where a token of the network is looked at, whatever the way in. A valid one makes
// the connection its holder's; a wrong one counts as a guess.
import type { IncomingMessage } from 'node:http';
import type { Authenticated } from '../security/tokens.ts';
import type { TokenIdentity } from '../security/scopes.ts';
import type { ServerContext } from './context.ts';

export type Identified =
  | Authenticated
  | { ok: false; why: 'guessing'; retryAfterMs: number }
  /** The token is valid. */
  | { ok: false; why: 'full'; identity: TokenIdentity; retryAfterMs: number };

/** Somebody whose connections are all in use may try again after this. */
const FULL_RETRY_MS = 10_000;

export async function identify(
  { tokens, strangers }: Pick<ServerContext, 'tokens' | 'strangers'>,
  request: IncomingMessage,
  token: string,
): Promise<Identified> {
  const known = await tokens.authenticate(token);
  if (known.ok) {
    if (strangers.known(request, known.identity.key)) return known;
    return { ok: false, why: 'full', identity: known.identity, retryAfterMs: FULL_RETRY_MS };
  }
  const taken = strangers.wrongToken(request);
  return taken.ok ? known : { ok: false, why: 'guessing', retryAfterMs: taken.retryAfterMs };
}

/** Why a token that may be valid or not is not looked at further. */
export const TRY_LATER = {
  guessing: 'Too many wrong tokens came from this address. Check the token, and try again later.',
  full: 'This token has as many connections as it may have, or the host has no room for more. Close some.',
} as const;
