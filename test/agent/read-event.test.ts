// Frames from a host, read by hand: whatever arrives, nothing throws, and what is strange never starts a turn.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvent, readSeen, readTyping } from '../../src/agent/read-event.ts';
import { routeOf } from '../../src/agent/event.ts';
import { readListing, readOutcome } from '../../src/agent/tools.ts';
import { fullEnvelopeSchema } from '../../src/protocol/envelope.ts';
import { INJECTION_MODES, POLICIES } from '../../src/protocol/vocabulary.ts';

const ENVELOPE = {
  eventId: 'evt_123',
  source: { platform: 'slack', workspaceId: 'T123' },
  conversation: {
    id: 'C123',
    kind: 'dm',
    streamId: 'stream_backend-migration',
    threadId: '1748890000.000100',
  },
  author: { id: 'U123', kind: 'human', displayName: 'Will' },
  target: { mentions: ['agent:lead'], recipient: 'agent:lead', directedness: 'to_me' },
  content: [{ type: 'text', text: 'Can you check whether the deploy is blocked?' }],
  timing: { createdAt: '2026-06-02T19:10:00Z', sequence: 42 },
  attention: { policy: 'must_respond', reason: 'direct_message', priority: 'normal', deadlineMs: 300000 },
  injection: { mode: 'buffered', context: 'thread_window', role: 'user' },
  reliability: { attempt: 1, idempotencyKey: 'evt_123:agent_lead' },
};

describe('reading what a host sends', () => {
  it('reads the draft’s own envelope', () => {
    expect(fullEnvelopeSchema.safeParse(ENVELOPE).success).toBe(true);
    expect(readEvent(ENVELOPE)).toMatchObject({
      ok: true,
      event: {
        eventId: 'evt_123',
        conversation: { id: 'C123', threadId: '1748890000.000100', target: 'thread:1748890000.000100' },
        author: { id: 'U123', kind: 'human', displayName: 'Will' },
        policy: 'must_respond',
        mode: 'buffered',
        text: 'Can you check whether the deploy is blocked?',
        createdAt: Date.UTC(2026, 5, 2, 19, 10),
        deadlineMs: 300000,
      },
    });
  });

  it('never throws', () => {
    const anything = fc.anything({ withNullPrototype: true, maxDepth: 4 });
    fc.assert(
      fc.property(anything, anything, (value, other) => {
        readEvent(value);
        readSeen({ seen: [value, other] });
        readTyping(value);
        readListing({ tools: [value] });
        readOutcome(value);
        for (const key of Object.keys(ENVELOPE)) readEvent({ ...ENVELOPE, [key]: value });
      }),
      { numRuns: 1_000 },
    );
  });

  it('starts no turn for what it cannot make out', () => {
    for (const broken of [
      { attention: {} },
      { attention: { policy: 'shout' } },
      { injection: { mode: 'loud' } },
      { injection: 7 },
    ]) {
      const read = readEvent({ ...ENVELOPE, ...broken });
      expect(read.ok && routeOf(read.event)).toBe('drop');
    }
  });

  it('starts a turn for exactly what policy and mode allow [C2A-06-02/core/agent-obeys-policy, C2A-06-24/core/agent-obeys-policy, C2A-06-02/harness/six-exposures, C2A-06-02/tool-mailbox/not-injected]', () => {
    const turns = POLICIES.flatMap((policy) =>
      INJECTION_MODES.filter((mode) =>
        ['fragment', 'knock'].includes(routeOf({ policy, mode, notices: [] })),
      ).map((mode) => `${policy} ${mode}`),
    );
    expect(turns).toEqual([
      'must_respond immediate',
      'must_respond buffered',
      'must_respond notify',
      'may_respond immediate',
      'may_respond buffered',
    ]);
    expect(routeOf({ policy: 'may_respond', mode: 'notify', notices: ['claim_first'] })).toBe('knock');
    expect(routeOf({ policy: 'may_respond', mode: 'notify', notices: [] })).toBe('ride');
    expect(routeOf({ policy: 'must_not_respond', mode: 'digest', notices: [] })).toBe('ride_anywhere');
  });
});
