// What an agent may read, asked before any tool shows anything: a conversation it is bound to (in private ones only
// where it takes part), and there what it was asked about or said itself. Beyond that, the one event it was handed,
// such as an escalation out of a room that is not its own. What it may not read does not exist for it.
import type { LogRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { type ConversationState, parentKeyOf, readConversation } from '../kernel/conversation.ts';
import { decisionForAgent } from '../kernel/pack-decisions.ts';
import { isBackfill, maySeeBackfill } from './backfill.ts';
import { type Room, agentMayRead } from '../security/permissions.ts';

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
