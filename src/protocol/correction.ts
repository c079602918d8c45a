// A correction: somebody says that an agent should have answered a message, or should have stayed quiet. It is a record of
// the log and a label of that message for that agent. The newest label of the same person counts.

/** `withdrawn`: whoever said so has taken it back. */
export const CORRECTION_LABELS = ['should_have_answered', 'should_have_stayed_quiet', 'withdrawn'] as const;
export type CorrectionLabel = (typeof CORRECTION_LABELS)[number];

/** In words in the chat, by a 🔇 on the agent's message, by an operator in Why, by the agent that stepped back itself. */
export const CORRECTION_WAYS = ['said', 'reaction', 'operator', 'disengaged'] as const;
export type CorrectionWay = (typeof CORRECTION_WAYS)[number];

/** Reactions on an agent's message that say it should have stayed quiet. Some platforms have names for them. */
const MUTE_GLYPHS: ReadonlySet<string> = new Set([
  '🔇',
  '🔕',
  '🤫',
  '🤐',
  ':mute:',
  ':no_bell:',
  ':shushing_face:',
  ':zipper_mouth_face:',
]);

export function isMuteGlyph(glyph: string): boolean {
  return MUTE_GLYPHS.has(glyph.replace(/[\uFE0E\uFE0F]/g, '').trim());
}
