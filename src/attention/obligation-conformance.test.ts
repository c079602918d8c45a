// spec/obligations.md, 10, at the level of the fold: one fixture, four arms and the control. "The model took a turn" is
// here "a return effect for the recipient"; the same arms run through the production send path under test/.
// The properties below hold for any trace of records, not only for the fixture's.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LogRecord } from '../protocol/log-record.ts';
import { SIGNALS } from '../protocol/vocabulary.ts';
import { ask, directory, only, react, recordOf, run, T, T0, tickAt } from './obligation.fixture.ts';
import type { Run } from './obligation.fixture.ts';
import { foldObligations, initialObligations } from './obligations.ts';
import type { ObligationOptions } from './obligations.ts';

const W = 'agent:worker';
const besidePoint = recordOf(T0 + 5, W, {
  type: 'message',
  eventId: 'a',
  inReplyTo: 'q',
  text: 'nice weather',
});
const armA = (read: boolean) => [
  ask(T0, 'q'),
  besidePoint,
  react(T0 + 6, W, 'done', 'q', W),
  ...(read ? [react(T0 + 7, W, 'seen', 'q', W)] : []),
];
const returnsTo = (result: Run) => only(result, 'return').filter((e) => e.recipient === W);

const A = (options: ObligationOptions) => returnsTo(run(armA(true), T0 + 2 * T, options)).length > 0;
const C = (options: ObligationOptions) => {
  const result = run([ask(T0, 'q')], T0 + 4 * T, options);
  const times = returnsTo(result).map((e) => (e.at - T0) / T);
  const elsewhere = only(result, 'escalate').map((e) => e.recipient);
  return times.join() === '1,2,3' && elsewhere.join() === 'agent:lead';
};

describe('10. conformance', () => {
  test('A: read, answered beside the point, done and seen: must still return [OBL/3/nothing-closes-itself]', () =>
    expect(A({})).toBe(true));
  test.each(['agent:asker', 'agent:boss'])('B: discharged by %s: must not return', (who) => {
    const result = run([...armA(true), react(T0 + 8, who, 'done', 'q', W)], T0 + 99 * T);
    expect(returnsTo(result)).toEqual([]);
    expect(only(result, 'escalate')).toEqual([]);
  });
  test('C: silence: returns at t, 2t, 3t, equal gaps, then escalation elsewhere [OBL/5/comes-back, OBL/5/flat-interval, OBL/5/escalates-after-three]', () =>
    expect(C({})).toBe(true));
  test('D: read state set and unset: byte-identical [OBL/3/read-state-no-input]', () => {
    const [set, unset] = [true, false].map((read) => run(armA(read), T0 + 99 * T));
    expect(JSON.stringify(set)).toBe(JSON.stringify(unset));
  });
  test('control: with returns switched off A and C fail', () => {
    expect(A({ returns: false })).toBe(false);
    expect(C({ returns: false })).toBe(false);
  });
});

const PEOPLE = [
  'agent:asker',
  'agent:worker',
  'agent:lead',
  'agent:boss',
  'agent:other',
  'human:U1',
  'human:owner',
];
const EVENTS = ['q1', 'q2', 'q3', 'q1/escalation-1', 'q2/escalation-2', 'q1/unclear-1', 'q1/unclear-2'];
const who = fc.constantFrom(...PEOPLE);
const target = fc.constantFrom(...EVENTS);

