import { describe, expect, test } from 'vitest';
import { ask, brief, only, react, recordOf, run, step, sweep, T, T0 } from './obligation.fixture.ts';
import { owes } from './obligations.ts';

const W = 'agent:worker';

const edit = (at: number, who: string) =>
  recordOf(at, who, { type: 'edit', eventId: `e-${at}`, targetEventId: 'q', text: 'clearer' });

describe('4. recipient signals', () => {
  const quiet = JSON.stringify(run([ask(T0, 'q')], T0 + 20 * T).effects);
  test.each([
    { req: 'OBL/4/seen-changes-nothing', signal: 'seen' },
    { req: 'OBL/4/claimed-changes-nothing', signal: 'claimed' },
    { req: 'OBL/4/agree-changes-nothing', signal: 'agree' },
  ] as const)('$signal changes nothing, said with or without a name', ({ signal }) => {
    for (const recipient of [undefined, W]) {
      const result = run([ask(T0, 'q'), react(T0 + 1, W, signal, 'q', recipient)], T0 + 20 * T);
      expect(JSON.stringify(result.effects)).toBe(quiet);
    }
  });
  test.each([
    { req: 'OBL/4/working-extends', signal: 'working' },
    { req: 'OBL/4/queued-extends', signal: 'queued' },
  ] as const)('$signal extends the interval to the next return, once', ({ signal }) => {
    const said = react(T0 + 1, W, signal, 'q');
    const returns = only(run([ask(T0, 'q'), said], T0 + 4 * T), 'return').map((e) => (e.at - T0) / T);
    expect(returns).toEqual([2, 3, 4]);
  });
  test.each(['working', 'queued'] as const)(
    'one extension in total, %s first, of either kind [OBL/4/extends-once]',
    (signal) => {
      const signals = [
        react(T0 + 1, W, signal, 'q'),
        react(T0 + 2, W, 'working', 'q'),
        react(T0 + 3 * T, W, 'queued', 'q'),
      ];
      const returns = only(run([ask(T0, 'q'), ...signals], T0 + 4 * T), 'return').map((e) => (e.at - T0) / T);
      expect(returns).toEqual([2, 3, 4]);
    },
  );
  test('done is evidence, not discharge: it is shown on the return [OBL/4/done-is-evidence]', () => {
    const result = run([ask(T0, 'q'), react(T0 + 1, W, 'done', 'q', W)], T0 + T);
    expect(only(result, 'return')).toMatchObject([{ doneAt: T0 + 1 }]);
    expect(owes(result.state, W, T0 + T)).toMatchObject([{ doneAt: T0 + 1 }]);
  });
  test.each([
    { req: 'OBL/4/declined-escalates', signal: 'declined' },
    { req: 'OBL/4/blocked-escalates', signal: 'blocked' },
  ] as const)('$signal escalates at once', ({ signal }) => {
    const result = run([ask(T0, 'q'), react(T0 + 5, W, signal, 'q')], T0 + 5);
    expect(only(result, 'escalate')).toMatchObject([
      { reason: signal, recipient: 'agent:lead', blockedOn: W, at: T0 + 5 },
    ]);
    expect(result.state.open).toHaveLength(2);
  });
  test("another recipient's signal is not mine [OBL/8/read-by-actor]", () => {
    const both = ask(T0, 'q', { to: [W, 'agent:other'] });
    const result = run([both, react(T0 + 5, 'agent:other', 'declined', 'q')], T0 + 5);
    expect(only(result, 'escalate').map((e) => e.blockedOn)).toEqual(['agent:other']);
    expect(only(run([both, react(T0 + 5, 'agent:other', 'declined', 'q', W)], T0 + 5), 'escalate')).toEqual(
      [],
    );
  });
});

