// Slack calls emoji by names. These are the ones that signals are shown with by default; a glyph that is itself a name
// (`:shipit:`) is used as it is, so a workspace's own emoji work too.
import { defaultGlyph } from '../../protocol/glyphs.ts';
import { SIGNALS, type Signal } from '../../protocol/vocabulary.ts';

/** The name that Slack has for the default glyph of a signal, then others for the same. */
const NAMES: Readonly<Record<Signal, readonly [name: string, ...aliases: string[]]>> = {
  seen: ['eyes'],
  agree: ['+1', 'thumbsup'],
  working: ['wrench'],
  queued: ['clock1'],
  claimed: ['hand', 'raised_hand'],
  done: ['white_check_mark'],
  declined: ['no_good', 'woman-gesturing-no', 'man-gesturing-no'],
  blocked: ['construction'],
  unclear: ['question'],
};

const BY_GLYPH = new Map(SIGNALS.map((signal) => [defaultGlyph(signal), NAMES[signal][0]]));
const BY_NAME = new Map(
  SIGNALS.flatMap((signal) => NAMES[signal].map((name) => [name, defaultGlyph(signal)] as const)),
);

/** Undefined: Slack has no name for it that we know. */
export function nameOfGlyph(glyph: string): string | undefined {
  const known = BY_GLYPH.get(glyph.replaceAll('\uFE0F', ''));
  if (known !== undefined) return known;
  return /^:?([a-z0-9_+'-]+):?$/.exec(glyph)?.[1];
}

/** A name without a glyph of ours stays a name: agents may have agreed on it. */
export function glyphOfName(reaction: string): string {
  const [name = reaction] = reaction.split('::', 1); // without the skin tone
  return BY_NAME.get(name) ?? `:${name}:`;
}
