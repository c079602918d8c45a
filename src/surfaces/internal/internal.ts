// The host's own surface: conversations among agents, and everything else that no platform shows. A post is visible at
// once, because there is no platform to wait for.
import type { PostOutcome, Surface } from '../surface.ts';

const shown = (eventId: string): Promise<PostOutcome> =>
  Promise.resolve({ type: 'visible', platformId: eventId });

export function internalSurface(id: string): Surface {
  return {
    id,
    platform: id,
    capabilities: {
      edits: false,
      deletes: false,
      reactions: true,
      typing: false,
      threads: false,
      membership: false,
      idempotentPosts: true,
      ephemeral: false,
      maxChars: 65_536,
    },
    start: () => Promise.resolve(),
    post: (message) => shown(message.eventId),
    react: (reaction) => shown(reaction.idempotencyKey),
    find: (message) => shown(message.eventId),
    stop: () => Promise.resolve(),
  };
}
