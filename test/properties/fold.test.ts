// What holds for any chat whatever: the fold can be cut anywhere, touches nothing, never throws, keeps conversations
// apart, and every decision is whole.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Decision,
  attend,
  decodeState,
  emptyState,
  encodeState,
  isPairingText,
} from '../../src/attention/index.ts';
import { chatEventSchema } from '../../src/protocol/chat-event.ts';
import {
  DIRECTEDNESS,
  INBOUND_DECISIONS,
  INJECTION_MODES,
  INTENTS,
  POLICIES,
  PRIORITIES,
  REASONS,
} from '../../src/protocol/vocabulary.ts';
import { chat, foldAll, recordsOf, rosterOf, specs } from './chat.ts';
import { cases } from '../long.ts';

const RUNS = { numRuns: cases(100, 300) };

describe('the arbitrary chat', () => {
  it('is made of events the schema accepts, of all fourteen types', () => {
    const types = new Set<string>();
    fc.assert(
      fc.property(chat(), ({ records }) => {
        for (const { event } of records) {
          types.add(event.type);
          expect(chatEventSchema.safeParse(event).error).toBeUndefined();
        }
      }),
      { numRuns: 60 },
    );
    expect(types.size).toBe(14);
  });
});

describe('the fold', () => {
  it('may be cut anywhere and resumed from its stored state', () => {
    fc.assert(
      fc.property(chat(), fc.array(fc.nat({ max: 60 }), { maxLength: 8 }), (drawn, cuts) => {
        const straight = foldAll(drawn);
        const cut = foldAll(drawn, (state, index) =>
          cuts.includes(index) ? decodeState(encodeState(state)) : state,
        );
        expect(cut).toEqual(straight);
      }),
      RUNS,
    );
  });

  it('stores and restores its state to the last digit', () => {
    fc.assert(
      fc.property(chat(), (drawn) => {
        foldAll(drawn, (state) => {
          const stored = encodeState(state);
          expect(decodeState(stored)).toStrictEqual(state);
          expect(encodeState(decodeState(stored))).toBe(stored);
          return state;
        });
      }),
      { numRuns: 100 },
    );
  });

  it('never throws on events the schema accepts', () => {
    fc.assert(
      fc.property(chat(undefined, 200), (drawn) => void foldAll(drawn)),
      RUNS,
    );
  });

  it('does not touch its input: state, record and roster are frozen all the way down', () => {
    fc.assert(
      fc.property(chat(undefined, 30), (drawn) => {
        freeze(drawn);
        foldAll(drawn, (state) => freeze(state));
      }),
      RUNS,
    );
  });

  it('gives the same for the same input', () => {
    fc.assert(
      fc.property(chat(), (drawn) => {
        expect(foldAll(drawn)).toEqual(foldAll(drawn));
      }),
      { numRuns: 100 },
    );
  });

  it('keeps conversations apart: whatever happens elsewhere changes nothing here', () => {
    fc.assert(
      fc.property(specs(40), specs(40), fc.infiniteStream(fc.boolean()), (here, elsewhere, order) => {
        const places = [
          { id: 'C1', kind: 'channel' as const },
          { id: 'C2', kind: 'thread' as const, parentId: 'C1' },
        ] as const;
        const [left, right] = [
          { records: recordsOf(here, places[0]), roster: rosterOf('default', places[0]) },
          { records: recordsOf(elsewhere, places[1]), roster: rosterOf('default', places[1]) },
        ];
        const alone = [foldAll(left), foldAll(right)];
        // The same records, now in one stream, as a host with both conversations would see them.
        const sides = [left, right].map((side) => ({
          ...side,
          state: emptyState(),
          steps: [] as unknown[],
          next: 0,
        }));
        const [one, other] = sides;
        if (one === undefined || other === undefined) throw new Error('two conversations');
        while (one.next < one.records.length || other.next < other.records.length) {
          const pick = order.next().value ? one : other;
          const side = pick.next < pick.records.length ? pick : pick === one ? other : one;
          const record = side.records[side.next++];
          if (record === undefined) break;
          const { state, decisions, effects } = attend(side.state, record, side.roster);
          side.state = state;
          side.steps.push({ decisions, effects });
        }
        expect(sides.map(({ state, steps }) => ({ state, steps }))).toEqual(alone);
      }),
      { numRuns: 150 },
    );
  });
});

