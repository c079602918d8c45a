import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keepOutcome, type Outcome, outcomeOf } from './kept-outcome.ts';

const word = fc.stringMatching(/^[a-z_]{1,12}$/);
const facts = fc.dictionary(word, fc.oneof(fc.string(), fc.integer(), fc.boolean()));
const outcome = fc.record(
  {
    decision: word,
    directedness: word,
    policy: word,
    mode: word,
    context: word,
    reason: word,
    intent: word,
    priority: word,
    claimFirst: fc.constant(true as const),
    refersTo: fc.string(),
    notice: word,
    heldUntil: fc.nat(),
    leadIn: fc.array(fc.nat()),
    trace: fc.record(
      { rung: word, row: word, facts, as: word, lowered: fc.array(word) },
      { requiredKeys: ['rung', 'row', 'facts'] },
    ),
  },
  {
    requiredKeys: [
      'decision',
      'directedness',
      'policy',
      'mode',
      'context',
      'reason',
      'intent',
      'priority',
      'trace',
    ],
  },
);

const PLAIN: Outcome = {
  decision: 'engage',
  directedness: 'to_me',
  policy: 'must_respond',
  mode: 'buffered',
  context: 'thread_window',
  reason: 'mention',
  intent: 'request',
  priority: 'normal',
  trace: { rung: 'mention', row: 'explicit', facts: { by: 'mention' } },
};

describe('a kept outcome', () => {
  it('is the outcome again, whatever it has, also after its row was stored as text', () => {
    fc.assert(
      fc.property(outcome, (made) => {
        const kept = keepOutcome(made);
        expect(outcomeOf(kept)).toEqual(made);
        expect(outcomeOf(JSON.parse(JSON.stringify(kept)))).toEqual(JSON.parse(JSON.stringify(made)));
      }),
    );
  });

  it('is one line of words and the facts', () => {
    expect(keepOutcome(PLAIN)).toEqual([
      'engage to_me must_respond buffered thread_window mention request normal mention explicit',
      { by: 'mention' },
    ]);
  });

  it('takes less than half of the room of its fields', () => {
    const [kept, named] = [keepOutcome(PLAIN), PLAIN].map((value) => JSON.stringify(value).length);
    expect(kept).toBeLessThan((named ?? 0) / 2);
  });

  it('of a row of before is the outcome itself', () => {
    expect(outcomeOf(PLAIN)).toBe(PLAIN);
  });

  it('is read right however many others were read before', () => {
    for (let n = 0; n < 3_000; n++) {
      const reason = `reason_${n}`;
      expect(outcomeOf(keepOutcome({ ...PLAIN, reason })).reason).toBe(reason);
    }
    expect(outcomeOf(keepOutcome(PLAIN))).toEqual(PLAIN);
  });
});
