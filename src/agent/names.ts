// One name for everybody throughout a prompt. A person is called by their name, an agent by its id, which is what tools
// take. The kind stands before it, so nobody passes for an agent or for the host. Two people of one name are told apart
// by their ids. Our own lines say so.
import {
  headerWord,
  ID_SHOWN_CHARS,
  identity,
  idShown,
  nameShown,
  parseIdentity,
  SOMEBODY,
  STAND_IN,
} from '../protocol/identity.ts';
import type { TurnAuthor } from './event.ts';
import { readsLikeProtocol } from './fence.ts';

/** The people and agents of a conversation, as the host tells them. */
export interface Participants {
  list: readonly TurnAuthor[];
  /** How many more there are. */
  more: number;
}
export const NOBODY_KNOWN: Participants = { list: [], more: 0 };

export interface Names {
  of(author: TurnAuthor): string;
  /** For an identity on the wire: `human:U1`, `role:ops`. */
  ofIdentity(who: string, displayName?: string): string;
}

const WORD_CHARS = ID_SHOWN_CHARS;

/** `agent`: our own id. */
export function namesFor({ list }: Participants, agent: string): Names {
  const known = new Map(list.map((one) => [identity(one.kind, one.id), one]));
  const bearers = Map.groupBy(list.filter(isPerson), (one) => folded(nameOf(one)));
  const of = (given: TurnAuthor): string => {
    const word = headerWord(identity(given.kind, given.id), WORD_CHARS);
    if (given.kind === 'agent') return given.id === agent ? `${word} (you)` : word;
    const name = nameOf(known.get(identity(given.kind, given.id)) ?? given);
    const others = bearers.get(folded(name))?.some(({ id }) => id !== given.id) === true;
    return `${given.kind}:${name}${others ? ` (${idShown(given.kind, given.id, WORD_CHARS)})` : ''}`;
  };
  return {
    of,
    ofIdentity(who, displayName) {
      if (who === SOMEBODY) return 'somebody else';
      const parsed = parseIdentity(who);
      if (parsed?.kind === 'broadcast') return 'everybody';
      const { kind, id } = parsed ?? {};
      if (id === undefined || (kind !== 'human' && kind !== 'agent')) return headerWord(who, WORD_CHARS);
      return of({ kind, id, ...(displayName === undefined ? {} : { displayName }) });
    },
  };
}

function isPerson({ kind }: TurnAuthor): boolean {
  return kind !== 'agent';
}

function nameOf({ id, displayName }: TurnAuthor): string {
  const name = nameShown(displayName ?? '');
  const shown = name === '' ? nameShown(headerWord(id, WORD_CHARS)) : name;
  return readsLikeProtocol(shown) ? STAND_IN : shown;
}

function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
