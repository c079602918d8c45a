// What an agent may read, asked before any tool shows anything: a conversation it is bound to (in private ones only
// where it takes part), and there what it was asked about or said itself. Beyond that, the one event it was handed,
// such as an escalation out of a room that is not its own. What it may not read does not exist for it.
import type { LogRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { type ConversationState, parentKeyOf, readConversation, placeOf } from '../kernel/conversation.ts';
import { decisionForAgent } from '../kernel/log-row.ts';
import { denies } from '../../attention/index.ts';
import type { ConversationKind } from '../../protocol/vocabulary.ts';
import { allows, type TokenIdentity } from '../security/scopes.ts';

type Deps = Pick<HostContext, 'store' | 'rosterAt'>;

export async function mayReadRoom(deps: Deps, agent: string, key: string): Promise<boolean> {
  const room = await roomOf(deps, agent, key);
  return room !== undefined && agentMayRead(agent, room).ok;
}

/** Denied, left and pairing text never; an edit or delete is seen by whoever sees what it changes. */
export async function maySee(deps: Deps, row: LogRow, agent: string): Promise<boolean> {
  const { event } = row.record;
  if (event.author.kind === 'agent' && event.author.id === agent) return true;
  const stance = decisionForAgent(row, agent);
  if (stance !== undefined) return !(stance.mode === 'silent' && stance.policy === 'must_not_respond');
  if (isBackfill(row)) return maySeeBackfill(deps, row, agent);
  if (event.type !== 'edit' && event.type !== 'delete') return false;
  const target = await deps.store.get('log', event.targetEventId);
  return target !== undefined && target.type === 'message' && maySee(deps, target, agent);
}

/** What the room is to this agent: whether it is bound there, and whether it takes part. */
export async function roomOf(deps: Deps, agent: string, key: string): Promise<Room | undefined> {
  const state = await readConversation(deps.store, key);
  if (state === undefined) return undefined;
  const parentKey = parentKeyOf(state.place);
  const parent = parentKey === undefined ? undefined : await readConversation(deps.store, parentKey);
  const room = roomAt(deps, state, key, parent);
  if (room.participants.has(agent) || !(await wasWrittenTo(deps, agent, key))) return room;
  return { ...room, participants: new Set([...room.participants, agent]) };
}

/** Without those who were written to and have not spoken. */
function roomAt(
  { rosterAt }: Pick<Deps, 'rosterAt'>,
  state: ConversationState,
  key: string,
  above: ConversationState | undefined,
): Room {
  const { place, surface, attention } = state;
  const roster = rosterAt(place);
  const spoke = attention.agents.flatMap(({ key: who, spokeN }) => {
    const id = spokeN > 0 ? roster.byKey.get(who)?.id : undefined;
    return id === undefined ? [] : [id];
  });
  const parent = parentKeyOf(place);
  return {
    key,
    kind: place.conversation.kind,
    ...(parent === undefined
      ? {}
      : { parent: { key: parent, kind: above?.place.conversation.kind ?? 'channel' } }),
    surface,
    bound: new Set(roster.agents.map(({ id }) => id)),
    participants: new Set(spoke),
  };
}

async function wasWrittenTo({ store }: Deps, agent: string, key: string): Promise<boolean> {
  for (const open of [1, 0]) {
    const [row] = await store.scan('delivery', 'byAgentConversation', { eq: [agent, key, open], limit: 1 });
    if (row !== undefined) return true;
  }
  return false;
}

// History as agents may see it. It was never decided, so who may see a message of it is asked when it is looked at: an
// agent that is bound there, to which its author may speak, and that has not left.

export function isBackfill({ record: { event, facts } }: LogRow): boolean {
  return facts.origin === 'backfill' && event.type === 'message';
}

export function maySeeBackfill({ rosterAt }: Deps, row: LogRow, agent: string): boolean {
  const { event, facts } = row.record;
  const roster = rosterAt(placeOf(event));
  const reader = roster.agents.find(({ id }) => id === agent);
  if (reader === undefined) return false;
  const left = facts.parent?.modes?.some((one) => one.agent === agent && one.mode === 'left') ?? false;
  const author = event.author.kind === 'agent' ? roster.byIdentity.get(event.author.id)?.id : undefined;
  return !left && !denies(reader, row.record, author);
}

// The rule itself, pure: an agent reads where it is bound, and private conversations only where it takes part; a surface
// reads its own; an operator reads all. The caller of a refused read hears `not_found`, because that something exists is
// itself worth knowing.

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

export function mayRead(identity: TokenIdentity, room: Room): MayRead {
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
