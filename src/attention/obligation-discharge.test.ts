import { describe, expect, test } from 'vitest';
import { ask, brief, only, react, recordOf, run, step, sweep, T, T0, tickAt } from './obligation.fixture.ts';
import { owes, obligationsWakeAt } from './obligations.ts';

const W = 'agent:worker';
const DONE = react(T0 + 1, 'agent:asker', 'done', 'q', W);

describe('3. discharge', () => {
  const pm = { dischargeDelegate: 'human:pm' };
  test.each([
    { req: 'OBL/3/author-discharges', by: 'the author', who: 'agent:asker', recipient: W, closes: true },
    {
      req: 'OBL/3/delegate-default',
      by: "the author's coordinator, by default",
      who: 'agent:boss',
      recipient: W,
      closes: true,
    },
    {
      req: 'OBL/3/no-recipient-no-discharge',
      by: 'the author without naming the recipient',
      who: 'agent:asker',
      recipient: undefined,
      closes: false,
    },
    {
      req: 'OBL/3/discharge-names-recipient',
      by: 'the author naming another recipient',
      who: 'agent:asker',
      recipient: 'agent:other',
      closes: false,
    },
    { req: 'OBL/3/nobody-else-discharges', by: 'the recipient', who: W, recipient: W, closes: false },
    {
      req: 'OBL/3/nobody-else-discharges',
      by: "the recipient's coordinator",
      who: 'agent:lead',
      recipient: W,
      closes: false,
    },
    {
      req: 'OBL/3/nobody-else-discharges',
      by: 'a human bystander',
      who: 'human:U9',
      recipient: W,
      closes: false,
    },
    {
      req: 'OBL/3/delegate-discharges',
      by: 'the named delegate',
      who: 'human:pm',
      recipient: W,
      given: pm,
      closes: true,
    },
    {
      req: ['OBL/3/nobody-else-discharges', 'OBL/3/delegate-default'],
      by: 'the coordinator when another delegate is named',
      who: 'agent:boss',
      recipient: W,
      given: pm,
      closes: false,
    },
  ])('by $by: $closes', ({ who, recipient, given = {}, closes }) => {
    const result = run([ask(T0, 'q', given), react(T0 + 1, who, 'done', 'q', recipient)], T0 + 1);
    expect(only(result, 'discharged')).toHaveLength(closes ? 1 : 0);
    expect(result.state.open).toHaveLength(closes ? 0 : 1);
  });
  test('a lead asked by its own worker is not the judge of its own debt', () => {
    const asked = ask(T0, 'q', { who: W, to: ['agent:lead'] });
    const result = run([asked, react(T0 + 1, 'agent:lead', 'done', 'q', 'agent:lead')], T0 + 1);
    expect(result.state.open).toHaveLength(1);
  });
  test.each(['done', 'agree', 'seen', 'working', 'claimed', 'unclear'] as const)(
    'the author discharges with done or agree, not with %s otherwise [OBL/3/author-discharges]',
    (signal) => {
      const result = run([ask(T0, 'q'), react(T0 + 1, 'agent:asker', signal, 'q', W)], T0 + 1);
      expect(result.state.open).toHaveLength(signal === 'done' || signal === 'agree' ? 0 : 1);
    },
  );
  test('is final: un-reacting does not reopen, nor does the same event again [OBL/3/discharge-is-final]', () => {
    const { event } = DONE;
    if (event.type !== 'reaction') throw new Error('fixture');
    const undone = { ...DONE, at: T0 + 2, event: { ...event, removed: true } };
    const result = run([ask(T0, 'q'), DONE, undone, ask(T0 + 3, 'q')], T0 + 9 * T);
    expect(brief(result).map((b) => b.split('@')[0])).toEqual(['opened', 'discharged']);
  });
  test('closes the debt of the recipient it names and leaves that of the other [OBL/3/discharge-names-recipient, OBL/2/per-event-and-recipient]', () => {
    const { state } = run([ask(T0, 'q', { to: [W, 'agent:other'] }), DONE], T0 + 1);
    expect(state.open.map((o) => [o.id, o.recipient])).toEqual([['q#agent:other', 'agent:other']]);
  });
  test('is nothing an answer, silence or time can do, however long [OBL/3/nothing-closes-itself, OBL/3/nothing-expires]', () => {
    const answer = recordOf(T0 + 1, W, {
      type: 'message',
      eventId: 'a',
      inReplyTo: 'q',
      replyTo: { eventId: 'q' },
      text: 'Yes, go ahead.',
    });
    const tenYears = T0 + 10 * 365 * 24 * 3_600_000;
    for (const records of [[ask(T0, 'q')], [ask(T0, 'q'), answer]]) {
      const result = step(run(records, tenYears), tickAt(tenYears));
      expect(only(result, 'discharged')).toEqual([]);
      expect(owes(result.state, W, tenYears)).toMatchObject([{ eventId: 'q', ageMs: tenYears - T0 }]);
    }
    // The same without any tick on the way.
    const slept = sweep(step(run([ask(T0, 'q')], T0), tickAt(tenYears)), tenYears);
    expect(owes(slept.state, W, tenYears)).toHaveLength(1);
  });
  test('a reaction that was taken away is no reaction', () => {
    for (const reaction of [DONE, react(T0 + 1, W, 'declined', 'q')]) {
      const undone = { ...reaction, event: { ...reaction.event, removed: true } };
      expect(run([ask(T0, 'q'), undone], T0 + 1).effects.map((e) => e.type)).toEqual(['opened']);
    }
  });
  test('a human asked is on the human rung: no returns, and their done naming themselves discharges [OBL/3/human-rung-discharges]', () => {
    const asked = ask(T0, 'q', { to: ['human:U1'] });
    const silent = run([asked], T0 + 99 * T);
    expect(brief(silent)).toEqual(['opened@0']);
    expect(obligationsWakeAt(silent.state)).toBeNull();
    const agreed = step(silent, react(T0 + 99 * T, 'human:U1', 'agree', 'q', 'human:U1'));
    expect(agreed.state.open).toHaveLength(1);
    const done = step(agreed, react(T0 + 99 * T, 'human:U1', 'done', 'q', 'human:U1'));
    expect(done.state.open).toEqual([]);
  });
});
