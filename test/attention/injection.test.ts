// What a harness has not declared is never used: the next mode it has takes the place, and what must be answered is
// not lost on the way. `buffered` needs nothing of the harness, because the host composes.
import { describe, expect, it } from 'vitest';
import { startsTurn } from '../../src/attention/index.ts';
import { applyCapabilities } from '../../src/attention/injection.ts';
import { INJECTION_MODES, POLICIES } from '../../src/protocol/vocabulary.ts';
import type { InjectionMode } from '../../src/protocol/vocabulary.ts';
import { type Outcome, type Room, room } from './room.ts';

type Lacks = Partial<Record<InjectionMode, boolean>>;

const nova = (injection: Lacks): Room =>
  room({ agents: [{ id: 'nova', roles: ['ops'], injection }, 'otto'] });

interface Case {
  what: string;
  lacks: Lacks;
  said: (r: Room) => Outcome;
  wanted: InjectionMode;
  given: InjectionMode;
  policy: string;
}

const joined = (r: Room): Outcome => {
  const thread = r.thread();
  thread.say('nova', 'I have restarted the job.');
  return thread.say('ann', 'I think the cache is stale');
};

const CASES: readonly Case[] = [
  {
    what: 'immediate becomes buffered',
    lacks: { immediate: false },
    said: (r) => r.say('ann', '@nova production is down'),
    wanted: 'immediate',
    given: 'buffered',
    policy: 'must_respond',
  },
  {
    what: 'buffered stays: the host composes',
    lacks: { buffered: false, immediate: false },
    said: (r) => r.say('ann', '@nova is it green?'),
    wanted: 'buffered',
    given: 'buffered',
    policy: 'must_respond',
  },
  {
    what: 'the knock of a role offer becomes buffered',
    lacks: { notify: false },
    said: (r) => r.say('ann', '@ops who can look?'),
    wanted: 'notify',
    given: 'buffered',
    policy: 'may_respond',
  },
  {
    what: 'a knock that may be left alone goes to the mailbox',
    lacks: { notify: false },
    said: joined,
    wanted: 'notify',
    given: 'tool_mailbox',
    policy: 'may_respond',
  },
  {
    what: 'a digest of a message goes to the mailbox',
    lacks: { digest: false },
    said: (r) => r.say('system:ci', 'job 42', { subtype: 'log' }),
    wanted: 'digest',
    given: 'tool_mailbox',
    policy: 'must_not_respond',
  },
  {
    what: 'a digest of progress goes to the mailbox',
    lacks: { digest: false },
    said: (r) => r.progress('otto', 'half way'),
    wanted: 'digest',
    given: 'tool_mailbox',
    policy: 'must_not_respond',
  },
];

describe('a mode that the harness has not declared', () => {
  it.each(CASES)(
    'is not chosen: $what [C2A-06-02/initialize/undeclared-mode-unused]',
    ({ lacks, said, wanted, given, policy }) => {
      expect(said(nova({})).of('nova')).toMatchObject({ mode: wanted, policy });
      expect(said(nova(lacks)).of('nova')).toMatchObject({ mode: given, policy });
    },
  );

  it('is named in the trace when it was missed', () => {
    const decision = nova({ immediate: false }).say('ann', '@nova production is down').of('nova');
    expect(decision.trace).toMatchObject({ row: 'interrupt', lowered: ['missing_capability'] });
    expect(decision.priority).toBe('urgent');
  });

  it('changes neither policy nor whether a turn is owed, in any combination [C2A-06-02/initialize/undeclared-mode-unused]', () => {
    const lackable = ['immediate', 'notify', 'digest'] as const;
    for (let bits = 0; bits < 8; bits++) {
      const can = Object.fromEntries(lackable.map((mode, index) => [mode, (bits & (1 << index)) === 0]));
      for (const policy of POLICIES) {
        for (const mode of INJECTION_MODES) {
          for (const claimFirst of [true, false]) {
            const before = { policy, mode, claimFirst, lowered: [] };
            const after = applyCapabilities(before, can);
            expect(can[after.mode], `${mode} to ${after.mode}`).not.toBe(false);
            expect(after.policy).toBe(policy);
            // Nothing is lifted, but for the knock that must start a turn.
            const owed = mode === 'notify' && (policy === 'must_respond' || claimFirst);
            const rank = INJECTION_MODES.indexOf(after.mode) - INJECTION_MODES.indexOf(mode);
            expect(owed ? after.mode !== 'tool_mailbox' : rank >= 0 || mode === 'digest').toBe(true);
            const turn = (outcome: typeof before): boolean =>
              startsTurn({ policy, mode: outcome.mode, ...(claimFirst && { claimFirst: true as const }) });
            expect(turn({ ...before, mode: after.mode })).toBe(turn(before));
          }
        }
      }
    }
  });
});
