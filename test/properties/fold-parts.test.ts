// The small parts of the fold by themselves: exchanges, the human count, loop signatures, credits.
import { describe, expect, it } from 'vitest';
import { emptyState, foldText } from '../../src/attention/index.ts';
import {
  type LineKind,
  converse,
  endExchanges,
  liveExchange,
  effectiveHumans,
  noteSpeaker,
} from '../../src/attention/participants.ts';
import { countTurn, markOf, pairOf, readLoop, resetLoop } from '../../src/attention/loop-guard.ts';
import { limitsSchema } from '../../src/attention/settings.ts';
import { type AttentionState, closeDraft, findSpeaker, openDraft } from '../../src/attention/state.ts';
import { DAY, HOUR, MINUTE, SECOND, T0, room } from '../attention/room.ts';

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

const mark = (text: string): number => markOf(foldText(text));

const run = (turns: readonly { mark?: number; pair?: number; afterMs: number }[], state = emptyState()) => {
  let now = T0;
  let next = state;
  const causes = turns.map(({ mark: said = 0, pair = 1, afterMs }) => {
    now += afterMs;
    const turn = { at: now, pair, mark: said };
    const { cause, level } = readLoop(next.loop, turn, limits);
    next = countTurn(next, turn, cause);
    return cause ?? level;
  });
  return { causes, state: next, now };
};

describe('the loop guard’s parts', () => {
  it.each([
    ['numbers differ', 'retrying upload 3 of 7 now', 'retrying upload 4 of 7 now'],
    ['punctuation and case differ', 'After you, my friend!', 'after you my friend'],
    ['emoji differ', 'thanks so much 🎉', 'thanks so much 🙏🙏'],
    ['the tail differs', 'a b c d e f g h i j k l one', 'a b c d e f g h i j k l two'],
    ['Han without spaces', '请再试一次上传文件 3', '请再试一次上传文件 4'],
  ])('takes two texts for the same where %s', (_what, a, b) => {
    expect(mark(a)).toBe(mark(b));
    expect(mark(a)).not.toBe(0);
  });

  it('takes different words for different, and too little for nothing', () => {
    expect(mark('the build is green')).not.toBe(mark('the build is red now'));
    for (const text of ['', 'done', 'ok done', '42 43 44', '👍👍👍', '好的']) expect(mark(text)).toBe(0);
  });

  it('knows a pair in either direction', () => {
    expect(pairOf('@a', '@b')).toBe(pairOf('@b', '@a'));
    expect(pairOf('@a', '@b')).not.toBe(pairOf('@a', '@c'));
  });

  it('stops at the second round of an exchange of two, and at the third time of one text', () => {
    const round = [1, 2, 1, 2].map((said) => ({ mark: said, afterMs: MINUTE }));
    expect(run(round).causes).toEqual([0, 0, 0, 'repeating']);
    const same = [7, 7, 7].map((said) => ({ mark: said, afterMs: MINUTE }));
    expect(run(same).causes).toEqual([0, 0, 'repeating']);
  });

  it('stops a pair at 20 in a minute even when there is progress, and not 20 of several pairs', () => {
    const progressed = { ...emptyState(), loop: { ...emptyState().loop, progressed: true } };
    const fast = (pairs: number) =>
      run(
        Array.from({ length: 20 }, (_, i) => ({ pair: i % pairs, afterMs: 2 * SECOND })),
        progressed,
      ).causes.at(-1);
    expect([fast(1), fast(2)]).toEqual(['pair_rate', 1]);
  });

  it('stops at 30 in any case', () => {
    const progressed = { ...emptyState(), loop: { ...emptyState().loop, progressed: true } };
    const slow = run(
      Array.from({ length: 30 }, () => ({ afterMs: 2 * HOUR })),
      progressed,
    );
    expect(slow.causes.indexOf('hard_limit')).toBe(29);
  });

  it('a human passing by resets all but the day’s count; one who addresses an agent resets that too', () => {
    const { state, now } = run(Array.from({ length: 9 }, () => ({ afterMs: SECOND })));
    const reading = (addressed: boolean) => {
      const reset = resetLoop(state, now + SECOND, addressed);
      return {
        ...readLoop(reset.loop, { at: now + 2 * SECOND, pair: 1, mark: 0 }, limits),
        kept: reset.loop.turns.length,
      };
    };
    expect(reading(false)).toEqual({ level: 0, cause: null, count: 1, kept: 9 });
    expect(reading(true)).toEqual({ level: 0, cause: null, count: 1, kept: 0 });
  });
});
