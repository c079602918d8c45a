// The table of chat tools, complete by type, and how a call's outcome travels in `tools/call`. The outcome has MCP's
// shape, so that the same value is served to MCP clients. A refusal is a tool result, not an RPC error: the model
// is meant to read it ("Surface permanent failures as tool results").
import { z } from 'zod';
import { ACT_TOOLS } from './act-tools.ts';
import { isWireErrorName, type WireError } from './errors.ts';
import { READ_TOOLS } from './read-tools.ts';
import { TOOL_NAMES, type ToolName } from './tool-name.ts';
import type { Tool } from './tool.ts';

export const TOOLS = { ...READ_TOOLS, ...ACT_TOOLS } satisfies Record<ToolName, Tool>;
export type ToolInput<N extends ToolName> = z.infer<(typeof TOOLS)[N]['input']>;
export type ToolResult<N extends ToolName> = z.infer<(typeof TOOLS)[N]['result']>;

export const toolCallResultSchema = z.object({
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })).max(16),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});
export type ToolCallResult = z.infer<typeof toolCallResultSchema>;

/** `shown`: what of it is worth a model's reading as text. */
export function toolSuccess(
  result: Readonly<Record<string, unknown>>,
  shown: Readonly<Record<string, unknown>> = result,
): ToolCallResult {
  return { content: [{ type: 'text', text: JSON.stringify(shown) }], structuredContent: { ...result } };
}

export function toolRefusal({ code, message, data }: WireError): ToolCallResult {
  return {
    content: [{ type: 'text', text: message }],
    structuredContent: { code, message, data },
    isError: true,
  };
}

const wireErrorSchema = z.object({
  code: z.int(),
  message: z.string(),
  data: z.looseObject({ name: z.string().refine(isWireErrorName), retryable: z.boolean() }),
});

/** The refusal inside a tool result, if it is one of ours. */
export function refusalOf(result: ToolCallResult): WireError | undefined {
  if (result.isError !== true) return undefined;
  const read = wireErrorSchema.safeParse(result.structuredContent);
  return read.success ? read.data : undefined;
}

export const toolListingSchema = z.object({
  name: z.enum(TOOL_NAMES),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  annotations: z.object({ readOnlyHint: z.boolean(), idempotentHint: z.boolean() }),
});
export type ToolListing = z.infer<typeof toolListingSchema>;

/** For `tools/list`. `with_key` counts as idempotent there: the wire's schema demands the key. */
export function listTool(name: ToolName): ToolListing {
  const { description, input, idempotent } = TOOLS[name];
  return {
    name,
    description,
    inputSchema: z.toJSONSchema(input, { io: 'input' }),
    annotations: { readOnlyHint: Object.hasOwn(READ_TOOLS, name), idempotentHint: idempotent !== false },
  };
}
