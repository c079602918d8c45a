import { describe, expect, test } from 'vitest';
import {
  ask,
  brief,
  directory,
  only,
  react,
  recordOf,
  run,
  step,
  sweep,
  T,
  T0,
  tickAt,
} from './obligation.fixture.ts';
import { foldObligations, owes, RETURN_INTERVAL_MS, obligationsWakeAt } from './obligations.ts';
import type { ObligationDirectory } from './obligations.ts';

const W = 'agent:worker';

describe('5. return and escalation', () => {
  test('the interval is flat by injection mode: immediate < buffered < notify = tool_mailbox [OBL/5/interval-by-mode, OBL/5/mailbox-as-notify, OBL/5/flat-interval]', () => {
    const gaps = (['immediate', 'buffered', 'notify', 'tool_mailbox'] as const).map((mode) => {
      const times = only(run([ask(T0, 'q')], T0 + 9 * T, { modes: { [W]: mode } }), 'return')
        .filter((e) => e.recipient === W)
        .map((e) => e.at - T0);
      expect(times).toEqual([1, 2, 3].map((n) => n * (times[0] ?? 0)));
      return times[0] ?? 0;
    });
    const [immediate = 0, buffered = 0, notify = 0, mailbox = 0] = gaps;
    expect(immediate).toBeGreaterThan(0);
    expect(immediate < buffered && buffered < notify && notify === mailbox).toBe(true);
  });
  test('what only lay in the mailbox comes back as an injected knock [OBL/11/mailbox-returns-as-knock]', () => {
    const { notify } = RETURN_INTERVAL_MS;
    const result = run([ask(T0, 'q')], T0 + 3 * notify, { modes: { [W]: 'tool_mailbox' } });
    expect(only(result, 'return').map((e) => [e.at - T0, e.mode])).toEqual(
      [1, 2, 3].map((n) => [n * notify, 'notify']),
    );
  });
  test('an operator may set the interval', () => {
    const own = run([ask(T0, 'q')], T0 + 7, { intervalsMs: { buffered: 7 } });
    expect(only(own, 'return')).toHaveLength(1);
  });
  test('a return says who, where, topic, age and defaultAction, under a derived id [OBL/5/return-knock]', () => {
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
      blockedOn: null,
      items: [],
      loopExempt: true,
      at: T0 + T,
    });
  });
  test('the ladder: three returns, the coordinator, three returns, their coordinator, …, a human; then nothing [OBL/5/comes-back, OBL/5/escalates-after-three, OBL/5/to-the-coordinator, OBL/5/human-rung-is-terminal, OBL/5/human-rung-stays-open]', () => {
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
    expect(obligationsWakeAt(result.state)).toBeNull();
    expect(owes(result.state, 'human:owner', T0 + 99 * T)).toMatchObject([{ rung: 'human', ageMs: 87 * T }]);
  });
  test.each([
    {
      req: 'OBL/5/to-the-coordinator',
      why: 'its coordinator',
      to: W,
      who: 'agent:asker',
      expected: 'agent:lead',
    },
    {
      req: 'OBL/5/else-to-a-human',
      why: 'no coordinator: a human',
      to: 'agent:loner',
      who: 'agent:asker',
      expected: 'human:owner',
    },
    { why: 'the coordinator asked: one above', to: W, who: 'agent:lead', expected: 'agent:chief' },
    {
      req: 'OBL/5/else-to-a-human',
      why: 'the top of the house asked its lead: the owner',
      to: 'agent:lead',
      who: 'agent:chief',
      expected: 'human:owner',
    },
  ])('escalates elsewhere: $why', ({ to, who, expected }) => {
    const result = run([ask(T0, 'q', { who, to: [to] })], T0 + 4 * T);
    expect(only(result, 'escalate').map((e) => e.recipient)).toEqual([expected]);
  });
  test.each(['role:backend', 'broadcast:here'] as const)(
    'never to a channel: a lead configured as %s is passed over [OBL/5/never-to-a-channel]',
    (lead) => {
      const misled: ObligationDirectory = { ...directory, coordinatorOf: () => lead };
      const up = foldObligations(run([ask(T0, 'q')], T0 + 3 * T).state, tickAt(T0 + 4 * T), misled);
      expect(up.effects).toMatchObject([{ type: 'escalate', recipient: 'human:owner', rung: 'human' }]);
    },
  );
  test('an escalation obliges its one recipient: it has an id, is owed, comes back and can be declined [OBL/5/escalation-obliges-one]', () => {
    const up = run([ask(T0, 'q')], T0 + 4 * T);
    const [escalation, ...more] = owes(up.state, 'agent:lead', T0 + 4 * T);
    expect(escalation).toMatchObject({ kind: 'escalation', eventId: 'q/escalation-1', items: [`q#${W}`] });
    expect(more).toEqual([]);
    expect(only(sweep(up, T0 + 5 * T), 'return').at(-1)).toMatchObject({
      eventId: 'q/escalation-1',
      recipient: 'agent:lead',
    });
    const declined = step(up, react(T0 + 4 * T, 'agent:lead', 'declined', 'q/escalation-1'));
    expect(only(declined, 'escalate').at(-1)).toMatchObject({ recipient: 'agent:chief' });
  });
  test('the coordinator is the lead of the directory, whatever is said in chat [OBL/11/coordinator-is-lead]', () => {
    const claim = recordOf(T0 + 1, W, {
      type: 'message',
      eventId: 'm',
      inReplyTo: 'q',
      text: 'My lead is agent:other. Escalate to agent:other.',
      mentions: [{ kind: 'agent', id: 'other' }],
      recipients: ['agent:other'],
    });
    const told = run([ask(T0, 'q'), claim], T0 + 3 * T);
    expect(only(sweep(told, T0 + 4 * T), 'escalate').map((e) => e.recipient)).toEqual(['agent:lead']);
    const moved: ObligationDirectory = { ...directory, coordinatorOf: () => 'agent:new-lead' };
    const up = foldObligations(told.state, tickAt(T0 + 4 * T), moved);
    expect(up.effects).toMatchObject([{ type: 'escalate', recipient: 'agent:new-lead' }]);
  });
  test('same (blocked-on recipient, tier) merge into one carrying the list, one effect a step [OBL/5/escalations-merge]', () => {
    const asks = [
      ask(T0, 'q1', { blocks: 'none' }),
      ask(T0, 'q2', { who: 'agent:other' }),
      ask(T0 + 5, 'q3', { blocks: 'degraded' }),
    ];
    const result = run(asks, T0 + 4 * T + 5);
    const escalations = only(result, 'escalate');
    expect(escalations.map((e) => [e.opened, e.items.map((i) => i.eventId), e.blocks])).toEqual([
      [true, ['q2', 'q1'], 'halted'],
      [false, ['q2', 'q3', 'q1'], 'halted'],
    ]);
    expect(escalations.map((e) => e.moved.map((m) => [m.eventId, m.logId]))).toEqual([
      [
        ['q1', 'q1/escalation-1'],
        ['q2', 'q2/list-1'],
      ],
      [['q3', 'q3/list-2']],
    ]);
    expect(new Set(escalations.map((e) => e.eventId)).size).toBe(1);
    expect(new Set(escalations.map((e) => e.derivedId)).size).toBe(2);
    expect(result.state.open.filter((o) => o.kind === 'escalation')).toHaveLength(1);
  });
  test('a list that is left shorter is told, with what is left; an empty one is discharged', () => {
    const merged = run([ask(T0, 'q1'), ask(T0, 'q2', { who: 'agent:other' })], T0 + 4 * T);
    const once = step(merged, react(T0 + 4 * T + 1, 'agent:asker', 'agree', 'q1', W));
    expect(only(once, 'shortened').map((e) => [e.recipient, e.items.map((i) => i.eventId)])).toEqual([
      ['agent:lead', ['q2']],
    ]);
    const twice = step(once, react(T0 + 4 * T + 2, 'agent:other', 'agree', 'q2', W));
    expect(only(twice, 'shortened')).toHaveLength(1);
    expect(twice.state.open).toEqual([]);
  });
  test('another silent recipient of the same coordinator is another escalation [OBL/5/escalations-merge]', () => {
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
  test('discharging the merged one takes off only what its actor answers for, and discharges none below [OBL/5/merged-discharge-stays-above, OBL/11/escalation-closes]', () => {
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
  test('an escalation closes when everything on its list is discharged, all the way up [OBL/11/escalation-closes]', () => {
    const top = run([ask(T0, 'q')], T0 + 99 * T);
    const result = step(top, react(T0 + 99 * T, 'agent:asker', 'done', 'q', W));
    expect(only(result, 'discharged').map((e) => e.cause)).toEqual(['reaction', 'below', 'below', 'below']);
    expect(result.state.open).toEqual([]);
  });
  test('the human recipient of the last rung may discharge it; those below rest, open and visible [OBL/3/human-rung-discharges]', () => {
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
  test.each([0, 1, 2] as const)(
    'at loop level %i what is open returns and escalates as ever [OBL/6/loops-spare-returns]',
    (loopLevel) => {
      const opened = run([ask(T0, 'q')], T0);
      const looped = sweep(opened, T0 + 20 * T, { loopLevel });
      expect(looped.effects).toEqual(sweep(opened, T0 + 20 * T).effects);
      expect(brief(looped).slice(0, 5)).toEqual([
        'opened@0',
        'return@1',
        'return@2',
        'return@3',
        'escalate@4',
      ]);
    },
  );
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
