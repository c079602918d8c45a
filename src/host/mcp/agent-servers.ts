// A server object for each HTTP request, and what outlives it, per agent: the keys and tokens attached to its calls, and
// its calls under way. Whoever holds two tokens of one agent is that agent; two agents share nothing.
import type { McpRequestContext, McpServer } from '@modelcontextprotocol/server';
import type { Host } from '../host.ts';
import { callTool } from '../tools/call.ts';
import { type Attachments, createAttachments } from './attachments.ts';
import { createHeldCalls, type HeldCalls } from './held-calls.ts';
import { mcpServerFor, type ToolCaller } from './mcp-server.ts';

export type ToolHost = Pick<Host, 'context' | 'toolCaller'>;

interface AgentState {
  attachments: Attachments;
  held: HeldCalls;
}

/** `authInfo.clientId` is the agent; calls also end with `closing`. */
export function agentServers(
  host: ToolHost,
  closing: AbortSignal,
): (request: McpRequestContext) => McpServer {
  const states = new Map<string, AgentState>();
  return ({ era, authInfo, requestInfo }) => {
    const agent = authInfo?.clientId;
    // Nothing reaches the SDK unidentified; a server object for nobody would be a hole.
    if (agent === undefined) throw new Error('an MCP request without an agent');
    const { attachments, held } = states.get(agent) ?? newState(host, agent);
    states.set(agent, { attachments, held });
    const gone = requestInfo === undefined ? [closing] : [closing, requestInfo.signal];
    const call: ToolCaller = (name, args, { id, signal }) =>
      held.hold(id, [signal, ...gone], (ended) => callTool(name, args, host.toolCaller(agent, ended)));
    const mcp = mcpServerFor(call, agent, attachments);
    if (era === 'legacy') {
      mcp.server.setNotificationHandler('notifications/cancelled', ({ params: { requestId } }) => {
        if (requestId !== undefined) held.cancel(requestId);
      });
    }
    return mcp;
  };
}

function newState({ context }: ToolHost, agent: string): AgentState {
  return { attachments: createAttachments(agent, context.clock), held: createHeldCalls() };
}
