// The small parts of the fold by themselves: exchanges, the human count, credits.
import { describe, expect, it } from 'vitest';
import { emptyState } from '../../src/attention/index.ts';
import {
  type LineKind,
  converse,
  endExchanges,
  liveExchange,
  effectiveHumans,
  noteSpeaker,
} from '../../src/attention/participants.ts';
import { limitsSchema } from '../../src/attention/settings.ts';
import { type AttentionState, closeDraft, findSpeaker, openDraft } from '../../src/attention/state.ts';
import { DAY, HOUR, MINUTE, T0, room } from '../attention/room.ts';

const limits = limitsSchema.parse({});
const human = (key: string, displayName?: string) => ({ key, kind: 'human' as const, displayName });

/** These people, the last one the most recent. */
function heardFrom(keys: readonly string[], at = T0): AttentionState {
  const draft = openDraft(emptyState());
  for (const key of keys) noteSpeaker(draft, human(key), at);
  return closeDraft(draft);
}

/** `from` has spoken to `to`. */
function talked(state: AttentionState, from: string, to: string, inferred = false): AttentionState {
  const draft = openDraft(state);
  converse(draft, from, to, T0, inferred);
  return closeDraft(draft);
}

const paired = (inferred = false) => talked({ ...heardFrom(['b', 'a']), n: 10 }, 'a', 'b', inferred);
const at = (state: AttentionState, who: string, ago: number, later = 0) =>
  liveExchange({ ...state, n: 10 + ago }, who, T0 + later, limits, 'tells');

const live = (ago: number, line: LineKind): boolean =>
  liveExchange({ ...paired(), n: 10 + ago }, 'a', T0, limits, line) !== undefined;

describe('an exchange', () => {
  it('is owed by the one spoken to for 20 messages, followed up by the speaker for 8', () => {
    expect([at(paired(), 'b', 19)?.turn, at(paired(), 'b', 20)]).toEqual(['owes', undefined]);
    expect([at(paired(), 'a', 7)?.turn, at(paired(), 'a', 8)]).toEqual(['follow_up', undefined]);
  });

  it('is followed up by a question for 6, and by a bare question mark for 20', () => {
    expect([live(5, 'asks'), live(6, 'asks')]).toEqual([true, false]);
    expect([live(19, 'nudges'), live(20, 'nudges')]).toEqual([true, false]);
  });

  it('is over after two hours', () => {
    expect(at(paired(), 'b', 1, 2 * HOUR)).toBeDefined();
    expect(at(paired(), 'b', 1, 2 * HOUR + MINUTE)).toBeUndefined();
  });

  it('goes to the last partner, whoever it is', () => {
    const state = talked({ ...paired(), n: 11 }, 'c', 'a');
    expect(liveExchange(state, 'a', T0, limits, 'tells')?.partner).toBe('c');
  });

  it('that is only inferred takes nobody away from another', () => {
    const busy = talked({ ...heardFrom(['c', 'b', 'a']), n: 10 }, 'b', 'c');
    const guessed = talked({ ...busy, n: 11 }, 'a', 'b', true);
    expect(findSpeaker(guessed, 'b')?.partner).toBe('c');
    expect(findSpeaker(talked({ ...busy, n: 11 }, 'a', 'b'), 'b')?.partner).toBe('a');
  });

  it('with oneself is none, and ending one ends both sides', () => {
    expect(talked(paired(), 'a', 'a')).toEqual(paired());
    const ended = endExchanges(paired(), 'b');
    expect([at(ended, 'a', 0), at(ended, 'b', 0)]).toEqual([undefined, undefined]);
  });
});

describe('the human count', () => {
  interface Case {
    spoke: readonly string[];
    read?: { humans: number; complete: boolean; ageMs: number };
    author?: string;
    parent?: number;
    want: { count: number; fresh: boolean; known: boolean };
  }
  const fresh = { complete: true, ageMs: 0 };
  const cases: [string, Case][] = [
    ['nobody before', { spoke: [], want: { count: 1, fresh: false, known: false } }],
    ['two spoke', { spoke: ['a', 'b'], want: { count: 2, fresh: false, known: false } }],
    [
      'fresh and complete, more',
      { spoke: ['a'], read: { humans: 3, ...fresh }, want: { count: 3, fresh: true, known: true } },
    ],
    [
      'fresh and complete, fewer',
      { spoke: ['a', 'b'], read: { humans: 1, ...fresh }, want: { count: 1, fresh: true, known: true } },
    ],
    [
      'truncated, fewer',
      {
        spoke: ['a', 'b'],
        read: { humans: 1, complete: false, ageMs: 0 },
        want: { count: 2, fresh: false, known: true },
      },
    ],
    [
      'truncated, more',
      {
        spoke: ['a'],
        read: { humans: 9, complete: false, ageMs: 0 },
        want: { count: 9, fresh: false, known: true },
      },
    ],
    [
      'stale, fewer',
      {
        spoke: ['a', 'b'],
        read: { humans: 1, complete: true, ageMs: 60_000 },
        want: { count: 2, fresh: false, known: true },
      },
    ],
    [
      'stale, more',
      {
        spoke: ['a'],
        read: { humans: 4, complete: true, ageMs: 60_000 },
        want: { count: 4, fresh: false, known: true },
      },
    ],
    [
      'just fresh',
      {
        spoke: ['a', 'b'],
        read: { humans: 1, complete: true, ageMs: 59_999 },
        want: { count: 1, fresh: true, known: true },
      },
    ],
    [
      'an unseen author makes an older read stale',
      {
        spoke: ['a'],
        author: 'z',
        read: { humans: 1, complete: true, ageMs: 1 },
        want: { count: 2, fresh: false, known: true },
      },
    ],
    [
      'a read made with the unseen author’s message stands',
      {
        spoke: ['a'],
        author: 'z',
        read: { humans: 1, ...fresh },
        want: { count: 1, fresh: true, known: true },
      },
    ],
    ['the parent room has more', { spoke: ['a'], parent: 5, want: { count: 5, fresh: false, known: false } }],
    [
      'a fresh read of the thread beats the parent room',
      {
        spoke: ['a'],
        parent: 5,
        read: { humans: 1, ...fresh },
        want: { count: 1, fresh: true, known: true },
      },
    ],
  ];

  it.each(cases)('is right: %s', (_what, { spoke, read, author = 'a', parent, want }) => {
    const said = room().say('x', 'y').record;
    const facts = {
      ...(read && {
        membership: { humans: read.humans, agents: 1, complete: read.complete, at: T0 - read.ageMs },
      }),
      ...(parent !== undefined && { parent: { humans: parent } }),
    };
    const record = { ...said, at: T0, facts };
    expect(effectiveHumans(heardFrom(spoke), record, human(author), limits)).toEqual(want);
  });

  it('still counts those who were forgotten to keep state small, for 7 days', () => {
    const crowd = heardFrom(Array.from({ length: 60 }, (_, i) => `h${i}`));
    const count = (later: number): number => {
      const record = { ...room().say('x', 'y').record, at: T0 + later, facts: {} };
      return effectiveHumans(crowd, record, human('h59'), limits).count;
    };
    expect(count(0)).toBe(60);
    expect(count(8 * DAY)).toBe(1);
  });
});
