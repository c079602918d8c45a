// Says in an escalation which agent did not answer, and why: so its lead knows what failed without reading the question.
import { z } from 'zod';
import { codeWord, identitySchema, shortText } from './wire-fields.ts';

export const unansweredSchema = z.object({
  by: identitySchema,
  /** `turn_failed`, `no_answer`, `declined`, … */
  why: codeWord,
  /** Of a turn that failed: the last line of its error. Left out for a private conversation. Untrusted. */
  error: shortText.optional(),
});
export type Unanswered = z.infer<typeof unansweredSchema>;
