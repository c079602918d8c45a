// The people of the web chat: whoever has a token of kind `person` that is not revoked. There is no other list, so that
// making a token makes a person and revoking the last one ends their membership; what they wrote stays theirs.
import { printableLine } from '../../protocol/identity.ts';
import { WEB_CHAT_LIMITS } from '../../protocol/web-chat.ts';
import type { TokenRow } from '../../store/tables.ts';
import type { Also, Tokens } from '../security/tokens.ts';
import type { Roster, Place } from '../../attention/index.ts';
import type { SurfacePlace } from '../../surfaces/surface.ts';
import { WEB_PLATFORM, webDirectParties, webDirectPlace } from './places.ts';

export interface Person {
  id: string;
  name: string;
  /** Nobody has chosen the name yet. */
  unnamed?: true;
}

export interface People {
  all(): Promise<ReadonlyMap<string, Person>>;
  /** Somebody whose token is valid. Another host may have made it just now, so who is not known is looked for. */
  find(id: string): Promise<Person | undefined>;
  /** Calls the listener when a person was added, removed or renamed. Returns a function that stops this. */
  onChange(listener: () => void): () => void;
  /** Makes a person. Returns the token, which is shown once. */
  add(person: Person, also: Also): Promise<string>;
  rename(id: string, name: string, also: Also): Promise<void>;
}

export function createPeople(tokens: Tokens): People {
  let known: Promise<ReadonlyMap<string, Person>> | undefined;
  const listeners = new Set<() => void>();
  tokens.listen((row) => {
    if (row.kind !== 'person') return;
    known = undefined;
    for (const listener of listeners) listener();
  });
  const all: People['all'] = async () => {
    const reading = (known ??= tokens.list().then(peopleOf));
    try {
      return await reading;
    } catch (error) {
      // A failed read is not kept, so the next call reads again.
      if (known === reading) known = undefined;
      throw error;
    }
  };
  return {
    all,
    async find(id) {
      const person = (await all()).get(id);
      if (person !== undefined) return person;
      known = undefined;
      return (await all()).get(id);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add: async ({ id, name }, also) =>
      (await tokens.issue({ kind: 'person', subject: id, label: name }, also)).token,
    rename: (id, name, also) => tokens.rename({ subject: id, label: name }, also),
  };
}

/** A person with several tokens has the name on the newest one. */
function peopleOf(rows: readonly TokenRow[]): ReadonlyMap<string, Person> {
  const people = new Map<string, Person>();
  for (const { kind, subject: id, label, revokedAt, unnamed } of rows) {
    if (kind !== 'person' || revokedAt !== null) continue;
    const name = printableLine(label, WEB_CHAT_LIMITS.nameChars) || id;
    people.set(id, { id, name, ...(unnamed === true ? { unnamed } : {}) });
  }
  return people;
}

export interface MembersDeps {
  people: Pick<People, 'all'>;
  rosterAt: (place: Place) => Roster;
}
export interface Members {
  humans: number;
  agents: number;
  complete: boolean;
}

/** The members of a conversation. Always complete, because the host keeps both lists itself. */
export async function membersAt({ people, rosterAt }: MembersDeps, place: SurfacePlace): Promise<Members> {
  const { conversationId: id, parentId, workspaceId } = place;
  const parties = webDirectParties(id);
  if (parties !== undefined) {
    const humans = parties.filter(({ kind }) => kind === 'human').length;
    return { humans, agents: rosterAt(webDirectPlace(id)).agents.length, complete: true };
  }
  const conversation =
    parentId === undefined ? { id, kind: 'channel' as const } : { id, kind: 'thread' as const, parentId };
  const { agents } = rosterAt({ platform: WEB_PLATFORM, workspaceId, conversation });
  return { humans: (await people.all()).size, agents: agents.length, complete: true };
}
