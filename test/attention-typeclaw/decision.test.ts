// The four-way decision of the engagement text, and what is decided before the ladder.
import { describe, expect, it } from 'vitest';
import { LADDER, PRESETS } from '../../src/attention/index.ts';
import { busy, credit, solo, toldTo } from './rooms.ts';

const CODE = 'claim-ab12-cd34';

describe('the four-way decision', () => {
  it('engages a message that is to be answered [TC/decision/engage]', () => {
    const decided = busy()
      .say('ann', 'hey', { mentions: ['toto'] })
      .of('toto');
    expect(decided).toMatchObject({ decision: 'engage', mode: 'buffered', reason: 'mention' });
    expect(decided.policy).not.toBe('must_not_respond');
  });

  it('observes a message that is to be remembered and not answered [TC/decision/observe]', () => {
    const r = busy();
    const said = r.say('ann', 'lunch at noon');
    expect(said.of('toto')).toMatchObject({
      decision: 'observe',
      policy: 'must_not_respond',
      mode: 'tool_mailbox',
    });
    expect(r.state.recent[0]?.event).toBe(said.eventId);
  });

  it('denies an author without channel.respond for this agent, and only for this agent [TC/decision/denied]', () => {
    const r = busy({ agents: [{ id: 'toto', respondTo: ['human:ann'] }, 'lala'] });
    const said = r.say('ben', 'hey both', { mentions: ['toto', 'lala'] });
    expect(said.of('toto')).toMatchObject({ decision: 'denied', reason: 'denied', mode: 'silent' });
    expect(toldTo(said, 'lala')).toBe('engage');
    expect(toldTo(r.say('ann', 'hey', { mentions: ['toto'] }))).toBe('engage');
  });

  it('reads ignore before respondTo [TC/decision/denied]', () => {
    const r = solo({ agents: [{ id: 'toto', ignore: ['human:ann'] }] });
    expect(toldTo(r.say('ann', 'toto?'))).toBe('denied');
  });

  it.each([CODE, `  ${CODE.toUpperCase()} `])(
    'takes the pairing code %j for a claim [TC/decision/claim]',
    (text) => {
      const said = solo({ kind: 'dm' }).say('ann', text);
      expect(said.of('toto')).toMatchObject({
        decision: 'claim',
        policy: 'must_not_respond',
        mode: 'silent',
      });
    },
  );

  it.each([`${CODE} please`, `my code: ${CODE}`, 'claim-ab12', 'claim-ab12-cd345'])(
    'takes %j for an ordinary message [TC/decision/claim]',
    (text) => {
      expect(toldTo(solo().say('ann', text))).toBe('engage');
    },
  );
});

describe('what comes before engagement', () => {
  it('changes nothing for a denied message: no credit spent, no counter, no exchange [TC/decision/denied-before-engagement]', () => {
    const agents = [{ id: 'toto', respondTo: ['human:ann', 'agent:lala', 'agent:toto'] }];
    const r = busy({ agents });
    credit(r, 'ann');
    const before = r.state;
    r.say('ben', 'toto, look', { mentions: ['toto'] });
    r.say('agent:bot', 'hello', { mentions: ['toto'] });
    const { at: _at, seq: _seq, ...after } = r.state;
    expect({ ...before, ...after }).toEqual(before);
    expect(toldTo(r.say('ann', 'and then?'))).toBe('engage');
  });

  it('never spends the credit of an author who is denied meanwhile [TC/decision/denied-before-engagement]', () => {
    const open = busy();
    credit(open, 'ben');
    const closed = busy({ agents: [{ id: 'toto', respondTo: ['human:ann'] }] });
    closed.state = open.state;
    expect(toldTo(closed.say('ben', 'more'))).toBe('denied');
    expect(closed.state.credits).toEqual(open.state.credits);
  });

  it('handles a claim code before permission [TC/decision/claim-before-engagement]', () => {
    const r = solo({ agents: [{ id: 'toto', respondTo: ['role:admin'] }] });
    expect(toldTo(r.say('ann', CODE))).toBe('claim');
    expect(toldTo(r.say('ann', 'hello'))).toBe('denied');
  });

  it('handles a claim code before the ladder: nothing is spent or remembered [TC/decision/claim-before-engagement]', () => {
    const r = busy();
    credit(r, 'ann');
    const { credits, recent, speakers, n } = r.state;
    expect(toldTo(r.say('ann', CODE))).toBe('claim');
    expect(r.state).toMatchObject({ credits, recent, speakers, n });
  });

  it('lets the ladder say only engage or observe [TC/decision/ladder-is-two-way]', () => {
    const reached = LADDER.filter(({ id }) => PRESETS.typeclaw.rungs.has(id));
    expect(reached.map(({ directedness }) => directedness).toSorted()).toEqual(
      [...Array.from({ length: 6 }, () => 'to_me'), 'to_other', 'to_other', 'ambient'].toSorted(),
    );
    const r = busy({ agents: ['toto', 'lala'] });
    const said = ['hi', 'toto?', '@lala hi', 'thanks', 'stop', '@ben hi'].map((text) => r.say('ann', text));
    const tags = said.flatMap((outcome) => Object.values(outcome.decisions)).map((one) => one?.decision);
    expect(new Set(tags)).toEqual(new Set(['engage', 'observe']));
  });
});
