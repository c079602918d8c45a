// Puts a schema's complaint into words: which field, and what was expected there. Used for config files and for the
// lines of a recorded chat. Never repeats what people wrote in chat.
import { z } from 'zod';
import { RETIRED_LIMITS } from '../attention/settings.ts';
import { suggestion } from './nearest.ts';

export interface Complaint {
  path: PropertyKey[];
  /** "expected …", to follow "path: ". */
  expected: string;
}

export function complaintsOf(schema: z.ZodType, error: z.ZodError, value: unknown): Complaint[] {
  return error.issues.flatMap((issue) => complain(schema, issue, value, []));
}

/** A path such as `agents[0].roles`. `whole` names the whole value. */
export function pathText(path: readonly PropertyKey[], whole: string): string {
  if (path.length === 0) return whole;
  return path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i > 0 ? '.' : ''}${String(part)}`))
    .join('');
}

type Issue = z.core.$ZodIssue;

function complain(
  schema: z.ZodType,
  issue: Issue,
  value: unknown,
  above: readonly PropertyKey[],
): Complaint[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, path, value);
    return issue.keys.map((key) => ({
      path: [...path, key],
      expected:
        (path.at(-1) === 'limits' ? RETIRED_LIMITS[key] : undefined) ??
        `unknown key; ${suggestion(key, known)}`,
    }));
  }
  if (issue.code === 'invalid_union') {
    const [closest] = issue.errors
      .filter((member) => member.length > 0)
      .toSorted((a, b) => a.length - b.length);
    const inner = closest?.[0];
    if (inner !== undefined) return complain(schema, inner, value, path);
  }
  const got = path.reduce<unknown>((at, key) => (isObject(at) ? at[key as string] : undefined), value);
  return [{ path, expected: `${wordsOf(issue, got)}${got === undefined ? ', but it is missing' : ''}` }];
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object with named fields',
  record: 'an object with named fields',
};

function wordsOf(issue: Issue, got: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return oneOf(issue.values.map(String), got);
    case 'invalid_union':
      return oneOf((issue as { options?: unknown[] }).options?.map(String) ?? [], got);
    case 'too_big':
      return `expected at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'too_small':
      if (issue.origin === 'string') return 'expected some text';
      return `expected ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'expected a time such as "2026-06-02T09:00:00Z", or epoch milliseconds'
        : issue.message;
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return issue.message;
  }
}

const unitOf = (origin: string): string =>
  origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '';

function oneOf(values: readonly string[], got: unknown): string {
  const list = values.map((value) => `"${value}"`).join(', ');
  const near = typeof got === 'string' ? suggestion(got, values) : '';
  return `expected one of ${list}${near.startsWith('did') ? `; ${near}` : ''}`;
}

/** The keys that an object may have at this place of the schema. */
export function keysAt(schema: z.ZodType, path: readonly PropertyKey[], value?: unknown): string[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodDiscriminatedUnion && isObject(value)) {
    const members = inner.options as readonly z.ZodType[];
    const member = members.find((option) => unwrap(option) instanceof z.ZodObject && fits(option, value));
    return member === undefined ? [] : keysAt(member, path, value);
  }
  const [head, ...rest] = path;
  if (head === undefined) return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
  if (inner instanceof z.ZodArray) return keysAt(inner.element as z.ZodType, rest);
  if (!(inner instanceof z.ZodObject)) return [];
  const next = (inner.shape as Record<string, z.ZodType>)[String(head)];
  return next === undefined ? [] : keysAt(next, rest);
}

function fits(option: z.ZodType, value: Record<string, unknown>): boolean {
  const type = option instanceof z.ZodObject ? (option.shape as Record<string, z.ZodType>).type : undefined;
  return type?.safeParse(value.type).success === true;
}

function unwrap(schema: z.ZodType): z.ZodType {
  let inner: z.ZodType = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault) {
    inner = inner.unwrap() as z.ZodType;
  }
  return inner;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
