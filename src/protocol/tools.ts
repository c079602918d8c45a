// The table of all chat tools, and the shape of a call's outcome in `tools/call`. The shape is MCP's, so MCP clients
// get the same value. A refusal is a tool result and no RPC error, because the model should read it ("Surface
// permanent failures as tool results").
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

/** `shown`: the part of the result that the model gets as text. */
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

/** For `tools/list`. `with_key` counts as idempotent, because the wire's schema requires the key. */
export function listTool(name: ToolName): ToolListing {
  const { description, input, idempotent } = TOOLS[name];
  return {
    name,
    description,
    inputSchema: z.toJSONSchema(input, { io: 'input' }),
    annotations: { readOnlyHint: Object.hasOwn(READ_TOOLS, name), idempotentHint: idempotent !== false },
  };
}
