// Rules of thumb of the engagement text: the decision is pure, and the gate never reads what words mean.
import { describe, expect, it } from 'vitest';
import { attend } from '../../src/attention/index.ts';
import { CASES, sentences } from '../../src/attention/intent/cases.fixture.ts';
import { busy, credit, solo } from './rooms.ts';

describe('the decision', () => {
  it('is a pure function: the same input gives the same output, nothing is touched [TC/rules/pure]', () => {
    const r = busy({ agents: ['toto', 'lala'] });
    credit(r, 'ann');
    const state = r.state;
    const stored = JSON.stringify(state);
    r.say('ann', 'toto, and?', { mentions: ['lala'] });
    const record = r.log.at(-1);
    if (record === undefined) throw new Error('nothing was said');
    const input = JSON.stringify(record);
    const [first, second] = [attend(state, record, r.roster), attend(state, record, r.roster)];
    expect(second).toEqual(first);
    expect(first.decisions.map(({ reason }) => reason)).toEqual(['sticky', 'mention']);
    expect(JSON.stringify(state)).toBe(stored);
    expect(JSON.stringify(record)).toBe(input);
  });

  const every = Object.values(CASES).flatMap((byIntent) =>
    Object.values(byIntent).flatMap((list) => sentences(list)),
  );

  it('does not look at what the words mean, in any language [TC/rules/gate-content-blind]', () => {
    expect(every.length).toBeGreaterThan(200);
    for (const text of every.map((sentence) => sentence.replaceAll(/nova|ノバ|노바/gi, 'x'))) {
      const alone = solo({ agents: ['zz9'] })
        .say('ann', text)
        .of('zz9');
      expect([text, alone.decision, alone.policy, alone.intent]).toEqual([
        text,
        'engage',
        'may_respond',
        'statement',
      ]);
      const crowd = busy({ agents: ['zz9'] })
        .say('ann', text)
        .of('zz9');
      expect([text, crowd.decision, crowd.reason]).toEqual([text, 'observe', 'ambient']);
    }
  });

  it('obeys no words either: stop and leave to an agent are messages like others [TC/rules/gate-content-blind]', () => {
    const r = busy();
    for (const text of ['stop', 'leave this channel', 'only when I mention you']) {
      const said = r.say('ann', text, { mentions: ['toto'] });
      expect(said.of('toto')).toMatchObject({ decision: 'engage', policy: 'must_respond' });
      expect(said.effects).toEqual([]);
    }
  });
});
