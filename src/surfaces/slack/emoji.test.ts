import { expect, it } from 'vitest';
import { defaultGlyph } from '../../protocol/glyphs.ts';
import { SIGNALS } from '../../protocol/vocabulary.ts';
import { glyphOfName, nameOfGlyph } from './emoji.ts';

it.each(SIGNALS)('%s is shown by a name and read back', (signal) => {
  const name = nameOfGlyph(defaultGlyph(signal));
  expect(name).toMatch(/^[a-z0-9_+]+$/);
  expect(glyphOfName(name ?? '')).toBe(defaultGlyph(signal));
});

it('names of a workspace are used as they are, and a skin tone does not matter', () => {
  expect(nameOfGlyph(':shipit:')).toBe('shipit');
  expect(glyphOfName('shipit')).toBe(':shipit:');
  expect(glyphOfName('thumbsup::skin-tone-4')).toBe(defaultGlyph('agree'));
  expect(nameOfGlyph('\u{1F984}')).toBeUndefined();
});
