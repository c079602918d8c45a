// All settings of attention in one schema: every key with its default, unit and limit. They are parsed once; the fold
// uses the compiled form (roster.ts). Times are milliseconds, counts are messages.
import { z } from 'zod';
import { AGENT_ID, AGENT_ID_CHARS } from '../protocol/identity.ts';
import { INJECTION_MODES, MODES } from '../protocol/vocabulary.ts';
import { ATTENTION, ATTENTION_MOST, ATTENTION_NOTCHES } from './scorer/bands.ts';

const agentId = z
  .string()
  .max(AGENT_ID_CHARS)
  .regex(AGENT_ID, 'expected letters, digits, ".", "_" or "-", such as "lead" or "deploy-bot"');
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
export const REPLIES = ['thread', 'room'] as const;
export type Replies = (typeof REPLIES)[number];

/** `platform/workspaceId/conversationId`, each part `*` or literal; a single `*` means everywhere. */
const pattern = z.string().min(1).max(512);

const loopCount = z.int().positive().max(1_000);

const GONE =
  'this limit is gone: work between agents is not counted any more, however much it is. Leave it out; loopAdviceTurns and loopStopTurns say when two agents that go in circles are stopped';

const limits = {
  stickyMs: ms.default(15 * 60_000).describe('one_shot: how long a credit lives.'),
  owesMessages: count
    .default(20)
    .describe(
      'exchange: the agent spoke last and the author still owes an answer, for so many messages of the room.',
    ),
  followUpMessages: count
    .default(8)
    .describe(
      'exchange: the author spoke last and adds something, for so many messages of others. Lines in a row do not count.',
    ),
  followUpQuestions: count
    .default(6)
    .describe('exchange: the same for a line that asks. After that, a question to nobody is for the room.'),
  exchangeMs: ms
    .default(2 * 3_600_000)
    .describe('exchange: however quiet the room, an exchange is over after this.'),
  speakersMs: ms.default(7 * 24 * 3_600_000).describe('Who has spoken within this counts as present.'),
  membershipFreshMs: ms
    .default(60_000)
    .describe('A complete membership read younger than this is the truth.'),
  historyMs: ms
    .default(24 * 3_600_000)
    .describe(
      "Without any membership read, a conversation younger than this never counts as one human's own.",
    ),
  mentionedAgents: count
    .default(5)
    .describe('A human message that names more agents than this names nobody in particular.'),
  composeMs: ms.default(2_000).describe('Compose window: how long after the latest fragment a turn starts.'),
  composeMaxMs: ms.default(30_000).describe('Compose window: from the first fragment at most.'),
  typingMs: ms.default(8_000).describe('Compose window: a sign of typing keeps it open for so long.'),
  followBatchMs: ms.default(10 * 60_000).describe('Mode follow: one batch per so long.'),
  askMessages: count
    .default(40)
    .describe('An open question of an agent is forgotten after so many messages of the room.'),
  deadlineMs: ms
    .default(5 * 60_000)
    .describe(
      'When what must be answered and was not comes again; the second time it goes to the lead or to a person.',
    ),
  claimTtlMs: ms
    .default(10 * 60_000)
    .describe('How long a claim holds unless its holder says otherwise or renews it.'),
  loopAdviceTurns: loopCount
    .default(5)
    .describe(
      'From so many counted turns of the same two agents on, a model is told that it may stay silent. Counted is an ask in answer to an ask, and more so what was asked before; an answer to something new takes the count back.',
    ),
  loopStopTurns: loopCount
    .default(10)
    .describe('At so many counted turns the two agents are stopped, until a person speaks to one of them.'),
};

/** Limits that are gone, and what to do about it. */
export const RETIRED_LIMITS: Readonly<Record<string, string>> = {
  loopHardTurns: GONE,
  loopDayTurns: GONE,
  loopPairTurnsPerMinute: GONE,
};

export const limitsSchema = z.strictObject(limits, {
  error: (issue) => {
    const [gone] =
      issue.code === 'unrecognized_keys' ? issue.keys.filter((key) => key in RETIRED_LIMITS) : [];
    return gone === undefined ? undefined : `${gone}: ${RETIRED_LIMITS[gone]}`;
  },
});
export type AttentionLimits = z.infer<typeof limitsSchema>;

/** The most that `attentionBias` adds or takes away. */
export const ATTENTION_BIAS_MOST = 4;

const DIAL = `expected ${ATTENTION_NOTCHES.map((notch) => `"${notch}"`).join(', ')}, or a whole number from 0 to ${ATTENTION_MOST}`;

/** The dial. A notch of it, or a number in between. */
const attention = z.union([z.enum(ATTENTION_NOTCHES), z.int(DIAL).min(0, DIAL).max(ATTENTION_MOST, DIAL)], {
  error: DIAL,
});

