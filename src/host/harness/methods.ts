// The methods that an agent's harness may call, whatever way it comes: a session (WebSocket, stdio, memory) or one HTTP
// request after the other. Both use these handlers; what differs between them is `initialize` and who pushes.
import { METHODS } from '../../protocol/methods.ts';
import { readParams } from '../../protocol/read-params.ts';
import type { Answer, Handlers } from '../../transport/dispatch.ts';
import { callTool, listTools } from '../tools/call.ts';
import type { ToolDeps } from '../tools/tool-context.ts';
import type { Turns } from '../turn/turns.ts';

export interface MethodDeps {
  turns: Turns;
  tools: ToolDeps;
  /** An agent reports its progress, as an event of the conversation it is about. */
  progress(agent: string, params: unknown): void;
  /** An agent is at work: shown on its surface. */
  typing(agent: string, params: unknown): void;
}

export const ok = (result: unknown): Answer => ({ ok: true, result });

export function agentMethods({ turns, tools }: MethodDeps, agent: string): Handlers {
  return {
    ping: () => ok({}),
    'tools/list': () => ok({ tools: listTools() }),
    async 'tools/call'(params, { signal }) {
      const read = readParams(METHODS['tools/call'].params, params);
      if (!read.ok) return read;
      const { name, arguments: args } = read.value;
      return ok(await callTool(name, args, { ...tools, agent, signal }));
    },
    async 'turn/started'(params) {
      const read = readParams(METHODS['turn/started'].params, params);
      return read.ok ? ok(await turns.start(agent, read.value.turnId, read.value.eventIds)) : read;
    },
    async 'turn/ended'(params) {
      const read = readParams(METHODS['turn/ended'].params, params);
      return read.ok ? ok(await turns.end(agent, read.value.turnId, read.value.outcome)) : read;
    },
  };
}

/** Notifications that an agent's harness may send. */
export function agentNotification(deps: MethodDeps, agent: string, method: string, params: unknown): void {
  if (method === 'notifications/progress') deps.progress(agent, params);
  if (method === 'notifications/typing') deps.typing(agent, params);
}
