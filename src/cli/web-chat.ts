// The web chat put together: its surface over the store, its people out of the tokens, and where the built page is.
import { join } from 'node:path';
import type { AttentionSettings } from '../attention/settings.ts';
import { createRosters } from '../host/kernel/context.ts';
import type { Tokens } from '../host/security/tokens.ts';
import { membersAt, createPeople, type People } from '../host/web-chat/people.ts';
import { directId, webDirectPlace } from '../host/web-chat/places.ts';
import type { Store } from '../store/store.ts';
import { webSurface, type WebSurface } from '../surfaces/web/web.ts';

export interface WebChatParts {
  door: WebSurface;
  people: People;
}

export function openWebChat(store: Store, tokens: Tokens, attention: AttentionSettings): WebChatParts {
  const people = createPeople(tokens);
  const rosterAt = createRosters(attention);
  const door = webSurface({
    members: (place) => membersAt({ people, rosterAt }, place),
    direct: (person, agent) => webDirectPlace(directId(person, { kind: 'agent', id: agent })),
    logged: async (eventId) => (await store.get('log', eventId)) !== undefined,
  });
  return { door, people };
}

/** `npm run build:page` writes it there; the compiled package has it beside the command line. */
export function pageDir(): string {
  const compiled = !import.meta.filename.endsWith('.ts');
  return join(import.meta.dirname, ...(compiled ? ['..', 'console'] : ['..', '..', 'dist', 'console']));
}
