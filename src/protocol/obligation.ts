// Obligations on the wire (extension 2026-08-11, sections 1, 8 and 9): what an author says it is blocked on, the
// reaction that speaks of one recipient's debt, and a row of the open set. Presence of the object is the debt;
// nothing here is a state that somebody could set.
import { z } from 'zod';
import { EVENT_LIMITS } from './chat-event.ts';
import { count, identitySchema, shortText, timestamp, wireId } from './wire-fields.ts';
import { BLOCKS, SIGNALS } from './vocabulary.ts';

export const wireObligationSchema = z.object({
  blocks: z.enum(BLOCKS),
  /** What the author will do if nobody answers. Its author's words: untrusted, like content. */
  defaultAction: shortText,
  /** Who besides the author may discharge; the author's coordinator when missing. */
  dischargeDelegate: identitySchema.optional(),
});
export type WireObligation = z.infer<typeof wireObligationSchema>;

export const recipientsSchema = z.array(identitySchema).max(EVENT_LIMITS.recipients);

/** What an event gains when obligations are negotiated, on either event shape. */
export const obligationFields = {
  obligation: wireObligationSchema.optional(),
  createdAt: timestamp.optional(),
  recipients: recipientsSchema.optional(),
};

/** Section 8: a reaction is an event of its own, read by who emitted it. */
export const reactionRecordSchema = z.object({
  reactionId: wireId,
  targetEventId: wireId,
  createdAt: timestamp,
  actor: identitySchema,
  signal: z.enum(SIGNALS),
  /** Whose debt it speaks of. Without it nothing is discharged. */
  recipient: identitySchema.optional(),
});
export type ReactionRecord = z.infer<typeof reactionRecordSchema>;

/** A reaction that is itself delivered: the signal is a protocol word, so it is not withheld from a knock. */
export const deliveredReactionSchema = reactionRecordSchema.pick({
  targetEventId: true,
  signal: true,
  recipient: true,
});

/** Section 9: one row of "what I owe" and "what I am blocking". State is derived by the host from the log. */
export const openObligationSchema = z.object({
  obligationId: wireId,
  eventId: wireId,
  author: identitySchema,
  recipient: identitySchema,
  obligation: wireObligationSchema,
  createdAt: timestamp,
  ageMs: count,
  /** How often it has come back to its recipient. */
  returns: count,
  state: z.enum(['open', 'paused', 'escalated']),
});
export type OpenObligation = z.infer<typeof openObligationSchema>;
