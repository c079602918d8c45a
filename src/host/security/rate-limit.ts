// Token buckets over a clock, one per key, for what comes in and what goes out. A refusal says when to try again;
// nothing is ever dropped silently.
import type { Clock } from '../../runtime/clock.ts';

export type Taken = { ok: true } | { ok: false; retryAfterMs: number };

export interface RateLimiter {
  /** A batch larger than the burst passes when the bucket is full, and is paid off by the waits after it. */
  take(key: string, n?: number): Taken;
  /** Buckets held now. */
  size(): number;
}

export interface RateLimit {
  perMinute: number;
  /** How many at once, after a quiet time. */
  burst: number;
  /**
   * Beyond this the key unused for longest is forgotten and starts anew, full: many keys may loosen their own limits,
   * but never make the host refuse somebody else. A wider limit (the surface's) bounds them all.
   */
  maxKeys: number;
}

/** Generous to people and bridges; what agents send is limited by a setting (outbound-limit.ts). */
export const DEFAULT_LIMITS = {
  /** Events per surface token. */
  inboundPerSurface: { perMinute: 60_000, burst: 5_000, maxKeys: 1_000 },
  /** Events per author account, across conversations. */
  inboundPerAuthor: { perMinute: 600, burst: 500, maxKeys: 20_000 },
} as const satisfies Record<string, RateLimit>;

interface Bucket {
  /** May be below zero, after a batch larger than the burst. */
  level: number;
  at: number;
}

const MINUTE_MS = 60_000;

export function createRateLimiter({ perMinute, burst, maxKeys }: RateLimit, clock: Clock): RateLimiter {
  const perMs = perMinute / MINUTE_MS;
  /** In order of last use: the first is the one to forget. */
  const buckets = new Map<string, Bucket>();

  const bucketOf = (key: string, now: number): Bucket => {
    const known = buckets.get(key);
    if (known !== undefined) {
      buckets.delete(key);
    } else if (buckets.size >= maxKeys) {
      const oldest = buckets.keys().next();
      if (!oldest.done) buckets.delete(oldest.value);
    }
    const bucket = known ?? { level: burst, at: now };
    buckets.set(key, bucket);
    return bucket;
  };

  return {
    take(key, n = 1) {
      const now = clock.now();
      const bucket = bucketOf(key, now);
      // A clock set back gives nothing and takes nothing.
      bucket.level = Math.min(burst, bucket.level + Math.max(0, now - bucket.at) * perMs);
      bucket.at = now;
      const needed = Math.min(n, burst);
      // Sums of fractions may end a hair short of a whole.
      if (bucket.level + 1e-6 < needed) {
        return { ok: false, retryAfterMs: Math.ceil((needed - bucket.level) / perMs) };
      }
      bucket.level -= n;
      return { ok: true };
    },
    size: () => buckets.size,
  };
}

// How much may go out: so many messages and reactions of one agent, and of all agents together in one conversation. One
// more is refused with the time to wait. In memory: after a restart everybody begins with a full bucket.

export interface OutboundLimit {
  take(agent: string, conversation: string): Taken;
}

/** Agents and conversations remembered; the one unused for longest is forgotten. */
const AGENTS_MAX = 1_000;
const CONVERSATIONS_MAX = 20_000;

export function createOutboundLimit(perMinute: number, clock: Clock): OutboundLimit {
  const burst = Math.max(1, Math.ceil(perMinute / 2));
  const agents = createRateLimiter({ perMinute, burst, maxKeys: AGENTS_MAX }, clock);
  const conversations = createRateLimiter({ perMinute, burst, maxKeys: CONVERSATIONS_MAX }, clock);
  return {
    take(agent, conversation) {
      const taken = conversations.take(conversation);
      return taken.ok ? agents.take(agent) : taken;
    },
  };
}
