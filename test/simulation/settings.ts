// The settings of a simulated world. Patience in virtual time is cheap but not free: with these a world settles within
// minutes of its clock.
import {
  type AttentionSettings,
  attentionSettingsSchema,
  type ObligationOptions,
} from '../../src/attention/index.ts';
import { type HostSettings, hostSettingsSchema } from '../../src/host/kernel/settings.ts';
import { type Cast, OFFER_MS, ROLE } from './plan.ts';

const LIMITS = {
  ackTimeoutMs: 2_000,
  heartbeatMs: 15_000,
  heartbeatsMissed: 2,
  offerMs: OFFER_MS,
  lapseMs: 20_000,
  approvalMs: 40_000,
  postTimeoutMs: 5_000,
  retryCapMs: 8_000,
  answerAgainMs: 3_000,
  sendWaitMs: 1_500,
};

const ATTENTION_LIMITS = {
  deadlineMs: 15_000,
  claimTtlMs: 10_000,
  composeMs: 500,
  composeMaxMs: 3_000,
  typingMs: 1_000,
};

/** So that a debt comes back, goes to the lead and to the owner within a minute. */
export const OBLIGATIONS: ObligationOptions = {
  intervalsMs: { immediate: 6_000, buffered: 8_000, notify: 9_000, tool_mailbox: 10_000 },
  returnsBeforeEscalation: 1,
};

/** The first agent leads the others, who share a role. */
export function attentionOf({ agents }: Cast): AttentionSettings {
  return attentionSettingsSchema.parse({
    agents: agents.map((id, index) => ({ id, ...(index > 0 && { lead: 'lead', roles: [ROLE] }) })),
    conversations: [{ match: 'chat/w/dm-ada', defaultResponder: 'lead' }],
    limits: ATTENTION_LIMITS,
  });
}

export function settingsOf({ asksPeople }: Cast): HostSettings {
  const sensitive = asksPeople ? [{ reason: 'money', words: ['refund'] }] : [];
  return hostSettingsSchema.parse({ limits: LIMITS, sensitive });
}
