// What one turn cost: tokens as the provider or the agent's program counted them, or an estimate that says so.
import { z } from 'zod';
import { count, shortText } from './wire-fields.ts';

export const turnUsageSchema = z.object({
  /** All tokens that the model read, over every call of the turn, those from a cache included. */
  inputTokens: count,
  outputTokens: count,
  /** The part of `inputTokens` that came from a cache. */
  cachedInputTokens: count.optional(),
  costUsd: z.number().nonnegative().optional(),
  model: shortText.optional(),
  /** `reported`: counted by the provider or the program. `estimated`: by us. */
  source: z.enum(['reported', 'estimated']),
});
export type TurnUsage = z.infer<typeof turnUsageSchema>;
