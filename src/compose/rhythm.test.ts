import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  COMPOSE_DEFAULTS,
  type ComposeOptions,
  GAP_EDGES_MS,
  RHYTHM_LIMITS,
  type Rhythm,
  WINDOW_EDGES_MS,
  addsWithinMs,
  compose,
  goesOnMs,
  initialCompose,
  noteAnswered,
  noteSaid,
  wakeAt,
} from './index.ts';

/** Somebody who says a line after each of the gaps. */
function rhythmOf(gaps: readonly number[], { answered = false } = {}): Rhythm {
  let at = 0;
  let rhythm = noteSaid(undefined, at);
  for (const gap of gaps) {
    at += gap;
    rhythm = noteSaid(answered ? noteAnswered(rhythm) : rhythm, at);
  }
  return rhythm;
}

const MINUTES = 5 * 60_000;

describe('how somebody writes', () => {
  it('is unknown until they have said a few lines', () => {
    expect(goesOnMs(undefined)).toBeUndefined();
    expect(goesOnMs(rhythmOf([3_000, 3_000]))).toBeUndefined();
    expect(goesOnMs(rhythmOf([3_500, 3_500, 3_500]))).toBe(4_000);
  });

  it('is nothing to wait for when they say a line and wait, or go on later than any window', () => {
    expect(goesOnMs(rhythmOf([MINUTES, MINUTES, MINUTES, 40_000]))).toBeUndefined();
    expect(goesOnMs(rhythmOf([6_000, 7_000, 8_000, 6_000]))).toBeUndefined();
  });

  it('covers nine of ten of the gaps after which they went on', () => {
    const gaps = [1_500, 1_500, 3_500, MINUTES, 3_500, 1_500, 3_500, MINUTES, 1_500, 5_000, 3_500, 1_500];
    expect(goesOnMs(rhythmOf(gaps))).toBe(4_000);
  });

  it('is told apart where it takes longer than a window may wait', () => {
    const slowly = [8_000, 8_000, 12_000, 8_000];
    expect(addsWithinMs(rhythmOf(slowly))).toBe(15_000);
    expect(goesOnMs(rhythmOf(slowly))).toBeUndefined();
    expect(addsWithinMs(rhythmOf([3_500, 3_500, 3_500]))).toBeUndefined();
    expect(addsWithinMs(rhythmOf([MINUTES, MINUTES, MINUTES, MINUTES, 8_000]))).toBeUndefined();
    expect(addsWithinMs(rhythmOf(slowly, { answered: true }))).toBeUndefined();
    expect(addsWithinMs(undefined)).toBeUndefined();
  });

  it('holds an answer back only for those who add to three lines in ten', () => {
    const inTen = (added: number): number[] =>
      Array.from({ length: 10 }, (_, line) => (line < added ? 8_000 : MINUTES));
    expect(addsWithinMs(rhythmOf(inTen(3)))).toBe(10_000);
    expect(addsWithinMs(rhythmOf(inTen(2)))).toBeUndefined();
    // A window costs less, so one line in four is enough for it.
    const inFour = [3_500, MINUTES, MINUTES, MINUTES];
    expect(goesOnMs(rhythmOf(inFour))).toBe(4_000);
    expect(addsWithinMs(rhythmOf(inFour.map((gap) => Math.max(gap, 8_000))))).toBeUndefined();
  });

  it('knows an answer from a pause: what follows it is no fragment, however quick', () => {
    expect(goesOnMs(rhythmOf([3_000, 3_000, 3_000, 3_000], { answered: true }))).toBeUndefined();
  });

  it('follows somebody who changes their ways', () => {
    const alone = Array.from({ length: 200 }, () => MINUTES);
    const inPieces = Array.from({ length: RHYTHM_LIMITS.fullLines }, () => 4_500);
    expect(goesOnMs(rhythmOf([...alone, ...inPieces]))).toBe(5_000);
    expect(goesOnMs(rhythmOf([...inPieces, ...alone]))).toBeUndefined();
  });

  it('stays small and says one of the edges, whatever the gaps', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(60_000), { maxLength: 200, size: 'max' }), (gaps) => {
        const rhythm = rhythmOf(gaps);
        expect(rhythm.lines).toBeLessThanOrEqual(RHYTHM_LIMITS.fullLines);
        expect(rhythm.gaps.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(rhythm.lines);
        expect([undefined, ...WINDOW_EDGES_MS]).toContain(goesOnMs(rhythm));
        expect([undefined, ...GAP_EDGES_MS.slice(WINDOW_EDGES_MS.length)]).toContain(addsWithinMs(rhythm));
        expect(rhythmOf(gaps)).toEqual(rhythm);
      }),
    );
  });
});

