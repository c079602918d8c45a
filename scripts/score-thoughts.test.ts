// How thoughts are counted: what a thought is, when the model of the virtual clock answers, and whom that waits for. The
// rooms are invented; docs/scoring.md has the figures of real ones.
import { describe, expect, it } from 'vitest';
import type { AddresseeRow } from './labelled-rooms.ts';
import { type Delivered, scoreThoughts, thoughtsIn, turnsOf } from './score-thoughts.ts';

const MODEL_MS = 10_000;
const line = (at: number, author: string, more: Partial<Delivered> = {}): Delivered => ({
  line: at,
  author,
  at: at * 1_000,
  chars: 9,
  leadIn: [],
  goesOnMs: undefined,
  addsWithinMs: undefined,
  ...more,
});
const turns = (...delivered: Delivered[]) =>
  turnsOf(delivered, MODEL_MS).map(({ lines, answeredMs }) => ({ lines, answeredMs }));

describe('the model of the virtual clock', () => {
  it('begins when a window is over, and what comes later is another turn', () => {
    expect(turns(line(0, 'ann'), line(20, 'ann'))).toEqual([
      { lines: [0], answeredMs: 12_000 },
      { lines: [20], answeredMs: 12_000 },
    ]);
  });

  it('holds an answer back for who adds to what they said, and begins again with it', () => {
    const adds = { addsWithinMs: 30_000 };
    expect(turns(line(0, 'ann', adds), line(20, 'ann', adds))).toEqual([
      { lines: [0, 20], answeredMs: 30_000 },
    ]);
  });

  it('answers at once when somebody else waits', () => {
    const [held, next] = turns(line(0, 'ann', { addsWithinMs: 30_000 }), line(15, 'ben'));
    expect(held).toEqual({ lines: [0], answeredMs: 15_000 });
    expect(next).toEqual({ lines: [15], answeredMs: 12_000 });
    expect(turns(line(0, 'ann', { addsWithinMs: 30_000 }), line(5, 'ben'))[0]?.answeredMs).toBe(12_000);
  });
});

type Said = [t: number, author: string, addressee: string | null, replyTo?: number];
const rowsOf = (said: readonly Said[]): AddresseeRow[] =>
  said.map(([t, author, addressee, replyTo = null], i) => {
    const text = addressee === null ? 'so I tried it again' : `${addressee}: does it work?`;
    return { session: 'invented', i, t: 1_750_000_001 + t, author, text, addressee, replyTo, ann: 1 };
  });

/** Ann asks in two pieces 15 s apart, ben in one; lead answers each after a while. */
const round = (t: number, at: number): Said[] => [
  [t, 'ann', 'lead'],
  [t + 15, 'ann', 'lead'],
  [t + 60, 'lead', 'ann', at + 1],
  [t + 120, 'ben', 'lead'],
  [t + 180, 'lead', 'ben', at + 3],
];

describe('a thought', () => {
  it('is what somebody says to the same in a row, until they are answered, turn to others or rest', () => {
    const said: Said[] = [
      [0, 'ann', 'lead'],
      [20, 'ann', 'lead'],
      [30, 'ben', 'ann'],
      [40, 'ann', 'lead'],
      [50, 'lead', 'ann', 3],
      [60, 'ann', 'lead'],
      [70, 'ann', 'ben'],
      [80, 'ann', 'lead'],
      [300, 'ann', 'lead'],
    ];
    expect(thoughtsIn(rowsOf(said), 'lead')).toEqual([[0, 1, 3], [5], [7], [8]]);
  });

  it('gets one turn more often where its author is known to talk in pieces, and nobody else waits longer', () => {
    const rows = rowsOf(Array.from({ length: 10 }, (_, n) => round(n * 600, n * 5)).flat());
    const [before, , rhythm] = scoreThoughts(rows);
    // Each of the three plays the agent once: 20 thoughts are for lead, 10 for each of the others, and ann's are in pieces.
    expect(before).toMatchObject({ way: 'before', thoughts: 40, one: 75, several: 25 });
    // She is unknown in the first two rounds.
    expect(rhythm).toMatchObject({ way: 'rhythm', thoughts: 40, one: 95, several: 5 });
    expect(rhythm?.wait.median).toBe(2_000);
  });
});
