import { describe, expect, test } from 'vitest';
import { ask, brief, only, react, run, step, sweep, T, T0 } from './obligation-fixture.ts';
import { owes, RETURN_INTERVAL_MS, wakeAt } from './obligations.ts';

const W = 'agent:worker';

describe('5. return and escalation', () => {
  test('the interval is flat by injection mode: immediate < buffered < notify = tool_mailbox', () => {
    const { immediate, buffered, notify, tool_mailbox: mailbox } = RETURN_INTERVAL_MS;
    expect(immediate < buffered && buffered < notify && notify === mailbox).toBe(true);
    const result = run([ask(T0, 'q')], T0 + 3 * notify, { modes: { [W]: 'tool_mailbox' } });
    expect(only(result, 'return').map((e) => [e.at - T0, e.mode])).toEqual(
      [1, 2, 3].map((n) => [n * notify, 'notify']),
    );
    const own = run([ask(T0, 'q')], T0 + 7, { intervalsMs: { buffered: 7 } });
    expect(only(own, 'return')).toHaveLength(1);
  });
  test('a return says who, where, topic, age and defaultAction, under a derived id', () => {
    const [first] = only(run([ask(T0, 'q')], T0 + T), 'return');
    expect(first).toEqual({
      type: 'return',
      obligationId: `q#${W}`,
      eventId: 'q',
      refersTo: 'q',
      derivedId: 'q/return-1',
      recipient: W,
      author: 'agent:asker',
      conversationId: 'C1',
      topic: 'open obligation',
      ageMs: T,
      blocks: 'halted',
      defaultAction: 'I deploy without it',
      attempt: 1,
      of: 3,
      mode: 'notify',
      doneAt: null,
      items: [],
      loopExempt: true,
      at: T0 + T,
    });
  });
  test('the ladder: three returns, the coordinator, three returns, their coordinator, …, a human; then nothing', () => {
    const result = run([ask(T0, 'q')], T0 + 99 * T);
    const climbed = only(result, 'escalate').map((e) => [
      (e.at - T0) / T,
      e.recipient,
      e.tier,
      e.rung,
      e.blockedOn,
    ]);
    expect(climbed).toEqual([
      [4, 'agent:lead', 1, 'coordinator', W],
      [8, 'agent:chief', 2, 'coordinator', 'agent:lead'],
      [12, 'human:owner', 3, 'human', 'agent:chief'],
    ]);
    expect(only(result, 'return')).toHaveLength(9);
    expect(result.state.open).toHaveLength(4);
    expect(wakeAt(result.state)).toBeNull();
  });
  test.each([
    ['no coordinator', 'agent:loner', 'agent:asker', 'human:owner'],
    ['the coordinator asked: one above', W, 'agent:lead', 'agent:chief'],
    ['the top of the house asked its lead: the owner', 'agent:lead', 'agent:chief', 'human:owner'],
  ])('escalates elsewhere: %s', (_, to, who, expected) => {
    const result = run([ask(T0, 'q', { who, to: [to] })], T0 + 4 * T);
    expect(only(result, 'escalate').map((e) => e.recipient)).toEqual([expected]);
  });
  test('same (blocked-on recipient, tier) merge into one carrying the list, one effect a step', () => {
    const asks = [
      ask(T0, 'q1', { blocks: 'none' }),
      ask(T0, 'q2', { who: 'agent:other' }),
      ask(T0 + 5, 'q3', { blocks: 'degraded' }),
    ];
    const result = run(asks, T0 + 4 * T + 5);
    const escalations = only(result, 'escalate');
    expect(escalations.map((e) => [e.opened, e.items.map((i) => i.eventId), e.blocks])).toEqual([
      [true, ['q1', 'q2'], 'halted'],
      [false, ['q1', 'q2', 'q3'], 'halted'],
    ]);
    expect(new Set(escalations.map((e) => e.eventId)).size).toBe(1);
    expect(new Set(escalations.map((e) => e.derivedId)).size).toBe(2);
    expect(result.state.open.filter((o) => o.kind === 'escalation')).toHaveLength(1);
  });
  test('another silent recipient of the same coordinator is another escalation', () => {
    const result = run([ask(T0, 'q1'), ask(T0, 'q2', { to: ['agent:worker-2'] })], T0 + 4 * T);
    expect(only(result, 'escalate').map((e) => [e.recipient, e.blockedOn, e.items.length])).toEqual([
      ['agent:lead', W, 1],
      ['agent:lead', 'agent:worker-2', 1],
    ]);
  });
  test('what moves up in the tick in which its escalation returns is on the list that returns', () => {
    const result = run([ask(T0, 'q1'), ask(T0 + T, 'q2')], T0 + 5 * T);
    expect(
      only(result, 'escalate')
        .at(-1)
        ?.items.map((i) => i.eventId),
    ).toEqual(['q1', 'q2']);
    expect(result.state.open.find((o) => o.kind === 'escalation')).toMatchObject({
      attempt: 1,
      items: [`q1#${W}`, `q2#${W}`],
    });
  });
  test('discharging the merged one takes off only what its actor answers for, and discharges none below', () => {
    const asks = [ask(T0, 'q1'), ask(T0, 'q2', { who: 'agent:other' })];
    const merged = run(asks, T0 + 4 * T);
    const id = only(merged, 'escalate')[0]?.eventId ?? '';
    const at = T0 + 4 * T + 1;
    const half = step(merged, react(at, 'agent:asker', 'done', id, 'agent:lead'));
    expect(half.state.open.map((o) => o.eventId)).toEqual(['q1', 'q2', id]);
    expect(half.state.open[2]?.items).toEqual([`q2#${W}`]);
    const closed = step(half, react(at, 'agent:other', 'done', id, 'agent:lead'));
    expect(closed.state.open.map((o) => o.eventId)).toEqual(['q1', 'q2']);
    // Still open, so they come back, under ids no harness has seen.
    expect(
      only(sweep(closed, at + T), 'return')
        .slice(-2)
        .map((e) => e.derivedId),
    ).toEqual(['q1/return-4', 'q2/return-4']);
  });
  test('an escalation closes when everything on its list is discharged, all the way up', () => {
    const top = run([ask(T0, 'q')], T0 + 99 * T);
    const result = step(top, react(T0 + 99 * T, 'agent:asker', 'done', 'q', W));
    expect(only(result, 'discharged').map((e) => e.cause)).toEqual(['reaction', 'below', 'below', 'below']);
    expect(result.state.open).toEqual([]);
  });
  test('the human recipient of the last rung may discharge it; those below rest, open and visible', () => {
    const top = run([ask(T0, 'q', { to: ['agent:loner'] })], T0 + 99 * T);
    const id = only(top, 'escalate')[0]?.eventId ?? '';
    const result = sweep(
      step(top, react(T0 + 99 * T, 'human:owner', 'done', id, 'human:owner')),
      T0 + 999 * T,
    );
    expect(result.state.open.map((o) => o.eventId)).toEqual(['q']);
    expect(brief(result).slice(-1)).toEqual(['discharged@99']);
    const coordinator = run([ask(T0, 'q')], T0 + 4 * T);
    const own = react(
      T0 + 5 * T - 1,
      'agent:lead',
      'done',
      only(coordinator, 'escalate')[0]?.eventId ?? '',
      'agent:lead',
    );
    expect(step(coordinator, own).state.open).toHaveLength(2);
  });
  test('unclear on an escalation is refused aloud: the host wrote it', () => {
    const up = run([ask(T0, 'q')], T0 + 4 * T);
    const id = only(up, 'escalate')[0]?.eventId ?? '';
    expect(only(step(up, react(T0 + 4 * T, 'agent:lead', 'unclear', id)), 'refused')).toMatchObject([
      { reason: 'unclear_on_escalation' },
    ]);
  });
});

