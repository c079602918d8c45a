// The chat tools as an MCP client lists them: names with underscores, arguments without keys and tokens, hints. The
// list is built once, because over HTTP every request gets a new server object. The SDK publishes the schema and
// checks nothing. Our own schema checks the arguments (mcp-server.ts), so wrong ones get the same words on every
// transport.
import type { StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { JsonSchema } from '../../protocol/json-schemas.ts';
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
  const {
    $schema: _,
    oneOf,
    ...schema
  } = z.toJSONSchema(TOOLS[name].modelInput, { io: 'input' }) as JsonSchema;
  return {
    name,
    modelName: toolNameForModel(name),
    title: titleOf(name),
    description: `${inModelWords(description)}${exactlyOne(oneOf)}`,
    // Clients assume that a tool that is not read-only destroys something. Only one of these does.
    annotations: { title: titleOf(name), ...annotations, destructiveHint: name === 'chat.delete_message' },
    inputSchema: published(schema),
  };
});

function titleOf(name: ToolName): string {
  const words = name.replace('chat.', '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Model providers refuse `oneOf` at the top of a schema. The description states the rule, and our schema checks it. */
function exactlyOne(oneOf: unknown): string {
  if (!Array.isArray(oneOf)) return '';
  const names = (oneOf as { required: string[] }[]).flatMap(({ required }) => required);
  return ` Give exactly one of ${names.join(', ')}.`;
}

function published(schema: JsonSchema): StandardSchemaWithJSON {
  return {
    '~standard': {
      version: 1,
      vendor: 'earshot',
      validate: (value) => ({ value }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}
