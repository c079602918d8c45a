// Conversations as an operator sees them: who is bound, which modes, how far a loop has come, who has taken what.
import type { AttentionLimits, AttentionState, Preset } from '../../attention/index.ts';
import type { ShownAgent, ShownConversation, ShownLoop } from '../../protocol/operator-api.ts';
import { nextTurn } from '../../runtime/schedule.ts';
import { conversationKeys, readConversation } from '../kernel/conversation.ts';
import { claimsOf } from './claims-shown.ts';
import type { ServerContext } from '../http/context.ts';
import { iso } from '../../protocol/log-record.ts';

/** Conversations looked through for the agents' modes and loops. Beyond, the answer says that it is not complete. */
export const CONVERSATIONS_MAX = 1_000;
const A_STEP = 100;

export async function shownConversation(context: ServerContext, key: string): Promise<ShownConversation[]> {
  const { context: host } = context.host;
  const state = await readConversation(host.store, key);
  if (state === undefined) return [];
  const { place, surface, attention } = state;
  const roster = host.rosterAt(place);
  const modes = attention.agents.flatMap(({ key: agent, mode }) => {
    const id = roster.byKey.get(agent)?.id;
    return id === undefined || mode === null ? [] : [[id, mode] as const];
  });
  return [
    {
      key,
      ...place,
      surface,
      events: attention.seq,
      lastAt: iso(attention.at),
      agents: roster.agents.map(({ id }) => id),
      modes: Object.fromEntries(modes),
      loop: loopOf(attention, host.attention.limits, roster.preset),
      claims: await claimsOf(context, key, state),
    },
  ];
}

function loopOf(
  { loop }: AttentionState,
  limits: AttentionLimits,
  preset: Preset,
): Omit<ShownLoop, 'conversation' | 'id'> {
  const stopped = loop.stopped !== null && preset.loopGuard === 'enforced';
  const level = stopped ? 2 : loop.count >= limits.loopAdviceTurns ? 1 : 0;
  return { level, agentTurns: loop.count, cause: loop.stopped };
}

export interface RoomsOf {
  loops: ShownLoop[];
  modes: ShownAgent['modes'][number][];
}

/** By agent, over the conversations that are looked through. */
export async function roomsByAgent(
  context: ServerContext,
): Promise<{ of: (agent: string) => RoomsOf; complete: boolean }> {
  const { store } = context.host.context;
  const rooms = new Map<string, RoomsOf>();
  const of = (agent: string): RoomsOf => {
    const known = rooms.get(agent) ?? { loops: [], modes: [] };
    rooms.set(agent, known);
    return known;
  };
  let looked = 0;
  for (let after = ''; looked < CONVERSATIONS_MAX; ) {
    const keys = await conversationKeys(store, after, A_STEP);
    for (const key of keys) {
      for (const room of await shownConversation(context, key)) addRoom(of, room);
    }
    looked += keys.length;
    after = keys.at(-1) ?? after;
    if (keys.length < A_STEP) return { of, complete: true };
    await new Promise<void>(nextTurn);
  }
  return { of, complete: false };
}

function addRoom(of: (agent: string) => RoomsOf, room: ShownConversation): void {
  const { key, conversation, modes, loop, agents } = room;
  for (const [agent, mode] of Object.entries(modes)) {
    of(agent).modes.push({ conversation: key, id: conversation.id, title: conversation.title ?? null, mode });
  }
  if (loop.agentTurns === 0 && loop.level === 0) return;
  for (const agent of agents) of(agent).loops.push({ conversation: key, id: conversation.id, ...loop });
}
