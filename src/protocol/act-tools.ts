// The chat tools that do something: send, amend, signal, claim, put off, settle, step back. A send carries everything that the
// draft demands (target, inReplyTo where applicable, idempotencyKey, visibility, directedness). Every other tool names
// the state that is wanted, so a repeated call changes nothing.
import { z } from 'zod';
import { EVENT_LIMITS } from './chat-event.ts';
import { notDischargedSchema, wireObligationSchema } from './obligation.ts';
import { sentFilesSchema } from './sent-files.ts';
import { tool } from './tool.ts';
import { claimToken, destination, eta, inReplyTo, listedEventSchema, target, ttlMs } from './tool-fields.ts';
import { DIRECTEDNESS, DISPOSITIONS, MODES, SIGNALS, VISIBILITIES } from './vocabulary.ts';
import { identitySchema, shortText, timestamp, wireId, wireKey } from './wire-fields.ts';

const loopStop = z.object({
  agent: wireId,
  why: z
    .enum(['repeating', 'unproductive', 'told'])
    .describe('They repeated themselves, asked each other without an answer, or a person told one to stop.'),
  releasedBy: z
    .enum(['person', 'time'])
    .describe('A person who mentions one of the two here; or time, where no people are.'),
  advice: z.string().describe('What the sender may do about it, for its model.'),
});
export type LoopStop = z.infer<typeof loopStop>;

const sendMessage = tool({
  description:
    'Send an idempotent chat message. Mention or name a recipient only to oblige that one to answer; use chat.react when a signal is enough.',
  idempotent: 'with_key',
  input: {
    target: destination,
    text: z.string().min(1).max(EVENT_LIMITS.textChars),
    inReplyTo: inReplyTo.optional(),
    visibility: z.enum(VISIBILITIES).describe('dm: only the author of the event it answers.'),
    directedness: z
      .enum(DIRECTEDNESS)
      .describe('to_me: the recipient must answer. ambient: nobody needs to.'),
    recipient: identitySchema.optional().describe('Who must act: agent:ID or human:ID.'),
    mentions: z.array(identitySchema).max(EVENT_LIMITS.mentions).optional(),
    attachments: sentFilesSchema.optional(),
    obligation: wireObligationSchema.optional().describe('Only if you are blocked without an answer.'),
    idempotencyKey: wireKey,
    /** The token of the claim that allows this answer, if it needs one. */
    token: claimToken.optional(),
    turnId: wireId.optional(),
  },
  result: z.object({
    /** The id under which others will see the message. It is reserved before the message is sent. */
    eventId: wireId,
    status: z.enum(['sent', 'pending']),
    /** True when this key was used before: the result is the stored one. */
    replayed: z.boolean(),
    notWoken: z
      .array(loopStop)
      .optional()
      .describe('Agents that it was for and did not wake, because the loop guard has stopped the two.'),
  }),
});

const ownMessage = wireId.describe('eventId of a message of yours that is shown.');
const amended = z.object({
  /** The message. */
  eventId: wireId,
  status: z.enum(['sent', 'pending']),
  /** True when this was asked before: the result is the stored one. */
  replayed: z.boolean(),
});

const editMessage = tool({
  description:
    'Correct a message of yours that is shown. It wakes and pings nobody; for news, send a message instead.',
  idempotent: true,
  extra: true,
  input: {
    eventId: ownMessage,
    text: z.string().min(1).max(EVENT_LIMITS.textChars),
    /** Left out: the wanted text is the key, so the same call again changes nothing. */
    idempotencyKey: wireKey.optional(),
    turnId: wireId.optional(),
  },
  result: amended,
});

const deleteMessage = tool({
  description: 'Delete a message of yours that is shown.',
  idempotent: true,
  extra: true,
  input: { eventId: ownMessage, idempotencyKey: wireKey.optional(), turnId: wireId.optional() },
  result: amended,
});

