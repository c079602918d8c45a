// The published JSON Schemas (draft 2020-12). They are built from the zod schemas alone, so the two cannot disagree.
// `npm run schema` writes them to schema/, and a test checks that they are fresh.
import { z } from 'zod';
import { chatEventSchema } from './chat-event.ts';
import { fullEnvelopeSchema } from './envelope.ts';
import { initializeParamsSchema, initializeResultSchema } from './initialize.ts';
import { METHOD_NAMES, METHODS } from './methods.ts';
import { reactionRecordSchema } from './obligation.ts';
import { shortEventSchema, shortObligationEventSchema } from './short-event.ts';
import { sourceEventSchema } from './source-event.ts';
import { TOOL_NAMES } from './tool-name.ts';
import { TOOLS } from './tools.ts';

export type JsonSchema = Record<string, unknown>;

/** File name to document. */
export function jsonSchemas(): Record<string, JsonSchema> {
  const files: Record<string, JsonSchema> = {};
  for (const [name, schema] of SHARED) files[`${name}.json`] = document(name, convert(schema));
  files['initialize.json'] = document('initialize', {
    $defs: { params: convert(initializeParamsSchema), result: convert(initializeResultSchema) },
  });
  files['methods.json'] = document('methods', { $defs: methodSchemas() });
  files['tools.json'] = document('tools', { $defs: toolSchemas() });
  return files;
}

/** The text of a schema file, as it is committed. */
export function jsonSchemaText(schema: JsonSchema): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** Schemas with a document of their own, to which the others refer. */
const SHARED: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['chat-event', chatEventSchema],
  ['source-event', sourceEventSchema],
  ['envelope', fullEnvelopeSchema],
  ['short-event-2026-06-24', shortEventSchema],
  ['short-event-2026-08-11', shortObligationEventSchema],
  ['reaction', reactionRecordSchema],
]);

const SHARED_NAMES = new Map<unknown, string>([...SHARED].map(([name, schema]) => [schema, name]));

/** A URN names the schema. Nobody should fetch it: there is no server. */
function urn(name: string): string {
  return `urn:earshot:schema:${name}`;
}

function document(name: string, body: JsonSchema): JsonSchema {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: urn(name), ...body };
}

function methodSchemas(): JsonSchema {
  const defs: JsonSchema = {};
  for (const name of METHOD_NAMES) {
    const { direction, kind, params, result } = METHODS[name];
    defs[`${name}.params`] = { $comment: `${kind}, ${direction}`, ...convert(params) };
    if (result !== null) defs[`${name}.result`] = convert(result);
  }
  return defs;
}

function toolSchemas(): JsonSchema {
  const defs: JsonSchema = {};
  for (const name of TOOL_NAMES) {
    const { description, idempotent, input, modelInput, result } = TOOLS[name];
    defs[`${name}.input`] = { description, $comment: `idempotent: ${idempotent}`, ...convert(input) };
    defs[`${name}.modelInput`] = convert(modelInput);
    defs[`${name}.result`] = convert(result);
  }
  return defs;
}

/** What a sender must write. Unknown members are allowed wherever the receiver drops them. */
function convert(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...body } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-2020-12',
    override({ zodSchema, jsonSchema }) {
      const name = SHARED_NAMES.get(zodSchema);
      if (name === undefined || name === SHARED_NAMES.get(schema)) return;
      for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
      jsonSchema.$ref = urn(name);
    },
  });
  return body;
}
