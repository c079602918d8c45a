// Reads untrusted values by their schema. `readParams` turns params into typed values. Total: any value becomes what the
// schema promises, or an error that names the field to correct; only this file makes a wire error of a schema's
// complaint. Use it with a schema of METHODS or TOOLS: `readParams(METHODS['turn/ended'].params, message.params)`.
// `fitsFor` is the quick way for a value that is right as it stands.
import type { z } from 'zod';
import { type WireError, wireError } from './errors.ts';

export type ReadParams<T> = { ok: true; value: T } | { ok: false; error: WireError };

/** Absent params count as an empty object. */
export function readParams<S extends z.ZodType>(schema: S, params: unknown): ReadParams<z.infer<S>> {
  const read = schema.safeParse(params ?? {});
  if (read.success) return { ok: true, value: read.data };
  const complaints = read.error.issues.slice(0, COMPLAINTS).map((issue) => complaint(issue, []));
  const [first] = complaints;
  return {
    ok: false,
    error: wireError('invalid_params', {
      problem: complaints
        .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
        .join('; '),
      path: first?.path ?? '',
    }),
  };
}

/** Enough complaints to correct a call at once, few enough for a prompt. */
const COMPLAINTS = 3;

type Issue = z.core.$ZodIssue;

/** A union says only that nothing fitted. The caller is told what the closest member misses. */
function complaint(issue: Issue, above: readonly PropertyKey[]): { path: string; message: string } {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union') {
    const [closest] = issue.errors
      .filter((member) => member.length > 0)
      .toSorted((a, b) => a.length - b.length);
    const inner = closest?.[0];
    if (inner !== undefined) return complaint(inner, path);
  }
  const message = issue.code === 'unrecognized_keys' ? unknownFields(issue.keys) : plainly(issue.message);
  return { path: path.map(shownName).join('.'), message };
}

/** zod's words for what a newcomer forgets first. */
const WORDS: readonly (readonly [zod: RegExp, ours: string])[] = [
  [/^Invalid input: expected (.+), received undefined$/, 'missing; expected $1'],
  [/^Invalid (?:input|option): expected /, 'expected '],
  [/^Invalid discriminator value\. Expected /, 'missing or unknown; expected '],
];

function plainly(message: string): string {
  const [zod, ours] = WORDS.find(([pattern]) => pattern.test(message)) ?? [];
  return zod === undefined || ours === undefined ? message : message.replace(zod, ours);
}

/** A misspelt field is named. Anything else is not repeated: a key may be a secret, and errors are logged and shown. */
function unknownFields(keys: readonly string[]): string {
  const shown = keys.filter(isFieldName).slice(0, COMPLAINTS);
  const names = shown.map((key) => `"${key}"`).join(', ');
  if (shown.length === 0) return 'Unrecognized key, not repeated here: leave out what is no field';
  const others = keys.length - shown.length;
  return `Unrecognized key${keys.length === 1 ? '' : 's'}: ${names}${others === 0 ? '' : ` and ${others} more`}`;
}

/** Letters and underscores, as all our fields are. A token, a key or a password has more than that, or is longer. */
const FIELD_NAME = /^[A-Za-z_]{1,32}$/;

function isFieldName(key: string): boolean {
  return FIELD_NAME.test(key);
}

function shownName(part: PropertyKey): string {
  return typeof part === 'string' && !isFieldName(part) ? '…' : String(part);
}

export type Fits = (value: unknown) => boolean;

/**
 * Tells whether a value fits a schema as it stands, without copying it. It costs a fifth of parsing, and serves the
 * schema that every message passes. It is built from the zod schema, so the two cannot disagree. Invariant: parsing a
 * value that fits returns an equal value. A value that does not fit may still be valid (a default, a transform, a kind
 * of schema that this file does not know): then parse it, which also says what is wrong.
 */
export function fitsFor(schema: z.core.$ZodType): Fits {
  const { def } = inside(schema as z.core.$ZodTypes);
  if (def.checks !== undefined && def.checks.length > 0 && !READS_CHECKS.has(def.type)) return ask(schema);
  return fitsDefinition(def) ?? ask(schema);
}

type Definition = z.core.$ZodTypes['_zod']['def'];

function fitsDefinition(def: Definition): Fits | undefined {
  if (def.type === 'object') return objectFits(def);
  if (def.type === 'union') return unionFits(def);
  if (def.type === 'array') return arrayFits(def);
  if (def.type === 'string') return textFits(def);
  if (def.type === 'number') return integerFits(def);
  if (def.type === 'boolean') return (value) => typeof value === 'boolean';
  if (def.type === 'enum') return oneOf(Object.values(def.entries));
  if (def.type === 'literal') return oneOf(def.values);
  if (!isPlainOptional(def)) return undefined;
  const fits = fitsFor(def.innerType);
  return (value) => value === undefined || fits(value);
}

