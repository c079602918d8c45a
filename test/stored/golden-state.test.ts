// Stored attention state is read as it was meant, whatever is added to the lists of words. Rungs are planted here, as a
// newcomer would add one, to see that the golden check notices.
import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { LADDER, type RungId } from '../../src/attention/directedness.ts';
import * as codec from '../../src/attention/state-codec.ts';
import * as codes from '../../src/attention/state-codes.ts';
import {
  type AttentionState,
  type LoopAsk,
  type LoopCause,
  STATE_VERSION,
  emptyState,
} from '../../src/attention/state.ts';
import {
  AUTHOR_KINDS,
  type AuthorKind,
  type ConversationMode,
  MODES,
} from '../../src/protocol/vocabulary.ts';
import { fullState } from '../properties/full-state.ts';
import {
  GOLDEN_VERSIONS,
  goldenOf,
  goldenProblems,
  type StateFormat,
  type StoredWords,
} from './golden-state.ts';

const RULE = 'a stored format changes only with a migration or a new version (CONTRIBUTING.md)';

const rungs: readonly string[] = LADDER.map(({ id }) => id);
const words: StoredWords = {
  rungs,
  modes: MODES,
  kinds: AUTHOR_KINDS,
  causes: Object.keys(codes.CAUSE_CODES.codes),
  asks: Object.keys(codes.ASK_CODES.codes),
  notches: Object.keys(codes.NOTCH_CODES.codes),
};

describe('the golden states', () => {
  it('are read as what they were and written as what they were, word for word', () => {
    expect(goldenProblems(codec, words, STATE_VERSION), RULE).toEqual([]);
  });

  it('are there for every version that was ever stored', () => {
    expect(GOLDEN_VERSIONS).toEqual(Array.from({ length: STATE_VERSION }, (_, index) => index + 1));
  });

  it('fill every list, with both values of every flag', () => {
    const states = goldenOf(STATE_VERSION).map(({ state }) => state);
    const lists = Object.keys(emptyState()).filter((name) => Array.isArray(emptyState()[name as 'asks']));
    for (const name of lists) {
      expect(Math.max(...states.map((state) => state[name as 'asks'].length)), name).toBeGreaterThan(1);
    }
    expect(states.some(({ root }) => root === null) && states.some(({ root }) => root !== null)).toBe(true);
    const flags = (pick: (state: AttentionState) => readonly boolean[]): number =>
      new Set(states.flatMap(pick)).size;
    expect(flags(({ speakers }) => speakers.map(({ spokeLast }) => spokeLast))).toBe(2);
    expect(flags(({ speakers }) => speakers.map(({ partner }) => partner === ''))).toBe(2);
    expect(flags(({ agents }) => agents.map(({ disengaged }) => disengaged))).toBe(2);
    const pairs = states.flatMap(({ loop }) => loop.pairs);
    expect(new Set(pairs.map(({ last, a }) => (last === '' ? 'nobody' : last === a))).size).toBe(3);
    expect(Math.max(...states.map(({ loop }) => loop.peers.at.length))).toBeGreaterThan(1);
    expect(flags(({ membership }) => (membership === null ? [] : [membership.complete]))).toBe(2);
    expect(flags(({ root }) => (root === null ? [] : [root.othersSpoke]))).toBe(2);
  });
});

const PLANTED = 'new_rule';
const positions = Array.from({ length: LADDER.length + 1 }, (_, index) => index);
const plantedAt = (position: number): string[] => rungs.toSpliced(position, 0, PLANTED);

/** The codec of a source tree in which the codes of the rungs are these. */
async function codecWith(rungCodes: Record<string, number>): Promise<StateFormat> {
  vi.resetModules();
  vi.doMock('../../src/attention/state-codes.ts', () => ({
    ...codes,
    RUNG_CODES: new codes.CodeTable('rung', rungCodes),
  }));
  return import('../../src/attention/state-codec.ts');
}

afterEach(() => {
  vi.doUnmock('../../src/attention/state-codes.ts');
  vi.doUnmock('../../src/attention/directedness.ts');
  vi.resetModules();
});

