// A plain line is read in one pass (scorer/words.ts). Whatever its words are, that says the same as the slow way, which
// is right for every script.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scan, scanPlain } from '../../src/attention/scorer/line.ts';
import { COMMON } from '../../src/attention/scorer/words.ts';
import { cases } from '../long.ts';

const listed = fc.constantFrom(
  ...COMMON,
  'you',
  'youre',
  'anybody',
  'lol',
  'hey',
  'ok',
  'what',
  'try',
  'unless',
);
const made = fc.string({
  minLength: 1,
  maxLength: 9,
  unit: fc.constantFrom('a', 'b', 'e', 'o', 't', '_', "'", '0', '9', '-', '.', ':', '@'),
});
const apart = listed.map((word) => `${word.slice(0, 1)}'${word.slice(1)}`);
const word = fc.oneof(listed, apart, made, fc.string({ maxLength: 6 }));
const line = fc
  .array(fc.tuple(word, fc.constantFrom(' ', '  ', ', ', '? ', "' ", '-', '\n', '')), { maxLength: 80 })
  .map((parts) => parts.flat().join(''));

describe('a line for the scorer', () => {
  it('says the same in one pass as word by word', () => {
    fc.assert(
      fc.property(line, (text) => {
        expect(scanPlain(text)).toEqual(scan(text));
      }),
      { numRuns: cases(3_000, 100_000) },
    );
  });

  it('is left to the slow way where a sign is not plain, and read up to sixty words', () => {
    expect(scanPlain('schöne Grüße')).toBeUndefined();
    expect(scanPlain('don’t')).toBeUndefined();
    const long = 'unit '.repeat(60);
    expect(scanPlain(`${long}schön`)).toEqual(scan(long));
  });
});