const check = (name: string, holds: (decision: Decision, authorId: string, type: string) => void): void => {
  it(name, () => {
    fc.assert(
      fc.property(chat(), (drawn) => {
        foldAll(drawn).steps.forEach(({ decisions }, index) => {
          const event = drawn.records[index]?.event;
          if (event === undefined) return;
          for (const decision of decisions) holds(decision, event.author.id, event.type);
        });
      }),
      RUNS,
    );
  });
};

describe('every decision', () => {
  check('is whole: its words are the protocol’s, with a policy, a mode and a trace', (decision) => {
    // One comparison for all fields: there are hundreds of thousands of decisions.
    const known =
      POLICIES.includes(decision.policy) &&
      INJECTION_MODES.includes(decision.mode) &&
      DIRECTEDNESS.includes(decision.directedness) &&
      INBOUND_DECISIONS.includes(decision.decision) &&
      REASONS.includes(decision.reason) &&
      INTENTS.includes(decision.intent) &&
      PRIORITIES.includes(decision.priority);
    const { rung, row, facts } = decision.trace;
    if (!known || decision.eventId === '' || !rung || !row || typeof facts !== 'object') {
      expect.fail(JSON.stringify(decision));
    }
  });

  check('that is digested must not be answered', ({ mode, policy }) => {
    if (mode === 'digest' || mode === 'silent') expect(policy).not.toMatch(/^m(?:ust|ay)_respond$/);
    if (mode === 'digest') expect(policy).toBe('must_not_respond');
  });

  check('that must be answered is one the agent gets to see', ({ mode, policy, decision }) => {
    if (policy !== 'must_respond') return;
    expect(['immediate', 'buffered', 'notify']).toContain(mode);
    expect(decision).toBe('engage');
  });

  check('is about somebody else’s words', ({ agent, policy, reason }, authorId, type) => {
    if (reason === 'claimed') return; // the claimant’s own act; the next test has the event claimed
    if (['message', 'reaction', 'progress'].includes(type)) expect(agent).not.toBe(authorId);
    else if (type === 'edit') expect(agent).not.toBe(authorId);
    else if (type === 'delete' && agent === authorId) expect(policy).toBe('must_not_respond');
  });

  // Rex ignores dan. A withdrawal is nobody's words; everything else of dan's is refused.
  check('about the words of somebody denied is a refusal', ({ agent, decision, reason }, authorId) => {
    if (agent !== 'rex' || authorId !== 'dan' || reason === 'deleted' || reason === 'edited_away') return;
    expect(['denied', 'claim']).toContain(decision);
  });

  it('of a claim is about somebody else’s words too', () => {
    fc.assert(
      fc.property(chat(), (drawn) => {
        const authors = new Map<string, string>();
        foldAll(drawn).steps.forEach(({ decisions }, index) => {
          const event = drawn.records[index]?.event;
          for (const { refersTo, agent, reason } of decisions) {
            // Ten messages are remembered. The host says whose the older and the deleted ones were.
            const known = [...authors.keys()].slice(-10);
            if (reason === 'claimed' && refersTo !== undefined && known.includes(refersTo)) {
              expect(authors.get(refersTo)).not.toBe(agent);
            }
          }
          // A pairing code and a message that every agent refuses are not remembered; a deleted message is forgotten.
          const refused = decisions.length > 0 && decisions.every(({ decision }) => decision === 'denied');
          if (event?.type === 'message' && !refused && !isPairingText(event.text ?? '')) {
            authors.set(event.eventId, event.author.id);
          } else if (event?.type === 'delete' && authors.has(event.targetEventId)) {
            authors.set(event.targetEventId, 'forgotten');
          }
        });
      }),
      RUNS,
    );
  });

  check(
    'that is denied or a pairing code is silent and without context',
    ({ decision, mode, context, notice }) => {
      if (decision !== 'denied' && decision !== 'claim') return;
      expect([mode, context, notice]).toEqual(['silent', 'none', undefined]);
    },
  );
});

function refuse(): never {
  throw new TypeError('a frozen collection was changed');
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    if (value instanceof Map || value instanceof Set) {
      for (const verb of ['add', 'set', 'delete', 'clear']) {
        if (!Object.hasOwn(value, verb)) Reflect.defineProperty(value, verb, { value: refuse });
      }
      for (const [key, entry] of value.entries()) {
        freeze(key);
        freeze(entry);
      }
    }
    for (const part of Object.values(value)) freeze(part);
  }
  return value;
}
