import { describe, expect, it } from 'vitest';
import { DEFAULT_GLYPHS, type GlyphRemap, remapGlyphs, signalOfGlyph } from './glyphs.ts';
import { SIGNAL_TABLE, SIGNALS } from './vocabulary.ts';

describe('glyphs', () => {
  it.each(SIGNALS)('reads the default glyph of %s back', (signal) => {
    expect(signalOfGlyph(DEFAULT_GLYPHS, SIGNAL_TABLE[signal].glyph)).toBe(signal);
  });

  it.each([
    ['✋🏽', 'claimed'],
    ['✋\uFE0F', 'claimed'],
    ['👍🏿', 'agree'],
    ['🎉', undefined],
    ['', undefined],
  ])('reads %s as %s whatever skin tone and presentation', (glyph, signal) => {
    expect(signalOfGlyph(DEFAULT_GLYPHS, glyph)).toBe(signal);
  });

  it('shows the first glyph of a remap and understands its aliases', () => {
    const remapped = remapGlyphs({ done: ['🎉', ':tada:', '✅'] });
    if (!remapped.ok) throw new Error(remapped.problem);
    expect(remapped.glyphs.done[0]).toBe('🎉');
    expect(signalOfGlyph(remapped.glyphs, ':tada:')).toBe('done');
    expect(remapped.glyphs.seen).toEqual(['👀']);
  });

  it('lets two signals swap glyphs', () => {
    expect(remapGlyphs({ seen: '👍', agree: '👀' })).toMatchObject({ ok: true });
  });

  it('lets a later remap replace an earlier one', () => {
    expect(remapGlyphs({ done: '🎉' }, { done: '🏁' })).toMatchObject({ glyphs: { done: ['🏁'] } });
  });

  it.each<[string, GlyphRemap[], string]>([
    ['an unknown signal', [{ sceen: '👁' }], '"sceen" is not a signal; use one of seen, agree,'],
    ['an inherited name', [{ toString: '👁' }], '"toString" is not a signal'],
    ['a glyph given twice', [{ done: '🎉', agree: '🎉' }], '"🎉" stands for both "agree" and "done"'],
    ['a glyph that is another default', [{ seen: '👍' }], 'stands for both "seen" and "agree"'],
    ['an alias that is another default', [{ seen: ['👀', '✅'] }], 'stands for both "seen" and "done"'],
    [
      'a glyph taken by the workspace',
      [{ done: '🎉' }, { agree: '🎉' }],
      'stands for both "agree" and "done"',
    ],
    ['an empty glyph', [{ seen: ' ' }], '"seen" has an empty glyph'],
    ['an empty list', [{ seen: [] }], '"seen" has an empty glyph'],
  ])('refuses %s and says why', (_, remaps, problem) => {
    expect(remapGlyphs(...remaps)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
  });
});
