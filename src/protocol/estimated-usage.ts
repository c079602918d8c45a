// A rough measure of what a turn has cost, for whatever nobody has counted. Without zod, because agents load it.
import type { TurnUsage } from './usage.ts';

export const CHARS_PER_TOKEN = 4;

export function estimatedUsage(inputChars: number, outputChars: number): TurnUsage {
  return {
    inputTokens: Math.ceil(inputChars / CHARS_PER_TOKEN),
    outputTokens: Math.ceil(outputChars / CHARS_PER_TOKEN),
    source: 'estimated',
  };
}
