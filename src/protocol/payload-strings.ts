// The strings of a payload, by what they are: words that the host makes, texts that people and programs wrote, and ids.
// Whoever changes strings on their way to an agent walks through here.

/** Words of a closed vocabulary, times and versions: the host makes them. `data`: bytes, searched where they are read. */
export const HOST_MADE: ReadonlySet<string> = new Set([
  'type',
  'kind',
  'mode',
  'policy',
  'role',
  'context',
  'priority',
  'directedness',
  'signal',
  'blocks',
  'status',
  'outcome',
  'pullWith',
  'createdAt',
  'protocolVersion',
  'jsonrpc',
  'method',
  'data',
  'mediaType',
]);

/** What people and programs wrote. Everything else that is searched is an id, or made of ids. */
export const TEXTS: ReadonlySet<string> = new Set([
  'text',
  'content',
  'displayName',
  'name',
  'aliases',
  'title',
  'message',
  'problem',
  'topic',
  'defaultAction',
  'reason',
  'error',
  'why',
  'eta',
  'query',
]);

/** Shorter strings are words, and hold neither a secret nor a sentence. At most REDACT_LIMITS.exactChars. */
const SHORT_CHARS = 6;
const NONE_PASSED: Pick<WeakSet<object>, 'has'> = { has: () => false };

export type Change = (text: string, key: string) => string;

/** Copies only what changes. `key`: the field in which the value stands; a list has that of its field. */
export function walk(
  value: unknown,
  key: string,
  change: Change,
  passed: Pick<WeakSet<object>, 'has'> = NONE_PASSED,
): unknown {
  if (typeof value === 'string') return HOST_MADE.has(key) ? value : change(value, key);
  if (typeof value !== 'object' || value === null || passed.has(value)) return value;
  if (Array.isArray(value)) {
    let list: unknown[] = value;
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      const next = walk(item, key, change, passed);
      if (next === item) continue;
      if (list === value) list = [...(value as unknown[])];
      list[index] = next;
    }
    return list;
  }
  const fields = value as Record<string, unknown>;
  let copy = fields;
  // Every delivery passes here. `for in` makes no lists of names and values.
  for (const field in fields) {
    const item = fields[field];
    const isText = typeof item === 'string';
    if (isText ? item.length < SHORT_CHARS || HOST_MADE.has(field) : typeof item !== 'object') continue;
    const next = isText ? change(item, field) : walk(item, field, change, passed);
    if (next === item) continue;
    if (copy === fields) copy = { ...fields };
    copy[field] = next;
  }
  return copy;
}
