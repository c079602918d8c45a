// What a harness tells of a turn: its prompt, cut to a limit, and a rough measure of its cost where nobody has counted.
// Without zod, because agents load it.
import type { TurnUsage } from './usage.ts';

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

export const CHARS_PER_TOKEN = 4;

export function estimatedUsage(inputChars: number, outputChars: number): TurnUsage {
  return {
    inputTokens: Math.ceil(inputChars / CHARS_PER_TOKEN),
    outputTokens: Math.ceil(outputChars / CHARS_PER_TOKEN),
    source: 'estimated',
  };
}
