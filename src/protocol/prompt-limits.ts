// How much of a prompt is told and kept. The agent SDK cuts before it sends, so this file imports nothing.

export const PROMPT_LIMITS = {
  /** Code units of one prompt. A longer one is cut in the middle. */
  chars: 65_536,
} as const;

/** Keeps the beginning, which has the rules, and the end, which has the message. Says how much is left out. */
export function boundedPrompt(text: string): string {
  const { chars } = PROMPT_LIMITS;
  if (text.length <= chars) return text;
  const note = `\n[… ${text.length - chars} characters or more left out …]\n`;
  const half = Math.floor((chars - note.length) / 2);
  return `${text.slice(0, half)}${note}${text.slice(text.length - half)}`.toWellFormed();
}
