import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../protocol/operator-api.ts';
import { Folds } from './folds.ts';

/** m: a message. s: a sign. f: a failed turn. */
function rows(text: string): LogEntry[] {
  const made = { m: { type: 'message' }, s: { type: 'typing' }, f: { type: 'turn', outcome: 'failed' } };
  return Array.from(text, (char) => made[char as keyof typeof made] as LogEntry);
}

/** What the screen shows: indexes of rows, and "n+" where n signs are folded. */
function screen(folds: Folds, count: number, first = 0): (number | string)[] {
  return Array.from({ length: folds.shownOf(count) }, (_, place) => {
    const shown = folds.at(place, first);
    return shown.kind === 'row' ? shown.index : `${shown.run.length}${shown.run.open ? '-' : '+'}`;
  });
}

describe('folded signs', () => {
  it('are one row, and a failed turn is none of them', () => {
    const folds = new Folds();
    folds.note(0, rows('mssmsfm'));
    expect(screen(folds, 7)).toEqual([0, '2+', 3, '1+', 5, 6]);
  });

  it('open and close again', () => {
    const folds = new Folds();
    folds.note(0, rows('mssm'));
    folds.toggle(1);
    expect(screen(folds, 4)).toEqual([0, '2-', 1, 2, 3]);
    folds.toggle(1);
    expect(screen(folds, 4)).toEqual([0, '2+', 3]);
  });

  it('are joined over the border of two pages, in whatever order these come, and once', () => {
    const folds = new Folds();
    folds.note(4, rows('sm'));
    folds.note(0, rows('mmss'));
    folds.note(0, rows('mmss'));
    expect(screen(folds, 6)).toEqual([0, 1, '3+', 5]);
  });

  it('know the place of every row, in a log that does not begin at 0', () => {
    const folds = new Folds();
    folds.note(10, rows('msssmmsm'));
    for (const toggled of [undefined, 11]) {
      if (toggled !== undefined) folds.toggle(toggled);
      screen(folds, 8, 10).forEach((shown, place) => {
        if (typeof shown === 'number') expect(folds.placeOf(shown, 10).place).toBe(place);
      });
    }
    expect(screen(folds, 8, 10)).toEqual([10, '3-', 11, 12, 13, 14, 15, '1+', 17]);
    expect(folds.placeOf(16, 10)).toEqual({ place: 7, foldsAbove: 1 });
    expect(folds.foldsBefore(8, 10)).toBe(2);
  });

  it('stay rows when they are what somebody looks for', () => {
    const folds = new Folds(false);
    folds.note(0, rows('mssm'));
    expect(screen(folds, 4)).toEqual([0, 1, 2, 3]);
  });
});
