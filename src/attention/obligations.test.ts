import { describe, expect, test } from 'vitest';
import {
  ask,
  brief,
  directory,
  fresh,
  only,
  react,
  recordOf,
  run,
  step,
  sweep,
  T,
  T0,
  tickAt,
} from './obligation-fixture.ts';
import {
  blockedOn,
  blocks,
  identityOf,
  initialObligations,
  foldObligations,
  OBLIGATION_LIMITS,
  owes,
  returnMode,
  toIdentity,
  wakeAt,
} from './obligations.ts';

const W = 'agent:worker';
const DONE = react(T0 + 1, 'agent:asker', 'done', 'q', W);

const edit = (at: number, who: string) =>
  recordOf(at, who, { type: 'edit', eventId: `e-${at}`, targetEventId: 'q', text: 'clearer' });
const del = (who: string) => recordOf(T0 + 1, who, { type: 'delete', eventId: 'd', targetEventId: 'q' });

describe('1. creation', () => {
  test('presence of the obligation creates the debt, delivered must_respond', () => {
    const [opened] = only(run([ask(T0, 'q')], T0), 'opened');
    expect(opened).toMatchObject({
      obligationId: `q#${W}`,
      policy: 'must_respond',
      blocks: 'halted',
      mode: 'buffered',
    });
    expect(opened).not.toHaveProperty('advice');
  });
  test('a message without the object creates nothing and leaves the state object as it was', () => {
    const state = initialObligations();
    const plain = recordOf(T0, 'agent:asker', {
      type: 'message',
      eventId: 'm',
      recipients: [W],
      text: 'answer me!',
    });
    expect(foldObligations(state, plain, directory)).toEqual({ state, effects: [] });
    expect(foldObligations(state, plain, directory).state).toBe(state);
  });
  test('never digest or silent: at least a knock', () => {
    expect([returnMode('digest'), returnMode('silent'), returnMode('immediate')]).toEqual([
      'notify',
      'notify',
      'immediate',
    ]);
  });
  test('target.recipient is read where recipients is missing', () => {
    const record = ask(T0, 'q', { to: [], target: { recipient: W } });
    expect(owes(run([record], T0).state, W, T0)).toHaveLength(1);
  });
  test('several recipients owe one each, and one responder is advised', () => {
    const opened = only(run([ask(T0, 'q', { to: [W, 'agent:other'] })], T0), 'opened');
    expect(opened.map((o) => [o.recipient, o.advice])).toEqual([
      [W, 'address_one_responder'],
      ['agent:other', 'address_one_responder'],
    ]);
  });
  test.each([
    ['no recipient', { to: [] }, {}, 'no_recipient'],
    ['a channel', { to: ['channel:C1'] }, {}, 'not_one_responder'],
    ['a role', { to: ['role:backend'] }, {}, 'not_one_responder'],
    ['oneself', { to: ['agent:asker'] }, {}, 'recipient_is_author'],
    ['somebody who does not admit the author', {}, { deniedFor: [W] }, 'author_denied'],
    ['history', { origin: 'backfill' as const }, {}, 'backfill'],
  ])('an obligation on %s is refused, and the refusal says so', (_, given, options, reason) => {
    const result = run([ask(T0, 'q', given)], T0 + 9 * T, options);
    expect(result.effects).toMatchObject([{ type: 'refused', eventId: 'q', reason }]);
    expect(result.state.open).toEqual([]);
  });
  test('the queue orders by blocks, then age', () => {
    const asks = [
      ask(T0, 'old-none', { blocks: 'none', who: 'agent:a' }),
      ask(T0 + 1, 'degraded', { blocks: 'degraded', who: 'agent:b' }),
      ask(T0 + 2, 'halted', { who: 'agent:c' }),
      ask(T0 + 3, 'halted-later', { who: 'agent:d' }),
    ];
    const order = owes(run(asks, T0 + 4).state, W, T0 + 4).map((o) => o.eventId);
    expect(order).toEqual(['halted', 'halted-later', 'degraded', 'old-none']);
  });
  test('identities: author id and kind, bare names, names with a colon of their own', () => {
    expect(identityOf({ id: 'U1', kind: 'human' })).toBe('human:U1');
    expect(identityOf({ id: 'agent:lead', kind: 'agent' })).toBe('agent:lead');
    expect(identityOf({ id: '@ann:matrix.org', kind: 'human' })).toBe('human:@ann:matrix.org');
    expect(toIdentity('worker', directory)).toBe('agent:worker');
    expect(toIdentity('U1', { ...directory, isHuman: (id) => id === 'U1' })).toBe('human:U1');
    expect(owes(run([ask(T0, 'q', { to: ['worker'] })], T0).state, W, T0)).toHaveLength(1);
  });
});

