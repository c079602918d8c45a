// GitHub has eight reactions. A glyph that is one of them is shown as itself; for others the signal says which comes
// close. What has none is not shown.
import { defaultGlyph } from '../../protocol/glyphs.ts';
import type { Signal } from '../../protocol/vocabulary.ts';

const CONTENTS = ['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes'] as const;
export type Content = (typeof CONTENTS)[number];

const BY_GLYPH: ReadonlyMap<string, Content> = new Map([
  [defaultGlyph('agree'), '+1'],
  ['👎', '-1'],
  ['😄', 'laugh'],
  ['😕', 'confused'],
  ['❤', 'heart'],
  ['🎉', 'hooray'],
  ['🚀', 'rocket'],
  [defaultGlyph('seen'), 'eyes'],
]);

/** `working`, `queued`, `claimed` and `blocked` have nothing that people would read as that. */
const BY_SIGNAL: Readonly<Partial<Record<Signal, Content>>> = {
  seen: 'eyes',
  agree: '+1',
  done: 'hooray',
  declined: '-1',
  unclear: 'confused',
};

/** Undefined: it is not shown. */
export function contentOf(glyph: string, signal: Signal): Content | undefined {
  const plain = glyph.replaceAll('\uFE0F', '').replace(/^:(.+):$/, '$1');
  return BY_GLYPH.get(plain) ?? CONTENTS.find((content) => content === plain) ?? BY_SIGNAL[signal];
}
