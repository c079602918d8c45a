// What an agent may read. Every tool asks here before it shows anything. An agent reads conversations it is bound to,
// and private ones only where it takes part; there it reads the events that were decided for it, and its own. A caller
// that may not read something hears `not_found`, because the existence of a conversation is itself a secret.
import type { LogRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { type ConversationState, parentKeyOf, readConversation, placeOf } from '../kernel/conversation.ts';
import { decisionForAgent } from '../kernel/log-row.ts';
import { denies } from '../../attention/index.ts';
import type { ConversationKind } from '../../protocol/vocabulary.ts';
import { allows, type TokenIdentity } from '../security/scopes.ts';

type Deps = Pick<HostContext, 'store' | 'rosterAt'>;

export async function mayReadRoom(deps: Deps, agent: string, key: string): Promise<boolean> {
  const room = await readableRoomOf(deps, agent, key);
  return room !== undefined && agentMayRead(agent, room).ok;
}

/** Hides denied events, pairing codes and what was said after the agent left. An edit follows its target. */
export async function mayReadEvent(deps: Deps, row: LogRow, agent: string): Promise<boolean> {
  const { event } = row.record;
  if (event.author.kind === 'agent' && event.author.id === agent) return true;
  const decided = decisionForAgent(row, agent);
  if (decided !== undefined) return !(decided.mode === 'silent' && decided.policy === 'must_not_respond');
  if (isBackfill(row)) return mayReadBackfill(deps, row, agent);
  if (event.type !== 'edit' && event.type !== 'delete') return false;
  const target = await deps.store.get('log', event.targetEventId);
  return target !== undefined && target.type === 'message' && mayReadEvent(deps, target, agent);
}

/** The room as the rule needs it. An agent that was written to counts as a participant. */
export async function readableRoomOf(
  deps: Deps,
  agent: string,
  key: string,
): Promise<ReadableRoom | undefined> {
  const state = await readConversation(deps.store, key);
  if (state === undefined) return undefined;
  const parentKey = parentKeyOf(state.place);
  const parent = parentKey === undefined ? undefined : await readConversation(deps.store, parentKey);
  const room = roomFrom(deps, state, key, parent);
  if (room.participants.has(agent) || !(await wasWrittenTo(deps, agent, key))) return room;
  return { ...room, participants: new Set([...room.participants, agent]) };
}

/** The room with those who have spoken as participants. */
function roomFrom(
  { rosterAt }: Pick<Deps, 'rosterAt'>,
  state: ConversationState,
  key: string,
  above: ConversationState | undefined,
): ReadableRoom {
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

// History. There are no decisions about it, so the rule is applied when it is read: the agent is bound to the
// conversation, has not left it, and does not deny the author.

export function isBackfill({ record: { event, facts } }: LogRow): boolean {
  return facts.origin === 'backfill' && event.type === 'message';
}

export function mayReadBackfill({ rosterAt }: Deps, row: LogRow, agent: string): boolean {
  const { event, facts } = row.record;
  const roster = rosterAt(placeOf(event));
  const reader = roster.agents.find(({ id }) => id === agent);
  if (reader === undefined) return false;
  const left = facts.parent?.modes?.some((one) => one.agent === agent && one.mode === 'left') ?? false;
  const author = event.author.kind === 'agent' ? roster.byIdentity.get(event.author.id)?.id : undefined;
  return !left && !denies(reader, row.record, author);
}

// The rule as pure functions: an agent reads where it is bound, and private conversations only where it takes part. A
// surface reads its own conversations. An operator reads all.

/** A conversation as the rule sees it. */
export interface ReadableRoom {
  /** The conversation key, unique across platforms and workspaces. */
  key: string;
  kind: ConversationKind;
  /** For a thread: the room that holds it. */
  parent?: { key: string; kind: ConversationKind };
  /** Whether its surface calls it private. A thread is as private as its room. */
  private?: boolean;
  /** The id of its surface, as in the surface's token. */
  surface: string;
  /** The agents that the settings bind to it: `rosterFor(settings, place).agents`. */
  bound: ReadonlySet<string>;
  /** The agents that are members, have spoken or were written to. */
  participants: ReadonlySet<string>;
}

export type MayRead =
  | { ok: true }
  | { ok: false; why: 'scope_missing' | 'not_bound' | 'not_a_participant' | 'other_surface' };

export function mayRead(identity: TokenIdentity, room: ReadableRoom): MayRead {
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

/** The rule for an agent that is already authenticated. */
export function agentMayRead(agent: string, room: ReadableRoom): MayRead {
  if (!room.bound.has(agent)) return { ok: false, why: 'not_bound' };
  if (isPrivate(room) && !room.participants.has(agent)) return { ok: false, why: 'not_a_participant' };
  return YES;
}

export function isPrivate(room: Pick<ReadableRoom, 'kind' | 'parent' | 'private'>): boolean {
  return room.private === true || room.kind === 'dm' || room.parent?.kind === 'dm';
}

const YES = { ok: true } as const;
