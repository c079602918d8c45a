// The short event: the params of `chat/deliver` for a session that speaks 2026-06-24, and the same with obligations for
// 2026-08-11. That draft has three policies and three kinds of conversation. Other words become one of these, never a
// stronger one. A missing `mode` means buffered, so the draft's own example is valid as it stands.
import { z } from 'zod';
import { EVENT_LIMITS } from './chat-event.ts';
import { attachmentPartSchema, noticesSchema, withholdingIssues } from './envelope.ts';
import { knockSchema } from './knock.ts';
import { notShownSchema } from './not-shown.ts';
import { unansweredSchema } from './unanswered.ts';
import { deliveredReactionSchema, obligationFields } from './obligation.ts';
import { type ConversationKind, INJECTION_MODES, type Policy } from './vocabulary.ts';
import { wireAuthorSchema, wireId, wireText } from './wire-fields.ts';

export const SHORT_POLICIES = ['must_respond', 'may_respond', 'must_not_respond'] as const satisfies Policy[];
export type ShortPolicy = (typeof SHORT_POLICIES)[number];

export const SHORT_CONVERSATION_KINDS = ['dm', 'channel', 'thread'] as const satisfies ConversationKind[];
export type ShortConversationKind = (typeof SHORT_CONVERSATION_KINDS)[number];

const shortFields = {
  eventId: wireId,
  conversation: z.object({ id: wireId, kind: z.enum(SHORT_CONVERSATION_KINDS) }),
  author: wireAuthorSchema,
  addressedToMe: z.boolean(),
  policy: z.enum(SHORT_POLICIES),
  content: wireText.optional(),
  // Not in the draft's example. Each is left out when it has nothing to say.
  refersTo: wireId.optional(),
  /** The source's own id of the event, where the host's id is another one. */
  sourceId: wireId.optional(),
  attachments: z.array(attachmentPartSchema).max(EVENT_LIMITS.attachments).optional(),
  reaction: deliveredReactionSchema.optional(),
  mode: z.enum(INJECTION_MODES).optional(),
  knock: knockSchema.extend({ policy: z.enum(SHORT_POLICIES) }).optional(),
  requiresThreadCheck: z.boolean().optional(),
  notices: noticesSchema.optional(),
  notShown: notShownSchema.optional(),
  unanswered: unansweredSchema.optional(),
};

/** The same rule again, for readers of the published JSON Schema. */
const withholding = {
  oneOf: [
    {
      properties: { mode: { const: 'notify' }, content: false, attachments: false },
      required: ['mode', 'knock'],
    },
    { properties: { mode: { not: { const: 'notify' } } }, required: ['content'] },
  ],
};

type Withheld = { mode?: string | undefined; content?: unknown; attachments?: unknown; knock?: unknown };

function checkWithholding({ mode, content, attachments, knock }: Withheld, context: z.RefinementCtx): void {
  for (const issue of withholdingIssues(mode, content, knock)) {
    context.addIssue({ code: 'custom', ...issue });
  }
  if (mode === 'notify' && attachments !== undefined) {
    context.addIssue({ code: 'custom', path: ['attachments'], message: 'notify withholds attachments too' });
  }
}

export const shortEventSchema = z.object(shortFields).superRefine(checkWithholding).meta(withholding);
export type ShortEvent = z.infer<typeof shortEventSchema>;

export const shortObligationEventSchema = z
  .object({ ...shortFields, ...obligationFields })
  .superRefine(checkWithholding)
  .meta(withholding);
export type ShortObligationEvent = z.infer<typeof shortObligationEventSchema>;

/** Loses on purpose, and only downwards: this draft has no `ack_only`, so it becomes `must_not_respond`. */
export const SHORT_POLICY_OF: Record<Policy, ShortPolicy> = {
  must_respond: 'must_respond',
  may_respond: 'may_respond',
  ack_only: 'must_not_respond',
  must_not_respond: 'must_not_respond',
};

export const SHORT_KIND_OF: Record<ConversationKind, ShortConversationKind> = {
  dm: 'dm',
  channel: 'channel',
  thread: 'thread',
  system: 'channel',
  tool: 'channel',
};
