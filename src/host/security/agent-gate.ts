// The gate: everything that leaves for an agent passes here, over every way (WebSocket, HTTP, webhook, MCP, memory), and is
// searched for secrets. Searching is the default: every string of every payload, but for the few fields below, whose
// words the host makes itself. In an id a secret is replaced by an alias, so that ids stay different from each other and
// the agent can still name what it means; in what the agent says, the gate puts the id back.
import { createHash } from 'node:crypto';
import { redact, REDACT_LIMITS, REDACTED, type Spans } from './redact.ts';

export interface AgentGate {
  /** The value without secrets. The same object when there are none. */
  out<T>(value: T): T;
  /** The value with ids in the place of their aliases. Texts stay as they are: nobody gets a secret said for them. */
  in<T>(value: T): T;
  /** Notes that the value was made of what has passed, so that it is not searched again. */
  passed<T extends object>(value: T): T;
}

export const GATE_LIMITS = {
  /** Aliases that are remembered. When there are more, the oldest is forgotten, and naming it finds nothing. */
  aliases: 10_000,
} as const;

/** Words of a closed vocabulary, times and versions: the host makes them. `data`: bytes, searched where they are read. */
const HOST_MADE: ReadonlySet<string> = new Set([
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
const TEXTS: ReadonlySet<string> = new Set([
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

const ALIAS = /redacted-[0-9a-f]{8}/g;
const ALIAS_HEX = 8;

export function createAgentGate(findSecrets: (text: string) => Spans): AgentGate {
  const passed = new WeakSet<object>();
  const originals = new Map<string, string>();

  const aliasOf = (secret: string): string => {
    const alias = `redacted-${createHash('sha256').update(secret).digest('hex').slice(0, ALIAS_HEX)}`;
    originals.delete(alias);
    originals.set(alias, secret);
    const [oldest] = originals.keys();
    if (originals.size > GATE_LIMITS.aliases && oldest !== undefined) originals.delete(oldest);
    return alias;
  };
  const clean = (text: string, key: string): string => {
    const spans = findSecrets(text);
    if (spans.length === 0) return text;
    return TEXTS.has(key)
      ? redact(text, spans)
      : redact(text, spans, (secret) => (isId(secret) ? aliasOf(secret) : REDACTED));
  };
  const restore = (text: string, key: string): string =>
    TEXTS.has(key) ? text : text.replace(ALIAS, (alias) => originals.get(alias) ?? alias);
  return {
    out: (value) => walk(value, '', clean, passed) as typeof value,
    in: (value) => (originals.size === 0 ? value : (walk(value, '', restore, NONE_PASSED) as typeof value)),
    passed(value) {
      passed.add(value);
      return value;
    },
  };
}

const NONE_PASSED: Pick<WeakSet<object>, 'has'> = { has: () => false };

/** An id is one word. A secret with a blank in it stands in a text under another name. */
function isId(secret: string): boolean {
  return !/\s/.test(secret);
}

type Change = (text: string, key: string) => string;

/** Copies only what changes. `key`: the field in which the value stands; a list has that of its field. */
function walk(value: unknown, key: string, change: Change, passed: Pick<WeakSet<object>, 'has'>): unknown {
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
  for (const field in fields) {
    const item = fields[field];
    let next: unknown = item;
    // Most fields are short words and numbers. They are told apart here, because a call costs more than the test.
    if (typeof item === 'string') {
      if (item.length < REDACT_LIMITS.exactChars || HOST_MADE.has(field)) continue;
      next = change(item, field);
    } else if (typeof item === 'object') next = walk(item, field, change, passed);
    if (next === item) continue;
    if (copy === fields) copy = { ...fields };
    copy[field] = next;
  }
  return copy;
}
