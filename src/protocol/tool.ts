// What a chat tool is: a description for the model, the arguments on the wire, the arguments that a model sees, the
// result, and whether a call may be repeated ("Tools should declare idempotency"). A model never handles keys or
// tokens: its schema hides them, and the SDK or the MCP server adds them.
import { z } from 'zod';

/** `with_key`: a call may be repeated only with the same idempotencyKey and body. */
export type Idempotent = boolean | 'with_key';

export interface Tool<I extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  description: string;
  idempotent: Idempotent;
  input: I;
  modelInput: z.ZodType;
  result: R;
}

/** Members of a tool's input that the SDK or the MCP server fills in. */
export const MODEL_HIDDEN: readonly string[] = ['idempotencyKey', 'token', 'turnId'];

interface ToolParts<I extends z.ZodRawShape, R extends z.ZodType> {
  description: string;
  idempotent: Idempotent;
  input: I;
  /** Exactly one of these optional members is needed. */
  oneOf?: readonly (keyof I & string)[];
  result: R;
}

/** Inputs are strict: an error names a misspelt argument to the model. */
export function tool<I extends z.ZodRawShape, R extends z.ZodType>(parts: ToolParts<I, R>) {
  const { description, idempotent, result, oneOf } = parts;
  const shown = Object.entries(parts.input).filter(([name]) => !MODEL_HIDDEN.includes(name));
  return {
    description,
    idempotent,
    input: exactlyOne(z.strictObject(parts.input), oneOf),
    modelInput: exactlyOne(z.strictObject(Object.fromEntries(shown)), oneOf),
    result,
  } satisfies Tool;
}

function exactlyOne<S extends z.ZodType>(schema: S, names: readonly string[] | undefined): S {
  if (names === undefined) return schema;
  return schema
    .refine((value) => names.filter((name) => Object.hasOwn(Object(value), name)).length === 1, {
      error: `give exactly one of ${names.join(', ')}`,
    })
    .meta({ oneOf: names.map((name) => ({ required: [name] })) });
}
