// The people of the web chat: whoever has a token of kind `person` that is not revoked. There is no other list, so that
// making a token makes a person and revoking the last one ends their membership; what they wrote stays theirs.
import { printableLine } from '../../protocol/identity.ts';
import { WEB_CHAT_LIMITS } from '../../protocol/web-chat.ts';
import type { TokenRow } from '../../store/tables.ts';
import type { Tokens } from '../security/tokens.ts';

export interface Person {
  id: string;
  name: string;
}

export interface People {
  all(): Promise<ReadonlyMap<string, Person>>;
  /** Told when somebody came, went or was renamed. Gives back how to stop listening. */
  onChange(listener: () => void): () => void;
}

export function createPeople(tokens: Tokens): People {
  let known: Promise<ReadonlyMap<string, Person>> | undefined;
  const listeners = new Set<() => void>();
  tokens.listen((row) => {
    if (row.kind !== 'person') return;
    known = undefined;
    for (const listener of listeners) listener();
  });
  return {
    async all() {
      const reading = (known ??= tokens.list().then(peopleOf));
      try {
        return await reading;
      } catch (error) {
        // Not kept: the next one asks again.
        if (known === reading) known = undefined;
        throw error;
      }
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The newest token's name counts. */
function peopleOf(rows: readonly TokenRow[]): ReadonlyMap<string, Person> {
  const people = new Map<string, Person>();
  for (const { kind, subject: id, label, revokedAt } of rows) {
    if (kind !== 'person' || revokedAt !== null) continue;
    people.set(id, { id, name: printableLine(label, WEB_CHAT_LIMITS.nameChars) || id });
  }
  return people;
}
