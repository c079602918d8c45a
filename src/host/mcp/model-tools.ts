// The chat tools as an MCP client lists them: names with underscores, arguments without keys and tokens, hints. The
// list is built once, because over HTTP every request gets a new server object. The SDK publishes the schema and
// checks nothing. Our own schema checks the arguments (mcp-server.ts), so wrong ones get the same words on every
// transport.
import type { StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type Schema, schemaForModel, wordsForModel } from '../../protocol/model-schema.ts';
import { TOOL_NAMES, type ToolName, toolNameForModel } from '../../protocol/tool-name.ts';
import { listTool, TOOLS } from '../../protocol/tools.ts';
import { inModelWords } from './model-view.ts';

export interface ModelTool {
  name: ToolName;
  modelName: string;
  title: string;
  description: string;
  annotations: ToolAnnotations;
  /** For the SDK. It publishes the schema and accepts every value. */
  inputSchema: StandardSchemaWithJSON;
}

export const MODEL_TOOLS: readonly ModelTool[] = TOOL_NAMES.map((name) => {
  const { description, annotations } = listTool(name);
  const schema = z.toJSONSchema(TOOLS[name].modelInput, { io: 'input' }) as Schema;
  return {
    name,
    modelName: toolNameForModel(name),
    title: titleOf(name),
    description: inModelWords(wordsForModel(name, description)),
    // Clients assume that a tool that is not read-only destroys something, and that it reaches strangers on the open
    // network. One of these destroys, and none reaches them: Codex refuses to send without the second hint.
    annotations: { ...annotations, destructiveHint: name === 'chat.delete_message', openWorldHint: false },
    inputSchema: published(schemaForModel(name, schema, [])),
  };
});

function titleOf(name: ToolName): string {
  const words = name.replace('chat.', '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function published(schema: Schema): StandardSchemaWithJSON {
  return {
    '~standard': {
      version: 1,
      vendor: 'earshot',
      validate: (value) => ({ value }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}
