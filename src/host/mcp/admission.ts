// Decides who may call /mcp: a request with the right Host and Origin and the token of an agent that this host knows.
// Every request is checked, so a revoked token stops working at once. A refusal is a JSON-RPC error with the HTTP
// status that MCP asks for.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type WireError, wireError } from '../../protocol/errors.ts';
import { encodeError } from '../../protocol/jsonrpc.ts';
import { type AllowedHosts, bearerOf, checkRequest } from '../security/http-guard.ts';
import { leakWords } from '../security/refused-token.ts';
import { allows } from '../security/scopes.ts';
import type { Authenticated } from '../security/tokens.ts';

export type Authenticate = (token: string) => Promise<Authenticated>;

export interface HttpRefusal {
  status: number;
  error: WireError;
  headers?: Readonly<Record<string, string>>;
}

/** Checks Host and Origin. MCP asks for 403 where checkRequest answers 421. */
export function checkHeaders({ headers }: IncomingMessage, allowed: AllowedHosts): HttpRefusal | undefined {
  const guarded = checkRequest({ host: headers.host, origin: headers.origin }, allowed);
  if (guarded.ok) return undefined;
  const status = guarded.status === 421 ? 403 : guarded.status;
  const problem = guarded.message.replace(/\.$/, '');
  return { status, error: wireError('invalid_request', { problem }) };
}

export async function identifyAgent(
  { headers }: IncomingMessage,
  authenticate: Authenticate,
  isKnown: (agent: string) => boolean,
): Promise<{ agent: string } | HttpRefusal> {
  const token = bearerOf(headers);
  const known = token === undefined ? undefined : await authenticate(token);
  if (known?.ok !== true) {
    // The body is not read, so the connection cannot be used again.
    const challenge = { 'www-authenticate': 'Bearer realm="earshot"', connection: 'close' };
    const error = wireError('unauthorized');
    if (known?.leak !== undefined) error.message = leakWords(known.leak);
    return { status: 401, error, headers: challenge };
  }
  const { identity } = known;
  const isAgent = identity.kind === 'agent' && allows(identity, 'agent:connect', identity.subject);
  if (isAgent && isKnown(identity.subject)) return { agent: identity.subject };
  return { status: 403, error: wireError('forbidden', { permission: 'agent:connect' }) };
}

const RETRY_AFTER_MS = 1_000;
const RETRY_AFTER = { 'retry-after': String(RETRY_AFTER_MS / 1_000) };

export function tooBusy(): HttpRefusal {
  const error = wireError('rate_limited', { retryAfterMs: RETRY_AFTER_MS });
  return { status: 429, error, headers: RETRY_AFTER };
}

export function hostUnavailable(): HttpRefusal {
  return { status: 503, error: wireError('unavailable', { what: 'The host' }), headers: RETRY_AFTER };
}

/** The MCP packages are optional. A retry does not help until somebody has installed them. */
export function notInstalled(problem: string): HttpRefusal {
  const { code, data } = wireError('unavailable', { what: 'MCP' });
  const message = `This host does not serve MCP: ${problem}, then restart the host.`;
  return { status: 501, error: { code, message, data: { ...data, retryable: false } } };
}

export function writeRefusal(response: ServerResponse, { status, error, headers = {} }: HttpRefusal): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(encodeError(null, error));
}
