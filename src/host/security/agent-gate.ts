// The gate: everything that leaves for an agent passes here, over every way (WebSocket, HTTP, webhook, MCP, memory), and is
// searched for secrets. Searching is the default: every string of every payload, but for the few fields whose words the
// host makes itself (protocol/payload-strings.ts). In an id a secret is replaced by an alias, so that ids stay different from
// each other and the agent can still name what it means; in what the agent says, the gate puts the id back. So it does for
// the short words in which a model reads ids.
import { createHash } from 'node:crypto';
import { TEXTS, walk } from '../../protocol/payload-strings.ts';
import { inShortWords } from '../../protocol/short-ids.ts';
import { redact, REDACTED, type Spans } from './redact.ts';

export interface AgentGate {
  /** The value without secrets. The same object when there are none. */
  out<T>(value: T): T;
  /** The value with ids in the place of their aliases. Texts stay as they are: nobody gets a secret said for them. */
  in<T>(value: T): T;
  /** The value as a model reads it: ids as short words. What has passed `out` is given. */
  shown<T>(value: T): T;
  /** Notes that the value was made of what has passed, so that it is not searched again. */
  passed<T extends object>(value: T): T;
}

export const GATE_LIMITS = {
  /** Aliases and short words that are remembered, each. When there are more, the oldest is forgotten, and naming it finds nothing. */
  aliases: 10_000,
} as const;

const ALIAS = /redacted-[0-9a-f]{8}/g;
const ALIAS_HEX = 8;

export function createAgentGate(findSecrets: (text: string) => Spans): AgentGate {
  const passed = new WeakSet<object>();
  const originals = new Map<string, string>();
  const words = new Map<string, string>();

  const aliasOf = (secret: string): string => {
    const alias = `redacted-${createHash('sha256').update(secret).digest('hex').slice(0, ALIAS_HEX)}`;
    remember(originals, alias, secret);
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
    TEXTS.has(key)
      ? text
      : (words.get(text) ?? text).replace(ALIAS, (alias) => originals.get(alias) ?? alias);
  return {
    out: (value) => walk(value, '', clean, passed) as typeof value,
    in: (value) => (originals.size + words.size === 0 ? value : (walk(value, '', restore) as typeof value)),
    shown: (value) => inShortWords(value, (word, id) => remember(words, word, id)),
    passed(value) {
      passed.add(value);
      return value;
    },
  };
}

/** The newest last. */
function remember(known: Map<string, string>, short: string, whole: string): void {
  known.delete(short);
  known.set(short, whole);
  const [oldest] = known.keys();
  if (known.size > GATE_LIMITS.aliases && oldest !== undefined) known.delete(oldest);
}

/** An id is one word. A secret with a blank in it stands in a text under another name. */
function isId(secret: string): boolean {
  return !/\s/.test(secret);
}
