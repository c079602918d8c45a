// Reads a configuration as people write it (YAML or JSON, a whole earshot.yaml or its attention part) for the host's
// replay, and offers changes to try on it.
import { parse, stringify } from 'yaml';

/** The keys of earshot.yaml that affect decisions. The rest is about the host itself. */
const ATTENTION = ['preset', 'agents', 'conversations', 'limits', 'owner'];

export type ReadConfig = { ok: true; value: Record<string, unknown> } | { ok: false; problem: string };

export function readReplayConfig(text: string): ReadConfig {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { ok: false, problem: `The configuration is not YAML: ${line}` };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return {
      ok: false,
      problem: 'The configuration is empty: paste your earshot.yaml, or write at least "agents:".',
    };
  }
  return {
    ok: true,
    value: Object.fromEntries(Object.entries(value).filter(([key]) => ATTENTION.includes(key))),
  };
}

/** The host's own rules, as text to start from. */
export function replayConfigText(attention: Readonly<Record<string, unknown>>): string {
  return stringify(attention);
}

export const TRIALS: readonly { id: string; title: string; change: Record<string, unknown> }[] = [
  { id: 'typeclaw', title: 'preset typeclaw', change: { preset: 'typeclaw' } },
  {
    id: 'mentions',
    title: 'everybody only when mentioned',
    change: { conversations: [{ match: '*', mode: 'mention_only' }] },
  },
  {
    id: 'sticky_off',
    title: 'conversations do not carry on',
    change: { conversations: [{ match: '*', stickiness: 'off' }] },
  },
  {
    id: 'one_shot',
    title: 'an answer buys one reply',
    change: { conversations: [{ match: '*', stickiness: 'one_shot' }] },
  },
  { id: 'open_floor', title: 'open floor', change: { conversations: [{ match: '*', openFloor: true }] } },
  {
    id: 'short',
    title: 'exchanges end after two messages',
    change: { limits: { followUpMessages: 2, owesMessages: 2 } },
  },
];

/** Writes the change into the text, before the existing rules, so that it counts first. */
export function tryChange(text: string, id: string): string {
  const read = readReplayConfig(text);
  const trial = TRIALS.find((one) => one.id === id);
  if (!read.ok || trial === undefined) return text;
  const merged: Record<string, unknown> = { ...read.value };
  for (const [key, value] of Object.entries(trial.change)) {
    const now = merged[key];
    if (Array.isArray(value))
      merged[key] = [...(value as unknown[]), ...(Array.isArray(now) ? (now as unknown[]) : [])];
    else if (typeof value === 'object' && value !== null) merged[key] = { ...(now as object), ...value };
    else merged[key] = value;
  }
  return stringify(merged);
}
