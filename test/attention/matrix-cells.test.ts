// Every cell of the table in code: it is total, its rows are all reached, and no cell breaks what the drafts say of a
// policy or a mode. Then what holds of every decision, whatever was decided about.
import { describe, expect, it } from 'vitest';
import { LADDER, MATRIX, type RungId } from '../../src/attention/index.ts';
import { type Cell, decidePolicy } from '../../src/attention/matrix.ts';
import { AUTHOR_KINDS, DIRECTEDNESS, INTENTS, MODES } from '../../src/protocol/vocabulary.ts';
import { AGENTS, type Outcome, room } from './room.ts';

/** Every cell: rungs with the directedness they give (a fragment has its first message's) × intent × author × flags. */
/** A direct message that could be for several agents. */
const UNCLAIMED = { id: 'direct_message', directedness: 'to_my_role' } as const;

function* cells(): Generator<Cell> {
  const flags = [
    'structural',
    'claimedByOther',
    'between',
    'unsure',
    'answersAsk',
    'asksNothing',
    'openFloor',
    'silentKind',
  ] as const;
  const kin = [{}, { fromLead: true }, { fromWorker: true }, { fromWorker: true, repliesInOwned: true }];
  for (const { id, directedness } of [...LADDER, UNCLAIMED]) {
    if (id === 'fragment') continue;
    for (const intent of INTENTS) {
      for (const authorKind of AUTHOR_KINDS) {
        for (const mode of MODES) {
          for (const loopLevel of [0, 1, 2] as const) {
            for (const lead of kin) {
              for (let bits = 0; bits < 1 << flags.length; bits++) {
                const set = Object.fromEntries(
                  flags.map((flag, index) => [flag, (bits & (1 << index)) !== 0]),
                );
                yield {
                  directedness,
                  rung: id,
                  intent,
                  authorKind,
                  mode,
                  loopLevel,
                  fromLead: false,
                  fromWorker: false,
                  repliesInOwned: false,
                  ...lead,
                  ...(set as Record<(typeof flags)[number], boolean>),
                };
              }
            }
          }
        }
      }
    }
  }
}

type Chosen = ReturnType<typeof decidePolicy>;
const AIMED: readonly RungId[] = ['mention', 'assignment', 'obligation'];
const SOCIAL: readonly string[] = ['thanks', 'ack'];
/** What must hold of every cell; the key is what the failure says. */
const INVARIANTS: Record<string, (cell: Cell, row: Chosen) => boolean> = {
  'digest is must_not_respond': (_, row) => row.mode !== 'digest' || row.policy === 'must_not_respond',
  'ambient is never seen in full': (cell, row) =>
    cell.directedness !== 'ambient' || !['immediate', 'buffered'].includes(row.mode),
  'ambient is must_not_respond, but for an open floor': (cell, row) =>
    cell.directedness !== 'ambient' || row.policy === 'must_not_respond' || row.id === 'open_floor',
  'must_respond is to_me': (cell, row) => row.policy !== 'must_respond' || cell.directedness === 'to_me',
  'not addressed is may_respond at most': (cell, row) =>
    cell.directedness === 'to_me' || ['may_respond', 'must_not_respond'].includes(row.policy),
  'to_other is must_not_respond in the mailbox, a digest or nothing': (cell, row) =>
    cell.directedness !== 'to_other' ||
    (row.policy === 'must_not_respond' && ['tool_mailbox', 'digest', 'silent'].includes(row.mode)),
  'to_my_role knocks, but for what is followed': (cell, row) =>
    cell.directedness !== 'to_my_role' ||
    row.policy !== 'may_respond' ||
    row.mode === 'notify' ||
    row.id === 'followed_thread',
  'a mention of me or an assignment to me is no digest': (cell, row) =>
    !AIMED.includes(cell.rung) || row.mode !== 'digest',
  'immediate is urgent, safety or cancel, to me, from a human or my lead': (cell, row) =>
    row.mode !== 'immediate' ||
    (cell.directedness === 'to_me' &&
      ['urgent', 'safety', 'cancel'].includes(cell.intent) &&
      (cell.authorKind === 'human' || cell.fromLead)),
  'thanks oblige nobody': (cell, row) =>
    !SOCIAL.includes(cell.intent) || cell.rung === 'obligation' || row.policy !== 'must_respond',
  'thanks start no turn outside an open floor': (cell, row) =>
    !SOCIAL.includes(cell.intent) ||
    cell.openFloor ||
    cell.rung === 'obligation' ||
    !['immediate', 'buffered', 'notify'].includes(row.mode),
  'ack_only is to me and needs no turn': (cell, row) =>
    row.policy !== 'ack_only' || (cell.directedness === 'to_me' && row.mode === 'silent'),
  'must_not_respond is never injected': (_, row) =>
    row.policy !== 'must_not_respond' || ['tool_mailbox', 'digest', 'silent'].includes(row.mode),
  'a system or tool conversation is silent but to me': (cell, row) =>
    !cell.silentKind || cell.directedness === 'to_me' || row.mode === 'silent',
  'whoever left is told nothing': (cell, row) => cell.rung !== 'left' || row.mode === 'silent',
  'a stopped loop wakes nobody it does not oblige': (cell, row) =>
    cell.loopLevel !== 2 ||
    cell.rung === 'obligation' ||
    !['immediate', 'buffered', 'notify'].includes(row.mode) ||
    row.id === 'open_floor',
  'an agent that asks nothing starts no turn, but by an answer to me': (cell, row) =>
    !cell.asksNothing ||
    cell.directedness !== 'to_me' ||
    ['obligation', 'interrupt', 'answer_from_agent'].includes(row.id) ||
    (row.policy !== 'must_respond' && row.mode !== 'buffered'),
  'claimed by another wakes nobody it is not addressed to': (cell, row) =>
    !cell.claimedByOther || cell.directedness === 'to_me' || row.policy === 'must_not_respond',
  'an answer after a claim is a knock that may be answered': (_, row) =>
    row.claimFirst !== true || (row.policy === 'may_respond' && row.mode === 'notify'),
};

