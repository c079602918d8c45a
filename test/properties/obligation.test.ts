// Who is obliged, for any chat: an agent's words oblige one agent, a lone human is answered by one, and tagging
// somebody else never obliges me more.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Decision, attend, startsTurn } from '../../src/attention/index.ts';
import type { Author, Mention } from '../../src/protocol/chat-event.ts';
import type { LogRecord } from '../../src/protocol/log-record.ts';
import { POLICIES } from '../../src/protocol/vocabulary.ts';
import { room } from '../attention/room.ts';
import { AGENTS, type Chat, chat, foldAll } from './chat.ts';
import { cases } from '../long.ts';

const RUNS = { numRuns: cases(150, 600) };
const NOVA: Author = { id: 'nova', kind: 'agent', displayName: 'nova' };
const ANN: Author = { id: 'ann', kind: 'human', displayName: 'ann' };

describe('an agent’s message', () => {
  it('obliges at most one agent, obligations apart', () => {
    fc.assert(
      fc.property(chat(), fc.boolean(), (drawn, agentsOnly) => {
        const talk = agentsOnly
          ? spoken(drawn, (author) => (author.kind === 'human' ? NOVA : author))
          : drawn;
        foldAll(talk).steps.forEach(({ decisions }, index) => {
          const event = talk.records[index]?.event;
          if (event?.type !== 'message' || event.author.kind !== 'agent') return;
          const owing = decisions.filter(
            ({ policy, trace }) => policy === 'must_respond' && trace.rung !== 'obligation',
          );
          expect(owing.length).toBeLessThanOrEqual(1);
        });
      }),
      RUNS,
    );
  });
});

describe('of several an agent would oblige', () => {
  it('a fragment stays with the one its first line obliged', () => {
    const r = room({ stepMs: 500, membership: { humans: 3 } });
    const first = r.say('iris', 'can you two check', { mentions: ['otto', 'nova'] });
    const second = r.say('iris', 'the billing service?');
    expect([first.who('must_respond'), second.who('must_respond')]).toEqual([['otto'], ['otto']]);
    expect(second.of('nova')).toMatchObject({ policy: 'may_respond', mode: 'notify', reason: 'fragment' });
    expect(second.of('nova').trace.lowered).toEqual(['one_obligation_per_send']);
  });

  it('two agents it holds a credit with are not both obliged', () => {
    const agents = ['nova', 'otto', 'iris'].map((id) => ({ id, stickiness: 'one_shot' as const }));
    const r = room({ agents, membership: { humans: 3 } });
    const asked = r.say('iris', '@nova @otto is it up?');
    r.say('nova', 'It is.', { inReplyTo: asked });
    r.say('otto', 'It is.', { inReplyTo: asked });
    expect(r.say('iris', 'since when is it up?').who('must_respond')).toHaveLength(1);
  });
});

describe('a lone human', () => {
  it('is answered without a mention by at most one agent', () => {
    let seen = 0;
    fc.assert(
      fc.property(chat('default'), (drawn) => {
        const talk = spoken(drawn, (author) => (author.kind === 'human' ? ANN : author), { humans: 1 });
        for (const { decisions } of foldAll(talk).steps) {
          const solo = decisions.filter(({ reason }) => reason === 'solo_human');
          seen += solo.length;
          expect(solo.length).toBeLessThanOrEqual(1);
        }
      }),
      RUNS,
    );
    expect(seen).toBeGreaterThan(RUNS.numRuns / 30);
  });
});

/** Strongest first in POLICIES. */
const strength = ({ policy }: Decision): number => -POLICIES.indexOf(policy);

describe('tagging somebody else as well', () => {
  it.each([
    ['a human', { kind: 'human', id: 'zed' }],
    ['somebody else’s agent', { kind: 'agent', id: 'mecha' }],
    ['another agent of ours', { kind: 'agent', id: 'rex' }],
  ] satisfies [string, Mention][])('never obliges an agent more: %s', (_who, tag) => {
    let lowered = 0;
    fc.assert(
      fc.property(chat('default'), (drawn) => {
        eachMessage(drawn, (state, record, event) => {
          const tagged = { ...event, mentions: [...(event.mentions ?? []), tag] };
          const without = attend(state, record, drawn.roster).decisions;
          const withTag = attend(state, { ...record, event: tagged }, drawn.roster).decisions;
          for (const agent of AGENTS.filter((id) => id !== tag.id)) {
            const [before, after] = [without, withTag].map((all) => all.find((one) => one.agent === agent));
            if (before === undefined || after === undefined) continue;
            expect([agent, strength(after) <= strength(before)]).toEqual([agent, true]);
            if (startsTurn(after)) expect([agent, startsTurn(before)]).toEqual([agent, true]);
            if (strength(after) < strength(before)) lowered++;
          }
        });
      }),
      { numRuns: cases(100, 300) },
    );
    expect(lowered).toBeGreaterThan(20);
  });
});

/** The same chat from other mouths, with a fresh member list where one is given. */
function spoken(
  { records, roster }: Chat,
  by: (author: Author) => Author,
  members?: { humans: number },
): Pick<Chat, 'records' | 'roster'> {
  return {
    roster,
    records: records.map((record) => ({
      ...record,
      event: { ...record.event, author: by(record.event.author) },
      facts:
        members === undefined
          ? record.facts
          : {
              ...record.facts,
              parent: {},
              membership: { ...members, agents: 4, complete: true, at: record.at },
            },
    })),
  };
}

function eachMessage(
  { records, roster }: Chat,
  visit: (
    state: Parameters<typeof attend>[0],
    record: LogRecord,
    event: Extract<LogRecord['event'], { type: 'message' }>,
  ) => void,
): void {
  let before: Parameters<typeof attend>[0] | undefined;
  foldAll({ records, roster }, (state, index) => {
    const next = records[index + 1];
    before = state;
    if (next?.event.type === 'message') visit(before, next, next.event);
    return state;
  });
}
