// Words for every rule, row, lowering and reason, and the same words for the same decision.
import { describe, expect, it } from 'vitest';
import { INTENTS, REASONS } from '../protocol/vocabulary.ts';
import { type Decision, LOWERINGS } from './decision.ts';
import { LADDER } from './directedness.ts';
import { MATRIX } from './matrix.ts';
import { rosterFor } from './roster.ts';
import { attentionSettingsSchema } from './settings.ts';
import { explainDecision } from './trace.ts';

const base: Decision = {
  eventId: 'm1',
  agent: 'lead',
  decision: 'engage',
  directedness: 'to_me',
  policy: 'must_respond',
  mode: 'buffered',
  context: 'thread_window',
  reason: 'mention',
  intent: 'question',
  priority: 'normal',
  trace: { rung: 'mention', row: 'explicit', facts: {} },
};

describe('a trace in words', () => {
  it('names the rules passed, the one that decided, the row and what it means', () => {
    expect(explainDecision(base)).toEqual({
      headline: 'lead must answer: it is mentioned.',
      steps: [
        'The author may talk to this agent here.',
        'Looked at first, and not the case: its own message, an obligation, having left, a direct message.',
        'Rule 4 "mention" decided: the message mentions this agent.',
        'The words read as a question.',
        'Policy row "explicit": a message explicitly for this agent must be answered.',
        'So lead must answer, and will see the full text after a short pause.',
      ],
    });
  });

  it('leaves out rules that the preset does not look at', () => {
    const settings = attentionSettingsSchema.parse({ preset: 'typeclaw', agents: [{ id: 'lead' }] });
    const place = { platform: 'p', workspaceId: 'w', conversation: { id: 'c', kind: 'channel' } } as const;
    const [, passed] = explainDecision(base, rosterFor(settings, place)).steps;
    expect(passed).toBe('Looked at first, and not the case: its own message, a direct message.');
  });

  it('says what the facts were, what it continues, and what lowered it', () => {
    const { steps } = explainDecision({
      ...base,
      policy: 'may_respond',
      heldUntil: 0,
      claimFirst: true,
      notice: 'loop',
      leadIn: [3, 4],
      trace: {
        rung: 'fragment',
        as: 'exchange',
        row: 'continues',
        facts: { loopLevel: 1, agentTurns: 6, newFact: 7 },
        lowered: ['loop_advice', 'focus'],
      },
    });
    const text = steps.join('\n');
    expect(text).toContain(
      '(loop guard at level 1; 6 agent turns since a person spoke; newFact: 7; that message',
    );
    expect(text).toContain('because the author and this agent are talking to each other)');
    expect(text).toContain('Lowered (loop_advice): ');
    expect(text).toContain('Lowered (focus): ');
    expect(steps.at(-1)).toBe(
      'So lead may answer, and will see the full text after a short pause; it has to claim the message before ' +
        'it answers; it waits until 1970-01-01T00:00:00.000Z; the author’s 2 lines just before belong to it; ' +
        'it is told that it may stay silent, because agents are talking to agents.',
    );
  });

  it('tells a refusal before any rule', () => {
    const trace = { rung: 'admission', row: 'pairing', facts: {} } as const;
    const told = explainDecision({
      ...base,
      decision: 'claim',
      reason: 'pairing',
      intent: 'statement',
      trace,
    });
    expect(told.steps[0]).toBe('Decided before any rule was looked at.');
    expect(told.steps.at(-1)).toBe('So Earshot consumes the code, and lead never sees it.');
  });

  it.each([
    ...LADDER.map(({ id: rung }) => ({ ...base, trace: { ...base.trace, rung } })),
    ...MATRIX.map(({ id: row }) => ({ ...base, trace: { ...base.trace, row } })),
    ...REASONS.map((reason) => ({ ...base, reason })),
    ...INTENTS.map((intent) => ({ ...base, intent })),
    ...LOWERINGS.map((why) => ({ ...base, trace: { ...base.trace, lowered: [why] } })),
  ])('has whole sentences for every word: $reason $intent $trace', (decision) => {
    const { headline, steps } = explainDecision(decision);
    for (const sentence of [headline, ...steps]) {
      expect(sentence).toMatch(/^[\p{L}].*\.$/u);
      expect(sentence).not.toMatch(/undefined|\bnull\b|\[object|\.\.|\(\)/);
    }
  });
});
