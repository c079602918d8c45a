// Makes an MCP server object for each HTTP request, and keeps per agent what must outlive it: its turn, its call keys and
// its open calls.
// Two tokens of one agent share this memory; two agents share nothing.
import type { McpRequestContext, McpServer, RequestId } from '@modelcontextprotocol/server';
import { agentIdentity } from '../kernel/context.ts';
import type { Host } from '../host.ts';
import { callTool } from '../tools/call.ts';
import { type CallKeys, createCallKeys } from './call-keys.ts';
import type { HostPort } from './host-port.ts';
import { mcpServerFor, type RunToolCall } from './mcp-server.ts';
import { McpTurns } from './mcp-turns.ts';

export type ToolHost = Pick<Host, 'context' | 'toolCaller' | 'sessionDeps'>;

interface AgentMemory {
  callKeys: CallKeys;
  turns: McpTurns;
  openCalls: OpenCalls;
}

/** `authInfo.clientId` names the agent. Aborting `closing` ends all calls. */
export function agentServers(
  host: ToolHost,
  closing: AbortSignal,
): (request: McpRequestContext) => McpServer {
  const memories = new Map<string, AgentMemory>();
  return ({ era, authInfo, requestInfo }) => {
    const agent = authInfo?.clientId;
    // Admission has identified every caller. A server object without an agent would be a security hole.
    if (agent === undefined) throw new Error('an MCP request without an agent');
    const memory = memories.get(agent) ?? newMemory(host, agent);
    memories.set(agent, memory);
    const { callKeys, turns, openCalls } = memory;
    const gone = requestInfo === undefined ? [closing] : [closing, requestInfo.signal];
    const call: RunToolCall = (name, args, { id, signal }) =>
      openCalls.run(id, [signal, ...gone], (ended) => callTool(name, args, host.toolCaller(agent, ended)));
    const { clock, gate } = host.context;
    const { turns: reports } = host.sessionDeps;
    const port: HostPort = {
      call,
      startTurn: async (turnId, eventIds) =>
        gate.out(await reports.start(agent, turnId, gate.in(eventIds), true)),
      endTurn: (turnId, outcome) => reports.end(agent, turnId, outcome).then(() => undefined),
    };
    const situation = { identity: agentIdentity(host.context, agent), inTurn: isInTurn(requestInfo) };
    const mcp = mcpServerFor({ agent, port, callKeys, turns, clock, ...situation });
    if (era === 'legacy') {
      mcp.server.setNotificationHandler('notifications/cancelled', ({ params: { requestId } }) => {
        if (requestId !== undefined) openCalls.cancel(requestId);
      });
    }
    return mcp;
  };
}

/** `/mcp?for=turn`: a runner starts the turns of this agent, and offers it the tools for them. */
function isInTurn(request: Request | undefined): boolean {
  return request !== undefined && URL.parse(request.url)?.searchParams.get('for') === 'turn';
}

function newMemory({ context: { clock, random } }: ToolHost, agent: string): AgentMemory {
  return {
    callKeys: createCallKeys(agent, clock),
    turns: new McpTurns({ clock, newId: () => random.id(), channel: false }),
    openCalls: createOpenCalls(),
  };
}

// Open calls, kept so that another request can cancel them. Over HTTP a 2025 client cancels a call with a second
// request, and the SDK gives that request to a new server object, which knows of no call. Without this, a cancelled
// long poll would go on and take the next event although nobody reads its answer.

interface OpenCalls {
  /** Runs the call with a signal that also aborts on `cancel(id)`. */
  run<T>(
    id: RequestId,
    signals: readonly AbortSignal[],
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  cancel(id: RequestId): void;
}

/**
 * The open calls of one agent; other agents cannot cancel them. When two clients of the agent use one id at once, a
 * cancel ends both calls, and the other client calls again.
 */
function createOpenCalls(): OpenCalls {
  const open = new Map<RequestId, Set<AbortController>>();
  return {
    async run(id, signals, call) {
      const controller = new AbortController();
      const same = open.get(id) ?? new Set();
      open.set(id, same.add(controller));
      try {
        return await call(AbortSignal.any([controller.signal, ...signals]));
      } finally {
        same.delete(controller);
        if (same.size === 0 && open.get(id) === same) open.delete(id);
      }
    },
    cancel(id) {
      for (const controller of open.get(id) ?? []) controller.abort();
    },
  };
}
