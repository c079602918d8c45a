// A surface: where chat happens. This one shows what agents say by calling back; a real one posts it to a platform.
import { DOES_NOTHING, HEARS_NOTHING, type Surface } from 'earshot/surface';

export function terminal(show: (agent: string, text: string) => void): Surface {
  return {
    id: 'terminal',
    platform: 'terminal',
    // What a surface cannot do, the host does without.
    capabilities: {
      hears: HEARS_NOTHING,
      does: DOES_NOTHING,
      threads: 'flat',
      membership: false,
      idempotentForMs: 0,
      findable: true,
      maxChars: 4_000,
      maxParts: 10,
    },
    // A surface that hears people keeps `host` and calls `host.ingest` with what they say.
    start: async (_host) => {},
    post: async ({ agent, text, eventId }) => {
      show(agent, text);
      return { type: 'visible', platformId: eventId };
    },
    react: async () => ({ type: 'refused', error: 'a terminal has no reactions' }),
    // Asked when the outcome of a post is unknown: did it become visible?
    find: async () => ({ type: 'absent' }),
    stop: async () => {},
  };
}

/** What Ada says, as the event that a surface hands over. */
export function said(eventId: string, text: string, at: number) {
  return {
    eventId,
    at,
    platform: 'terminal',
    workspaceId: 'home',
    conversation: { id: 'general', kind: 'channel' },
    author: { id: 'ada', kind: 'human', displayName: 'Ada' },
    type: 'message',
    text,
  };
}
