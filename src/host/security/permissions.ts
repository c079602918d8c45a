// Who may read what, asked before any tool, page or outbox shows an event. Pure. An agent reads where
// it is bound, and private conversations only where it takes part; a surface reads its own; an operator reads all.
// To the caller a refusal is `not_found`: that something exists is itself a thing to read.
import type { ConversationKind } from '../../protocol/vocabulary.ts';
import { allows, type Identity } from './scopes.ts';

export interface Room {
  /** The conversation, unique across platforms and workspaces. */
  key: string;
  kind: ConversationKind;
  /** For a thread: the room it hangs in. */
  parent?: { key: string; kind: ConversationKind };
  /** As its surface says. A thread is as private as its room. */
  private?: boolean;
  /** The surface it lives on, as its tokens name it. */
  surface: string;
  /** Agents bound here by the settings: `rosterFor(settings, place).agents`. */
  bound: ReadonlySet<string>;
  /** Agents that are members, have spoken or were written to here. */
  participants: ReadonlySet<string>;
}

export type MayRead =
  | { ok: true }
  | { ok: false; why: 'scope_missing' | 'not_bound' | 'not_a_participant' | 'other_surface' };

export function mayRead(identity: Identity, room: Room): MayRead {
  switch (identity.kind) {
    case 'operator':
      return allows(identity, 'operator:read') ? YES : { ok: false, why: 'scope_missing' };
    case 'surface':
      if (!allows(identity, 'outbox:read')) return { ok: false, why: 'scope_missing' };
      return identity.subject === room.surface ? YES : { ok: false, why: 'other_surface' };
    case 'agent':
      if (!allows(identity, 'agent:connect')) return { ok: false, why: 'scope_missing' };
      return agentMayRead(identity.subject, room);
    case 'person': // people read through the web chat, which knows their conversations
      return { ok: false, why: 'scope_missing' };
  }
}

/** The same for an agent whose session is established. */
export function agentMayRead(agent: string, room: Room): MayRead {
  if (!room.bound.has(agent)) return { ok: false, why: 'not_bound' };
  if (isPrivate(room) && !room.participants.has(agent)) return { ok: false, why: 'not_a_participant' };
  return YES;
}

export function isPrivate(room: Pick<Room, 'kind' | 'parent' | 'private'>): boolean {
  return room.private === true || room.kind === 'dm' || room.parent?.kind === 'dm';
}

export type MayQuote = { ok: true } | { ok: false; needs: 'agree'; reason: string };

/** Within a room and its threads people already see it. Out of a private one, a human agrees to that very send. */
export function mayQuote(
  from: Pick<Room, 'key' | 'kind' | 'parent' | 'private'>,
  to: Pick<Room, 'key' | 'parent'>,
): MayQuote {
  if (!isPrivate(from) || rootOf(from) === rootOf(to)) return YES;
  return { ok: false, needs: 'agree', reason: 'it takes something from a private conversation elsewhere' };
}

function rootOf(room: Pick<Room, 'key' | 'parent'>): string {
  return room.parent?.key ?? room.key;
}

const YES = { ok: true } as const;
