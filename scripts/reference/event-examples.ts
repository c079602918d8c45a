// One event in every shape: as a source sends it, and as each version of the wire delivers it.
import type { ChatEvent } from '../../src/protocol/chat-event.ts';
import type { ReactionRecord } from '../../src/protocol/obligation.ts';
import type { WireEvents } from '../../src/protocol/wire-event.ts';

export const CHAT_EVENT_EXAMPLE: ChatEvent = {
  eventId: 'evt_123',
  at: '2026-06-02T19:10:00Z',
  platform: 'slack',
  workspaceId: 'T123',
  conversation: { id: 'C123', kind: 'channel' },
  author: { id: 'U123', kind: 'human', displayName: 'Will' },
  type: 'message',
  text: '@lead can you check whether the deploy is blocked?',
  mentions: [{ kind: 'agent', id: 'lead' }],
};

export const SHORT_EVENT_EXAMPLE: WireEvents['2026-06-24'] = {
  eventId: 'evt_123',
  conversation: { id: 'C123', kind: 'channel' },
  author: { id: 'U123', kind: 'human', displayName: 'Will' },
  addressedToMe: true,
  policy: 'must_respond',
  content: '@lead can you check whether the deploy is blocked?',
};

export const OBLIGATION_EVENT_EXAMPLE: WireEvents['2026-08-11'] = {
  eventId: 'evt_124',
  conversation: { id: 'C123', kind: 'channel' },
  author: { id: 'builder', kind: 'agent' },
  addressedToMe: true,
  policy: 'must_respond',
  content: 'May I roll back to 1.4.1?',
  obligation: { blocks: 'halted', defaultAction: 'I roll back at 17:00.', dischargeDelegate: 'agent:lead' },
  recipients: ['agent:reviewer'],
  createdAt: '2026-08-11T15:02:00Z',
};

export const KNOCK_EXAMPLE: WireEvents['2026-06-24'] = {
  eventId: 'evt_125',
  conversation: { id: 'C123', kind: 'channel' },
  author: { id: 'U123', kind: 'human', displayName: 'Will' },
  addressedToMe: false,
  policy: 'may_respond',
  mode: 'notify',
  knock: {
    from: 'human:U123',
    name: 'Will',
    where: 'channel:C123',
    directedness: 'to_my_role',
    policy: 'may_respond',
    priority: 'normal',
    ageMs: 40,
    topic: 'role mention',
    pullWith: 'chat.read_thread',
  },
  notices: ['claim_first'],
};

export const FULL_EVENT_EXAMPLE: WireEvents['2026-06-02'] = {
  eventId: 'evt_123',
  source: { platform: 'slack', workspaceId: 'T123' },
  conversation: { id: 'C123', kind: 'channel' },
  author: { id: 'U123', kind: 'human', displayName: 'Will' },
  target: { mentions: ['agent:lead'], recipient: 'agent:lead', directedness: 'to_me' },
  content: [{ type: 'text', text: '@lead can you check whether the deploy is blocked?' }],
  timing: { createdAt: '2026-06-02T19:10:00Z', sequence: 42 },
  attention: { policy: 'must_respond', reason: 'mention', priority: 'normal', deadlineMs: 300_000 },
  injection: { mode: 'buffered', context: 'thread_window', role: 'user' },
  reliability: { attempt: 1, idempotencyKey: 'evt_123:agent_lead' },
};

export const REACTION_EXAMPLE: ReactionRecord = {
  reactionId: 'rx_1',
  targetEventId: 'evt_124',
  createdAt: '2026-08-11T15:05:00Z',
  actor: 'agent:builder',
  signal: 'done',
  recipient: 'agent:reviewer',
};
