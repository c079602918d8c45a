// MCP over streamable HTTP, to be mounted at /mcp by any Node server. Who calls is the agent of the bearer token. The SDK
// asks for a server object per request, so whatever must last is kept here and per agent (agent-servers.ts). Requests
// of 2025 and 2026 clients are both served; neither has a session, so a host that was restarted is simply called again.
// The SDK is optional and loaded for the first request: without it the host runs, and the answer says what to install.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import type { createMcpHandler } from '@modelcontextprotocol/server';
import { loadOptional, PackageMissing } from '../../runtime/optional-package.ts';
import { type AllowedHosts, BODY_LIMITS } from '../security/http-guard.ts';
import {
  type Authenticate,
  busy,
  guard,
  identify,
  notInstalled,
  type Refusal,
  refuse,
  unavailable,
} from './admission.ts';
import type { ToolHost } from './agent-servers.ts';

export interface McpHttp {
  /** Answers one request, whatever it is, and never rejects. The body must be unread, or given as parsed. */
  handle(request: IncomingMessage, response: ServerResponse, parsedBody?: unknown): Promise<void>;
  /** Takes nothing more, ends long polls, lets what is under way finish, then cuts what is left. */
  close(): Promise<void>;
}

export interface McpHttpOptions extends AllowedHosts {
  /** Requests being answered at once, long polls included; one more is 429. */
  concurrent?: number;
}

const CONCURRENT = 1_024;
/** Longer than a send waits for its platform. */
const CLOSING_MS = 6_000;

export function mcpHttpHandler(
  host: ToolHost,
  authenticate: Authenticate,
  { concurrent = CONCURRENT, ...allowed }: McpHttpOptions = {},
): McpHttp {
  const { log, attention, clock } = host.context;
  const closing = new AbortController();
  const onerror = (error: Error): void => log.warn({ err: error }, 'an MCP request could not be served');
  const limits = { onerror, maxRequestBodySize: BODY_LIMITS.rpcBytes };
  const load = () => loadMcp(host, closing.signal, limits);
  let loading: ReturnType<typeof load> | undefined;
  const isKnown = (agent: string): boolean => attention.agents.some(({ id }) => id === agent);
  let serving = 0;
  let quiet = Promise.withResolvers<void>();

  const admit = async (request: IncomingMessage): Promise<{ agent: string } | Refusal> => {
    const refused = guard(request, allowed);
    if (refused !== undefined) return refused;
    if (closing.signal.aborted) return unavailable();
    if (serving > concurrent) return busy();
    return identify(request, authenticate, isKnown);
  };
  const serverFor = async (agent: string) => {
    const { mcp, toNodeHandler } = await (loading ??= load());
    // The token itself goes no further than admission.
    const authInfo = { token: '', clientId: agent, scopes: ['agent:connect'] };
    return toNodeHandler({ fetch: (sent, given) => mcp.fetch(sent, { ...given, authInfo }) }, limits);
  };

  return {
    async handle(request, response, parsedBody) {
      serving++;
      try {
        const admitted = await admit(request);
        if ('status' in admitted) refuse(response, admitted);
        else
          await (await serverFor(admitted.agent))(request as NodeIncomingMessageLike, response, parsedBody);
      } catch (error) {
        if (error instanceof PackageMissing) return refuse(response, notInstalled(error.message));
        log.error({ err: error }, 'an MCP request failed');
        refuse(response, unavailable());
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
