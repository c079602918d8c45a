// MCP over streamable HTTP, for any Node server to mount at /mcp. The bearer token names the agent. The SDK wants a new
// server object per request, so agent-servers.ts keeps what must last. Clients of 2025 and 2026 both work. Neither has
// a session, so after a restart they simply call again. The SDK is optional and loaded on the first request; without
// it the host still runs, and the answer says what to install.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import type { createMcpHandler } from '@modelcontextprotocol/server';
import { loadOptional, PackageMissing } from '../../runtime/optional-package.ts';
import { type AllowedHosts, BODY_LIMITS } from '../security/http-guard.ts';
import {
  type Authenticate,
  tooBusy,
  checkHeaders,
  identifyAgent,
  notInstalled,
  type HttpRefusal,
  writeRefusal,
  hostUnavailable,
} from './admission.ts';
import type { ToolHost } from './agent-servers.ts';

export interface McpHttp {
  /** Answers one request and never rejects. The body must be unread, or passed as `parsedBody`. */
  handle(request: IncomingMessage, response: ServerResponse, parsedBody?: unknown): Promise<void>;
  /** Refuses new requests, ends long polls, waits for running requests, and after CLOSING_MS cuts the rest. */
  close(): Promise<void>;
}

export interface McpHttpOptions extends AllowedHosts {
  /** Requests answered at once, long polls included. One more gets 429. */
  concurrent?: number;
}

const CONCURRENT = 1_024;
/** Longer than a send waits for its platform. */
const CLOSING_MS = 6_000;

export function mcpHttpHandler(
  host: ToolHost,
  authenticate: Authenticate,
  options: McpHttpOptions = {},
): McpHttp {
  const { log, clock } = host.context;
  const { concurrent = CONCURRENT } = options;
  const closing = new AbortController();
  const onerror = (error: Error): void => log.warn({ err: error }, 'an MCP request could not be served');
  const limits = { onerror, maxRequestBodySize: BODY_LIMITS.rpcBytes };
  const load = () => loadMcp(host, closing.signal, limits);
  let loading: ReturnType<typeof load> | undefined;
  const isKnown = (agent: string): boolean => host.context.agentIds.has(agent);
  let serving = 0;
  let quiet = Promise.withResolvers<void>();

  const admit = async (request: IncomingMessage): Promise<{ agent: string } | HttpRefusal> => {
    const refused = checkHeaders(request, options);
    if (refused !== undefined) return refused;
    if (closing.signal.aborted) return hostUnavailable();
    if (serving > concurrent) return tooBusy();
    return identifyAgent(request, authenticate, isKnown);
  };
  /** Counts the request as one of its agent's until the answer was read. */
  const share = (agent: string, response: ServerResponse): HttpRefusal | undefined => {
    const { shares } = host.context;
    if (!shares.take(`agent:${agent}`, 'mcp').ok) return tooBusy();
    const open = shares.requests.open(`agent:${agent}`);
    if (typeof open === 'string') {
      shares.refused(`agent:${agent}`, open);
      return tooBusy();
    }
    response.once('close', () => open.end());
    return undefined;
  };
  const serverFor = async (agent: string) => {
    const { mcp, toNodeHandler } = await (loading ??= load());
    // Only admission sees the token itself.
    const authInfo = { token: '', clientId: agent, scopes: ['agent:connect'] };
    return toNodeHandler({ fetch: (sent, given) => mcp.fetch(sent, { ...given, authInfo }) }, limits);
  };

  return {
    async handle(request, response, parsedBody) {
      serving++;
      try {
        const admitted = await admit(request);
        const refused = 'status' in admitted ? admitted : share(admitted.agent, response);
        if (refused !== undefined) writeRefusal(response, refused);
        else if ('agent' in admitted)
          await (await serverFor(admitted.agent))(request as NodeIncomingMessageLike, response, parsedBody);
      } catch (error) {
        if (error instanceof PackageMissing) return writeRefusal(response, notInstalled(error.message));
        log.error({ err: error }, 'an MCP request failed');
        writeRefusal(response, hostUnavailable());
      } finally {
        if (--serving === 0) quiet.resolve();
      }
    },
    async close() {
      closing.abort();
      quiet = Promise.withResolvers();
      const cancel = clock.after(CLOSING_MS, () => quiet.resolve());
      if (serving > 0) await quiet.promise;
      cancel();
      const loaded = await loading?.catch(() => undefined);
      await loaded?.mcp.close();
    },
  };
}

type Limits = Parameters<typeof createMcpHandler>[1];

async function loadMcp(host: ToolHost, closing: AbortSignal, limits: Limits) {
  const [server, node, { agentServers }] = await loadOptional(
    ['@modelcontextprotocol/server', '@modelcontextprotocol/node'],
    () =>
      Promise.all([
        import('@modelcontextprotocol/server'),
        import('@modelcontextprotocol/node'),
        import('./agent-servers.ts'),
      ]),
  );
  const mcp = server.createMcpHandler(agentServers(host, closing), limits);
  return { mcp, toNodeHandler: node.toNodeHandler };
}