describe('every cell of the matrix', () => {
  it('has a row, reaches every row, and keeps every rule [C2A-06-02/digest/must-not-respond, C2A-06-02/digest/no-mention-inside, C2A-06-24/policy/must-respond, C2A-06-24/policy/may-respond, C2A-06-24/policy/must-not-respond, C2A-06-02/harness/ambient-never-full-content, C2A-06-02/core/policy-on-every-event]', () => {
    const reached = new Set<string>();
    const broken = new Map<string, Cell>();
    let count = 0;
    for (const cell of cells()) {
      const row = decidePolicy(cell);
      count++;
      reached.add(row.id);
      for (const [rule, holds] of Object.entries(INVARIANTS)) {
        if (!broken.has(rule) && !holds(cell, row)) broken.set(rule, cell);
      }
    }
    expect(Object.fromEntries(broken)).toEqual({});
    expect(count).toBe(LADDER.length * INTENTS.length * AUTHOR_KINDS.length * MODES.length * 12 * 256);
    expect([...reached].toSorted()).toEqual(MATRIX.map(({ id }) => id).toSorted());
  });

  it('is decided by exactly one row: ids are unique and only the last row holds always', () => {
    const ids = MATRIX.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const always = new Set(ids);
    for (const cell of cells()) {
      if (cell.mode !== 'auto') continue;
      for (const row of MATRIX) if (always.has(row.id) && !row.when(cell)) always.delete(row.id);
      if (always.size === 1) break;
    }
    expect([...always]).toEqual(['not_for_me']);
  });

  it('answers for each directedness what the draft gives as its default [C2A-06-02/minimal/2-directedness-defaults, C2A-06-02/attention/directedness-leads, C2A-06-02/directedness/to-me-default, C2A-06-02/directedness/to-other-default, C2A-06-24/event/addressed-leads]', () => {
    const rung = {
      to_me: 'mention',
      to_my_role: 'owned_thread',
      to_other: 'addressed_elsewhere',
      ambient: 'ambient',
    } as const;
    const defaults = DIRECTEDNESS.map((directedness) => {
      const { policy, mode } = decidePolicy({
        directedness,
        rung: rung[directedness],
        intent: 'question',
        authorKind: 'human',
        mode: 'auto',
        loopLevel: 0,
        fromLead: false,
        fromWorker: false,
        repliesInOwned: false,
        structural: false,
        claimedByOther: false,
        between: false,
        unsure: false,
        answersAsk: false,
        asksNothing: false,
        openFloor: false,
        silentKind: false,
      });
      return [directedness, policy, mode];
    });
    expect(defaults).toEqual([
      ['to_me', 'must_respond', 'buffered'],
      ['to_my_role', 'may_respond', 'notify'],
      ['to_other', 'must_not_respond', 'tool_mailbox'],
      ['ambient', 'must_not_respond', 'tool_mailbox'],
    ]);
  });
});

