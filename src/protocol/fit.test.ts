import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { charStart, fitText, fitTexts, fittingItems, type Gap, jsonBytes, pageEnd } from './fit.ts';

const NASTY = ['a', 'é', '日', '🙂', '\u0001', '\n', '"', '\\', '\ud83d', '\ude42', '\u2028', '\u007f'];
const text = fc.array(fc.constantFrom(...NASTY), { maxLength: 400 }).map((chars) => chars.join(''));
const note = ({ from, to, chars }: Gap): string => `[${from}-${to}/${chars}]`;
const inString = (value: string): number => jsonBytes(value) - 2;

describe('a text in a number of bytes', () => {
  it('fits whatever it is made of, keeps both ends, and says what is missing', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 40, max: 600 }), (whole, bytes) => {
        const cut = fitText(whole, bytes, note);
        expect(inString(cut)).toBeLessThanOrEqual(bytes);
        if (cut === whole) return;
        const [, from, to, chars] = /\[(\d+)-(\d+)\/(\d+)\]/.exec(cut)?.map(Number) ?? [];
        expect(chars).toBe(whole.length);
        expect(cut).toBe(
          `${whole.slice(0, from)}${note({ from: from!, to: to!, chars: chars! })}${whole.slice(to)}`,
        );
        expect(charStart(whole, from!)).toBe(from);
        expect(charStart(whole, to!)).toBe(to);
      }),
    );
  });

  it('stays as it is when it fits to the byte', () => {
    expect(fitText('"日"', 7, note)).toBe('"日"');
    expect(fitText('"日"'.repeat(9), 62, note)).not.toBe('"日"'.repeat(9));
  });

  it('joins again from its pages', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 100 }), (whole, bytes) => {
        const pages: string[] = [];
        for (let from = 0; from < whole.length; ) {
          const end = pageEnd(whole, from, bytes);
          pages.push(whole.slice(from, end));
          from = end;
        }
        expect(pages.join('')).toBe(whole);
        expect(pages.every((page) => inString(page) <= Math.max(bytes, 6))).toBe(true);
      }),
    );
  });
});

describe('several texts in a number of bytes', () => {
  it('fit together, and no short one is cut for a long one', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), (texts) => {
        const bytes = 400 * texts.length;
        const cut = fitTexts(texts, bytes, note);
        expect(cut.reduce((sum, one) => sum + inString(one), 0)).toBeLessThanOrEqual(bytes);
        for (const [at, one] of texts.entries()) if (inString(one) <= 400) expect(cut[at]).toBe(one);
      }),
    );
  });
});

it('a list keeps the first items that fit', () => {
  expect(fittingItems(['a', 'b', 'c'], 12)).toEqual(['a', 'b', 'c']);
  expect(fittingItems(['a', 'b', 'c'], 11)).toEqual(['a', 'b']);
  expect(fittingItems(['\u0001'], 8)).toEqual([]);
});
