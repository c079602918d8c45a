// Events as the agent side reads them, with everything that does not matter filled in.
import type { SeenEvent, TurnEvent } from '../../src/agent/index.ts';

export function eventOf(more: Partial<TurnEvent>): TurnEvent {
  return {
    eventId: 'evt_123',
    conversation: {
      id: 'C123',
      kind: 'dm',
      platform: 'slack',
      workspaceId: 'T1',
      target: 'dm:C123',
    },
    author: { id: 'U123', kind: 'human', displayName: 'Will' },
    mentions: [],
    directedness: 'to_me',
    policy: 'must_respond',
    reason: 'direct_message',
    priority: 'normal',
    mode: 'buffered',
    context: 'none',
    notices: [],
    requiresThreadCheck: false,
    attempt: 1,
    text: '',
    attachments: [],
    ...more,
  };
}

export function seenOf(
  eventId: string,
  text: string,
  by: string,
  createdAt = Date.UTC(2026, 5, 2, 9),
): SeenEvent {
  return {
    eventId,
    text,
    author: { id: `id-${by}`, kind: 'human', displayName: by },
    createdAt,
    attachments: [],
    to: [],
    leadIn: false,
  };
}
