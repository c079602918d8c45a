// Arguments and result rows that several chat tools share. `inReplyTo` always names the event that a call is about (the
// draft's word in its chat.react example). `target` always names a place, such as `thread:1748890000.000100`. Prompt
// headers and knocks show it in the same form, so a model can copy it.
import { z } from 'zod';
import { EVENT_LIMITS } from './chat-event.ts';
import { contentPartSchema } from './envelope.ts';
import {
  AUTHOR_KINDS,
  CONVERSATION_KINDS,
  DIRECTEDNESS,
  DISPOSITIONS,
  INJECTION_MODES,
  POLICIES,
  SIGNALS,
} from './vocabulary.ts';
import { identitySchema, timestamp, WIRE_LIMITS, wireAuthorSchema, wireId } from './wire-fields.ts';

export const inReplyTo = wireId.describe('eventId of the event it is about.');
export const target = z
  .templateLiteral([z.enum(CONVERSATION_KINDS), ':', wireId])
  .describe('dm:ID, channel:ID or thread:ID, as shown in the event.');
/** A place, or a person or agent to write to directly. */
export const destination = z
  .templateLiteral([z.enum([...CONVERSATION_KINDS, ...AUTHOR_KINDS]), ':', wireId])
  .describe('dm:ID, channel:ID or thread:ID; human:ID or agent:ID for a direct message.');
export const ttlMs = z.int().positive().max(EVENT_LIMITS.ttlMs);
/** A place in a text, in UTF-16 code units. A cut names it. */
export const textFrom = z.int().nonnegative().max(WIRE_LIMITS.textFrom);
export const claimToken = z.int().nonnegative();
export const eta = z.string().min(1).max(EVENT_LIMITS.nameChars);

export const paging = {
  limit: z.int().positive().max(WIRE_LIMITS.pageSize).optional().describe('Default: 20.'),
  cursor: wireId.optional().describe('nextCursor of the last page.'),
};

/** One stored event as a tool shows it. Events that the reader may not see are not listed. */
export const listedEventSchema = z.object({
  eventId: wireId,
  /** The source's own id, where the event id is another one. Calls name events by eventId. */
  sourceId: wireId.optional(),
  target,
  author: wireAuthorSchema,
  createdAt: timestamp,
  type: z.enum(['message', 'edit', 'delete', 'reaction', 'progress']),
  content: z.array(contentPartSchema).max(WIRE_LIMITS.parts).optional(),
  reaction: z.object({ targetEventId: wireId, signal: z.enum(SIGNALS) }).optional(),
  mentions: z.array(identitySchema).max(EVENT_LIMITS.mentions).optional(),
  inReplyTo: wireId.optional(),
  /** Whom it was said to: `agent:builder`, `human:U1`, `role:ops`, `broadcast:here`, `somebody`. Missing: nobody. */
  to: z.array(wireId).max(WIRE_LIMITS.saidTo).optional(),
  edited: z.boolean().optional(),
  deleted: z.boolean().optional(),
  /** What became of this event for the reader. Missing when it was never delivered to them. */
  directedness: z.enum(DIRECTEDNESS).optional(),
  policy: z.enum(POLICIES).optional(),
  mode: z.enum(INJECTION_MODES).optional(),
  disposition: z.enum(DISPOSITIONS).optional(),
  claimedBy: identitySchema.optional(),
});
export type ListedEvent = z.infer<typeof listedEventSchema>;

export const eventPageSchema = z.object({
  events: z.array(listedEventSchema).max(WIRE_LIMITS.pageSize),
  nextCursor: wireId.optional(),
});
