// The web chat as a surface. It has no platform behind it: people see the host's own log, so a post is visible once it
// is logged, and each key is logged once. What people do comes in through `ingest`. Tabs are shown what is in the log.
import type { ChatEvent } from '../../protocol/chat-event.ts';
import {
  type DirectPlace,
  DOES_NOTHING,
  HEARS_ALL,
  type IngestResult,
  type PostOutcome,
  type Surface,
  type SurfaceHost,
  type SurfacePlace,
} from '../surface.ts';

export const WEB_SURFACE = 'web';

/** Longer messages of agents are refused. */
const MAX_CHARS = 40_000;

export interface WebSurface extends Surface {
  /** Takes what people did, in order. Resolves once it is durable. */
  ingest(events: readonly ChatEvent[]): Promise<IngestResult[]>;
  /** Calls the listener when an agent is at work. Returns a function that stops that. */
  onTyping(listener: TypingListener): () => void;
}
export type TypingListener = (place: SurfacePlace, agent: string) => void;

export interface WebSurfaceOptions {
  members: NonNullable<Surface['members']>;
  /** The direct conversation of a person with an agent. */
  direct: (person: string, agent: string) => DirectPlace;
  /** Whether the log has an event with this id. */
  logged: (eventId: string) => Promise<boolean>;
  /** Whether nobody writes there any more. */
  closed: (place: SurfacePlace) => Promise<boolean>;
}

export const CAPABILITIES: Surface['capabilities'] = {
  hears: HEARS_ALL,
  does: {
    ...DOES_NOTHING,
    edits: true,
    deletes: true,
    reactions: true,
    typing: true,
    questions: true,
    files: true,
  },
  threads: 'topics',
  membership: true,
  idempotentForMs: Infinity,
  findable: true,
  openChannels: true,
  maxChars: MAX_CHARS,
  maxParts: 1,
};

export function webSurface({ members, direct, logged, closed }: WebSurfaceOptions): WebSurface {
  const listeners = new Set<TypingListener>();
  let host: SurfaceHost | undefined;
  const post: Surface['post'] = async ({ eventId, text, place }) => {
    if (text.length > MAX_CHARS)
      return { type: 'refused', error: `longer than ${MAX_CHARS} characters: shorten or split it` };
    if (await closed(place))
      return { type: 'refused', error: 'the channel is archived: nobody writes there' };
    return shown(eventId);
  };
  return {
    id: WEB_SURFACE,
    platform: WEB_SURFACE,
    everywhere: true,
    capabilities: CAPABILITIES,
    start(given) {
      host = given;
      return Promise.resolve();
    },
    post,
    // Tabs read from the store what is asked, and how it ended (host/web-chat/questions.ts).
    ask: post,
    decided: ({ platformId }) => Promise.resolve(shown(platformId)),
    react: ({ idempotencyKey }) => Promise.resolve(shown(idempotencyKey)),
    amend: ({ idempotencyKey }) => Promise.resolve(shown(idempotencyKey)),
    typing(place, agent, on) {
      if (!on) return Promise.resolve(); // the page lets it fade
      for (const listener of listeners) listener(place, agent);
      return Promise.resolve();
    },
    find: async ({ eventId }) => ((await logged(eventId)) ? shown(eventId) : { type: 'absent' }),
    members,
    direct: (person, agent) => Promise.resolve({ type: 'place', place: direct(person, agent) }),
    stop() {
      host = undefined;
      return Promise.resolve();
    },
    ingest: (events) => host?.ingest(events) ?? Promise.resolve(events.map(stopping)),
    onTyping(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const shown = (platformId: string): PostOutcome => ({ type: 'visible', platformId });

function stopping({ eventId }: ChatEvent): IngestResult {
  const message = 'The host is stopping. Send the same again shortly.';
  return { eventId, status: 'refused', error: { code: 'unavailable', message, retryAfterMs: 1_000 } };
}
