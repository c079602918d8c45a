// Slack calls emoji by names. These are the ones that signals are shown with by default; a glyph that is itself a name
// (`:shipit:`) is used as it is, so a workspace's own emoji work too.

const NAMES: readonly (readonly [glyph: string, name: string, ...aliases: string[]])[] = [
  ['👀', 'eyes'],
  ['👍', '+1', 'thumbsup'],
  ['🔧', 'wrench'],
  ['🕐', 'clock1'],
  ['✋', 'hand', 'raised_hand'],
  ['✅', 'white_check_mark'],
  ['🙅', 'no_good', 'woman-gesturing-no', 'man-gesturing-no'],
  ['🚧', 'construction'],
  ['❓', 'question'],
];

const BY_NAME = new Map(NAMES.flatMap(([glyph, ...names]) => names.map((name) => [name, glyph] as const)));
const BY_GLYPH = new Map(NAMES.map(([glyph, name]) => [glyph, name] as const));

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
