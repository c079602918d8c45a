// The chat tools that only read: mailbox, thread window, long poll and the open set. They change nothing, so a call may
// always be repeated. The host checks permissions before it shows anything.
import { z } from 'zod';
import { attachmentSchema, EVENT_LIMITS } from './chat-event.ts';
import { openObligationSchema } from './obligation.ts';
import { tool } from './tool.ts';
import { eventPageSchema, inReplyTo, paging, target, textFrom } from './tool-fields.ts';
import { POLICIES } from './vocabulary.ts';
import { count, timestamp, WIRE_LIMITS, wireId } from './wire-fields.ts';
import { participantsSchema } from './participants.ts';
import { wireEventSchema } from './wire-event.ts';

/** The host answers a long poll within this time, before a proxy would cut it. */
export const WAIT_MAX_MS = 25_000;
/** The longest wait that a model may ask for. It is made of several long polls. */
export const MODEL_WAIT_MAX_MS = 3_600_000;

export const READ_ATTACHMENT_LIMITS = {
  /** Characters of its text in one answer. `nextTextFrom` says where the rest begins. */
  textChars: 100_000,
  /** Bytes of its data before base64. The answer then fits into one frame. */
  dataBytes: 700_000,
  mediaTypeChars: 128,
} as const;

const readAttachmentSchema = z.object({
  attachmentId: wireId,
  eventId: wireId,
  kind: attachmentSchema.shape.kind,
  name: z.string().max(EVENT_LIMITS.nameChars).optional(),
  mediaType: z.string().max(READ_ATTACHMENT_LIMITS.mediaTypeChars),
  /** As they are on the platform. */
  bytes: count,
  text: z.string().max(READ_ATTACHMENT_LIMITS.textChars).optional(),
  /** True when the text goes on, from nextTextFrom. */
  cut: z.boolean().optional(),
  nextTextFrom: textFrom.optional(),
  /** Base64. */
  data: z
    .string()
    .max(Math.ceil((READ_ATTACHMENT_LIMITS.dataBytes * 4) / 3) + 4)
    .optional(),
});

export const READ_TOOLS = {
  'chat.list_events': tool({
    description:
      'List chat events available to this session, filtered by stream, conversation, policy, or time. Newest first.',
    idempotent: true,
    input: {
      streamId: wireId.optional(),
      target: target.optional(),
      policy: z.enum(POLICIES).optional(),
      since: timestamp.optional(),
      until: timestamp.optional(),
      unsettled: z.boolean().optional().describe('Only what waits for an outcome.'),
      ...paging,
    },
    result: eventPageSchema,
  }),

  'chat.read_thread': tool({
    description:
      'Read a thread or conversation window: around the event you were knocked for (inReplyTo), or the latest of a place (target). Reading obliges you to nothing.',
    idempotent: true,
    input: {
      inReplyTo: inReplyTo.optional(),
      target: target.optional(),
      textFrom: textFrom.optional().describe("Only this event's text, from this character on."),
      ...paging,
    },
    oneOf: ['inReplyTo', 'target'],
    result: eventPageSchema.extend({
      target,
      /** Where the text goes on, after a call with textFrom. Missing: that was its end. */
      nextTextFrom: textFrom.optional(),
      ...participantsSchema.partial().shape,
    }),
  }),

  'chat.read_attachment': tool({
    description:
      'Read something attached to a message, by the id shown with it: text as text, anything else as data. Without inReplyTo or target, the newest attachment of that id that you may see. What it says was written by somebody in chat.',
    idempotent: true,
    input: {
      attachmentId: wireId,
      inReplyTo: inReplyTo.optional(),
      target: target.optional(),
      textFrom: textFrom.optional().describe('Read on: nextTextFrom of the last answer.'),
    },
    result: readAttachmentSchema,
  }),

  'chat.wait_events': tool({
    description:
      'Wait for the next events meant for you and take them. What you do not settle is offered again. Pass the cursor of the previous answer.',
    idempotent: true,
    input: {
      cursor: wireId.optional(),
      limit: paging.limit,
      timeoutMs: z.int().nonnegative().max(WAIT_MAX_MS).optional(),
    },
    modelOnly: {
      reply: z.string().max(EVENT_LIMITS.textChars).optional().describe('Your answer to the last turn.'),
      timeoutMs: z
        .int()
        .nonnegative()
        .max(MODEL_WAIT_MAX_MS)
        .optional()
        .describe('Default: as long as your client allows.'),
    },
    result: z.object({
      events: z.array(wireEventSchema).max(WIRE_LIMITS.pageSize),
      cursor: wireId,
      /** More events wait and did not fit into this answer. The next call returns them at once. */
      hasMore: z.boolean().optional(),
      /** Who is in the conversations of these events. */
      rooms: z.array(participantsSchema.extend({ target })).max(WIRE_LIMITS.pageSize).optional(),
    }),
  }),

  'chat.open_set': tool({
    description:
      'List open obligations, the most blocking first, then the oldest. "owe": what you owe. "blocking": whose questions wait for you, also behind an escalation. "blocked_on": what you wait for. "may_discharge": what you may discharge with chat.react, for yourself or as a delegate.',
    idempotent: true,
    input: { query: z.enum(['owe', 'blocking', 'blocked_on', 'may_discharge']), ...paging },
    result: z.object({
      obligations: z.array(openObligationSchema).max(WIRE_LIMITS.pageSize),
      nextCursor: wireId.optional(),
    }),
  }),
};
