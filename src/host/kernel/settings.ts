// The operator's settings for the host itself: every key with its default, unit and limit. `earshot.yaml` holds these
// and the attention settings together.
import { z } from 'zod';
import { EVENT_LIMITS } from '../../protocol/chat-event.ts';
import { READ_ATTACHMENT_LIMITS } from '../../protocol/read-tools.ts';
import { secretProblem } from '../../transport/webhook-signature.ts';
import { isProxyEntry } from '../security/client-address.ts';
import { sensitiveRuleSchema } from '../security/sensitive.ts';

const ms = z
  .int()
  .nonnegative()
  .max(30 * 24 * 3_600_000);
const count = z.int().positive().max(1_000_000);
const id = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z0-9][a-z0-9_.-]*$/i, 'expected letters, digits, ".", "_" or "-"');

/** Checked here, whatever the settings come from: with a secret that cannot sign every delivery would fail. */
const signingSecret = z
  .string()
  .max(256)
  .superRefine((secret, context) => {
    const problem = secretProblem(secret);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });

export const hostLimitsSchema = z.strictObject({
  windowDeliveries: count
    .default(64)
    .describe('Deliveries handed to a session and not yet acknowledged; more wait.'),
  ackTimeoutMs: ms
    .default(10_000)
    .describe('A delivery that is not acknowledged by then is handed over again.'),
  retryBaseMs: ms
    .default(500)
    .describe('The first pause before handing over or posting again; doubled each time, with jitter.'),
  retryCapMs: ms.default(60_000).describe('The longest such pause.'),
  handAttempts: count
    .default(20)
    .describe('Hand-overs without an answer after which a delivery is dead-lettered.'),
  heartbeatMs: ms.default(5_000).describe('How often a session is pinged.'),
  heartbeatsMissed: count
    .default(3)
    .describe('Heartbeats missed in a row after which a session counts as dead.'),
  awayMs: ms
    .default(5_000)
    .describe(
      'An agent that must answer and has lost its connection for so long says so where it was asked, once per outage. 0: never.',
    ),
  offerMs: ms.default(20_000).describe('A role mention is with one holder for so long, then with the next.'),
  lapseMs: ms.default(3_600_000).describe('Claimed and deferred lapse into one redelivery after this.'),
  approvalMs: ms
    .default(24 * 3_600_000)
    .describe('How long a send waits until a person agrees. Then it lapses, and its agent is told.'),
  digestMs: ms
    .default(15 * 60_000)
    .describe('How often an agent gets a digest, when there is something in it.'),
  sendsPerMinute: count
    .default(60)
    .describe(
      'Messages and reactions of one agent, and of all agents together in one conversation; half as many at once. More are refused with the time to wait.',
    ),
  unpromptedPerHour: z
    .int()
    .nonnegative()
    .max(10_000)
    .default(6)
    .describe(
      'Sends that nobody asked for, per agent, conversation and hour: further answers, posts elsewhere, sends that answer nothing. More are refused.',
    ),
  tasksPerHour: count
    .default(600)
    .describe(
      'Tasks that an agent puts to one other agent, per conversation and hour. The same words again count as unprompted.',
    ),
  answerAgainMs: ms
    .default(10_000)
    .describe(
      'When a platform refused an answer, its agent has so long to answer differently before it is asked again; while its turn is reported as running, it is not asked.',
    ),
  repeatTextMs: ms
    .default(10 * 60_000)
    .describe('The same text again in the same conversation within this is refused.'),
  repeatTextChars: count
    .default(40)
    .describe('Texts up to this length may be repeated: "Yes." twice is meant.'),
  sendWaitMs: ms
    .default(5_000)
    .describe('How long a send call waits for the platform before it answers `pending`.'),
  sendAttempts: count
    .default(12)
    .describe('Posts that failed for now after which a send has failed for good.'),
  postTimeoutMs: ms
    .default(30_000)
    .describe(
      'A platform that has not answered a post by then may have shown it: it is asked before anything is posted again.',
    ),
  historyEvents: z
    .int()
    .nonnegative()
    .max(80)
    .default(50)
    .describe(
      'Earlier messages asked for when a conversation is first heard of, on surfaces that have them. 0 asks for none.',
    ),
  historyTimeoutMs: ms
    .max(30_000)
    .default(2_000)
    .describe('The first event of a conversation waits so long for those at most. 0 asks for none.'),
  attachmentBytes: z
    .int()
    .positive()
    .max(READ_ATTACHMENT_LIMITS.dataBytes)
    .default(512 * 1_024)
    .describe('The largest attachment an agent may read. Larger ones are refused, and the agent is told.'),
  attachmentTimeoutMs: ms.default(15_000).describe('How long a platform has to hand over an attachment.'),
  attachmentsAtOnce: count
    .max(64)
    .default(8)
    .describe(
      'Attachments being read at the same time, by all agents, and by one agent at most two. More wait for their turn.',
    ),
  visibilityMs: ms.default(60_000).describe('Pull harnesses: a taken delivery is offered again after this.'),
  promptsMs: ms
    .default(7 * 24 * 3_600_000)
    .describe('How long the prompts of turns are kept for operators to look at. 0 keeps none.'),
  retentionMs: z
    .int()
    .nonnegative()
    .default(0)
    .describe(
      'What is older than this is removed: events with all about them, ended sends, closed inbox items, audit. 0 keeps everything.',
    ),
});
export type HostLimits = z.infer<typeof hostLimitsSchema>;

