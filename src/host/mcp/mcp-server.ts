// The chat tools as one MCP server object for one agent: what stands between the SDK and whoever runs the calls (the host
// in this process, or the one reached over HTTP). Arguments are read without keys and tokens, those are attached, and a
// refusal goes back as a result that the model can read, never as a protocol error.
import { type CallToolResult, McpServer, type RequestId } from '@modelcontextprotocol/server';
import { readParams } from '../../protocol/read-params.ts';
import type { ToolName } from '../../protocol/tool-name.ts';
import type { ToolCallResult } from '../../protocol/tool.ts';
import { TOOLS } from '../../protocol/tools.ts';
import { VERSION } from '../../runtime/manifest.ts';
import type { Arguments, Attachments } from './attachments.ts';
import { CHANNEL_CAPABILITY } from './channel-notice.ts';
import { instructionsFor } from './instructions.ts';
import { MODEL_TOOLS } from './model-tools.ts';
import { modelRefusal, refusalInModelWords } from './model-words.ts';
import { shownToModel } from './shown-attachment.ts';

/** Runs one call, arguments complete. Never rejects: what goes wrong is a refusal. */
export type ToolCaller = (name: ToolName, args: Arguments, request: CallRequest) => Promise<ToolCallResult>;

export interface CallRequest {
  /** The client's own, unique among its open requests. */
  id: RequestId;
  /** Aborted when the client cancels the call or is gone. */
  signal: AbortSignal;
}

const SERVER_INFO = { name: 'earshot', title: 'Earshot', version: VERSION };

export function mcpServerFor(
  call: ToolCaller,
  agent: string,
  attachments: Attachments,
  channel = false,
): McpServer {
  const experimental = channel ? { experimental: { [CHANNEL_CAPABILITY]: {} } } : {};
  const server = new McpServer(SERVER_INFO, {
    // The list never changes while a server runs.
    capabilities: { tools: { listChanged: false }, logging: {}, ...experimental },
    instructions: instructionsFor(agent, channel),
  });
  for (const { name, modelName, title, description, annotations, inputSchema } of MODEL_TOOLS) {
    server.registerTool(modelName, { title, description, annotations, inputSchema }, (args, { mcpReq }) =>
      run(name, args, (complete) => call(name, complete, mcpReq), attachments),
    );
  }
  return server;
}

async function run(
  name: ToolName,
  args: unknown,
  call: (complete: Arguments) => Promise<ToolCallResult>,
  attachments: Attachments,
): Promise<CallToolResult> {
  const read = readParams(TOOLS[name].modelInput, args);
  if (!read.ok) return modelRefusal(read.error);
  const shown = read.value as Arguments;
  const result = await call(attachments.attach(name, shown));
  return shownToModel(name, refusalInModelWords(attachments.learn(name, shown, result)));
}
