// What Slack sends, as far as this surface reads it. Fields that are not named here are ignored, so a new one breaks
// nothing. The shapes are those of the Events API and of conversations.history.
import { z } from 'zod';

const text = z.string().max(200_000);
const id = z.string().min(1).max(256);
/** Slack's name of a message in its channel: seconds and a count, `1712345678.000100`. */
const ts = z.string().regex(/^\d{1,12}\.\d{1,9}$/, 'expected a ts such as 1712345678.000100');

const file = z.object({
  id,
  name: z.string().nullish(),
  mimetype: z.string().nullish(),
  size: z.number().nullish(),
});
export type SlackFile = z.infer<typeof file>;

export const messageSchema = z.object({
  subtype: z.string().nullish(),
  ts,
  user: id.nullish(),
  bot_id: id.nullish(),
  username: z.string().nullish(),
  bot_profile: z.object({ name: z.string().nullish() }).nullish(),
  text: text.nullish(),
  thread_ts: ts.nullish(),
  edited: z.object({ ts }).nullish(),
  files: z.array(file).nullish(),
  /** Older apps say everything in these. */
  attachments: z
    .array(z.object({ fallback: text.nullish(), text: text.nullish() }))
    .nullish()
    .catch(null),
  metadata: z
    .object({ event_type: z.string().nullish(), event_payload: z.record(z.string(), z.unknown()).nullish() })
    .nullish()
    .catch(null),
  streaming_state: z.string().nullish(),
  reply_count: z.number().nullish(),
  latest_reply: ts.nullish().catch(null),
  reactions: z
    .array(z.object({ name: z.string().min(1).max(100), users: z.array(id).max(1_000) }))
    .nullish()
    .catch(null),
});
export type SlackMessage = z.infer<typeof messageSchema>;

export const messageEventSchema = messageSchema.extend({
  type: z.literal('message'),
  channel: id,
  channel_type: z.string().nullish(),
  event_ts: z.string().nullish(),
});

export const changedEventSchema = z.object({
  channel: id,
  ts: ts.nullish(),
  event_ts: ts.nullish(),
  message: messageSchema,
  previous_message: messageSchema.nullish().catch(null),
});

export const deletedEventSchema = z.object({
  channel: id,
  ts: ts.nullish(),
  event_ts: ts.nullish(),
  deleted_ts: ts,
  previous_message: messageSchema.nullish().catch(null),
});

export const reactionEventSchema = z.object({
  type: z.enum(['reaction_added', 'reaction_removed']),
  user: id,
  reaction: z.string().min(1).max(100),
  item: z.object({ type: z.string().nullish(), channel: id, ts }),
  event_ts: z.string().nullish(),
});

/** What surrounds an event. Socket Mode and HTTP have the same. */
export const envelopeSchema = z.object({
  type: z.literal('event_callback'),
  team_id: id.nullish(),
  event_id: id.nullish(),
  authorizations: z
    .array(z.object({ team_id: z.string().nullish() }))
    .nullish()
    .catch(null),
  event: z.looseObject({ type: z.string().min(1), subtype: z.string().nullish() }),
});
export type Envelope = z.infer<typeof envelopeSchema>;

/** The time of a ts in epoch ms. */
export function msOfTs(value: string): number {
  return Math.floor(Number(value) * 1_000);
}

/** The ts of a time, for `oldest` and `latest`. */
export function tsOfMs(ms: number): string {
  return (Math.max(0, ms) / 1_000).toFixed(6);
}