describe('a rung inserted into the ladder', () => {
  it.each(positions)(
    'at place %i fails the golden check, until it has a code and a golden state',
    (place) => {
      expect(goldenProblems(codec, { ...words, rungs: plantedAt(place) }, STATE_VERSION)).toEqual([
        `${PLANTED}: no golden state shows this of the rungs`,
      ]);
    },
  );

  it.each(positions)('at place %i, with codes by position, fails the golden check', async (place) => {
    const planted = plantedAt(place);
    const byPosition = await codecWith(Object.fromEntries(planted.map((id, code) => [id, code])));
    const problems = goldenProblems(byPosition, { ...words, rungs: planted }, STATE_VERSION);
    expect(problems.length).toBeGreaterThan(0);
    // At the end its position is the next free code: then nothing is misread, and only its golden state is missing.
    const misread = problems.filter((problem) => !problem.startsWith(PLANTED));
    if (place < rungs.length) expect(misread).not.toEqual([]);
    else expect(misread).toEqual([]);
  });

  it.each(positions)('at place %i of the ladder itself, changes nothing that is stored', async (place) => {
    vi.resetModules();
    vi.doMock('../../src/attention/directedness.ts', () => ({
      LADDER: LADDER.toSpliced(place, 0, { ...LADDER[0], id: PLANTED } as never),
    }));
    const planted = await import('../../src/attention/state-codec.ts');
    expect(goldenProblems(planted, words, STATE_VERSION)).toEqual([]);
  });

  it('with the next free code is read again, and by the code before it refused, not misread', async () => {
    const { codes: today } = codes.RUNG_CODES;
    const planted = await codecWith({ ...today, [PLANTED]: Object.keys(today).length });
    expect(goldenProblems(planted, words, STATE_VERSION)).toEqual([]);
    const state = structuredClone(fullState());
    const window = { ...state.windows[0], addressed: [{ agent: '@lead', rung: PLANTED }] };
    const stored = planted.encodeState({ ...state, windows: [window] } as never);
    expect(planted.decodeState(stored).windows).toEqual([window]);
    expect(() => codec.decodeState(stored)).toThrow('rung code 18 is not known');
  });
});

describe('the codes', () => {
  it('are given once, without gaps', () => {
    for (const { codes: given } of [
      codes.RUNG_CODES,
      codes.MODE_CODES,
      codes.AUTHOR_KIND_CODES,
      codes.CAUSE_CODES,
      codes.CAUSE_CODES_V1,
      codes.ASK_CODES,
      codes.NOTCH_CODES,
    ]) {
      const numbers = Object.values<number>(given).toSorted((a, b) => a - b);
      expect(numbers).toEqual(numbers.map((_, index) => index));
    }
    expect(() => new codes.CodeTable('rung', { a: 1, b: 1 })).toThrow('given twice');
  });

  it('are there for exactly the words there are: a new one without a code is a type error', () => {
    expectTypeOf<keyof typeof codes.RUNG_CODES.codes>().toEqualTypeOf<RungId>();
    expectTypeOf<keyof typeof codes.MODE_CODES.codes>().toEqualTypeOf<ConversationMode>();
    expectTypeOf<keyof typeof codes.AUTHOR_KIND_CODES.codes>().toEqualTypeOf<AuthorKind>();
    expectTypeOf<keyof typeof codes.CAUSE_CODES.codes>().toEqualTypeOf<LoopCause>();
    expectTypeOf<keyof typeof codes.ASK_CODES.codes>().toEqualTypeOf<LoopAsk>();
    expect(Object.keys(codes.RUNG_CODES.codes).toSorted()).toEqual(rungs.toSorted());
  });
});

const NO_PAIR = {
  atMin: 0,
  openA: 0,
  openB: 0,
  ask: 'again' as const,
  passed: 0,
  asked: '',
  figures: '',
  about: '',
};
const told = (...parts: unknown[]): AttentionState => codec.decodeState(JSON.stringify(parts));

