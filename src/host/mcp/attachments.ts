// What a model never carries, attached to its calls here: the idempotency key of a send, derived so that the same call
// again is the same send, and the fencing token of a claim, remembered from the call that got it.
// One of these per agent; it outlives the server objects that use it. Losing it costs no message and repeats none:
// a key is derived again, and without a token the host still knows whose claim it is.
import { createHash } from 'node:crypto';
import type { ToolName } from '../../protocol/tool-name.ts';
import { type ToolCallResult, toolSuccess } from '../../protocol/tool.ts';
import type { Clock } from '../../runtime/clock.ts';

export type Arguments = Readonly<Record<string, unknown>>;

export interface Attachments {
  /** The arguments as the host wants them. */
  attach(name: ToolName, args: Arguments): Arguments;
  /** Remembers what an answer says about claims, and gives it back as the model may see it. */
  learn(name: ToolName, args: Arguments, result: ToolCallResult): ToolCallResult;
}

export const ATTACHMENT_LIMITS = {
  /** Of each kind, per agent; the oldest is forgotten. */
  remembered: 1_000,
  /** The same words said again, in answer to nothing, are a new message after this: the host's rule about repeats. */
  sameSendMs: 10 * 60_000,
} as const;

export function createAttachments(agent: string, clock: Clock): Attachments {
  const tokens = new Map<string, number>();
  const unprompted = new Map<string, { key: string; until: number }>();

  const sendKey = (args: Arguments): string => {
    const digest = digestOf([agent, args['inReplyTo'] ?? null, args]);
    if (args['inReplyTo'] !== undefined) return digest;
    // "Good morning" is said every day: what answers nothing has no event to tell one send from the next.
    const now = clock.now();
    const known = unprompted.get(digest);
    if (known !== undefined && now < known.until) return known.key;
    const key = `${digest}.${Math.floor(now / ATTACHMENT_LIMITS.sameSendMs)}`;
    remember(unprompted, digest, { key, until: now + ATTACHMENT_LIMITS.sameSendMs });
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
      if (typeof token === 'number') remember(tokens, key, token);
      else tokens.delete(key);
      return toolSuccess(shown);
    },
  };
}

/** The host lets go of a claim once its event is answered; its token would only be stale from then on. */
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

function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  if (map.size >= ATTACHMENT_LIMITS.remembered) map.delete(map.keys().next().value ?? '');
  map.set(key, value);
}

/** Models order members as they like: the same call has the same digest in any order. */
function digestOf(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
  return createHash('sha256').update(text).digest('base64url');
}
