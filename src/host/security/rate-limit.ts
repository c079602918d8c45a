// Rate limits as token buckets, one bucket per key, for incoming events and outgoing sends. A refusal always says when
// to try again. Buckets live in memory: after a restart every bucket is full.
import type { Clock } from '../../runtime/clock.ts';

export type Taken = { ok: true } | { ok: false; retryAfterMs: number };

export interface RateLimiter {
  /** A batch larger than the burst passes when the bucket is full. It makes the level negative, so later calls wait. */
  take(key: string, n?: number): Taken;
  /** The number of buckets in memory. */
  size(): number;
}

export interface RateLimit {
  perMinute: number;
  /** How many pass at once after a quiet time. */
  burst: number;
  /**
   * With more keys than this, the least recently used key is forgotten and later starts with a full bucket. A caller
   * with many keys can loosen its own limit this way, but cannot make the host refuse somebody else. A wider limit,
   * such as the surface's, bounds them all.
   */
  maxKeys: number;
}

/** Generous limits for people and bridges. A setting limits what agents send (createOutboundLimit). */
export const DEFAULT_LIMITS = {
  /** Events per surface, whatever the way and whatever the token. */
  inboundPerSurface: { perMinute: 60_000, burst: 5_000, maxKeys: 1_000 },
  /** Events per author account, across conversations. */
  inboundPerAuthor: { perMinute: 600, burst: 500, maxKeys: 20_000 },
} as const satisfies Record<string, RateLimit>;

interface Bucket {
  /** Below zero after a batch larger than the burst. */
  level: number;
  at: number;
}

const MINUTE_MS = 60_000;

export function createRateLimiter({ perMinute, burst, maxKeys }: RateLimit, clock: Clock): RateLimiter {
  const perMs = perMinute / MINUTE_MS;
  /** In order of last use. The first is forgotten first. */
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
      // When the clock is set back, the level stays as it is.
      bucket.level = Math.min(burst, bucket.level + Math.max(0, now - bucket.at) * perMs);
      bucket.at = now;
      const needed = Math.min(n, burst);
      // Sums of fractions may end just below a whole number.
      if (bucket.level + 1e-6 < needed) {
        return { ok: false, retryAfterMs: Math.ceil((needed - bucket.level) / perMs) };
      }
      bucket.level -= n;
      return { ok: true };
    },
    size: () => buckets.size,
  };
}

// The limits on events that come in: per surface, and per author account of a surface.

export type InboundRates = { [Name in keyof typeof DEFAULT_LIMITS]: RateLimit };

/** For rigs that hand over more than any chat does while their clock stands still. */
export const NO_INBOUND_LIMITS: InboundRates = {
  inboundPerSurface: { perMinute: 1e9, burst: 1e9, maxKeys: 1_000 },
  inboundPerAuthor: { perMinute: 1e9, burst: 1e9, maxKeys: 20_000 },
};

export interface InboundLimits {
  perSurface: RateLimiter;
  perAuthor: RateLimiter;
}

export function createInboundLimits(rates: Partial<InboundRates>, clock: Clock): InboundLimits {
  const { inboundPerSurface, inboundPerAuthor } = { ...DEFAULT_LIMITS, ...rates };
  return {
    perSurface: createRateLimiter(inboundPerSurface, clock),
    perAuthor: createRateLimiter(inboundPerAuthor, clock),
  };
}

// The limit on messages and reactions that go out: per agent, and for all agents together per conversation.

export interface OutboundLimit {
  take(agent: string, conversation: string): Taken;
}

/** Buckets kept for agents and for conversations. */
const AGENT_KEYS_MAX = 1_000;
const CONVERSATION_KEYS_MAX = 20_000;

export function createOutboundLimit(perMinute: number, clock: Clock): OutboundLimit {
  const burst = Math.max(1, Math.ceil(perMinute / 2));
  const agents = createRateLimiter({ perMinute, burst, maxKeys: AGENT_KEYS_MAX }, clock);
  const conversations = createRateLimiter({ perMinute, burst, maxKeys: CONVERSATION_KEYS_MAX }, clock);
  return {
    take(agent, conversation) {
      const taken = conversations.take(conversation);
      return taken.ok ? agents.take(agent) : taken;
    },
  };
}
