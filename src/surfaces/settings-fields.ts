// Keys that every platform has in the section `surfaces` of earshot.yaml.
import { z } from 'zod';

export function idField(platform: string, needed: string) {
  return z
    .string()
    .min(1)
    .max(64)
    .regex(/^[a-z0-9][a-z0-9_.-]*$/i, 'expected letters, digits, ".", "_" or "-"')
    .default(platform)
    .describe(`Its name on this host. Needed with a second ${needed}.`);
}

/** `words`: what they speak through, and what follows from that. */
export function agentsField(words: string) {
  return z.array(z.string().min(1).max(128)).min(1).max(1_000).optional().describe(words);
}
