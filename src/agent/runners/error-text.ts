// Some programs print an error where their answer should be, and end as if all were well. The texts here were seen in
// place of an answer. Precision comes first: the whole answer must be one short error message, because a model may talk
// about errors.
import { errorLine } from './redacted.ts';

/** Longer texts are answers. */
const ERROR_CHARS = 1_000;
const ERROR_LINES = 4;

const ERRORS: readonly RegExp[] = [
  // Codex
  /^(?:error: )?stream (?:disconnected before completion|error)\b/i,
  /^(?:error: )?unexpected status \d{3}\b/i,
  /^exceeded retry limit, last status:/i,
  /^you['’]ve hit your usage limit/i,
  // Claude Code
  /^API Error\b/,
  /^(?:Not logged in|Invalid API key|Missing API key|OAuth token (?:revoked|has expired))\b/,
  /^(?:Credit balance is too low|Prompt is too long|Claude (?:AI )?usage limit reached)\b/,
  // Gemini CLI, Qwen Code
  /^\[API Error: /,
  // goose
  /^Ran into this error: /,
];

/** The error message, if the text is one. */
export function errorIn(text: string): string | undefined {
  const said = text.trim();
  if (said.length > ERROR_CHARS || said.split('\n').length > ERROR_LINES) return undefined;
  return ERRORS.some((error) => error.test(said)) ? errorLine(said) : undefined;
}
