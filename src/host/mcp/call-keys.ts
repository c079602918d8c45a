// Adds to a model's calls what the model never carries: the idempotency key of a send and the fencing token of a claim.
// The key is derived from the call, so the same call again is the same send. The token is remembered from the call that
// made the claim. There is one per agent; it outlives the MCP server objects. Losing it loses and repeats no message:
// keys are derived again, and the host knows whose claim it is without the token.
import type { ToolName } from '../../protocol/tool-name.ts';
import { type ToolCallResult, toolSuccess } from '../../protocol/tool.ts';
import type { Clock } from '../../runtime/clock.ts';
import { digestOf, SAME_SEND_MS } from '../tools/derived-key.ts';

export type Arguments = Readonly<Record<string, unknown>>;

export interface CallKeys {
  /** The arguments with key and token added. */
  attach(name: ToolName, args: Arguments): Arguments;
  /** Remembers the claim token of a result, and returns the result without it. */
  learn(name: ToolName, args: Arguments, result: ToolCallResult): ToolCallResult;
}

export const CALL_KEY_LIMITS = {
  /** Tokens kept per agent, and keys of unprompted sends. The oldest is forgotten. */
  remembered: 1_000,
  /** An unprompted send with the same words counts as new after this time. The host uses the same rule for repeats. */
  sameSendMs: SAME_SEND_MS,
} as const;

export function createCallKeys(agent: string, clock: Clock): CallKeys {
  const tokens = new Map<string, number>();
  const unprompted = new Map<string, { key: string; until: number }>();

  const sendKey = (args: Arguments): string => {
    const digest = digestOf([agent, args['inReplyTo'] ?? null, args]);
    if (args['inReplyTo'] !== undefined) return digest;
    // An agent may say "Good morning" every day. Such a send answers no event, so only time tells one from the next.
    const now = clock.now();
    const known = unprompted.get(digest);
    if (known !== undefined && now < known.until) return known.key;
    const key = `${digest}.${Math.floor(now / CALL_KEY_LIMITS.sameSendMs)}`;
    rememberNewest(unprompted, digest, { key, until: now + CALL_KEY_LIMITS.sameSendMs });
    return key;
  };
  const tokenFor = (args: Arguments): { token?: number } => {
    const token = tokens.get(eventKey(args)) ?? tokens.get(placeKey(args));
    return token === undefined ? {} : { token };
  };

  return {
    attach(name, args) {
      if (name === 'chat.send_message')
        return { ...args, ...tokenFor(args), idempotencyKey: `mcp_${sendKey(args)}` };
      return name === 'chat.claim' ? { ...args, ...tokenFor(args) } : args;
    },
    learn(name, args, result) {
      if (result.isError === true) return result;
      if (endsWork(name, args)) tokens.delete(eventKey(args));
      if (name === 'chat.resolve') tokens.delete(placeKey(args));
      if (name !== 'chat.claim') return result;
      const { token, ...shown } = result.structuredContent ?? {};
      const key = args['inReplyTo'] === undefined ? placeKey(args) : eventKey(args);
      if (typeof token === 'number') rememberNewest(tokens, key, token);
      else tokens.delete(key);
      return toolSuccess(shown);
    },
  };
}

/** True for a call that ends the work on an event. The host then ends the claim, so its token is stale. */
function endsWork(name: ToolName, { signal }: Arguments): boolean {
  if (name === 'chat.react') return signal === 'done' || signal === 'declined';
  return name === 'chat.send_message' || name === 'chat.resolve';
}

function eventKey({ inReplyTo }: Arguments): string {
  return `event ${String(inReplyTo)}`;
}

function placeKey({ target }: Arguments): string {
  return `place ${String(target)}`;
}

export function rememberNewest<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  if (map.size >= CALL_KEY_LIMITS.remembered) map.delete(map.keys().next().value ?? '');
  map.set(key, value);
}