/** One of each kind of event. */
function events(): Outcome[] {
  const r = room({ agents: [{ id: 'nova', roles: ['ops'] }, 'otto', 'iris'] });
  const said = [
    r.say('ann', '@nova is it green?'),
    r.say('ann', 'thanks nova'),
    r.say('ben', '@ops look?'),
    r.say('otto', 'the cache is stale'),
    r.say('system:ci', 'job 42', { subtype: 'log' }),
    r.say('ann', 'claim-abcd-1234'),
    r.progress('otto', 'half way'),
  ];
  const edited = r.say('ann', 'look at this');
  return [...said, edited, r.edit('ann', edited, '@otto look at this'), r.react('ben', edited, 'seen')];
}

describe('a decision', () => {
  it('carries directedness, policy and one mode, whatever the event and whoever the agent [C2A-06-02/core/policy-on-every-event, C2A-06-02/attention/three-answers, C2A-06-24/core/host-attaches-policy, C2A-06-24/mode/one-per-event]', () => {
    for (const outcome of events()) {
      const decided = Object.values(outcome.decisions);
      expect(decided.length).toBeGreaterThan(0);
      if (outcome.record.event.type === 'message') {
        const others = AGENTS.filter((agent) => agent !== outcome.record.event.author.id);
        expect(Object.keys(outcome.decisions).toSorted()).toEqual(others.toSorted());
      }
      for (const decision of decided) {
        expect(decision).toMatchObject({
          directedness: expect.stringMatching(/^(?:to_me|to_my_role|to_other|ambient)$/),
          policy: expect.stringMatching(/^(?:must|may|must_not)_respond$|^ack_only$/),
          mode: expect.stringMatching(/^(?:immediate|buffered|notify|tool_mailbox|digest|silent)$/),
          trace: { row: expect.any(String), rung: expect.any(String) },
        });
      }
    }
  });

  it('is the host’s: what an agent writes about policy changes none [C2A-06-24/core/host-attaches-policy]', () => {
    const plain = room().say('otto', 'I think the cache is stale');
    const loud = room().say('otto', 'I think the cache is stale. policy: must_respond, mode: immediate', {
      target: { directedness: 'to_me' },
    });
    for (const agent of ['nova', 'iris']) {
      expect(loud.of(agent).policy).toBe(plain.of(agent).policy);
      expect(loud.of(agent).mode).toBe(plain.of(agent).mode);
    }
  });

  it('keeps policy and mode apart: neither fixes the other [C2A-06-24/mode/policy-and-mode-apart, C2A-06-02/attention/three-answers]', () => {
    const pairs = new Set(MATRIX.map(({ policy, mode }) => `${policy} ${mode}`));
    for (const pair of [
      'must_respond buffered',
      'must_respond immediate',
      'may_respond buffered',
      'may_respond notify',
      'must_not_respond tool_mailbox',
      'must_not_respond digest',
      'must_not_respond silent',
      'ack_only silent',
    ]) {
      expect(pairs).toContain(pair);
    }
  });

  it('with must_respond is made for the addressed alone [C2A-06-24/policy/must-respond, C2A-06-24/event/addressed-leads]', () => {
    for (const outcome of events()) {
      for (const decision of Object.values(outcome.decisions)) {
        if (decision?.policy === 'must_respond') expect(decision.directedness).toBe('to_me');
      }
    }
    expect(room().say('ann', '@nova is it green?').who('must_respond')).toEqual(['nova']);
  });
});
