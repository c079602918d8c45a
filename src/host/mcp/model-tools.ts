// The chat tools as an MCP client lists them: underscored names, arguments without keys and tokens, hints. Built once,
// because over HTTP a server object is made for every request. The SDK publishes the schema and lets every value
// through: arguments are read by our own schema (mcp-server.ts), so that wrong ones are refused in the same words
// whatever carried the call.
import type { StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { TOOL_NAMES, type ToolName, toolNameForModel } from '../../protocol/tool-name.ts';
import { listTool, TOOLS } from '../../protocol/tools.ts';
import { inModelWords } from './model-words.ts';

type JsonSchema = Record<string, unknown>;

export interface ModelTool {
  name: ToolName;
  modelName: string;
  title: string;
  description: string;
  annotations: ToolAnnotations;
  /** What the SDK is given: shows the schema, checks nothing. */
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
    // Nothing here destroys anything, which clients would otherwise assume of a tool that is not read-only.
    annotations: { title: titleOf(name), ...annotations, destructiveHint: false },
    inputSchema: published(schema),
  };
});

function titleOf(name: ToolName): string {
  const words = name.replace('chat.', '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Model providers refuse `oneOf` at the top of a schema, so the rule is told in words; our own schema enforces it. */
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
