// The host's own surface: conversations among agents, and everything else that no platform shows. A post is visible at
// once, because there is no platform to wait for.
import { DOES_NOTHING, HEARS_NOTHING, type PostOutcome, type Surface } from '../surface.ts';

const shown = (eventId: string): Promise<PostOutcome> =>
  Promise.resolve({ type: 'visible', platformId: eventId });

export function internalSurface(id: string): Surface {
  return {
    id,
    platform: id,
    everywhere: true,
    capabilities: {
      hears: HEARS_NOTHING,
      does: { ...DOES_NOTHING, reactions: true, edits: true, deletes: true, files: true },
      threads: 'flat',
      membership: false,
      idempotentForMs: Infinity,
      findable: true,
      maxChars: 65_536,
      maxParts: 1,
    },
    start: () => Promise.resolve(),
    post: (message) => shown(message.eventId),
    react: (reaction) => shown(reaction.idempotencyKey),
    amend: (amendment) => shown(amendment.idempotencyKey),
    find: (message) => shown(message.eventId),
    stop: () => Promise.resolve(),
  };
}
