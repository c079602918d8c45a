// Turns a zod schema into table rows: every field with type, limit, default and meaning, nested ones by their path. A
// shape with its own section is named instead of expanded.
import { z } from 'zod';
import { code, codes } from './markdown.ts';

export interface Field {
  /** `agents[].owns.streams` */
  path: string;
  type: string;
  limit: string;
  /** Undefined when there is no default. */
  default: unknown;
  required: boolean;
  what: string;
  /** True when the field only groups the rows that follow. */
  group: boolean;
}

/** The names of schemas. */
export type Shapes = ReadonlyMap<unknown, string>;

export interface Json {
  type?: string;
  properties?: Record<string, Json>;
  required?: string[];
  items?: Json;
  enum?: unknown[];
  const?: string | number | boolean;
  anyOf?: Json[];
  oneOf?: Json[];
  additionalProperties?: Json | boolean;
  propertyNames?: Json;
  prefixItems?: Json[];
  default?: unknown;
  description?: string;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  maxItems?: number;
  $ref?: string;
}

export function fieldsOf(schema: z.ZodType, shapes: Shapes = new Map()): Field[] {
  return unfold(jsonOf(schema, shapes), '');
}

function jsonOf(schema: z.ZodType, shapes: Shapes): Json {
  const whole: unknown = schema;
  return z.toJSONSchema(schema, {
    io: 'input',
    override({ zodSchema, jsonSchema }) {
      const name = shapes.get(zodSchema);
      if (name === undefined || zodSchema === whole) return;
      for (const key of Object.keys(jsonSchema)) {
        if (key !== 'description' && key !== 'default') Reflect.deleteProperty(jsonSchema, key);
      }
      jsonSchema.$ref = name;
    },
  }) as Json;
}

function unfold(json: Json, above: string): Field[] {
  const { properties = {}, required = [] } = json;
  return Object.entries(properties).flatMap(([name, field]) => {
    const isList = field.items !== undefined && field.$ref === undefined;
    const path = `${above}${name}`;
    const inner = isList ? unfold(field.items ?? {}, `${path}[].`) : unfold(field, `${path}.`);
    const row: Field = {
      path,
      type: typeOf(field),
      limit: limitOf(field),
      default: field.default,
      required: required.includes(name),
      what: field.description ?? '',
      group: inner.length > 0,
    };
    return [row, ...inner];
  });
}

/** Longer lists have their own section and are not repeated in every table. */
const WORDS_SHOWN = 9;

/** The type in words for the person who writes the value. */
export function typeOf(json: Json): string {
  const { $ref, enum: words, const: only, anyOf, oneOf, items, type } = json;
  if ($ref !== undefined) return $ref;
  if (words !== undefined)
    return words.length > WORDS_SHOWN ? `one of ${words.length} words` : codes(words.map(String));
  if (only !== undefined) return code(String(only));
  const members = anyOf ?? (type === undefined ? oneOf : undefined);
  if (members !== undefined) return [...new Set(members.map(typeOf))].join(' or ');
  if (type === 'array') return items === undefined ? 'list' : `list of ${typeOf(items)}`;
  if (type === 'object') return recordType(json);
  if (type === 'string') return json.format === 'date-time' ? 'time' : json.format === 'uri' ? 'URL' : 'text';
  return (
    { integer: 'whole number', number: 'number', boolean: 'true or false', null: 'null' }[type ?? ''] ??
    'anything'
  );
}

function recordType({ propertyNames, additionalProperties, properties }: Json): string {
  if (properties !== undefined || typeof additionalProperties !== 'object') return 'object';
  const keys = propertyNames?.enum === undefined ? 'text' : codes(propertyNames.enum.map(String));
  return `object: ${keys} to ${typeOf(additionalProperties)}`;
}

/** The limit of safe integers, which is not worth showing. */
const LARGEST = Number.MAX_SAFE_INTEGER;

export function limitOf(json: Json): string {
  if (json.$ref !== undefined || json.enum !== undefined) return '';
  const parts: string[] = [];
  if (json.maxItems !== undefined) parts.push(range(json.minItems ?? 0, json.maxItems, 'entries'));
  const text = json.type === 'array' ? json.items : json;
  if (text?.maxLength !== undefined && text.$ref === undefined)
    parts.push(range(text.minLength ?? 0, text.maxLength, 'characters'));
  const least = json.exclusiveMinimum === undefined ? json.minimum : json.exclusiveMinimum + 1;
  if (json.maximum !== undefined && json.maximum < LARGEST) parts.push(range(least ?? 0, json.maximum, ''));
  else if (least !== undefined && least > -LARGEST) parts.push(`${least} or more`);
  return parts.join(', ');
}

function range(least: number, most: number, unit: string): string {
  const words = least === 0 && unit !== '' ? `at most ${amount(most)}` : `${least} to ${amount(most)}`;
  return unit === '' ? words : `${words} ${unit}`;
}

/** Shows large round times in days, because nobody can read 2592000000. */
function amount(value: number): string {
  const dayMs = 24 * 3_600_000;
  return value >= dayMs && value % dayMs === 0 ? `${value} (${value / dayMs} days)` : String(value);
}
