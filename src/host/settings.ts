// What an operator may set about the host itself: every key with its default, unit and limit. The attention settings
// stand beside these in the same file; `earshot.yaml` is both.
import { z } from 'zod';
import { EVENT_LIMITS } from '../protocol/chat-event.ts';
import { sensitiveRuleSchema } from './security/sensitive.ts';

const ms = z
  .int()
  .nonnegative()
  .max(30 * 24 * 3_600_000);
const count = z.int().positive().max(1_000_000);
const id = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z0-9][a-z0-9_.-]*$/i, 'expected letters, digits, ".", "_" or "-"');

export const hostLimitsSchema = z.strictObject({
  /** Deliveries handed to a session and not yet acknowledged. */
  windowDeliveries: count.default(64),
  ackTimeoutMs: ms.default(10_000),
  /** Handing over again: base, doubled each time, capped, with jitter. */
  retryBaseMs: ms.default(500),
  retryCapMs: ms.default(60_000),
  /** Unanswered hand-overs after which a delivery is dead-lettered. */
  handAttempts: count.default(20),
  heartbeatMs: ms.default(5_000),
  /** Heartbeats missed in a row before a session counts as dead. */
  heartbeatsMissed: count.default(3),
  /** A role mention is with one holder for so long. */
  offerMs: ms.default(20_000),
  /** Claimed and deferred lapse into one redelivery after this. */
  lapseMs: ms.default(3_600_000),
  digestMs: ms.default(15 * 60_000),
  /** Sends that answer nothing, per agent, conversation and hour. */
  unpromptedPerHour: z.int().nonnegative().max(10_000).default(6),
  /** The same text again within this is refused. */
  repeatTextMs: ms.default(10 * 60_000),
  repeatTextChars: count.default(40),
  /** How long a send call waits for the platform before it answers `pending`. */
  sendWaitMs: ms.default(5_000),
  sendAttempts: count.default(12),
  /** A platform that has not answered a post by then may have shown it: it is asked before anything is posted again. */
  postTimeoutMs: ms.default(30_000),
  /** Pull harnesses: a taken delivery is offered again after this. */
  visibilityMs: ms.default(60_000),
  /** Log rows older than this are cut, except those an open obligation needs. 0 keeps everything. */
  retentionMs: z.int().nonnegative().default(0),
});
export type HostLimits = z.infer<typeof hostLimitsSchema>;

/** A source without an adapter: it posts events to `/v1/events`, and gets the agents' sends by webhook or by pull. */
export const sourceSchema = z.strictObject({
  id,
  platform: z.string().min(1).max(EVENT_LIMITS.idChars).optional(),
  /** Where sends are posted, signed. Without it they wait at `/v1/outbox`. */
  url: z.url({ protocol: /^https?$/ }).optional(),
  /** `whsec_…`, base64. Required with `url`. */
  secret: z.string().min(8).max(256).optional(),
  maxChars: count.default(40_000),
});
export type SourceSettings = z.infer<typeof sourceSchema>;

/** A harness that only listens: deliveries are posted to it. */
export const webhookHarnessSchema = z.strictObject({
  agent: id,
  url: z.url({ protocol: /^https?$/ }),
  secret: z.string().min(8).max(256),
});

export const hostSettingsSchema = z.strictObject({
  listen: z
    .strictObject({ host: z.string().default('127.0.0.1'), port: z.int().min(0).max(65_535).default(7575) })
    .prefault({}),
  dataDir: z.string().min(1).default('./.earshot'),
  sources: z.array(sourceSchema).max(256).default([]),
  webhooks: z.array(webhookHarnessSchema).max(256).default([]),
  /** Host names besides loopback under which pages and clients may call. */
  allowedHosts: z.array(z.string().min(1).max(256)).max(64).default([]),
  limits: hostLimitsSchema.prefault({}),
  /** Sends that wait for a human's `agree`: a reason and what they match. */
  sensitive: z.array(sensitiveRuleSchema).max(64).default([]),
});
export type HostSettings = z.infer<typeof hostSettingsSchema>;
