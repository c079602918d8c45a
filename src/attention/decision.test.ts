// Which differences between two decisions count. A field that is added to Decision must be added here.
import { describe, expect, it } from 'vitest';
import { type Decision, sameDecision, sameOutcome } from './decision.ts';

const FULL: Required<Decision> = {
  eventId: 'e1',
  refersTo: 'e0',
  agent: 'nova',
  decision: 'engage',
  directedness: 'to_me',
  policy: 'must_respond',
  mode: 'buffered',
  context: 'thread_window',
  reason: 'mention',
  intent: 'question',
  priority: 'normal',
  notice: 'group',
  claimFirst: true,
  offer: 'open',
  heldUntil: 5,
  leadIn: [1, 2],
  trace: { rung: 'fragment', as: 'mention', row: 'explicit', facts: { by: 'mention' }, lowered: ['focus'] },
};

type Same = 'neither' | 'outcome_only' | 'both';

/** What stays the same when only this field differs. */
const CASES: Record<keyof Decision, { change: Partial<Decision>; same: Same }> = {
  eventId: { change: { eventId: 'e2' }, same: 'both' },
  agent: { change: { agent: 'otto' }, same: 'both' },
  refersTo: { change: { refersTo: 'e9' }, same: 'neither' },
  decision: { change: { decision: 'observe' }, same: 'neither' },
  directedness: { change: { directedness: 'to_other' }, same: 'neither' },
  policy: { change: { policy: 'may_respond' }, same: 'neither' },
  mode: { change: { mode: 'notify' }, same: 'neither' },
  context: { change: { context: 'none' }, same: 'neither' },
  reason: { change: { reason: 'reply' }, same: 'neither' },
  intent: { change: { intent: 'request' }, same: 'neither' },
  priority: { change: { priority: 'urgent' }, same: 'neither' },
  notice: { change: { notice: 'loop' }, same: 'neither' },
  claimFirst: { change: { claimFirst: undefined as never }, same: 'neither' },
  offer: { change: { offer: 'one_at_a_time' }, same: 'neither' },
  heldUntil: { change: { heldUntil: 6 }, same: 'neither' },
  leadIn: { change: { leadIn: [1, 3] }, same: 'outcome_only' },
  trace: { change: { trace: { ...FULL.trace, facts: { by: 'reply' } } }, same: 'outcome_only' },
};

describe('two decisions', () => {
  it.each(Object.entries(CASES))('that differ in %s', (_field, { change, same }) => {
    const other = { ...structuredClone(FULL), ...change };
    expect(sameOutcome(FULL, other)).toBe(same !== 'neither');
    expect(sameDecision(FULL, other)).toBe(same === 'both');
  });
});
