import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinedLines, plainForm, undisguised } from './plain-form.ts';

describe('plainForm', () => {
  it.each([
    ['two spaces and a line break', 'drop  the\n table', 'drop the table'],
    ['a soft hyphen', 'de\u00adploy', 'deploy'],
    ['zero-width characters', 'd\u200be\u200cp\u200dl\u2060o\ufeffy', 'deploy'],
    ['full-width letters', 'ｄｅｐｌｏｙ　ｎｏｗ', 'deploy now'],
    ['mathematical letters', '𝐝𝐞𝐩𝐥𝐨𝐲', 'deploy'],
    ['capitals', 'DePLOY', 'deploy'],
    ['sharp s', 'STRASSE straße', 'strasse strasse'],
    ['both small sigmas', 'ΟΔΟΣ οδος οδοσ', 'οδοσ οδοσ οδοσ'],
    ['combining marks, composed', 'cafe\u0301', 'café'],
    ['bidi controls and tags', 'a\u202eb\u2066c\u{e0041}', 'abc'],
    ['an unpaired surrogate', 'a\ud800b', 'a\ufffdb'],
    ['other line separators', 'a\u2028b\u2029c\u0085d', 'a b c d'],
  ])('sees through %s', (_what, text, plain) => {
    expect(plainForm(text)).toBe(plain);
  });
  it('is its own plain form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(plainForm(plainForm(text))).toBe(plainForm(text));
      }),
    );
  });
});

describe('undisguised', () => {
  it('says nothing of a text without disguises', () => {
    for (const text of ['plain words', 'Größe, 東京、설정, 🎉 👍🏽', 'a\nb\tc'])
      expect(undisguised(text)).toBeUndefined();
  });
  it.each(['g\u200bhp_1', 'ｇｈｐ＿１', '𝗴𝗵𝗽_𝟭', 'ⓖⓗⓟ_①', 'g\u00adh\u{e0061}p_¹', 'ghp_\u20601'])(
    'reads %j as what it looks like, and knows where it stood',
    (disguised) => {
      const form = undisguised(`看 ${disguised} 了`);
      expect(form?.text).toBe('看 ghp_1 了');
      const at = form?.text.indexOf('ghp_1') ?? -1;
      expect(form?.original(at, at + 5)).toEqual([2, 2 + disguised.length]);
    },
  );
  it('finds every code point that is an ASCII letter or digit in another form, or is invisible', () => {
    const missed: string[] = [];
    for (let point = 0x80; point < 0xe1000; point++) {
      if (point === 0xd800) point = 0xf900; // surrogates and private use
      if (point === 0x20000) point = 0xe0000; // ideographs
      const char = String.fromCodePoint(point);
      const isLookAlike = /^[A-Za-z0-9_]$/.test(char.normalize('NFKC'));
      const isUnseen = /^[\p{Cf}\p{Default_Ignorable_Code_Point}]$/u.test(char);
      if ((isLookAlike || isUnseen) && undisguised(char) === undefined) missed.push(point.toString(16));
    }
    expect(missed).toEqual([]);
  });
});

const bare = (part: string): string => part.replace(/[\s>]/g, '');

describe('joinedLines', () => {
  it('joins what a line break, its blanks and a quotation mark part', () => {
    const text = 'see ghp_ab \r\n> cd now';
    const form = joinedLines(text);
    expect(form?.text).toBe('see ghp_abcd now');
    expect(form?.original(4, 12)).toEqual([4, 17]);
    expect(form?.isChanged(4, 12)).toBe(true);
    expect(form?.isChanged(0, 10)).toBe(false);
    expect(form?.isChanged(10, 12)).toBe(false);
    expect(joinedLines('one line')).toBeUndefined();
  });
  it('always knows the way back', () => {
    const unit = fc.constantFrom('a', 'b', '\n', '\r', ' ', '>', '\u2028');
    fc.assert(
      fc.property(fc.string({ unit }), fc.nat(), fc.nat(), (text, from, length) => {
        const form = joinedLines(text);
        if (form === undefined) return;
        const start = from % (form.text.length + 1);
        const end = Math.min(form.text.length, start + 1 + (length % 5));
        if (end <= start) return;
        const [first, last] = form.original(start, end);
        expect(bare(text.slice(first, last))).toBe(bare(form.text.slice(start, end)));
      }),
    );
  });
});