describe('6. loops', () => {
  test('returns, escalations and reciprocals are loop exempt', () => {
    const result = run(
      [ask(T0, 'q'), ask(T0, 'u', { who: 'agent:other' }), react(T0 + 1, W, 'unclear', 'u')],
      T0 + 99 * T,
      { loopLevel: 1 },
    );
    const made = result.effects.filter(
      (e) => e.type === 'return' || e.type === 'escalate' || e.type === 'reciprocal',
    );
    expect(made.length).toBeGreaterThan(12);
    expect(made.every((e) => e.loopExempt)).toBe(true);
  });
  test('at most 3 open per (author, recipient); one more is refused and stays refused', () => {
    const asks = [1, 2, 3, 4].map((n) => ask(T0 + n, `q${n}`));
    const result = run([...asks, ask(T0 + 5, 'x', { who: 'agent:other' })], T0 + 5);
    expect(only(result, 'refused')).toMatchObject([
      { eventId: 'q4', recipient: W, reason: 'too_many_open', limit: 3 },
    ]);
    const freed = run([...asks, react(T0 + 6, 'agent:asker', 'done', 'q1', W), ask(T0 + 7, 'q5')], T0 + 7);
    expect(owes(freed.state, W, T0 + 7).map((o) => o.eventId)).toEqual(['q2', 'q3', 'q5']);
  });
  test('at loop level 2 a new obligation goes straight to the human rung', () => {
    const result = run([ask(T0, 'q')], T0 + 99 * T, { loopLevel: 2 });
    expect(result.effects).toMatchObject([
      { type: 'opened', rung: 'human' },
      { type: 'escalate', reason: 'loop_stopped', recipient: 'human:owner', rung: 'human', at: T0 },
    ]);
  });
});