const react = tool({
  description:
    'Send a typed reaction signal as a zero-turn disposition: "got it", "on it", "approved" and "not me" are reactions, not sentences.',
  idempotent: true,
  input: {
    inReplyTo,
    signal: z.enum(SIGNALS),
    eta: eta.optional(),
    recipient: identitySchema.optional().describe('Whose debt it settles.'),
    remove: z.boolean().optional(),
    turnId: wireId.optional(),
  },
  result: z.object({
    reactionId: wireId,
    /** Null when the signal settles nothing: `unclear`, for one. */
    disposition: z.enum(DISPOSITIONS).nullable(),
    /** Whether the debt that the reaction is about is discharged. Missing when it is about none. */
    discharged: z.boolean().optional(),
    notDischarged: notDischargedSchema.optional(),
  }),
});

/** A claim keeps others out, so it is short. Whoever works on renews it before it ends. */
export const CLAIM_LIMITS = {
  eventTtlMs: 24 * 3_600_000,
  /** Of a whole conversation. */
  roomTtlMs: 3_600_000,
} as const;

const claim = tool({
  description:
    'Claim responsibility for responding to a channel event or thread, renew the claim, or release it. If another agent holds it, stay out.',
  idempotent: true,
  input: {
    op: z.enum(['claim', 'renew', 'release']).optional().describe('Default: claim.'),
    inReplyTo: inReplyTo.optional(),
    target: target.optional().describe('The whole thread.'),
    ttlMs: ttlMs.max(CLAIM_LIMITS.eventTtlMs).optional(),
    token: claimToken.optional(),
  },
  oneOf: ['inReplyTo', 'target'],
  result: z.object({
    status: z.enum(['claimed', 'renewed', 'released']),
    token: claimToken.optional(),
    expiresAt: timestamp.optional(),
    /** The text of the claimed message, which an offer withholds. */
    event: listedEventSchema.optional(),
  }),
});

export const ACT_TOOLS = {
  'chat.send_message': sendMessage,
  'chat.edit_message': editMessage,
  'chat.delete_message': deleteMessage,
  'chat.react': react,
  'chat.claim': claim,

  'chat.defer': tool({
    description:
      'Record that a must-respond event is deferred with a reason. It comes back when the time is over.',
    idempotent: true,
    input: {
      inReplyTo,
      reason: shortText,
      eta: eta.optional(),
      ttlMs: ttlMs.optional(),
      turnId: wireId.optional(),
    },
    result: z.object({ disposition: z.literal('deferred'), until: timestamp }),
  }),

  'chat.resolve': tool({
    description: 'Mark an event, thread, or assignment resolved.',
    idempotent: true,
    input: {
      inReplyTo: inReplyTo.optional(),
      target: target.optional(),
      note: shortText.optional(),
      turnId: wireId.optional(),
    },
    oneOf: ['inReplyTo', 'target'],
    result: z.object({ resolved: z.array(wireId) }),
  }),

  'chat.disengage': tool({
    description:
      'Step back from a conversation without sending anything: you are woken there again when somebody addresses you.',
    idempotent: true,
    input: { target, turnId: wireId.optional() },
    result: z.object({ target }),
  }),

  'chat.set_mode': tool({
    description:
      'Choose when you are woken in a conversation: auto, follow (everything in a thread, in batches), mention_only, or left (until mentioned again). Call it when a person asks you to leave (left), to stop or be quieter (mention_only) or to speak again (auto); the result says what happens next.',
    idempotent: true,
    input: { target, mode: z.enum(MODES) },
    result: z.object({
      target,
      /** The mode that was set. A direct message cannot be left: there it is mention_only. */
      mode: z.enum(MODES),
      next: z.string().describe('What happens next, in words.'),
    }),
  }),

  'chat.focus': tool({
    description:
      'Ask to be left alone for a while. Only urgent, safety and cancel from people come through; 0 ends it.',
    idempotent: true,
    input: { ttlMs: z.int().nonnegative().max(EVENT_LIMITS.ttlMs) },
    result: z.object({ until: timestamp.nullable() }),
  }),
};