/** A missing member stays missing: no schema inside fills it in, as a default would. */
function isPlainOptional(def: Definition): def is z.core.$ZodOptionalDef {
  return def.type === 'optional' && inside(def.innerType).optin === undefined;
}

/** The definition that zod keeps with a schema or a check. */
function inside<T extends { _zod: object }>({ _zod: kept }: T): T['_zod'] {
  return kept;
}

function oneOf(values: readonly unknown[]): Fits {
  const known = new Set(values);
  return (value) => known.has(value);
}

/** Kinds of schema whose checks this file knows one by one. */
const READS_CHECKS: ReadonlySet<string> = new Set(['string', 'number', 'array']);

/** Only plain values: parsing returns them unchanged, not as a copy. */
function ask(schema: z.core.$ZodType): Fits {
  const takesText = inside(schema as z.core.$ZodTypes).def.type === 'string';
  return (value) => {
    if (takesText ? typeof value !== 'string' : typeof value === 'object' && value !== null) return false;
    const read = (schema as z.ZodType).safeParse(value);
    return read.success && Object.is(read.data, value);
  };
}

interface Member {
  fits: Fits;
  needed: boolean;
}

/** Strict objects only: parsing any other kind may drop members. */
function objectFits(def: z.core.$ZodObjectDef): Fits | undefined {
  if (def.catchall === undefined || inside(def.catchall).def.type !== 'never') return undefined;
  const members = new Map<string, Member>();
  let needed = 0;
  for (const [name, schema] of Object.entries(def.shape)) {
    const { def: own } = inside(schema as z.core.$ZodTypes);
    const member = { fits: fitsFor(schema), needed: !isPlainOptional(own) };
    if (member.needed) needed++;
    members.set(name, member);
  }
  return (value) => {
    if (!isPlain(value)) return false;
    let missing = needed;
    for (const name in value) {
      const member = members.get(name);
      if (member === undefined || !member.fits(value[name])) return false;
      if (member.needed) missing--;
    }
    return missing === 0;
  };
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function unionFits(def: z.core.$ZodUnionDef | z.core.$ZodDiscriminatedUnionDef): Fits | undefined {
  const options = def.options.map(fitsFor);
  if (!('discriminator' in def))
    return areApart(def.options) ? (value) => options.some((fits) => fits(value)) : undefined;
  const { discriminator } = def;
  const byName = new Map<unknown, Fits>();
  for (const [at, option] of def.options.entries()) {
    for (const name of inside(option).propValues?.[discriminator] ?? []) {
      const fits = options[at];
      if (fits !== undefined) byName.set(name, fits);
    }
  }
  return (value) => isPlain(value) && byName.get(value[discriminator])?.(value) === true;
}

/** zod takes the first option that accepts a value and may change it. So no two options may accept the same value. */
function areApart(options: readonly z.core.$ZodType[]): boolean {
  const kinds = options.map((option) => {
    const { def } = inside(option as z.core.$ZodTypes);
    return (def.type === 'string' || def.type === 'number') && def.coerce !== true ? def.type : undefined;
  });
  return !kinds.includes(undefined) && new Set(kinds).size === kinds.length;
}

function arrayFits(def: z.core.$ZodArrayDef): Fits | undefined {
  const bounds = lengthBounds(def);
  if (bounds === undefined) return undefined;
  const fits = fitsFor(def.element);
  return (value) => {
    if (!Array.isArray(value) || value.length < bounds.min || value.length > bounds.max) return false;
    for (const item of value as unknown[]) if (!fits(item)) return false; // holes too, which `every` leaves out
    return true;
  };
}

function textFits(def: z.core.$ZodStringDef): Fits | undefined {
  const bounds = 'format' in def || def.coerce === true ? undefined : lengthBounds(def);
  if (bounds === undefined) return undefined;
  const { min, max } = bounds;
  return (value) => typeof value === 'string' && value.length >= min && value.length <= max;
}

function integerFits(def: z.core.$ZodNumberDef): Fits | undefined {
  if (!('format' in def) || def.format !== 'safeint' || def.coerce === true) return undefined;
  let [min, max] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  for (const check of def.checks ?? []) {
    const bound = inside(check as z.core.$ZodChecks).def;
    if (bound.check === 'greater_than') min = Math.max(min, Number(bound.value) + (bound.inclusive ? 0 : 1));
    else if (bound.check === 'less_than')
      max = Math.min(max, Number(bound.value) - (bound.inclusive ? 0 : 1));
    else return undefined;
  }
  return (value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
}

/** Undefined when the schema checks more than the length. */
function lengthBounds({ checks = [] }: z.core.$ZodTypeDef): { min: number; max: number } | undefined {
  const bounds = { min: 0, max: Number.POSITIVE_INFINITY };
  for (const check of checks) {
    const { def } = inside(check as z.core.$ZodChecks);
    if (def.check === 'min_length') bounds.min = Math.max(bounds.min, def.minimum);
    else if (def.check === 'max_length') bounds.max = Math.min(bounds.max, def.maximum);
    else return undefined;
  }
  return bounds;
}
