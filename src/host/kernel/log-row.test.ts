// Packing loses nothing: agents share an entry exactly when everything but their id is alike, whatever differs.
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../attention/index.ts';
import { decisionForAgent, packDecisions, unpackDecisions } from './log-row.ts';

/** Every field there is: a new one must be added here, and then be told apart below. */
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

const CHANGED: Record<Exclude<keyof Decision, 'eventId' | 'agent'>, readonly Partial<Decision>[]> = {
  refersTo: [{ refersTo: 'e9' }],
  decision: [{ decision: 'observe' }],
  directedness: [{ directedness: 'to_other' }],
  policy: [{ policy: 'may_respond' }],
  mode: [{ mode: 'notify' }],
  context: [{ context: 'none' }],
  reason: [{ reason: 'reply' }],
  intent: [{ intent: 'request' }],
  priority: [{ priority: 'urgent' }],
  notice: [{ notice: 'loop' }],
  claimFirst: [],
  offer: [{ offer: 'one_at_a_time' }],
  heldUntil: [{ heldUntil: 6 }],
  leadIn: [{ leadIn: [1] }, { leadIn: [1, 3] }, { leadIn: [] }],
  trace: [
    { trace: { ...FULL.trace, rung: 'mention' } },
    { trace: { ...FULL.trace, as: 'reply' } },
    { trace: { ...FULL.trace, row: 'continues' } },
    { trace: { ...FULL.trace, facts: { by: 'reply' } } },
    { trace: { ...FULL.trace, facts: { by: 'mention', role: 'ops' } } },
    { trace: { ...FULL.trace, facts: {} } },
    { trace: { ...FULL.trace, lowered: ['focus', 'stale_gap'] } },
    { trace: { ...FULL.trace, lowered: ['stale_gap'] } },
    { trace: { rung: 'fragment', as: 'mention', row: 'explicit', facts: { by: 'mention' } } },
  ],
};

function without(field: keyof Decision): Decision {
  return Object.fromEntries(Object.entries(FULL).filter(([key]) => key !== field)) as unknown as Decision;
}

const OPTIONAL = ['refersTo', 'notice', 'claimFirst', 'offer', 'heldUntil', 'leadIn'] as const;
const cases = Object.entries(CHANGED).flatMap(([field, changes]) =>
  changes.map((change) => [field, { ...FULL, ...change }] as const),
);

describe('packed decisions', () => {
  it('share an entry when all but the agent is alike', () => {
    const alike = structuredClone(FULL);
    const packed = packDecisions([FULL, { ...alike, agent: 'otto' }, { ...alike, agent: 'iris' }]);
    expect(packed.map(({ agents }) => agents)).toEqual([['nova', 'otto', 'iris']]);
  });

  it.each([...cases, ...OPTIONAL.map((field) => [field, without(field)] as const)])(
    'are told apart by %s',
    (_field, changed) => {
      const other = { ...changed, agent: 'otto' };
      const packed = packDecisions([FULL, other]);
      expect(packed).toHaveLength(2);
      expect(unpackDecisions(packed, 'e1')).toEqual([FULL, other]);
      expect(decisionForAgent({ key: 'e1', decisions: packed }, 'otto')).toEqual(other);
    },
  );

  it('of agents that were not asked are none', () => {
    expect(decisionForAgent({ key: 'e1', decisions: packDecisions([FULL]) }, 'otto')).toBeUndefined();
    expect(packDecisions([])).toEqual([]);
  });
});
