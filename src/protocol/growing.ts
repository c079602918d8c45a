// An answer that grows while the model writes it. A harness tells the text so far with `turn/growing`, and people who
// have the room open see it grow. It is working memory: nothing of it is logged or stored, other agents hear only the
// message that is sent at the end, and after a crash nothing of it is left. The offset heals a frame that was lost or came
// twice: a frame replaces everything after `from`.
import { z } from 'zod';
import { GROWING_LIMITS } from './growing-limits.ts';
import { claimToken, destination } from './tool-fields.ts';
import { VISIBILITIES } from './vocabulary.ts';
import { count, wireId, WIRE_LIMITS } from './wire-fields.ts';

export const growingParamsSchema = z.object({
  turnId: wireId,
  /** What the answer will answer, and where it will be sent: as in `chat.send_message`. */
  target: destination,
  inReplyTo: wireId.optional(),
  visibility: z.enum(VISIBILITIES),
  token: claimToken.optional(),
  /** How much of what the host has stays, in UTF-16 code units. What comes after it is replaced by `text`. */
  from: z.int().min(0).max(GROWING_LIMITS.chars),
  text: z.string().max(GROWING_LIMITS.frameChars),
});
export type GrowingParams = z.infer<typeof growingParamsSchema>;

export const growingResultSchema = z.object({
  /** How much of the text the host has. The next frame goes on from there. */
  length: count,
  /** False: nothing more of this turn is shown while it grows. Send no more; the message at the end is not touched. */
  more: z.boolean(),
  /** Why not, for a person who looks. */
  reason: z.string().max(WIRE_LIMITS.lineChars).optional(),
});
export type GrowingResult = z.infer<typeof growingResultSchema>;