/** Any record at a time not yet known: `gap` is added to the time before. */
const anyStep = fc.record({
  gap: fc.oneof(fc.constantFrom(1, T, 2 * T), fc.nat(10 * T)),
  make: fc.oneof(
    { weight: 3, arbitrary: fc.constant((at: number) => tickAt(at)) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(who, fc.subarray(PEOPLE, { minLength: 1, maxLength: 2 }), fc.constantFrom('q1', 'q2', 'q3'))
        .map(
          ([from, to, id]) =>
            (at: number) =>
              ask(at, id, { who: from, to }),
        ),
    },
    {
      weight: 6,
      arbitrary: fc.tuple(who, fc.constantFrom(...SIGNALS), target, fc.option(who, { nil: undefined })).map(
        ([from, signal, id, to]) =>
          (at: number) =>
            react(at, from, signal, id, to),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(who, fc.constantFrom('edit' as const, 'delete' as const), target).map(
        ([from, type, id]) =>
          (at: number) =>
            recordOf(at, from, { type, eventId: `${type}-${at}`, targetEventId: id }),
      ),
    },
  ),
});
// `size: 'max'`: by default fast-check keeps arrays at about four elements, which never climb a ladder.
const trace = fc.array(anyStep, { maxLength: 40, size: 'max' }).map((steps) => {
  let at = T0;
  return steps.map(({ gap, make }) => make((at += gap)));
});

const isRead = (r: LogRecord) => r.event.type === 'reaction' && r.event.signal === 'seen';

function fold(records: readonly LogRecord[]) {
  let state = initialObligations();
  const effects = records.map((record) => {
    const result = foldObligations(state, record, directory);
    state = result.state;
    return result.effects;
  });
  return { state, effects };
}

describe('properties of the fold', () => {
  test('cut at any point and resumed from JSON, or folded again, state and effects are the same [OBL/2/derived-from-log]', () => {
    fc.assert(
      fc.property(trace, (records) => {
        let state = initialObligations();
        const effects = records.map((record) => {
          const result = foldObligations(JSON.parse(JSON.stringify(state)), record, directory);
          state = result.state;
          return result.effects;
        });
        expect({ state, effects }).toEqual(fold(records));
        expect(fold(records)).toEqual(fold(records));
      }),
    );
  });
  test('read state never changes anything: with and without `seen`, byte-identical [OBL/3/read-state-no-input]', () => {
    fc.assert(
      fc.property(trace, (records) => {
        const withRead = fold(records);
        const without = fold(records.filter((r) => !isRead(r)));
        expect(JSON.stringify(withRead.effects.flat())).toBe(JSON.stringify(without.effects.flat()));
        expect(JSON.stringify(withRead.state)).toBe(JSON.stringify(without.state));
      }),
    );
  });
  test('nothing closes by itself: no discharge without its record, and whatever is not discharged is open [OBL/3/nothing-closes-itself, OBL/3/nothing-expires]', () => {
    fc.assert(
      fc.property(trace, (records) => {
        const { state, effects } = fold(records);
        const opened = new Map<string, string>();
        records.forEach((record, n) => {
          for (const effect of effects[n] ?? []) {
            if (effect.type === 'opened') opened.set(effect.obligationId, effect.author);
            if (effect.type !== 'discharged') continue;
            expect(record.event.type).not.toBe('tick');
            opened.delete(effect.obligationId);
          }
        });
        const questions = state.open.filter((o) => o.kind === 'question').map((o) => o.id);
        expect(new Set(questions)).toEqual(new Set(opened.keys()));
      }),
    );
  });
  test('nothing ever goes to a channel, a role or everybody [OBL/5/never-to-a-channel]', () => {
    fc.assert(
      fc.property(trace, (records) => {
        for (const effect of fold(records).effects.flat()) {
          if (effect.type === 'escalate' || effect.type === 'return')
            expect(effect.recipient).toMatch(/^(?:agent|human):/);
        }
      }),
    );
  });
  test('every list and every open obligation stands where the ladder says: a clock, a pause, a rung above, or the end', () => {
    fc.assert(
      fc.property(trace, (records) => {
        const { state } = fold(records);
        const ids = new Map(state.open.map((o) => [o.id, o]));
        for (const o of state.open) {
          if (o.escalatedTo !== null) expect(ids.get(o.escalatedTo)?.items).toContain(o.id);
          for (const item of o.items) expect(ids.get(item)?.escalatedTo).toBe(o.id);
          if (o.dueAt !== null)
            expect([o.rung === 'human', o.paused, o.escalatedTo]).toEqual([false, false, null]);
          if (o.kind === 'escalation') expect(o.items.length).toBeGreaterThan(0);
        }
      }),
    );
  });
});
