// The full envelope: the params of `chat/deliver` for a session that speaks 2026-06-02. The required fields are those
// the draft lists, so a harness understands every conforming host; Earshot itself sends all fields.
// Invariant: a `notify` has a `knock` and no `content`. Its content is withheld until the agent pulls it.
import { z } from 'zod';
import { attachmentSchema, EVENT_LIMITS } from './chat-event.ts';
import { knockSchema } from './knock.ts';
import { notShownSchema } from './not-shown.ts';
import { unansweredSchema } from './unanswered.ts';
import { deliveredReactionSchema, obligationFields } from './obligation.ts';
import { agentIdentitySchema, participantsSchema } from './participants.ts';
import {
  CONVERSATION_KINDS,
  DIRECTEDNESS,
  INJECTION_CONTEXTS,
  INJECTION_MODES,
  POLICIES,
  PRIORITIES,
} from './vocabulary.ts';
import {
  codeWord,
  count,
  identitySchema,
  timestamp,
  WIRE_LIMITS,
  wireAuthorSchema,
  wireId,
  wireKey,
  wireText,
} from './wire-fields.ts';

export const textPartSchema = z.object({ type: z.literal('text'), text: wireText });
/** A reference only: the bytes stay on the platform, and a tool reads them. */
export const attachmentPartSchema = z.object({ type: z.literal('attachment'), ...attachmentSchema.shape });
export const contentPartSchema = z.discriminatedUnion('type', [textPartSchema, attachmentPartSchema]);
export type ContentPart = z.infer<typeof contentPartSchema>;

export const noticesSchema = z.array(codeWord).max(8);

/** `id` is the room; a thread in it is named by `threadId`. Both together are the conversation. */
export const envelopeConversationSchema = z.object({
  id: wireId,
  kind: z.enum(CONVERSATION_KINDS),
  streamId: wireId.optional(),
  threadId: wireId.optional(),
});

export const injectionSchema = z.object({
  mode: z.enum(INJECTION_MODES),
  context: z.enum(INJECTION_CONTEXTS).optional(),
  /** Chat is always the words of a user: a host cannot make it a system or developer message. */
  role: z.literal('user').optional(),
});

export const fullEnvelopeSchema = z
  .object({
    eventId: wireId,
    refersTo: wireId.optional(),
    /** `eventId`: the source's own id of the event, where the host's id is another one. */
    source: z.object({ platform: wireId, workspaceId: wireId, eventId: wireId.optional() }).optional(),
    conversation: envelopeConversationSchema,
    author: wireAuthorSchema.optional(),
    target: z.object({
      mentions: z.array(identitySchema).max(EVENT_LIMITS.mentions).optional(),
      recipient: identitySchema.optional(),
      directedness: z.enum(DIRECTEDNESS),
    }),
    content: z.array(contentPartSchema).max(WIRE_LIMITS.parts).optional(),
    reaction: deliveredReactionSchema.optional(),
    timing: z
      .object({
        createdAt: timestamp,
        sequence: count.optional(),
        /** Within what time its author usually adds something. Missing: they seldom do, or nobody knows. */
        goesOnMs: count.optional(),
        /** The same for an author who takes longer than a compose window may wait: an answer that is ready may wait so long. */
        addsWithinMs: count.optional(),
      })
      .optional(),
    attention: z.object({
      policy: z.enum(POLICIES),
      reason: codeWord.optional(),
      priority: z.enum(PRIORITIES).optional(),
      deadlineMs: count.optional(),
      requiresThreadCheck: z.boolean().optional(),
      notices: noticesSchema.optional(),
    }),
    injection: injectionSchema,
    reliability: z.object({ attempt: z.int().positive().optional(), idempotencyKey: wireKey }),
    knock: knockSchema.optional(),
    notShown: notShownSchema.optional(),
    unanswered: unansweredSchema.optional(),
    /** For a webhook, which no session or turn tells who it is and who is here. */
    agent: identitySchema.optional(),
    identity: agentIdentitySchema.optional(),
    ...participantsSchema.partial().shape,
    ...obligationFields,
  })
  .superRefine(({ injection, content, knock }, context) => {
    for (const issue of withholdingIssues(injection.mode, content, knock)) {
      context.addIssue({ code: 'custom', ...issue });
    }
  })
  .meta({
    // The same rule again, for readers of the published JSON Schema.
    oneOf: [
      {
        properties: { injection: { properties: { mode: { const: 'notify' } } }, content: false },
        required: ['knock'],
      },
      {
        properties: { injection: { properties: { mode: { not: { const: 'notify' } } } } },
        required: ['content'],
      },
    ],
  });
export type FullEnvelope = z.infer<typeof fullEnvelopeSchema>;

/** The rule of both event shapes: a notify has a knock and no content, every other mode has its content. */
export function withholdingIssues(mode: string | undefined, content: unknown, knock: unknown) {
  const issues: { path: string[]; message: string }[] = [];
  if (mode !== 'notify') {
    if (content === undefined) {
      issues.push({ path: ['content'], message: 'content is required unless mode is notify' });
    }
    return issues;
  }
  if (content !== undefined) {
    issues.push({ path: ['content'], message: 'notify withholds content: leave it out and send knock' });
  }
  if (knock === undefined) {
    issues.push({ path: ['knock'], message: 'notify needs a knock: from, where, policy, topic, pullWith' });
  }
  return issues;
}
