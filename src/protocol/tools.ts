// The table of all chat tools, with the types of their arguments and results, and their listing in `tools/list`. The
// tools themselves are in act-tools.ts and read-tools.ts.
import { z } from 'zod';
import { ACT_TOOLS } from './act-tools.ts';
import { PERMISSION_TOOLS } from './permission-tool.ts';
import { READ_TOOLS } from './read-tools.ts';
import { TOOL_NAMES, type ToolName } from './tool-name.ts';
import type { Tool } from './tool.ts';

export const TOOLS = { ...READ_TOOLS, ...ACT_TOOLS, ...PERMISSION_TOOLS } satisfies Record<ToolName, Tool>;
export type ToolInput<N extends ToolName> = z.infer<(typeof TOOLS)[N]['input']>;
export type ToolResult<N extends ToolName> = z.infer<(typeof TOOLS)[N]['result']>;

export const toolListingSchema = z.object({
  name: z.enum(TOOL_NAMES),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  annotations: z.object({ readOnlyHint: z.boolean(), idempotentHint: z.boolean() }),
});
export type ToolListing = z.infer<typeof toolListingSchema>;

/** Made once: it takes a third of a millisecond, and every session asks for all of them. */
const inputSchemas = new Map<ToolName, Record<string, unknown>>();

function inputSchemaOf(name: ToolName): Record<string, unknown> {
  const made = inputSchemas.get(name) ?? z.toJSONSchema(TOOLS[name].input, { io: 'input' });
  inputSchemas.set(name, made);
  return made;
}

/** For `tools/list`. `with_key` counts as idempotent, because the wire's schema requires the key. */
export function listTool(name: ToolName): ToolListing {
  const { description, idempotent } = TOOLS[name];
  return {
    name,
    description,
    inputSchema: inputSchemaOf(name),
    annotations: { readOnlyHint: Object.hasOwn(READ_TOOLS, name), idempotentHint: idempotent !== false },
  };
}