describe('4. unclear', () => {
  const unclear = react(T0 + 10, W, 'unclear', 'q');
  const paused = run([ask(T0, 'q'), unclear], T0 + 10);

  test('pauses and opens a reciprocal obligation on the author, with a ladder of its own [OBL/4/unclear-pauses, OBL/4/unclear-opens-reciprocal, OBL/4/reciprocal-own-ladder]', () => {
    expect(only(paused, 'reciprocal')).toMatchObject([
      { eventId: 'q/unclear-1', recipient: 'agent:asker', author: W, blocks: 'halted', loopExempt: true },
    ]);
    expect(owes(paused.state, 'agent:asker', T0 + 10)).toMatchObject([{ eventId: 'q/unclear-1' }]);
    const later = sweep(paused, T0 + 10 + 4 * T);
    expect(only(later, 'return').map((e) => [e.recipient, e.derivedId])).toEqual([
      ['agent:asker', 'q/unclear-1/return-1'],
      ['agent:asker', 'q/unclear-1/return-2'],
      ['agent:asker', 'q/unclear-1/return-3'],
    ]);
    expect(only(later, 'escalate')).toMatchObject([{ recipient: 'agent:boss', blockedOn: 'agent:asker' }]);
  });
  test("a clarifying edit by the author closes the reciprocal and resumes; another's edit does not [OBL/4/edit-resumes]", () => {
    expect(step(paused, edit(T0 + 20, 'agent:other')).state.open).toHaveLength(2);
    const resumed = sweep(step(paused, edit(T0 + 20, 'agent:asker')), T0 + 20 + T);
    expect(only(resumed, 'return')).toMatchObject([{ eventId: 'q', recipient: W }]);
    expect(
      brief(resumed)
        .slice(-3)
        .map((b) => b.split('@')[0]),
    ).toEqual(['discharged', 'resumed', 'return']);
  });
  test('a new obligating event on the question resumes [OBL/4/new-event-resumes]', () => {
    const again = ask(T0 + 20, 'q2', { replyTo: { eventId: 'q' } });
    const returned = only(sweep(step(paused, again), T0 + 20 + T), 'return');
    expect(returned.map((e) => [e.eventId, e.recipient])).toContainEqual(['q', W]);
    expect(only(step(paused, again), 'resumed')).toMatchObject([{ eventId: 'q', reason: 'clarified' }]);
    const bySomebodyElse = ask(T0 + 20, 'q3', { who: 'agent:other', replyTo: { eventId: 'q' } });
    expect(only(step(paused, bySomebodyElse), 'resumed')).toEqual([]);
  });
  test('its own author, the recipient, may discharge the reciprocal, which resumes the question', () => {
    const result = step(paused, react(T0 + 20, W, 'done', 'q/unclear-1', 'agent:asker'));
    expect(only(result, 'resumed')).toMatchObject([{ eventId: 'q' }]);
  });
  test('at most one reciprocal each, and none on a reciprocal; the refusal says so', () => {
    const resumed = step(paused, edit(T0 + 20, 'agent:asker'));
    expect(only(step(resumed, react(T0 + 30, W, 'unclear', 'q')), 'refused')).toMatchObject([
      { reason: 'reciprocal_used' },
    ]);
    const back = react(T0 + 30, 'agent:asker', 'unclear', 'q/unclear-1');
    expect(only(step(paused, back), 'refused')).toMatchObject([{ reason: 'reciprocal_of_reciprocal' }]);
  });
  test('unclear said twice while paused is said once', () => {
    expect(step(paused, react(T0 + 11, W, 'unclear', 'q')).effects).toEqual(paused.effects);
  });
  test('unclear after the question has moved up: it stays up when clarified, and waits when the escalation closes', () => {
    const up = run(
      [ask(T0, 'q'), react(T0 + 1, W, 'declined', 'q'), react(T0 + 2, W, 'unclear', 'q')],
      T0 + 2,
    );
    const clarified = step(up, edit(T0 + 3, 'agent:asker'));
    expect(only(clarified, 'resumed')).toEqual([]);
    expect(clarified.state.open.map((o) => [o.eventId, o.escalatedTo])).toEqual([
      ['q', 'q/escalation-1#agent:lead'],
      ['q/escalation-1', null],
    ]);
    const closed = step(up, react(T0 + 3, 'agent:asker', 'done', 'q/escalation-1', 'agent:lead'));
    expect(closed.state.open.map((o) => [o.eventId, o.paused])).toEqual([
      ['q', true],
      ['q/unclear-2', false],
    ]);
  });
  test('discharging the question closes the pointless reciprocal with it', () => {
    const result = step(paused, react(T0 + 20, 'agent:asker', 'done', 'q', W));
    expect(only(result, 'discharged').map((e) => e.cause)).toEqual(['reaction', 'question_closed']);
    expect(result.state.open).toEqual([]);
  });
});
