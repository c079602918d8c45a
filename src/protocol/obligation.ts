// Obligations on the wire (extension 2026-08-11, sections 1, 8 and 9): what an author is blocked on, the reaction about
// one recipient's debt, and a row of the open set. An event with this object creates the debt; nobody can set the state
// of a debt directly.
import { z } from 'zod';
import { EVENT_LIMITS } from './chat-event.ts';
import { count, identitySchema, shortText, timestamp, wireId } from './wire-fields.ts';
import { BLOCKS, SIGNALS } from './vocabulary.ts';

export const wireObligationSchema = z.object({
  blocks: z.enum(BLOCKS),
  /** What the author will do if nobody answers, in the author's words: untrusted, as content is. */
  defaultAction: shortText,
  /** Who may discharge it besides the author. Missing: the author's coordinator. */
  dischargeDelegate: identitySchema.optional(),
});
export type WireObligation = z.infer<typeof wireObligationSchema>;

export const recipientsSchema = z.array(identitySchema).max(EVENT_LIMITS.recipients);

/** An escalation carries the debts that wait for whoever does not answer. The content of each can be pulled. */
export const wireEscalationSchema = z.object({
  blockedOn: identitySchema,
  items: z
    .array(
      z.object({
        eventId: wireId,
        author: identitySchema,
        recipient: identitySchema,
        blocks: z.enum(BLOCKS),
        defaultAction: shortText,
        createdAt: timestamp,
      }),
    )
    .max(EVENT_LIMITS.owedItems),
});
export type WireEscalation = z.infer<typeof wireEscalationSchema>;

/** The members that both event shapes gain when obligations are negotiated. */
export const obligationFields = {
  obligation: wireObligationSchema.optional(),
  createdAt: timestamp.optional(),
  recipients: recipientsSchema.optional(),
  escalation: wireEscalationSchema.optional(),
};

/** Section 8: a reaction is an event of its own. Its meaning depends on who emitted it. */
export const reactionRecordSchema = z.object({
  reactionId: wireId,
  targetEventId: wireId,
  createdAt: timestamp,
  actor: identitySchema,
  signal: z.enum(SIGNALS),
  /** Whose debt it is about. A reaction without it discharges nothing. */
  recipient: identitySchema.optional(),
});
export type ReactionRecord = z.infer<typeof reactionRecordSchema>;

/** Why a reaction did not discharge the debt it is about, and what would. */
export const notDischargedSchema = z.object({
  reason: z.enum(['no_recipient', 'no_debt', 'not_yours', 'other_signal', 'removed', 'others_wait']),
  message: shortText,
});
export type NotDischarged = z.infer<typeof notDischargedSchema>;

/** A reaction that is delivered itself. The signal is a protocol word, so a knock may show it. */
export const deliveredReactionSchema = reactionRecordSchema.pick({
  targetEventId: true,
  signal: true,
  recipient: true,
});

/** Section 9: one row of "what I owe" and "what I am blocking". The host derives the state from the log. */
export const openObligationSchema = z.object({
  obligationId: wireId,
  eventId: wireId,
  author: identitySchema,
  recipient: identitySchema,
  obligation: wireObligationSchema,
  createdAt: timestamp,
  ageMs: count,
  /** How often the host has returned it to its recipient. */
  returns: count,
  /** Who is asked for it now: the recipient, or whoever it was escalated to. */
  askedNow: identitySchema,
  /** On an escalation: the event ids of the debts on its list. */
  items: z.array(wireId).max(EVENT_LIMITS.owedItems).optional(),
  state: z.enum(['open', 'paused', 'escalated']),
});
export type OpenObligation = z.infer<typeof openObligationSchema>;