/** How long one fragment waits. */
function waitOf(goesOn: number | undefined, options: Partial<ComposeOptions> = {}): number {
  const said = { eventId: 'e1', author: 'human:U1', at: 0, chars: 9, addressee: 'lead' } as const;
  const rhythm = goesOn === undefined ? {} : { goesOnMs: goesOn };
  const { state } = compose(
    initialCompose(),
    { type: 'fragment', ...said, mode: 'buffered', ...rhythm },
    options,
  );
  return wakeAt(state, options) ?? Number.NaN;
}

describe('the wait for an author', () => {
  it('is the usual one while nobody knows how they write', () => {
    expect(waitOf(undefined)).toBe(2_000);
  });

  it('is what they need, and never shorter than usual', () => {
    expect(waitOf(4_000)).toBe(4_000);
    expect(waitOf(1_000)).toBe(2_000);
  });

  it('has a limit that goes with the usual wait', () => {
    expect(waitOf(30_000)).toBe(5_000);
    expect(waitOf(30_000, { quietMs: 50 })).toBe(125);
  });

  it('ends as usual when they stop typing without a word', () => {
    const said = { eventId: 'e1', author: 'human:U1', at: 0, chars: 9, addressee: 'lead' } as const;
    let { state } = compose(initialCompose(), {
      type: 'fragment',
      ...said,
      mode: 'buffered',
      goesOnMs: 30_000,
    });
    ({ state } = compose(state, { type: 'typing', author: 'human:U1', typing: true, at: 500 }));
    expect(wakeAt(state)).toBe(8_500);
    ({ state } = compose(state, { type: 'typing', author: 'human:U1', typing: false, at: 1_500 }));
    expect(wakeAt(state)).toBe(COMPOSE_DEFAULTS.quietMs);
  });

  it('is that of the latest fragment, and never beyond 30 s from the first', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ gap: fc.nat(19_000), goesOn: fc.constantFrom(undefined, ...GAP_EDGES_MS) }), {
          minLength: 1,
          maxLength: 12,
        }),
        (lines) => {
          let state = initialCompose();
          let at = 0;
          const firsts = new Map<string, number>();
          const ends = (until: number): void => {
            for (let next = wakeAt(state); next !== null && next <= until; ) {
              const folded = compose(state, { type: 'tick', at: next });
              for (const output of folded.outputs) {
                if (output.type !== 'inject') continue;
                const first = firsts.get(output.eventIds[0] ?? '') ?? Number.NaN;
                expect(next - first).toBeLessThanOrEqual(COMPOSE_DEFAULTS.maxWindowMs);
              }
              state = compose(folded.state, { type: 'turn_ended', at: next }).state;
              next = wakeAt(state);
            }
          };
          for (const [n, { gap, goesOn }] of lines.entries()) {
            at += gap;
            ends(at);
            firsts.set(`e${n}`, at);
            const said = { eventId: `e${n}`, author: 'human:U1', at, chars: 9, addressee: 'lead' } as const;
            const rhythm = goesOn === undefined ? {} : { goesOnMs: goesOn };
            const input = { type: 'fragment', ...said, mode: 'buffered', ...rhythm } as const;
            ({ state } = compose(state, input));
          }
          ends(Number.POSITIVE_INFINITY);
          expect(state.windows).toEqual([]);
        },
      ),
    );
  });
});