describe('2. state is derived per (eventId, recipient)', () => {
  test('one recipient discharged leaves the other open', () => {
    const { state } = run([ask(T0, 'q', { to: [W, 'agent:other'] }), DONE], T0 + 1);
    expect(state.open.map((o) => o.recipient)).toEqual(['agent:other']);
  });
  test('state is plain JSON with a version; a newer one is refused', () => {
    const { state } = run([ask(T0, 'q')], T0);
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    expect(() => foldObligations({ ...state, version: 2 }, tickAt(T0), directory)).toThrow(/version 2/);
  });
});

describe('3. discharge', () => {
  test.each([
    ['the author', 'agent:asker', W, {}, true],
    ["the author's coordinator, by default", 'agent:boss', W, {}, true],
    ['the author without naming the recipient', 'agent:asker', undefined, {}, false],
    ['the author naming another recipient', 'agent:asker', 'agent:other', {}, false],
    ['the recipient', W, W, {}, false],
    ["the recipient's coordinator", 'agent:lead', W, {}, false],
    ['a human bystander', 'human:U9', W, {}, false],
    ['the named delegate', 'human:pm', W, { dischargeDelegate: 'human:pm' }, true],
    [
      'the coordinator when another delegate is named',
      'agent:boss',
      W,
      { dischargeDelegate: 'human:pm' },
      false,
    ],
  ])('by %s', (_, who, recipient, given, closes) => {
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
    'the author discharges with done or agree, not with %s otherwise',
    (signal) => {
      const result = run([ask(T0, 'q'), react(T0 + 1, 'agent:asker', signal, 'q', W)], T0 + 1);
      expect(result.state.open).toHaveLength(signal === 'done' || signal === 'agree' ? 0 : 1);
    },
  );
  test('is final: un-reacting does not reopen, nor does the same event again', () => {
    const { event } = DONE;
    if (event.type !== 'reaction') throw new Error('fixture');
    const undone = { ...DONE, at: T0 + 2, event: { ...event, removed: true } };
    const result = run([ask(T0, 'q'), DONE, undone, ask(T0 + 3, 'q')], T0 + 9 * T);
    expect(brief(result).map((b) => b.split('@')[0])).toEqual(['opened', 'discharged']);
  });
  test('a reaction that was taken away is no reaction', () => {
    for (const reaction of [DONE, react(T0 + 1, W, 'declined', 'q')]) {
      const undone = { ...reaction, event: { ...reaction.event, removed: true } };
      expect(run([ask(T0, 'q'), undone], T0 + 1).effects.map((e) => e.type)).toEqual(['opened']);
    }
  });
  test('a human asked is on the human rung: no returns, and their done naming themselves discharges', () => {
    const asked = ask(T0, 'q', { to: ['human:U1'] });
    const silent = run([asked], T0 + 99 * T);
    expect(brief(silent)).toEqual(['opened@0']);
    expect(wakeAt(silent.state)).toBeNull();
    const agreed = step(silent, react(T0 + 99 * T, 'human:U1', 'agree', 'q', 'human:U1'));
    expect(agreed.state.open).toHaveLength(1);
    const done = step(agreed, react(T0 + 99 * T, 'human:U1', 'done', 'q', 'human:U1'));
    expect(done.state.open).toEqual([]);
  });
});

describe('4. recipient signals', () => {
  const quiet = JSON.stringify(run([ask(T0, 'q')], T0 + 20 * T).effects);
  test.each(['seen', 'claimed', 'agree'] as const)('%s changes nothing', (signal) => {
    const result = run([ask(T0, 'q'), react(T0 + 1, W, signal, 'q')], T0 + 20 * T);
    expect(JSON.stringify(result.effects)).toBe(quiet);
  });
  test.each(['working', 'queued'] as const)('%s extends the return interval once in total', (signal) => {
    const signals = [
      react(T0 + 1, W, signal, 'q'),
      react(T0 + 2, W, 'working', 'q'),
      react(T0 + 3 * T, W, 'queued', 'q'),
    ];
    const returns = only(run([ask(T0, 'q'), ...signals], T0 + 4 * T), 'return').map((e) => (e.at - T0) / T);
    expect(returns).toEqual([2, 3, 4]);
  });
  test('done is evidence, not discharge: it is shown on the return', () => {
    const result = run([ask(T0, 'q'), react(T0 + 1, W, 'done', 'q', W)], T0 + T);
    expect(only(result, 'return')).toMatchObject([{ doneAt: T0 + 1 }]);
    expect(owes(result.state, W, T0 + T)).toMatchObject([{ doneAt: T0 + 1 }]);
  });
  test.each(['declined', 'blocked'] as const)('%s escalates at once', (signal) => {
    const result = run([ask(T0, 'q'), react(T0 + 5, W, signal, 'q')], T0 + 5);
    expect(only(result, 'escalate')).toMatchObject([
      { reason: signal, recipient: 'agent:lead', blockedOn: W, at: T0 + 5 },
    ]);
    expect(result.state.open).toHaveLength(2);
  });
  test("another recipient's signal is not mine", () => {
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

  test('pauses and opens a reciprocal obligation on the author, with a ladder of its own', () => {
    expect(only(paused, 'reciprocal')).toMatchObject([
      { eventId: 'q/unclear-1', recipient: 'agent:asker', author: W, blocks: 'halted', loopExempt: true },
    ]);
    const later = sweep(paused, T0 + 10 + 4 * T);
    expect(only(later, 'return').map((e) => [e.recipient, e.derivedId])).toEqual([
      ['agent:asker', 'q/unclear-1/return-1'],
      ['agent:asker', 'q/unclear-1/return-2'],
      ['agent:asker', 'q/unclear-1/return-3'],
    ]);
    expect(only(later, 'escalate')).toMatchObject([{ recipient: 'agent:boss', blockedOn: 'agent:asker' }]);
  });
  test("a clarifying edit by the author closes the reciprocal and resumes; another's edit does not", () => {
    expect(step(paused, edit(T0 + 20, 'agent:other')).state.open).toHaveLength(2);
    const resumed = sweep(step(paused, edit(T0 + 20, 'agent:asker')), T0 + 20 + T);
    expect(
      brief(resumed)
        .slice(-3)
        .map((b) => b.split('@')[0]),
    ).toEqual(['discharged', 'resumed', 'return']);
  });
  test('a new obligating event on the question resumes', () => {
    const again = ask(T0 + 20, 'q2', { replyTo: { eventId: 'q' } });
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

describe('7. time, order, edits and deletes', () => {
  test('age is now minus createdAt, the source’s time, never negative', () => {
    const late = ask(T0, 'q');
    late.event.at = T0 - 5 * T;
    expect(only(run([late], T0 + T), 'return')).toMatchObject([{ ageMs: 6 * T }]);
    const ahead = ask(T0, 'q');
    ahead.event.at = T0 + 5 * T;
    expect(only(run([ahead], T0 + T), 'return')).toMatchObject([{ ageMs: T }]);
  });
  test('after a gap: the place is computed, one return, never the missed ones', () => {
    const opened = run([ask(T0, 'q')], T0);
    for (const [gap, attempt] of [
      [2.5, 2],
      [3, 3],
      [50, 3],
    ] as const) {
      const result = step(opened, tickAt(T0 + gap * T));
      expect(result.effects.slice(1)).toMatchObject([
        { type: 'return', attempt, derivedId: `q/return-${attempt}` },
      ]);
    }
    const later = sweep(step(opened, tickAt(T0 + 50 * T)), T0 + 51 * T);
    expect(brief(later)).toEqual(['opened@0', 'return@50', 'escalate@51']);
  });
  test('a reaction to an unknown event is held until the event arrives', () => {
    const early = run([react(T0, 'agent:asker', 'done', 'q', W), ask(T0 + 1, 'q')], T0 + 9 * T);
    expect(early.effects.map((e) => e.type)).toEqual(['held', 'opened', 'discharged']);
    expect(early.state.held).toEqual([]);
  });
  test('so is a delete; nothing is held for events the log already has, nor for signals without effect', () => {
    const gone = recordOf(T0, 'agent:asker', { type: 'delete', eventId: 'd', targetEventId: 'q' });
    expect(run([gone, ask(T0 + 1, 'q')], T0 + 9 * T).effects.map((e) => e.type)).toEqual([
      'held',
      'opened',
      'discharged',
    ]);
    expect(run([gone], T0, { targetKnown: true }).effects).toEqual([]);
    expect(run([react(T0, W, 'seen', 'q')], T0).effects).toEqual([]);
  });
  test('what is held is bounded: the oldest is given up, aloud', () => {
    const many = Array.from({ length: OBLIGATION_LIMITS.held + 1 }, (_, n) =>
      react(T0 + n, W, 'declined', `e${n}`),
    );
    const result = run(many, T0 + 999);
    expect(result.state.held).toHaveLength(OBLIGATION_LIMITS.held);
    expect(only(result, 'refused')).toMatchObject([
      { eventId: `r-${T0}-${W}-declined`, reason: 'held_full' },
    ]);
  });
  test('an edit inherits: a reaction on the edit’s id discharges', () => {
    const second = recordOf(T0 + 1, 'agent:asker', {
      type: 'edit',
      eventId: 'q-v2',
      targetEventId: 'q',
      text: 'x',
    });
    const result = run([ask(T0, 'q'), second, react(T0 + 2, 'agent:asker', 'done', 'q-v2', W)], T0 + 2);
    expect(result.state.open).toEqual([]);
  });
  test('edit ids are bounded, aloud', () => {
    const edits = Array.from({ length: OBLIGATION_LIMITS.edits + 1 }, (_, n) =>
      recordOf(T0 + 1 + n, 'agent:asker', { type: 'edit', eventId: `v${n}`, targetEventId: 'q', text: 'x' }),
    );
    expect(only(run([ask(T0, 'q'), ...edits], T0 + 99), 'refused')).toMatchObject([
      { reason: 'too_many_edits' },
    ]);
  });
  test('deletion by the author discharges every recipient; by others and by retention it does not', () => {
    const both = ask(T0, 'q', { to: [W, 'agent:other'] });
    expect(only(run([both, del('agent:asker')], T0 + 1), 'discharged').map((e) => e.cause)).toEqual([
      'deleted',
      'deleted',
    ]);
    for (const who of ['agent:boss', W, 'human:mod', 'system:retention']) {
      expect(run([both, del(who)], T0 + 1).state.open).toHaveLength(2);
    }
  });
  test('open obligations are bounded: one more is refused, aloud', () => {
    let result = fresh();
    for (let n = 0; n <= OBLIGATION_LIMITS.open; n++) {
      const { state, effects } = foldObligations(
        result.state,
        ask(T0, `q${n}`, { who: `agent:a${n}` }),
        directory,
      );
      result = { state, effects: effects.map((e) => ({ ...e, at: T0 })) };
    }
    expect(result.effects).toMatchObject([
      { type: 'refused', reason: 'state_full', limit: OBLIGATION_LIMITS.open },
    ]);
    expect(result.state.open).toHaveLength(OBLIGATION_LIMITS.open);
    // All of them move up together: full lists open a second escalation, nothing is lost.
    const up = sweep({ ...result, effects: [] }, T0 + 4 * T);
    const carried = up.state.open.filter((o) => o.kind === 'escalation').flatMap((o) => o.items);
    expect(new Set(carried).size).toBe(OBLIGATION_LIMITS.open);
    expect(Math.max(...up.state.open.map((o) => o.items.length))).toBe(OBLIGATION_LIMITS.items);
  });
});

describe('8. a reaction is read by who emitted it', () => {
  test("a recipient's done is never settled for everyone", () => {
    const both = ask(T0, 'q', { to: [W, 'agent:other'] });
    expect(run([both, react(T0 + 1, W, 'done', 'q', 'agent:other')], T0 + 1).state.open).toHaveLength(2);
  });
});

describe('9. two queries, one call each', () => {
  const up = run([ask(T0, 'q1'), ask(T0 + 1, 'q2', { blocks: 'none' })], T0 + 4 * T);
  test('what I owe, escalations included; what I am blocking, through escalations; what blocks me', () => {
    const now = T0 + 4 * T;
    expect(owes(up.state, W, now).map((o) => [o.eventId, o.ageMs])).toEqual([
      ['q1', 4 * T],
      ['q2', 4 * T - 1],
    ]);
    expect(owes(up.state, 'agent:lead', now).map((o) => o.kind)).toEqual(['escalation']);
    expect(blocks(up.state, 'agent:lead', now).map((o) => [o.eventId, o.author])).toEqual([
      ['q1', 'agent:asker'],
    ]);
    expect(blocks(up.state, W, now).map((o) => o.eventId)).toEqual(['q1', 'q2']);
    expect(blockedOn(up.state, 'agent:asker', now).map((o) => o.eventId)).toEqual(['q1', 'q2']);
    expect(blockedOn(up.state, W, now)).toEqual([]);
  });
});
