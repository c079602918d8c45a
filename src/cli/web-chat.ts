// The web chat put together: its surface over the store, its people out of the tokens, and where the built page is.
import { join } from 'node:path';
import type { AttentionSettings } from '../attention/settings.ts';
import { readConversation } from '../host/kernel/conversation.ts';
import { createRosters, type RosterAt } from '../host/kernel/in-force.ts';
import type { Tokens } from '../host/security/tokens.ts';
import { membersAt, createPeople, type People } from '../host/web-chat/people.ts';
import { directId, keyOfId, webDirectPlace } from '../host/web-chat/places.ts';
import type { Store } from '../store/store.ts';
import { webSurface, type WebSurface } from '../surfaces/web/web.ts';

export interface WebChatParts {
  door: WebSurface;
  people: People;
  /** The rosters of the running host, which may change. Until then those of the given settings count. */
  follow(host: { rosterAt: RosterAt }): void;
}

export function openWebChat(store: Store, tokens: Tokens, attention: AttentionSettings): WebChatParts {
  const people = createPeople(tokens);
  let rosters = { rosterAt: createRosters(attention) };
  const door = webSurface({
    members: (place) => membersAt({ people, rosterAt: (at) => rosters.rosterAt(at) }, place),
    direct: (person, agent) => webDirectPlace(directId(person, { kind: 'agent', id: agent })),
    closed: async ({ conversationId, parentId }) => {
      const state = await readConversation(store, keyOfId(parentId ?? conversationId));
      return state?.place.conversation.retired !== undefined;
    },
    logged: async (eventId) => (await store.get('log', eventId)) !== undefined,
  });
  return { door, people, follow: (host) => void (rosters = host) };
}

/** `npm run build:page` writes it there; the compiled package has it beside the command line. */
export function pageDir(): string {
  const compiled = !import.meta.filename.endsWith('.ts');
  return join(import.meta.dirname, ...(compiled ? ['..', 'console'] : ['..', '..', 'dist', 'console']));
}
