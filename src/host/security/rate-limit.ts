// Rate limits as token buckets, one bucket per key, for incoming events and outgoing sends. A refusal always says when
// to try again. Buckets live in memory: after a restart every bucket is full.
import type { Clock } from '../../runtime/clock.ts';

export type Taken = { ok: true } | { ok: false; retryAfterMs: number };

export interface RateLimiter {
  /** A batch larger than the burst passes when the bucket is full. It makes the level negative, so later calls wait. */
  take(key: string, n?: number): Taken;
  /** Takes what was used already, whatever the level. It may become negative: then `take(key, 0)` says for how long. */
  spend(key: string, n: number): void;
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
  /**
   * Characters of the texts per surface: 500 for each event that it may send. A text of 60,000 takes 2 ms of the main
   * thread, as much as eight short messages, and three times its size in memory for a moment.
   */
  inboundCharsPerSurface: { perMinute: 30_000_000, burst: 2_000_000, maxKeys: 1_000 },
  /** Events per author account, across conversations. */
  inboundPerAuthor: { perMinute: 600, burst: 500, maxKeys: 20_000 },
} as const satisfies Record<string, RateLimit>;

interface Bucket {
  key: string;
  /** Below zero after a batch larger than the burst. */
  level: number;
  at: number;
}

const MINUTE_MS = 60_000;
const PASSED: Taken = { ok: true };

/** `nodes`: how many hosts share the limit. Each has its part. */
export function createRateLimiter(
  { perMinute, burst: most, maxKeys }: RateLimit,
  clock: Clock,
  nodes: () => number = () => 1,
): RateLimiter {
  const perMsOf = (): number => perMinute / MINUTE_MS / nodes();
  const burstOf = (): number => Math.max(1, most / nodes());
  /** In order of last use. The first is forgotten first. */
  const buckets = new Map<string, Bucket>();
  /** The one used last. It stands at the end already. */
  let newest: Bucket | undefined;

  const bucketOf = (key: string, now: number): Bucket => {
    if (newest?.key === key) return newest;
    const known = buckets.get(key);
    if (known !== undefined) {
      // While half of the room is free nobody is forgotten soon, and the order need not be kept.
      if (buckets.size * 2 <= maxKeys) return known;
      buckets.delete(key);
    } else if (buckets.size >= maxKeys) {
      const oldest = buckets.keys().next();
      if (!oldest.done) buckets.delete(oldest.value);
    }
    newest = known ?? { key, level: burstOf(), at: now };
    buckets.set(key, newest);
    return newest;
  };

  const filled = (key: string): Bucket => {
    const now = clock.now();
    const bucket = bucketOf(key, now);
    // When the clock is set back, the level stays as it is.
    bucket.level = Math.min(burstOf(), bucket.level + Math.max(0, now - bucket.at) * perMsOf());
    bucket.at = now;
    return bucket;
  };

  return {
    take(key, n = 1) {
      const bucket = filled(key);
      const needed = Math.min(n, burstOf());
      // Sums of fractions may end just below a whole number.
      if (bucket.level + 1e-6 < needed) {
        return { ok: false, retryAfterMs: Math.ceil((needed - bucket.level) / perMsOf()) };
      }
      bucket.level -= n;
      return PASSED;
    },
    spend(key, n) {
      filled(key).level -= n;
    },
    size: () => buckets.size,
  };
}

// The limits on events that come in: per surface, by number and by length, and per author account of a surface.

export type InboundRates = { [Name in keyof typeof DEFAULT_LIMITS]: RateLimit };

/** For rigs that hand over more than any chat does while their clock stands still. */
export const NO_INBOUND_LIMITS: InboundRates = {
  inboundPerSurface: { perMinute: 1e9, burst: 1e9, maxKeys: 1_000 },
  inboundCharsPerSurface: { perMinute: 1e12, burst: 1e12, maxKeys: 1_000 },
  inboundPerAuthor: { perMinute: 1e9, burst: 1e9, maxKeys: 20_000 },
};

export interface InboundLimits {
  perSurface: RateLimiter;
  charsPerSurface: RateLimiter;
  perAuthor: RateLimiter;
}

export function createInboundLimits(
  rates: Partial<InboundRates>,
  clock: Clock,
  nodes?: () => number,
): InboundLimits {
  const { inboundPerSurface, inboundCharsPerSurface, inboundPerAuthor } = { ...DEFAULT_LIMITS, ...rates };
  return {
    perSurface: createRateLimiter(inboundPerSurface, clock, nodes),
    charsPerSurface: createRateLimiter(inboundCharsPerSurface, clock, nodes),
    perAuthor: createRateLimiter(inboundPerAuthor, clock, nodes),
  };
}

// The limit on messages and reactions that go out: per agent, and for all agents together per conversation.

export interface OutboundLimit {
  take(agent: string, conversation: string): Taken;
}

/** Buckets kept for agents and for conversations. */
const AGENT_KEYS_MAX = 1_000;
const CONVERSATION_KEYS_MAX = 20_000;

/** `perMinute` may change. Then every bucket starts full. */
export function createOutboundLimit(perMinute: () => number, clock: Clock): OutboundLimit {
  let limit = outboundOf(perMinute(), clock);
  return {
    take(agent, conversation) {
      if (perMinute() !== limit.perMinute) limit = outboundOf(perMinute(), clock);
      const taken = limit.conversations.take(conversation);
      return taken.ok ? limit.agents.take(agent) : taken;
    },
  };
}

function outboundOf(perMinute: number, clock: Clock) {
  const burst = Math.max(1, Math.ceil(perMinute / 2));
  return {
    perMinute,
    agents: createRateLimiter({ perMinute, burst, maxKeys: AGENT_KEYS_MAX }, clock),
    conversations: createRateLimiter({ perMinute, burst, maxKeys: CONVERSATION_KEYS_MAX }, clock),
  };
}
