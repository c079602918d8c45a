// Conversations as an operator sees them: the bound agents, their modes, the state of the loop guard, and the claims.
// Also collects the loops and modes of each agent, for the list of agents.
import {
  type AttentionLimits,
  type AttentionState,
  dialHere,
  isPeerLoop,
  type Roster,
} from '../../attention/index.ts';
import type { ShownAgent, ShownConversation, ShownLoop } from '../../protocol/operator-api.ts';
import { nextTurn } from '../../runtime/schedule.ts';
import { conversationKeys, readConversation } from '../kernel/conversation.ts';
import { claimsOf } from './claims-shown.ts';
import type { ServerContext } from '../http/context.ts';
import { iso } from '../../protocol/log-record.ts';

/**
 * At most this many conversations are read for the agents' modes and loops. When there are more, the answer says that
 * it is not complete.
 */
export const CONVERSATIONS_READ_MAX = 1_000;
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
  const dials = roster.agents.flatMap((agent) => {
    const { asked } = dialHere(attention, agent);
    return asked === undefined ? [] : [[agent.id, asked] as const];
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
      dials: Object.fromEntries(dials),
      loops: loopsOf(attention, host.attention.limits, roster),
      claims: await claimsOf(context, key, state),
    },
  ];
}

type CountedLoop = ShownConversation['loops'][number];

function loopsOf(
  { loop: { pairs } }: AttentionState,
  { loopAdviceTurns }: AttentionLimits,
  roster: Roster,
): CountedLoop[] {
  const advisory = roster.preset.loopGuard === 'advisory';
  const advised = (count: number) => ((advisory ? isPeerLoop(count) : count >= loopAdviceTurns) ? 1 : 0);
  return pairs.flatMap(({ a, b, count, stopped }): CountedLoop[] => {
    // The preset `typeclaw` counts for one agent, whoever talks to it.
    if (advisory !== (b === '') || (count === 0 && stopped === null)) return [];
    const keys = advisory ? [a] : [a, b];
    const agents = keys.map((key) => roster.byKey.get(key)?.id ?? key);
    return [{ agents, level: stopped === null ? advised(count) : 2, count, cause: stopped }];
  });
}

export interface AgentConversations {
  loops: ShownLoop[];
  modes: ShownAgent['modes'][number][];
}

/** The loops and modes of each agent, over all conversations. */
export async function conversationsByAgent(
  context: ServerContext,
): Promise<{ of: (agent: string) => AgentConversations; complete: boolean }> {
  const { store } = context.host.context;
  const byAgent = new Map<string, AgentConversations>();
  const of = (agent: string): AgentConversations => {
    const known = byAgent.get(agent) ?? { loops: [], modes: [] };
    byAgent.set(agent, known);
    return known;
  };
  let looked = 0;
  for (let after = ''; looked < CONVERSATIONS_READ_MAX; ) {
    const keys = await conversationKeys(store, after, A_STEP);
    for (const key of keys) {
      for (const one of await shownConversation(context, key)) addConversation(of, one);
    }
    looked += keys.length;
    after = keys.at(-1) ?? after;
    if (keys.length < A_STEP) return { of, complete: true };
    await new Promise<void>(nextTurn);
  }
  return { of, complete: false };
}

function addConversation(of: (agent: string) => AgentConversations, one: ShownConversation): void {
  const { key, conversation, modes, loops } = one;
  for (const [agent, mode] of Object.entries(modes)) {
    of(agent).modes.push({ conversation: key, id: conversation.id, title: conversation.title ?? null, mode });
  }
  for (const loop of loops) {
    for (const agent of loop.agents)
      of(agent).loops.push({ conversation: key, id: conversation.id, ...loop });
  }
}
