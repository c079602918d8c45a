// What a chat tool is: a description for the model, the arguments on the wire, the arguments that a model sees, the
// result, and whether a call may be repeated ("Tools should declare idempotency"). A model never handles keys or
// tokens: its schema hides them, and the SDK or the MCP server adds them. The outcome of a call has one shape for all
// tools.
import { z } from 'zod';
import { type WireError, isWireErrorName } from './errors.ts';
import { TURN_KNOWS } from './model-schema.ts';

/** `with_key`: a call may be repeated only with the same idempotencyKey and body. */
export type Idempotent = boolean | 'with_key';

export interface Tool<I extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  description: string;
  idempotent: Idempotent;
  input: I;
  modelInput: z.ZodType;
  result: R;
  /** Few agents need it, so a small set of tools leaves it out. */
  extra: boolean;
}

/** Members of a tool's input that the SDK or the MCP server fills in. */
export const MODEL_HIDDEN: readonly string[] = ['idempotencyKey', 'token', 'turnId', 'approver'];

interface ToolParts<I extends z.ZodRawShape, R extends z.ZodType> {
  description: string;
  idempotent: Idempotent;
  input: I;
  /** Exactly one of these optional members is needed. */
  oneOf?: readonly (keyof I & string)[];
  /** Members that only a model's call has. Whoever serves the model acts on them. */
  modelOnly?: z.ZodRawShape;
  result: R;
  extra?: true;
}

/** Inputs are strict: an error names a misspelt argument to the model. */
export function tool<I extends z.ZodRawShape, R extends z.ZodType>(parts: ToolParts<I, R>) {
  const { description, idempotent, result, oneOf, extra = false, modelOnly = {} } = parts;
  const shown = Object.entries(parts.input).filter(([name]) => !MODEL_HIDDEN.includes(name));
  const forModel = shown.map(([name, member]) => [name, TURN_KNOWS.has(name) ? maybe(member) : member]);
  return {
    description,
    idempotent,
    input: exactlyOne(z.strictObject(parts.input), oneOf),
    modelInput: atMostOne(z.strictObject({ ...Object.fromEntries(forModel), ...modelOnly }), oneOf),
    result,
    extra,
  } satisfies Tool;
}

/** What the turn says may be left out. */
function maybe(member: z.core.$ZodType): z.ZodType {
  return (member as z.ZodType).optional();
}

/** In a turn a model may leave out the one that is needed. The host checks the complete call. */
function atMostOne<S extends z.ZodType>(schema: S, names: readonly string[] | undefined): S {
  if (names === undefined) return schema;
  return schema.refine((value) => names.filter((name) => Object.hasOwn(Object(value), name)).length <= 1, {
    error: `give one of ${names.join(', ')}`,
  });
}

function exactlyOne<S extends z.ZodType>(schema: S, names: readonly string[] | undefined): S {
  if (names === undefined) return schema;
  return schema
    .refine((value) => names.filter((name) => Object.hasOwn(Object(value), name)).length === 1, {
      error: `give exactly one of ${names.join(', ')}`,
    })
    .meta({ oneOf: names.map((name) => ({ required: [name] })) });
}

// What a call gives back in `tools/call`. The shape is MCP's, so MCP clients get the same value. A refusal is a tool
// result and no RPC error, because the model should read it ("Surface permanent failures as tool results").

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