/** A source without an adapter. It posts events to `/v1/events` and gets the agents' sends by webhook or by pull. */
export const sourceSchema = z.strictObject({
  id: id.describe('The subject of its token. `web` and `earshot` are the host’s own.'),
  platform: z
    .string()
    .min(1)
    .max(EVENT_LIMITS.idChars)
    .optional()
    .describe(
      'Its events must be of this platform, and nobody else’s are. Without it: of its own name, or of any that nobody has.',
    ),
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where sends are posted, signed. Without it they wait at `/v1/outbox`.'),
  attachmentsUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where the bytes of an attachment are asked for, signed. Without it agents see its name only.'),
  historyUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Where earlier messages are asked for, signed. Without it a conversation begins with its first event.',
    ),
  secret: signingSecret
    .optional()
    .describe(
      '`whsec_…`, base64: what requests to these addresses are signed with. Required with any of them.',
    ),
  maxChars: count.default(40_000).describe('Of one message. A longer text is sent in up to 20 parts.'),
  threads: z
    .enum(['topics', 'any'])
    .default('topics')
    .describe(
      '`any`: any of its messages can carry a thread, whose id is that of the message; agents answer there. `topics`: threads are as people make them.',
    ),
  replies: z
    .enum(['thread', 'room'])
    .optional()
    .describe(
      'With `threads: any`: where answers go, unless the conversation says otherwise. Default: thread.',
    ),
  files: z
    .boolean()
    .default(false)
    .describe(
      'It shows files of agents: sends name them, and it fetches them at `/v1/outbox/attachments/ID`. Without it agents are told to paste the content.',
    ),
  typing: z
    .boolean()
    .default(false)
    .describe(
      'It shows that an agent is at work: `url` gets signs of it too, signed, once each. A source that pulls reads them in `/v1/outbox`.',
    ),
  openChannels: z
    .boolean()
    .default(false)
    .describe(
      'Everybody on it may read all of its channels: agents may quote one in another without asking a person.',
    ),
});
export type SourceSettings = z.infer<typeof sourceSchema>;

/** A harness that only listens. The host posts its deliveries to it. */
export const webhookHarnessSchema = z.strictObject({
  agent: id.describe('For which agent.'),
  url: z.url({ protocol: /^https?$/ }).describe('Where deliveries are posted.'),
  secret: signingSecret.describe('`whsec_…`, base64: what they are signed with.'),
});