export const agentSettingsSchema = z.strictObject({
  id: agentId.describe('Its name in the configuration, on the wire and in chat (@id). Unique.'),
  name: z.string().min(1).max(128).optional().describe('What people call it; the id is a name too.'),
  icon: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .describe(
      'Its picture where agents post through one account under their own names: an address (https://…) or an emoji of the platform (:hammer:).',
    ),
  aliases: words.describe(
    'Further names. A name calls it at the start or the end of a message, whole words only where the script has words.',
  ),
  accounts: words.describe(
    'Its account ids on the platforms, in one workspace (slack/T1/U123) or in any (U123). A mention of one is a mention of it, also as a platform writes it in the text: <@U123>, @U123. Surfaces learn the accounts of their logins by themselves.',
  ),
  roles: words.describe(
    'What it can be called as: a mention of the role is offered to one holder at a time.',
  ),
  owns: z
    .strictObject({
      streams: words.describe('Stream ids.'),
      conversations: words.describe('Conversation ids, threads among them.'),
    })
    .prefault({})
    .describe('What is said there and to nobody else is to its role: it gets a knock.'),
  lead: agentId
    .optional()
    .describe(
      'The agent that gets what this one declines or leaves unanswered; its coordinator for obligations.',
    ),
  conversations: z
    .array(pattern)
    .max(256)
    .default(['*'])
    .describe('Where it is bound. Elsewhere it is not asked at all.'),
  respondTo: z
    .array(identity)
    .max(1_000)
    .default(['*'])
    .describe('Who has `channel.respond`: everybody else is denied, stored and audited but never context.'),
  ignore: z.array(identity).max(1_000).default([]).describe('Who has not, whatever respondTo says.'),
  triggers: z
    .strictObject({
      dm: z.boolean().default(true).describe('A direct message between the author and it alone.'),
      mention: z.boolean().default(true).describe('An @mention.'),
      reply: z.boolean().default(true).describe('A native reply to something it said.'),
    })
    .prefault({})
    .describe('What wakes it by itself.'),
  stickiness: z
    .enum(STICKINESS)
    .optional()
    .describe(
      'Whether the next message of somebody it talks with needs no mention. Left out: the conversation’s, else `exchange`.',
    ),
  attention: attention
    .optional()
    .describe(
      `How readily it takes a line that names nobody as its own: quiet (${ATTENTION.quiet}), balanced (${ATTENTION.balanced}), keen (${ATTENTION.keen}), or a number. At 50 the line must be as likely for it as not; at 20 it must be 80 % sure. What mentions it, replies to it or calls it is not weighed. Left out: the conversation’s, else balanced.`,
    ),
  attentionBias: z
    .number()
    .min(-ATTENTION_BIAS_MOST)
    .max(ATTENTION_BIAS_MOST)
    .optional()
    .describe(
      'What is added to the log-odds that a line which names nobody is for it, where it talks otherwise than most. `earshot tune` finds it from corrections. Left out: 0.',
    ),
  budget: z
    .strictObject({
      tokensPerDay: z.int().positive().optional().describe('Tokens that its model reads and writes.'),
      usdPerDay: z
        .number()
        .positive()
        .optional()
        .describe('US dollars, as far as its provider reports them.'),
      turnsPerDay: count.optional().describe('Turns of its model.'),
      stopAt: z
        .number()
        .min(1)
        .max(10)
        .default(1.25)
        .describe('At so many times the budget it answers nobody until the day is over.'),
    })
    .optional()
    .describe(
      'What it may spend in a day (UTC). When one of these is reached, one line in the room says so, and from then on it answers only what must be answered; at `stopAt` times as much, nobody. Left out: as much as is asked of it.',
    ),
  injection: z
    .partialRecord(z.enum(INJECTION_MODES), z.boolean())
    .default({})
    .describe('What its harness can do; a mode set to false is replaced by the next best, never dropped.'),
});
export type AgentSettings = z.infer<typeof agentSettingsSchema>;

export const conversationSettingsSchema = z.strictObject({
  match: pattern.describe('Which conversations. The first entry that fits counts.'),
  defaultResponder: agentId
    .optional()
    .describe(
      'Answers a lone human, or a direct message that names no agent, when several are bound and none was their partner.',
    ),
  openFloor: z
    .boolean()
    .optional()
    .describe('Every message may be claimed and the loop guard is off: games, stand-ups, brainstorms.'),
  broadcastRole: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .describe('@here and the like: a mention of this role. Without it they call nobody in particular.'),
  stickiness: z.enum(STICKINESS).optional().describe('For agents that do not set their own.'),
  attention: z
    .union([attention, z.record(agentId, attention)])
    .optional()
    .describe(
      'The same dial here: for agents that do not set their own, or for some agents by id, instead of their own.',
    ),
  mode: z.enum(MODES).optional().describe('The mode agents start with here; auto when left out.'),
  replies: z
    .enum(REPLIES)
    .optional()
    .describe(
      'Where answers go on a platform on which any message can carry a thread: into the thread on what they answer, or into the room. Left out: as the surface says.',
    ),
});

export const attentionSettingsSchema = z
  .strictObject({
    preset: z
      .enum(['default', 'typeclaw'])
      .default('default')
      .describe('Which rules: Earshot’s own, or TypeClaw’s engagement exactly.'),
    agents: z.array(agentSettingsSchema).max(5_000).default([]).describe('Who is in chat. At least one.'),
    conversations: z
      .array(conversationSettingsSchema)
      .max(10_000)
      .default([])
      .describe('Rules for some conversations.'),
    groups: z
      .record(z.string().min(1).max(512), z.string().min(1).max(128))
      .default({})
      .describe(
        'Groups of a platform (a user group of Slack, a role of Discord, a team of GitHub) and whom a mention of one calls: the id of an agent, or a role. Keys are qualified, slack/T1/S123, or count everywhere.',
      ),
    limits: limitsSchema.prefault({}).describe('How patient attention is.'),
    owner: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe('The id of the human who is asked last about a debt that nobody else settles.'),
  })
  .superRefine((settings, context) => {
    const roles = new Set(settings.agents.flatMap((agent) => agent.roles));
    for (const [group, called] of Object.entries(settings.groups)) {
      if (roles.has(called) || settings.agents.some(({ id }) => id === called)) continue;
      const known = [...settings.agents.map(({ id }) => id), ...roles];
      context.addIssue({
        code: 'custom',
        path: ['groups', group],
        message: `no agent has the id or the role "${called}": name one of ${known.join(', ')}`,
      });
    }
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
