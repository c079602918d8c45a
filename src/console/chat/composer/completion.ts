// Completes a mention: finds what is being typed after an @, who matches it, and the text after a choice.
import type { ChatState } from '../state/state.ts';

export interface Candidate {
  kind: 'agent' | 'role' | 'human' | 'broadcast';
  /** The text after the @. */
  handle: string;
  name: string;
  detail: string;
  connected?: boolean;
}

export interface TypedMention {
  /** The index of the @. */
  from: number;
  query: string;
}

const QUERY = /(?:^|[\s([{"'“‘,;:/])@([\p{L}\p{N}_.-]{0,40})$/u;
export const CANDIDATES_MAX = 8;

/** The mention that ends at the caret, if one is being typed. */
export function mentionAt(text: string, caret: number): TypedMention | undefined {
  const query = QUERY.exec(text.slice(0, caret))?.[1];
  return query === undefined ? undefined : { from: caret - query.length - 1, query };
}

type Known = Pick<ChatState, 'agents' | 'roles' | 'people' | 'broadcasts' | 'me'>;

/** Names that begin with the query come first, then names with a word that does. Agents, then roles, then people. */
export function candidatesFor(known: Known, query: string): Candidate[] {
  const wanted = query.toLowerCase();
  const ranked = everybody(known).flatMap(({ candidate, names }) => {
    const rank = Math.min(...names.map((name) => rankOf(name.toLowerCase(), wanted)));
    return Number.isFinite(rank) ? [{ candidate, rank }] : [];
  });
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, CANDIDATES_MAX)
    .map(({ candidate }) => candidate);
}

function rankOf(name: string, wanted: string): number {
  if (name.startsWith(wanted)) return 0;
  return name.split(/[\s._-]+/).some((word) => word.startsWith(wanted)) ? 1 : Number.POSITIVE_INFINITY;
}

function everybody({
  agents,
  roles,
  people,
  broadcasts,
  me,
}: Known): { candidate: Candidate; names: string[] }[] {
  return [
    ...[...agents.values()].map(({ id, name, aliases, roles: held, connected }) => ({
      candidate: {
        kind: 'agent' as const,
        handle: id,
        name,
        detail: held.length === 0 ? 'agent' : `agent, ${held.join(', ')}`,
        connected,
      },
      names: [id, name, ...aliases],
    })),
    ...roles.map(({ name, agents: holders }) => ({
      candidate: {
        kind: 'role' as const,
        handle: name,
        name,
        detail: `role: ${holders.join(', ') || 'nobody'}`,
      },
      names: [name],
    })),
    ...[...people.values()]
      .filter(({ id }) => id !== me?.id)
      .map(({ id, name, connected }) => ({
        candidate: {
          kind: 'human' as const,
          // People know each other by name. The id of the first person is "you", whoever reads it.
          handle: isOnly(name, people) ? name : id,
          name,
          detail: 'person',
          connected,
        },
        names: [id, name],
      })),
    ...broadcasts.map((word) => ({
      candidate: {
        kind: 'broadcast' as const,
        handle: word,
        name: word,
        detail: 'everybody, and nobody has to answer',
      },
      names: [word],
    })),
  ];
}

function isOnly(name: string, people: Known['people']): boolean {
  return [...people.values()].filter((one) => isSame(one.name, name)).length === 1;
}

function isSame(name: string, typed: string): boolean {
  return name.toLowerCase() === typed.toLowerCase();
}

/** Whether the mention is written out, so that there is nothing to complete. */
export function isWrittenOut({ query }: TypedMention, candidates: readonly Candidate[]): boolean {
  return candidates.some(({ handle, name }) => isSame(handle, query) || isSame(name, query));
}

export function completed(
  text: string,
  caret: number,
  { from }: TypedMention,
  { handle }: Candidate,
): { text: string; caret: number } {
  const after = text.slice(caret);
  const space = /^\s/.test(after) ? '' : ' ';
  const head = `${text.slice(0, from)}@${handle}${space}`;
  return { text: head + after, caret: head.length + (space === '' ? 1 : 0) };
}
