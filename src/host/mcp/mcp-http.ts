// MCP over streamable HTTP, to be mounted at /mcp by any Node server. Who calls is the agent of the bearer token, checked
// on every request after Host and Origin. The SDK asks for a server object per request, so all state is here: what is
// attached to an agent's calls, and how many requests are open. Requests of 2025 and 2026 clients are both served.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpRequestContext } from '@modelcontextprotocol/server';
import { type WireError, wireError } from '../../protocol/errors.ts';
import { encodeError } from '../../protocol/jsonrpc.ts';
import type { Host } from '../host.ts';
import { type Allowed, BODY_LIMITS, bearerOf, checkRequest } from '../security/http-guard.ts';
import { allows } from '../security/scopes.ts';
import type { Tokens } from '../security/tokens.ts';
import { callTool } from '../tools/call.ts';
import { type Attachments, createAttachments } from './attachments.ts';
import { mcpServerFor } from './mcp-server.ts';

export interface McpHttp {
  /** Answers one request, whatever it is. The body must be unread, or given as parsed. */
  handle(request: IncomingMessage, response: ServerResponse, parsedBody?: unknown): Promise<void>;
  /** Ends long polls and takes no further requests. */
  close(): Promise<void>;
}

export interface McpHttpOptions extends Allowed {
  /** Requests being answered at once, long polls included; one more is 429. */
  concurrent?: number;
}

interface Refusal {
  status: number;
  error: WireError;
  headers?: Record<string, string>;
}

const CONCURRENT = 1_024;
const RETRY_AFTER_MS = 1_000;
const RETRY_AFTER = { 'retry-after': String(RETRY_AFTER_MS / 1_000) };

export function mcpHttpHandler(
  host: Pick<Host, 'context' | 'toolContext'>,
  authenticate: Tokens['authenticate'],
  { concurrent = CONCURRENT, ...allowed }: McpHttpOptions = {},
): McpHttp {
  const { log } = host.context;
  const closing = new AbortController();
  const serverFor = serverFactory(host, closing.signal);
  const onerror = (error: Error): void => log.warn({ err: error }, 'an MCP request could not be served');
  const limits = { onerror, maxRequestBodySize: BODY_LIMITS.rpcBytes };
  const mcp = createMcpHandler(serverFor, limits);
  let serving = 0;

  const admit = async (request: IncomingMessage): Promise<{ agent: string } | Refusal> => {
    const refused = guard(request, allowed);
    if (refused !== undefined) return refused;
    if (closing.signal.aborted) return unavailable();
    if (serving > concurrent) return busy();
    return identify(host, authenticate, request);
  };

  return {
    async handle(request, response, parsedBody) {
      serving++;
      try {
        const admitted = await admit(request);
        if ('status' in admitted) refuse(response, admitted);
        else {
          const authInfo = authOf(admitted.agent);
          const serve = toNodeHandler(
            { fetch: (sent, given) => mcp.fetch(sent, { ...given, authInfo }) },
            limits,
          );
          await serve(request as NodeIncomingMessageLike, response, parsedBody);
        }
      } catch (error) {
        log.error({ err: error }, 'an MCP request failed');
        refuse(response, unavailable());
      } finally {
        serving--;
      }
    },
    async close() {
      closing.abort();
      await mcp.close();
    },
  };
}

function serverFactory(host: Pick<Host, 'context' | 'toolContext'>, closing: AbortSignal) {
  const byAgent = new Map<string, Attachments>();
  return ({ authInfo, requestInfo }: McpRequestContext) => {
    const agent = authInfo?.clientId;
    // Nothing reaches the SDK unidentified; a server object for nobody would be a hole.
    if (agent === undefined) throw new Error('an MCP request without an agent');
    const attachments = byAgent.get(agent) ?? createAttachments(agent, host.context.clock);
    byAgent.set(agent, attachments);
    const gone = requestInfo === undefined ? [closing] : [closing, requestInfo.signal];
    return mcpServerFor(
      (name, args, signal) =>
        callTool(name, args, host.toolContext(agent, AbortSignal.any([signal, ...gone]))),
      agent,
      attachments,
    );
  };
}

/** MCP wants 403 for a name or a page that is not ours; the guard's own word for a name is 421. */
function guard({ headers }: IncomingMessage, allowed: Allowed): Refusal | undefined {
  const guarded = checkRequest({ host: headers.host, origin: headers.origin }, allowed);
  if (guarded.ok) return undefined;
  const status = guarded.status === 421 ? 403 : guarded.status;
  const problem = guarded.message.replace(/\.$/, '');
  return { status, error: wireError('invalid_request', { problem }) };
}

async function identify(
  { context }: Pick<Host, 'context'>,
  authenticate: Tokens['authenticate'],
  { headers }: IncomingMessage,
): Promise<{ agent: string } | Refusal> {
  const token = bearerOf(headers);
  const known = token === undefined ? undefined : await authenticate(token);
  if (known?.ok !== true) {
    const challenge = { 'www-authenticate': 'Bearer realm="earshot"' };
    return { status: 401, error: wireError('unauthorized'), headers: challenge };
  }
  const { identity } = known;
  const isAgent = identity.kind === 'agent' && allows(identity, 'agent:connect', identity.subject);
  if (isAgent && context.attention.agents.some(({ id }) => id === identity.subject)) {
    return { agent: identity.subject };
  }
  return { status: 403, error: wireError('forbidden', { permission: 'agent:connect' }) };
}

/** As the SDK passes identity on; the token itself goes no further than here. */
function authOf(agent: string) {
  return { token: '', clientId: agent, scopes: ['agent:connect'] };
}

function busy(): Refusal {
  const error = wireError('rate_limited', { retryAfterMs: RETRY_AFTER_MS });
  return { status: 429, error, headers: RETRY_AFTER };
}

function unavailable(): Refusal {
  return { status: 503, error: wireError('unavailable', { what: 'The host' }), headers: RETRY_AFTER };
}

function refuse(response: ServerResponse, { status, error, headers = {} }: Refusal): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(encodeError(null, error));
}