function isDatabase(address: string): boolean {
  return /^postgres(?:ql)?:$/.test(URL.parse(address)?.protocol ?? '');
}
function hasNoPassword(address: string): boolean {
  const { password, searchParams } = URL.parse(address) ?? {};
  return (password ?? '') === '' && searchParams?.has('password') !== true;
}

export const secondOpinionSchema = z.strictObject({
  model: z
    .string()
    .min(1)
    .max(512)
    .describe(
      '`anthropic/MODEL`, `openai/MODEL` or `http://HOST:PORT/v1#MODEL`, as for `earshot run --model`.',
    ),
  perHour: z.int().min(1).max(10_000).default(60).describe('The most questions an hour.'),
  budgetTokensADay: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .default(100_000)
    .describe('Then nobody is asked until the next day (UTC).'),
  timeoutMs: z
    .int()
    .min(100)
    .max(30_000)
    .default(3_000)
    .describe('A line waits so long for the answer at most. Then attention decides alone.'),
});

export const hostSettingsSchema = z.strictObject({
  listen: z
    .strictObject({
      host: z
        .string()
        .default('127.0.0.1')
        .describe('The address. Wider than loopback only once there are tokens.'),
      port: z
        .int()
        .min(0)
        .max(65_535)
        .default(7575)
        .describe('It must be free. 0: any free one. Left out: the next free one from 7575 on.'),
    })
    .prefault({})
    .describe('Where the host listens.'),
  dataDir: z
    .string()
    .min(1)
    .default('./.earshot')
    .describe('Where the store and the development tokens are.'),
  store: z
    .string()
    .max(1_024)
    .refine(
      isDatabase,
      'expected the address of a database, such as postgres://earshot@db.example.com/earshot',
    )
    .refine(
      hasNoPassword,
      'expected an address without a password: settings are shown; use EARSHOT_STORE, PGPASSWORD or ~/.pgpass',
    )
    .optional()
    .describe(
      'A PostgreSQL database that holds the store instead, for one node or several: `postgres://USER@HOST/DATABASE`, without a password.',
    ),
  sources: z
    .array(sourceSchema)
    .max(256)
    .default([])
    .describe(
      'Programs that bring chat in. One that has a token needs no entry, unless it wants one of these.',
    ),
  webhooks: z.array(webhookHarnessSchema).max(256).default([]).describe('Harnesses that only listen.'),
  allowedHosts: z
    .array(z.string().min(1).max(256))
    .max(64)
    .default([])
    .describe(
      'Host names besides loopback under which pages and clients may call, with the port if it is not the usual one.',
    ),
  invites: z
    .enum(['operators', 'everybody'])
    .default('operators')
    .describe('Who may invite people to the web chat from the page.'),
  trustedProxies: z
    .array(
      z
        .string()
        .max(64)
        .refine(isProxyEntry, 'expected an address, a network such as 10.0.0.0/8, or "loopback"'),
    )
    .max(64)
    .default([])
    .describe(
      'Proxies whose `X-Forwarded-For` says for whom they ask: addresses, networks, or `loopback`. Limits on strangers then count per client.',
    ),
  limits: hostLimitsSchema.prefault({}).describe('How patient the host is, and what it refuses.'),
  secondOpinion: secondOpinionSchema
    .optional()
    .describe('A small model that is asked where attention is unsure. Left out: nobody is asked.'),
  sensitive: z
    .array(sensitiveRuleSchema)
    .max(64)
    .default([])
    .describe(
      'Sends that wait until a human agrees. Every condition of an entry must hold; the first entry counts.',
    ),
  approvers: z
    .array(z.string().min(1).max(512))
    .max(256)
    .default(['role:owner', 'role:operator'])
    .describe(
      'Who may agree by a button in chat: `role:NAME` as granted by `earshot pair`, or an account (`PLATFORM/WORKSPACE/ID`).',
    ),
});
export type HostSettings = z.infer<typeof hostSettingsSchema>;
