// Keys that the host derives for callers that bring none: models over MCP, and harnesses that gave up `idempotency`. The
// key is derived from the call, so the same call again is the same send.
import { createHash } from 'node:crypto';

/** An unprompted send with the same words counts as new after this time. The rule for repeated texts uses the same. */
export const SAME_SEND_MS = 10 * 60_000;

/** The key of a send that names none. What answers nothing is told from the next one by time alone. */
export function derivedKey(agent: string, args: Readonly<Record<string, unknown>>, now: number): string {
  const { inReplyTo } = args;
  const digest = digestOf([agent, inReplyTo ?? null, args]);
  return inReplyTo === undefined ? `${digest}.${Math.floor(now / SAME_SEND_MS)}` : digest;
}

/** A digest that ignores the order of object members, because models write them in any order. */
export function digestOf(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
  return createHash('sha256').update(text).digest('base64url');
}
