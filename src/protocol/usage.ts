// What one turn has cost, as the provider or the agent program reported it. Where nobody reports it, the number is an
// estimate from the length of the text, and says so.
import { z } from 'zod';

/** No turn of a model reads or writes more than this. */
const tokens = z.int().nonnegative().max(1_000_000_000);

export const turnUsageSchema = z.object({
  inputTokens: tokens.describe('Everything the model has read, over all its steps, from a cache or not.'),
  outputTokens: tokens.describe('Everything it has written, thinking included.'),
  cachedInputTokens: tokens.optional().describe('Of the tokens read: those that came from a cache.'),
  costUsd: z.number().nonnegative().max(1_000_000).optional().describe('In US dollars, where it is known.'),
  model: z.string().min(1).max(128).optional().describe('As the provider calls it.'),
  source: z
    .enum(['reported', 'estimated'])
    .describe('reported: by the provider or the agent program. estimated: from the length of the text.'),
});
export type TurnUsage = z.infer<typeof turnUsageSchema>;
