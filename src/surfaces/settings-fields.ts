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

/** The agents of one of several logins. */
export function ownersField(login: string) {
  return z
    .array(z.string().min(1).max(128))
    .min(1)
    .max(1_000)
    .optional()
    .describe(
      `Whose ${login} it is: one agent, or several that share it. Left out, at one of them: of all without one.`,
    );
}

/** How many logins one surface may have. */
export const LOGINS_MAX = 100;

/** `words`: what they speak through, and what follows from that. */
export function agentsField(words: string) {
  return z.array(z.string().min(1).max(128)).min(1).max(1_000).optional().describe(words);
}
