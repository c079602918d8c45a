// What an operator may set about attention, as one schema: every key with its default, unit and limit.
// Parsed once; the fold works on the compiled form (roster.ts). Times are milliseconds, counts are messages.
import { z } from 'zod';
import { INJECTION_MODES, MODES } from '../protocol/vocabulary.ts';

const agentId = z
  .string()
  .max(64)
  .regex(
    /^[a-z0-9][a-z0-9_.-]*$/i,
    'expected letters, digits, ".", "_" or "-", such as "lead" or "deploy-bot"',
  );
const words = z.array(z.string().min(1).max(128)).max(64).default([]);
const identity = z
  .string()
  .regex(/^(\*|(human|agent|role):.+)$/, 'expected "*", "human:ID", "agent:ID" or "role:NAME"');
const count = z.int().positive().max(1_000_000);
const ms = z
  .int()
  .nonnegative()
  .max(30 * 24 * 3_600_000);

export const STICKINESS = ['exchange', 'one_shot', 'off'] as const;
export type Stickiness = (typeof STICKINESS)[number];

/** `platform/workspaceId/conversationId`, each part `*` or literal; a single `*` means everywhere. */
const pattern = z.string().min(1).max(512);

export const limitsSchema = z.strictObject({
  /** one_shot: how long a credit lives. */
  stickyMs: ms.default(15 * 60_000),
  /** exchange: the partner spoke last and the author still owes an answer, for so many room messages. */
  owesMessages: count.default(20),
  /** exchange: the author spoke last and follows up, for so many room messages. */
  followUpMessages: count.default(6),
  /** exchange: however quiet the room, an exchange is over after this. */
  exchangeMs: ms.default(2 * 3_600_000),
  /** Who has spoken within this counts as present. */
  speakersMs: ms.default(7 * 24 * 3_600_000),
  /** A complete membership read younger than this is the truth. */
  membershipFreshMs: ms.default(60_000),
  /** Without any membership read, a conversation younger than this never counts as one human's own. */
  historyMs: ms.default(24 * 3_600_000),
  /** More agents named by one human message than this name nobody in particular. */
  mentionedAgents: count.default(5),
  /** Compose window: after the latest fragment, and from the first at most. */
  composeMs: ms.default(2_000),
  composeMaxMs: ms.default(30_000),
  typingMs: ms.default(8_000),
  /** `follow`: one batch per so long. */
  followBatchMs: ms.default(10 * 60_000),
  /** Open questions of an agent are forgotten after so many room messages. */
  askMessages: count.default(40),
  deadlineMs: ms.default(5 * 60_000),
  claimTtlMs: ms.default(10 * 60_000),
  /** Loop guard, level 1 (advice) and level 2 (stop). */
  loopAdviceTurns: count.default(5),
  loopStopTurns: count.default(10),
  loopHardTurns: count.default(30),
  loopDayTurns: count.default(30),
  loopPairTurnsPerMinute: count.default(20),
});
export type AttentionLimits = z.infer<typeof limitsSchema>;

export const agentSettingsSchema = z.strictObject({
  id: agentId,
  /** What people call it; the id is a name too. */
  name: z.string().min(1).max(128).optional(),
  aliases: words,
  /** Its account ids on the platforms, as they stand in mentions. */
  accounts: words,
  roles: words,
  owns: z.strictObject({ streams: words, conversations: words }).prefault({}),
  /** Where its escalations go; its coordinator for obligations. */
  lead: agentId.optional(),
  /** Where it is bound. Elsewhere it is not asked at all. */
  conversations: z.array(pattern).max(256).default(['*']),
  /** Who has `channel.respond`: everybody else is denied, stored and audited but never context. */
  respondTo: z.array(identity).max(1_000).default(['*']),
  ignore: z.array(identity).max(1_000).default([]),
  triggers: z
    .strictObject({
      dm: z.boolean().default(true),
      mention: z.boolean().default(true),
      reply: z.boolean().default(true),
    })
    .prefault({}),
  stickiness: z.enum(STICKINESS).optional(),
  /** What its harness can do; missing modes are downgraded, never dropped. */
  injection: z.partialRecord(z.enum(INJECTION_MODES), z.boolean()).default({}),
});
export type AgentSettings = z.infer<typeof agentSettingsSchema>;

export const conversationSettingsSchema = z.strictObject({
  match: pattern,
  /** Answers a lone human when several agents are bound and none of them was their partner. */
  defaultResponder: agentId.optional(),
  /** Every message may be claimed and the loop counts are off: games, stand-ups, brainstorms. */
  openFloor: z.boolean().optional(),
  /** @here and the like: nobody in particular, or a mention of this role. */
  broadcastRole: z.string().min(1).max(128).optional(),
  stickiness: z.enum(STICKINESS).optional(),
  /** The mode agents start with here. */
  mode: z.enum(MODES).optional(),
});

export const attentionSettingsSchema = z
  .strictObject({
    preset: z.enum(['default', 'typeclaw']).default('default'),
    agents: z.array(agentSettingsSchema).max(5_000).default([]),
    conversations: z.array(conversationSettingsSchema).max(10_000).default([]),
    limits: limitsSchema.prefault({}),
    /** The human who hears of escalations nobody else takes. */
    owner: z.string().min(1).max(256).optional(),
  })
  .superRefine((settings, context) => {
    const ids = new Set<string>();
    for (const [index, agent] of settings.agents.entries()) {
      if (ids.has(agent.id)) {
        context.addIssue({
          code: 'custom',
          path: ['agents', index, 'id'],
          message: `"${agent.id}" is used twice: agent ids are unique`,
        });
      }
      ids.add(agent.id);
    }
    for (const [index, agent] of settings.agents.entries()) {
      if (agent.lead !== undefined && !ids.has(agent.lead)) {
        context.addIssue({
          code: 'custom',
          path: ['agents', index, 'lead'],
          message: `no agent has the id "${agent.lead}": name one of ${[...ids].join(', ')}, or leave it out`,
        });
      }
    }
  });
export type AttentionSettings = z.infer<typeof attentionSettingsSchema>;
export type AttentionSettingsInput = z.input<typeof attentionSettingsSchema>;
