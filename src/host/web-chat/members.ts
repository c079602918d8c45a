// Who is in a conversation of the web chat: a complete read, because the host itself keeps both lists. The same for the
// surface's port and for what is stamped on every message.
import type { Roster, Place } from '../../attention/index.ts';
import type { SurfacePlace } from '../../surfaces/surface.ts';
import type { People } from './people.ts';
import { WEB_PLATFORM, directParties, directPlace } from './places.ts';

export interface MembersDeps {
  people: Pick<People, 'all'>;
  rosterAt: (place: Place) => Roster;
}
export interface Members {
  humans: number;
  agents: number;
  complete: boolean;
}

export async function membersAt({ people, rosterAt }: MembersDeps, place: SurfacePlace): Promise<Members> {
  const { conversationId: id, parentId, workspaceId } = place;
  const parties = directParties(id);
  if (parties !== undefined) {
    const humans = parties.filter(({ kind }) => kind === 'human').length;
    return { humans, agents: rosterAt(directPlace(id)).agents.length, complete: true };
  }
  const conversation =
    parentId === undefined ? { id, kind: 'channel' as const } : { id, kind: 'thread' as const, parentId };
  const { agents } = rosterAt({ platform: WEB_PLATFORM, workspaceId, conversation });
  return { humans: (await people.all()).size, agents: agents.length, complete: true };
}
