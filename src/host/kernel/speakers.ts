// Who may speak for a platform, and for which room: the one set of rules that ingest asks, whatever way an event came.
//
// - A platform belongs to the surfaces that are named for it. Nobody else may tell of it.
// - A platform that no surface is named for may be told of by every source that is held to none.
// - A room belongs to one source: to the first that told of it, unless one with a better right to the platform comes.
//   Another one is refused there, so it can neither put words into that room nor get what agents answer in it.
import type { Surface } from '../../surfaces/surface.ts';
import type { Accounts } from './accounts.ts';
import { type ConversationState, INTERNAL_SURFACE, isOwnPlatform, WEB_SURFACE } from './conversation.ts';

export interface Speakers {
  /** Why the surface may not tell of this platform; undefined when it may. */
  refusal(surface: string, platform: string): SpeakerRefusal | undefined;
  /** Who owns a room of the platform after `surface` told of it. Throws `RoomOfAnother` when it may not. */
  ownerAfter(surface: string, owner: string, platform: string): string;
  /** The surface to which sends into the room go. */
  homeOf(room: Room): string;
}

export interface SpeakerRefusal {
  code: 'invalid_event' | 'wrong_platform' | 'unknown_source';
  message: string;
}

type Room = Pick<ConversationState, 'place' | 'surface'>;

/** The room belongs to another source. Thrown inside a unit, so that nothing of the event is stored. */
export class RoomOfAnother extends Error {
  constructor(owner: string, platform: string) {
    super(
      `conversation: it belongs to the source "${owner}". If that is wrong, write platform: ${platform} at the right source in host.sources, and restart the host.`,
    );
  }
}

/** The host's own platforms, and the surfaces that may post for them. Another source could forge people there. */
const OWN_PLATFORMS: ReadonlyMap<string, readonly string[]> = new Map([
  [INTERNAL_SURFACE, [INTERNAL_SURFACE, WEB_SURFACE]],
  [WEB_SURFACE, [WEB_SURFACE]],
]);

/** The right to a platform. An adapter reads it from the platform itself; a held source was named for it. */
const RIGHTS = { none: 0, any: 1, named: 2, adapter: 3 } as const;

export function createSpeakers(surfaces: Iterable<Surface>, doorsOf: Accounts['doorsOf']): Speakers {
  const byId = new Map<string, Surface>();
  for (const surface of surfaces) byId.set(surface.id, surface);
  const named = Map.groupBy(byId.values(), ({ platform }) => platform);

  const rightOf = (id: string, platform: string): number => {
    const surface = byId.get(id);
    if (surface === undefined) return RIGHTS.none;
    if (surface.platform === platform) return surface.source === undefined ? RIGHTS.adapter : RIGHTS.named;
    return surface.source === 'free' && !named.has(platform) ? RIGHTS.any : RIGHTS.none;
  };
  return {
    refusal(id, platform) {
      const surface = byId.get(id);
      const own = OWN_PLATFORMS.get(platform);
      if (own !== undefined) return own.includes(id) ? undefined : ownPlatform(platform);
      if (surface === undefined) return unknownSource(id);
      return rightOf(id, platform) === RIGHTS.none ? wrongPlatform(surface, platform) : undefined;
    },
    ownerAfter(id, owner, platform) {
      if (id === owner || isOwnPlatform(platform)) return owner;
      const [mine, theirs] = [rightOf(id, platform), rightOf(owner, platform)];
      if (mine > theirs) return id;
      // Adapters read the platform itself: several may hear the same room, and what they tell is the same.
      if (mine === RIGHTS.adapter || doorsOf(owner).includes(id)) return owner;
      throw new RoomOfAnother(owner, platform);
    },
    homeOf({ surface, place: { platform } }) {
      const others = isOwnPlatform(platform) ? undefined : named.get(platform);
      if (others === undefined) return surface;
      const best = Math.max(...others.map(({ id }) => rightOf(id, platform)));
      if (rightOf(surface, platform) >= best) return surface;
      const [owner, second] = others.filter(({ id }) => rightOf(id, platform) === best);
      return owner === undefined || second !== undefined ? surface : owner.id;
    },
  };
}

function ownPlatform(platform: string): SpeakerRefusal {
  const message = `platform: "${platform}" is the host's own; name the platform this source speaks for`;
  return { code: 'invalid_event', message };
}

function unknownSource(id: string): SpeakerRefusal {
  const message = `The host has no source "${id}": add it to host.sources in earshot.yaml, or restart the host.`;
  return { code: 'unknown_source', message };
}

function wrongPlatform({ id, platform: own, source }: Surface, platform: string): SpeakerRefusal {
  const message =
    source === 'free'
      ? `platform: "${platform}" belongs to another source; "${id}" may not speak for it.`
      : `platform: the source "${id}" speaks for "${own}" only.`;
  return { code: 'wrong_platform', message };
}
