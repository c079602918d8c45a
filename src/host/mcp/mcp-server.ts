// The chat tools as an MCP server object for one agent. It stands between the SDK and the host that runs the calls, in
// this process or over HTTP. It reads the model's arguments, fills in what the turn says (fill-call.ts), adds keys and
// tokens (call-keys.ts), and runs the call. A refusal goes back as a result that the model can read, never as a
// protocol error.
import {
  type CallToolResult,
  McpServer,
  type RequestId,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { wireError } from '../../protocol/errors.ts';
import { readParams } from '../../protocol/read-params.ts';
import type { ToolName } from '../../protocol/tool-name.ts';
import { refusalOf, type ToolCallResult } from '../../protocol/tool.ts';
import { TOOLS } from '../../protocol/tools.ts';
import type { Cancel, Clock } from '../../runtime/clock.ts';
import { VERSION } from '../../runtime/manifest.ts';
import type { Arguments, CallKeys } from './call-keys.ts';
import { CHANNEL_CAPABILITY, PERMISSION_CAPABILITY } from './channel-notice.ts';
import { fillCall } from './fill-call.ts';
import type { HostPort } from './host-port.ts';
import { type McpSituation, mcpInstructions } from './instructions.ts';
import type { McpTurns } from './mcp-turns.ts';
import { MODEL_TOOLS } from './model-tools.ts';
import { modelRefusal, refusalInModelWords, resultForModel } from './model-view.ts';
import { PROGRESS_MS, waitMsFor } from './wait-limits.ts';

/** Runs one call with complete arguments. Never rejects: every failure is a refusal. */
export type RunToolCall = (name: ToolName, args: Arguments, request: CallRequest) => Promise<ToolCallResult>;

export interface CallRequest {
  /** The client's id of the request, unique among its open requests. */
  id: RequestId;
  /** Aborted when the client cancels the call or disconnects. */
  signal: AbortSignal;
}

export interface McpServerDeps extends McpSituation {
  agent: string;
  port: HostPort;
  callKeys: CallKeys;
  turns: McpTurns;
  clock: Clock;
  /** The event whose turn the client works for, and who decides on its requests for permission. */
  eventId?: string | undefined;
  approver?: string | undefined;
  /** How long a wait lasts, in place of what is known of the client. */
  waitMs?: number | undefined;
}

const SERVER_INFO = { name: 'earshot', title: 'Earshot', version: VERSION };

export function mcpServerFor(deps: McpServerDeps): McpServer {
  const { agent, channel = false, inTurn = false, permissionOnly = false } = deps;
  const offered = { [CHANNEL_CAPABILITY]: {}, [PERMISSION_CAPABILITY]: {} };
  const server = new McpServer(SERVER_INFO, {
    // The list of tools never changes while a server runs.
    capabilities: {
      tools: { listChanged: false },
      logging: {},
      ...(channel ? { experimental: offered } : {}),
    },
    instructions: mcpInstructions(agent, deps),
  });
  for (const { name, modelName, title, description, annotations, inputSchema } of MODEL_TOOLS) {
    // The runner takes the events. A second taker would get what the next turn is about.
    if (inTurn && name === 'chat.wait_events') continue;
    if (permissionOnly && name !== 'chat.ask_permission') continue;
    server.registerTool(modelName, { title, description, annotations, inputSchema }, (args, context) => {
      const given = name === 'chat.ask_permission' ? permissionArguments(args) : args;
      const read = readParams(TOOLS[name].modelInput, given);
      if (!read.ok) return Promise.resolve(resultForModel(name, modelRefusal(read.error)));
      const shown = read.value as Arguments;
      // A program that waits while it works says how many it takes. Its turns do not end because it waits.
      const isTurn = name === 'chat.wait_events' && shown['limit'] === undefined;
      return isTurn ? wait(deps, server, shown, context) : run(deps, name, shown, context.mcpReq);
    });
  }
  return server;
}

async function run(
  deps: McpServerDeps,
  name: ToolName,
  shown: Arguments,
  request: CallRequest,
): Promise<CallToolResult> {
  const { port, callKeys, turns } = deps;
  const filled = await placed(port, fillCall(name, shown, turns.about), name, request);
  const asking = name === 'chat.ask_permission' ? permissionDefaults(deps) : {};
  const complete = { ...asking, ...callKeys.attach(name, filled) };
  const { id: turnId } = turns;
  const inTurn = turnId !== undefined && 'turnId' in TOOLS[name].input.shape ? { turnId } : {};
  // What no turn could complete is refused here, so that only complete calls reach the host.
  const read = readParams(TOOLS[name].input, { ...complete, ...inTurn });
  if (!read.ok) return resultForModel(name, modelRefusal(read.error));
  const result = await port.call(name, read.value, request);
  turns.called(name, filled, result);
  return resultForModel(name, refusalInModelWords(callKeys.learn(name, filled, result)));
}

/** The program that asks may say more than this tool knows. */
function permissionArguments(args: unknown): unknown {
  const { tool_name, input, tool_use_id } = Object(args) as Arguments;
  return { tool_name, input, ...(tool_use_id === undefined ? {} : { tool_use_id }) };
}

function permissionDefaults({ eventId, approver }: McpServerDeps): Arguments {
  return {
    ...(eventId === undefined ? {} : { inReplyTo: eventId }),
    ...(approver === undefined ? {} : { approver }),
  };
}

/** An answer to an event outside of the turn goes to where that event was said. */
async function placed(
  port: HostPort,
  args: Arguments,
  name: ToolName,
  request: CallRequest,
): Promise<Arguments> {
  const { inReplyTo, target } = args;
  if (name !== 'chat.send_message' || inReplyTo === undefined || target !== undefined) return args;
  const { structuredContent } = await port.call('chat.read_thread', { inReplyTo, limit: 1 }, request);
  const place = structuredContent?.['target'];
  return typeof place === 'string' ? fillCall(name, { ...args, target: place }, undefined) : args;
}

/** Answers the last turn if there is a reply, ends it, and waits for the next one. */
async function wait(
  deps: McpServerDeps,
  server: McpServer,
  { reply, timeoutMs }: Arguments,
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  const { port, turns, clock, channel } = deps;
  if (typeof reply === 'string') {
    if (turns.about === undefined) return modelRefusal(NO_TURN);
    const sent = await run(deps, 'chat.send_message', { text: reply }, mcpReq);
    const refusal = refusalOf(sent as ToolCallResult);
    // "NO_REPLY" and the like: the model chose to be silent.
    if (refusal !== undefined && refusal.data.name !== 'silence') return sent;
  }
  const known = channel === true ? 0 : (deps.waitMs ?? waitMsFor(server.server.getClientVersion()?.name));
  const waitMs = typeof timeoutMs === 'number' ? timeoutMs : known;
  const stop = waitMs === 0 ? () => undefined : tellProgress(clock, mcpReq);
  try {
    return await turns.next(port, waitMs, mcpReq);
  } finally {
    stop();
  }
}

const NO_TURN = wireError('invalid_params', {
  problem: 'reply: there is no turn to answer. Say target and text with chat.send_message',
  path: 'reply',
});

/** Keeps a waiting call alive at clients that asked to hear of its progress. */
function tellProgress(clock: Clock, { _meta, notify }: ServerContext['mcpReq']): () => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  let timer: Cancel | undefined;
  const tell = (): void => {
    const params = { progressToken, progress: ++progress, message: 'Nobody has written to you yet.' };
    // A client that is gone is noticed by the call itself.
    notify({ method: 'notifications/progress', params }).catch(() => undefined);
    timer = clock.after(PROGRESS_MS, tell);
  };
  timer = clock.after(PROGRESS_MS, tell);
  return () => timer?.();
}
