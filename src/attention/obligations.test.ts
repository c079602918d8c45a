import { describe, expect, test } from 'vitest';
import { EVENT_LIMITS } from '../protocol/chat-event.ts';
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
} from './obligation.fixture.ts';
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
} from './obligations.ts';

const W = 'agent:worker';
const DONE = react(T0 + 1, 'agent:asker', 'done', 'q', W);

const del = (who: string) => recordOf(T0 + 1, who, { type: 'delete', eventId: 'd', targetEventId: 'q' });

describe('1. creation', () => {
  test.each(['halted', 'degraded', 'none'] as const)(
    'presence of the obligation creates the debt, whatever it blocks: %s [OBL/1/presence-creates-debt, OBL/11/obligation-id]',
    (blocking) => {
      const result = run([ask(T0, 'q', { blocks: blocking })], T0);
      const [opened] = only(result, 'opened');
      expect(opened).toMatchObject({
        obligationId: `q#${W}`,
        policy: 'must_respond',
        blocks: blocking,
        mode: 'buffered',
      });
      expect(opened).not.toHaveProperty('advice');
      expect(owes(result.state, W, T0)).toMatchObject([{ id: `q#${W}`, blocks: blocking }]);
    },
  );
  test('createdAt is that of the logged event, and nothing said later makes the debt younger [OBL/1/created-at-from-log]', () => {
    const opened = run([ask(T0, 'q')], T0);
    const later = [
      ask(T0 + 9, 'q'),
      recordOf(T0 + 9, 'agent:asker', { type: 'edit', eventId: 'v2', targetEventId: 'q', text: 'x' }),
      react(T0 + 9, W, 'working', 'q'),
      react(T0 + 9, W, 'declined', 'q'),
      tickAt(T0 + T),
    ];
    for (const record of later) {
      const [debt] = step(opened, record).state.open;
      expect([debt?.eventId, debt?.createdAt]).toEqual(['q', T0]);
    }
  });
  test('a message that must be answered, without the object, creates nothing and leaves the state object as it was [OBL/1/policy-creates-none]', () => {
    const state = initialObligations();
    const plain = recordOf(T0, 'agent:asker', {
      type: 'message',
      eventId: 'm',
      recipients: [W],
      mentions: [{ kind: 'agent', id: 'worker' }],
      target: { recipient: W, directedness: 'to_me' },
      text: 'answer me!',
    });
    expect(foldObligations(state, plain, directory)).toEqual({ state, effects: [] });
    expect(foldObligations(state, plain, directory).state).toBe(state);
  });
  test('never digest or silent: at least a knock [OBL/1/never-digest-or-silent]', () => {
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
  test('several recipients owe one each, and one responder is advised [OBL/2/per-event-and-recipient]', () => {
    const opened = only(run([ask(T0, 'q', { to: [W, 'agent:other'] })], T0), 'opened');
    expect(new Set(opened.map((o) => o.obligationId)).size).toBe(2);
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
    ['somebody who does not admit the author', {}, { deniedFor: [W] as const }, 'author_denied'],
    ['history', { origin: 'backfill' as const }, {}, 'backfill'],
  ])('an obligation on %s is refused, and the refusal says so', (_, given, options, reason) => {
    const result = run([ask(T0, 'q', given)], T0 + 9 * T, options);
    expect(result.effects).toMatchObject([{ type: 'refused', eventId: 'q', reason }]);
    expect(result.state.open).toEqual([]);
  });
  test('the queue orders by blocks, then age [OBL/1/queue-order]', () => {
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
  test('one recipient discharged leaves the other open [OBL/2/per-event-and-recipient]', () => {
    const { state } = run([ask(T0, 'q', { to: [W, 'agent:other'] }), DONE], T0 + 1);
    expect(state.open.map((o) => o.recipient)).toEqual(['agent:other']);
  });
  test('state is plain JSON with a version; a newer one is refused', () => {
    const { state } = run([ask(T0, 'q')], T0);
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    expect(() => foldObligations({ ...state, version: 2 }, tickAt(T0), directory)).toThrow(/version 2/);
  });
});

describe('7. time, order, edits and deletes', () => {
  test('age is now minus createdAt, the source’s time, never negative, also when stored and loaded [OBL/7/age-from-created-at]', () => {
    const late = ask(T0, 'q');
    late.event.at = T0 - 5 * T;
    expect(only(run([late], T0 + T), 'return')).toMatchObject([{ ageMs: 6 * T }]);
    const ahead = ask(T0, 'q');
    ahead.event.at = T0 + 5 * T;
    expect(only(run([ahead], T0 + T), 'return')).toMatchObject([{ ageMs: T }]);
    const stored = { state: JSON.parse(JSON.stringify(run([late], T0).state)), effects: [] };
    expect(only(sweep(stored, T0 + T), 'return')).toMatchObject([{ ageMs: 6 * T }]);
    expect(owes(stored.state, W, T0 + 9 * T)).toMatchObject([{ ageMs: 14 * T }]);
  });
  test('after a gap: the place is computed, one return, never the missed ones [OBL/7/gap-returns-once, OBL/7/no-missed-returns]', () => {
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
  test('a reaction to an unknown event is held until the event arrives [OBL/7/early-reaction-held]', () => {
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
  test('an edit inherits: the debt stays, and a reaction on the edit’s id discharges it [OBL/7/edit-inherits]', () => {
    const second = recordOf(T0 + 1, 'agent:asker', {
      type: 'edit',
      eventId: 'q-v2',
      targetEventId: 'q',
      text: 'x',
    });
    const edited = run([ask(T0, 'q'), second], T0 + 1);
    expect(only(sweep(edited, T0 + T), 'return')).toMatchObject([{ eventId: 'q', recipient: W }]);
    const closed = step(edited, react(T0 + 2, 'agent:asker', 'done', 'q-v2', W));
    expect(closed.state.open).toEqual([]);
  });
  test('edit ids are bounded, aloud', () => {
    const edits = Array.from({ length: OBLIGATION_LIMITS.edits + 1 }, (_, n) =>
      recordOf(T0 + 1 + n, 'agent:asker', { type: 'edit', eventId: `v${n}`, targetEventId: 'q', text: 'x' }),
    );
    expect(only(run([ask(T0, 'q'), ...edits], T0 + 99), 'refused')).toMatchObject([
      { reason: 'too_many_edits' },
    ]);
  });
  test('deletion by the author discharges every recipient; by others and by retention it does not [OBL/7/author-delete-discharges, OBL/7/other-delete-keeps]', () => {
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
    expect(OBLIGATION_LIMITS.items).toBe(EVENT_LIMITS.owedItems);
  });
});

describe('8. a reaction is read by who emitted it', () => {
  const both = ask(T0, 'q', { to: [W, 'agent:other'] });
  test("a recipient's done is never settled for everyone [OBL/8/done-not-for-everyone]", () => {
    for (const named of [undefined, W, 'agent:other']) {
      const result = run([both, react(T0 + 1, W, 'done', 'q', named)], T0 + T);
      expect(result.state.open).toHaveLength(2);
      expect(only(result, 'return').map((e) => e.recipient)).toContain('agent:other');
      expect(owes(result.state, 'agent:other', T0 + T)).toMatchObject([{ doneAt: null }]);
    }
  });
  test('the same done on the same message is a discharge from its author and evidence from its recipient [OBL/8/read-by-actor]', () => {
    const [author, recipient] = ['agent:asker', W].map((who) =>
      run([ask(T0, 'q'), react(T0 + 1, who, 'done', 'q', W)], T0 + 1),
    );
    expect(author?.state.open).toEqual([]);
    expect(recipient?.state.open).toMatchObject([{ eventId: 'q', doneAt: T0 + 1 }]);
  });
});

describe('9. two queries, one call each', () => {
  const up = run([ask(T0, 'q1'), ask(T0 + 1, 'q2', { blocks: 'none' })], T0 + 4 * T);
  test('what I owe, escalations included; what I am blocking, through escalations; what blocks me [OBL/9/what-i-owe, OBL/9/what-i-block]', () => {
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