describe('damaged text', () => {
  const [, everything] = goldenOf(STATE_VERSION);
  const stored = everything?.stored ?? '';

  it('is refused wherever it is cut, and never read as something else', () => {
    for (let end = 0; end < stored.length; end++) {
      expect(() => codec.decodeState(stored.slice(0, end))).toThrow();
      const closed = `${stored.slice(0, end)}"]`;
      if (closed !== stored) expect(() => codec.decodeState(closed), String(end)).toThrow();
    }
  });

  it('is refused with a part missing, a number too many, an unknown code or key', () => {
    const [version, keys, names, numbers] = JSON.parse(stored) as [number, string, string[], string];
    const full = numbers.split(' ');
    expect(told(version, keys, names, numbers)).toEqual(everything?.state);
    for (const parts of [
      [],
      [0, keys, names, numbers],
      ['1', keys, names, numbers],
      [version],
      [version, keys, names],
      [version, keys, names, numbers, ''],
      [version, keys, names, `${numbers} 0`],
      [version, keys, names, full.slice(0, -1).join(' ')],
      [version, keys, names, `${numbers.slice(0, -1)}.`],
      [version, keys, names, numbers.replace(' ', '  ')],
      [version, keys, names, numbers.replace(' ', ' - ')],
      [version, keys, names.slice(1), numbers],
      [version, keys, [...names, 'one more'], numbers],
      [version, keys.slice(0, keys.lastIndexOf(' ')), names, numbers],
      [version, null, names, numbers],
      [version, keys, names, null],
    ]) {
      expect(() => told(...parts), JSON.stringify(parts).slice(0, 80)).toThrow();
    }
  });

  it('is refused for every code that stands for nothing', () => {
    const state = { ...emptyState(), at: 1, seq: 1, n: 1 };
    const speaker = fullState().speakers.slice(0, 1);
    const kind = codec.encodeState({ ...state, speakers: speaker, last: speaker[0]?.key ?? '' });
    // kind 2 with all three flags is 2 + 3 * 7 = n; 3 more would be a flag that there is not.
    expect(kind).toContain(' n ');
    expect(() => codec.decodeState(kind.replace(' n ', ' q '))).toThrow('flags');
    const agents = [
      { key: '@a', mode: 'left' as const, spokeN: 0, disengaged: false, batchAt: 0, dial: null },
    ];
    const mode = codec.encodeState({ ...state, agents });
    expect(() => codec.decodeState(mode.replace(' 1 8 -1', ' 1 a -1'))).toThrow('mode code 4');
    const dial = { notch: 'keen' as const, from: 20 };
    const turned = codec.encodeState({ ...state, agents: agents.map((agent) => ({ ...agent, dial })) });
    // keen is code 2 beside 20 times 8: 1 + 2 + 160 is 4j. One more is a notch that there is not.
    expect(() => codec.decodeState(turned.replace(' 4j ', ' 4k '))).toThrow('notch code 3');
    const pair = { ...NO_PAIR, a: '@a', b: '@b', last: '@b', stopped: 'told' as const, count: 7 };
    const stopped = codec.encodeState({ ...state, loop: { ...state.loop, pairs: [pair] } });
    // The second spoke last, nothing is open, code 0 of asks, code 2 of causes: 2 + 3 * 4 * 4 * 4 * 3 is g2. One more of
    // the last is a cause that there is not.
    expect(() => codec.decodeState(stopped.replace(' g2 0 7 0 ', ' le 0 7 0 '))).toThrow('loop cause code 3');
    const [version1 = ''] = goldenOf(1).flatMap(({ name, stored: text }) =>
      name.endsWith('pair_rate') ? [text] : [],
    );
    expect(() => codec.decodeState(version1.replace(' 4 b ', ' 4 d '))).toThrow('loop cause code 5');
  });

  it('of a newer version is refused by name, so that nothing writes over it', () => {
    const newer = stored.replace(`[${STATE_VERSION},`, `[${STATE_VERSION + 1},`);
    expect(() => codec.decodeState(newer)).toThrow(codec.NewerState);
    expect(() => codec.decodeState(newer)).toThrow('start the Earshot that wrote it');
  });
});
