// The draft's own example as a Delivery, for tests to vary.
import type { Delivery } from './delivery.ts';

export function delivery(changes: Partial<Delivery> = {}): Delivery {
  return {
    eventId: 'evt_123',
    platform: 'slack',
    workspaceId: 'T123',
    conversation: { id: 'C123', kind: 'dm' },
    author: { id: 'U123', kind: 'human', displayName: 'Will' },
    agent: 'lead',
    mentions: [{ kind: 'agent', id: 'lead' }],
    text: 'Can you check whether the deploy is blocked?',
    createdAt: Date.UTC(2026, 5, 2, 19, 10),
    handedAt: Date.UTC(2026, 5, 2, 19, 10, 4),
    sequence: 42,
    directedness: 'to_me',
    policy: 'must_respond',
    mode: 'buffered',
    context: 'thread_window',
    reason: 'direct_message',
    intent: 'question',
    priority: 'normal',
    deadlineMs: 300_000,
    attempt: 1,
    ...changes,
  };
}
