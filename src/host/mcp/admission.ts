// Who may call /mcp: the right Host and Origin, then a token of an agent that this host knows. Checked on every request,
// so that a revoked token is out at once. The answers to everybody else are JSON-RPC errors with the status MCP wants.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type WireError, wireError } from '../../protocol/errors.ts';
import { encodeError } from '../../protocol/jsonrpc.ts';
import { type AllowedHosts, bearerOf, checkRequest } from '../security/http-guard.ts';
import { allows } from '../security/scopes.ts';
import type { Authenticated } from '../security/tokens.ts';

export type Authenticate = (token: string) => Promise<Authenticated>;

export interface Refusal {
  status: number;
  error: WireError;
  headers?: Readonly<Record<string, string>>;
}

/** MCP wants 403 for a name or a page that is not ours; the guard's own word for a name is 421. */
export function guard({ headers }: IncomingMessage, allowed: AllowedHosts): Refusal | undefined {
  const guarded = checkRequest({ host: headers.host, origin: headers.origin }, allowed);
  if (guarded.ok) return undefined;
  const status = guarded.status === 421 ? 403 : guarded.status;
  const problem = guarded.message.replace(/\.$/, '');
  return { status, error: wireError('invalid_request', { problem }) };
}

export async function identify(
  { headers }: IncomingMessage,
  authenticate: Authenticate,
  isKnown: (agent: string) => boolean,
): Promise<{ agent: string } | Refusal> {
  const token = bearerOf(headers);
  const known = token === undefined ? undefined : await authenticate(token);
  if (known?.ok !== true) {
    const challenge = { 'www-authenticate': 'Bearer realm="earshot"' };
    return { status: 401, error: wireError('unauthorized'), headers: challenge };
  }
  const { identity } = known;
  const isAgent = identity.kind === 'agent' && allows(identity, 'agent:connect', identity.subject);
  if (isAgent && isKnown(identity.subject)) return { agent: identity.subject };
  return { status: 403, error: wireError('forbidden', { permission: 'agent:connect' }) };
}

const RETRY_AFTER_MS = 1_000;
const RETRY_AFTER = { 'retry-after': String(RETRY_AFTER_MS / 1_000) };

export function busy(): Refusal {
  const error = wireError('rate_limited', { retryAfterMs: RETRY_AFTER_MS });
  return { status: 429, error, headers: RETRY_AFTER };
}

export function unavailable(): Refusal {
  return { status: 503, error: wireError('unavailable', { what: 'The host' }), headers: RETRY_AFTER };
}

/** The packages of MCP are optional. Calling again is of no use before somebody has installed them. */
export function notInstalled(problem: string): Refusal {
  const { code, data } = wireError('unavailable', { what: 'MCP' });
  const message = `This host does not serve MCP: ${problem}, then restart the host.`;
  return { status: 501, error: { code, message, data: { ...data, retryable: false } } };
}

export function refuse(response: ServerResponse, { status, error, headers = {} }: Refusal): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(encodeError(null, error));
}
