// Says in a delivery that a send of the agent was not shown and never will be, and why. The event that the send was an
// answer to is delivered again with it.
import { z } from 'zod';
import { shortText, wireId } from './wire-fields.ts';

/** `not_delivered`: the platform refused it. `declined`: a person did. `lapsed`: nobody decided in time. */
export const NOT_SHOWN_WHY = ['not_delivered', 'declined', 'lapsed'] as const;
export type NotShownWhy = (typeof NOT_SHOWN_WHY)[number];

export const notShownSchema = z.object({
  /** The id that the send would have had. */
  eventId: wireId,
  why: z.enum(NOT_SHOWN_WHY),
  /** What the person or the platform gave as the reason. Untrusted. */
  reason: shortText.optional(),
});
export type NotShown = z.infer<typeof notShownSchema>;
