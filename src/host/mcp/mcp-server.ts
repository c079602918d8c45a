// The chat tools as an MCP server object for one agent. It stands between the SDK and the host that runs the calls, in
// this process or over HTTP. It reads the model's arguments, adds keys and tokens (call-keys.ts), and runs the call. A
// refusal goes back as a result that the model can read, never as a protocol error.
import { type CallToolResult, McpServer, type RequestId } from '@modelcontextprotocol/server';
import { readParams } from '../../protocol/read-params.ts';
import type { ToolName } from '../../protocol/tool-name.ts';
import type { ToolCallResult } from '../../protocol/tool.ts';
import { TOOLS } from '../../protocol/tools.ts';
import { VERSION } from '../../runtime/manifest.ts';
import type { Arguments, CallKeys } from './call-keys.ts';
import { CHANNEL_CAPABILITY } from './channel-notice.ts';
import { type McpSituation, mcpInstructions } from './instructions.ts';
import { MODEL_TOOLS } from './model-tools.ts';
import { modelRefusal, refusalInModelWords, resultForModel } from './model-view.ts';

/** Runs one call with complete arguments. Never rejects: every failure is a refusal. */
export type RunToolCall = (name: ToolName, args: Arguments, request: CallRequest) => Promise<ToolCallResult>;

export interface CallRequest {
  /** The client's id of the request, unique among its open requests. */
  id: RequestId;
  /** Aborted when the client cancels the call or disconnects. */
  signal: AbortSignal;
}

const SERVER_INFO = { name: 'earshot', title: 'Earshot', version: VERSION };

export function mcpServerFor(
  call: RunToolCall,
  agent: string,
  callKeys: CallKeys,
  situation: McpSituation = {},
): McpServer {
  const { channel = false, inTurn = false } = situation;
  const experimental = channel ? { experimental: { [CHANNEL_CAPABILITY]: {} } } : {};
  const server = new McpServer(SERVER_INFO, {
    // The list of tools never changes while a server runs.
    capabilities: { tools: { listChanged: false }, logging: {}, ...experimental },
    instructions: mcpInstructions(agent, situation),
  });
  for (const { name, modelName, title, description, annotations, inputSchema } of MODEL_TOOLS) {
    // The runner takes the events. A second taker would get what the next turn is about.
    if (inTurn && name === 'chat.wait_events') continue;
    server.registerTool(modelName, { title, description, annotations, inputSchema }, (args, { mcpReq }) =>
      run(name, args, (complete) => call(name, complete, mcpReq), callKeys),
    );
  }
  return server;
}

async function run(
  name: ToolName,
  args: unknown,
  call: (complete: Arguments) => Promise<ToolCallResult>,
  callKeys: CallKeys,
): Promise<CallToolResult> {
  const read = readParams(TOOLS[name].modelInput, args);
  if (!read.ok) return modelRefusal(read.error);
  const shown = read.value as Arguments;
  const result = await call(callKeys.attach(name, shown));
  return resultForModel(name, refusalInModelWords(callKeys.learn(name, shown, result)));
}
