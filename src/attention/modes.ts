// Modes: how much of a conversation an agent wants. `auto`: what the ladder says. `follow`: threads it takes part in,
// in batches. `mention_only`: only explicit calls. `left`: nothing until it is called back. Words, reactions, tools
// and the console set a mode, always through a log record. An agent that left a room has left its threads too.
import type { LogRecord } from '../protocol/log-record.ts';
import type { ConversationMode } from '../protocol/vocabulary.ts';
import type { Roster, RosterAgent } from './roster.ts';
import { type AttentionState, STATE_LIMITS, agentState, withAgent } from './state.ts';

export interface ModeContext {
  state: AttentionState;
  record: LogRecord;
  roster: Roster;
}

export function modeOf({ state, record, roster }: ModeContext, agent: RosterAgent): ConversationMode {
  for (const entry of state.agents) {
    if (entry.key === agent.key && entry.mode !== null) return entry.mode;
  }
  const { parent } = record.facts;
  if (parent?.modes !== undefined) {
    for (const entry of parent.modes) if (entry.agent === agent.id && entry.mode === 'left') return 'left';
  }
  return roster.mode;
}

/** An agent cannot leave a direct message. There "leave" means stop. */
export function effectiveMode(mode: ConversationMode, conversationKind: string): ConversationMode {
  return mode === 'left' && conversationKind === 'dm' ? 'mention_only' : mode;
}

/** False when the state is full of agents with a mode of their own. The caller reports that. */
export function hasRoomForMode(state: AttentionState, key: string): boolean {
  if (state.agents.some((agent) => agent.key === key)) return true;
  const taken = state.agents.filter((agent) => agent.mode !== null).length;
  return taken < STATE_LIMITS.agents;
}

export function setMode(state: AttentionState, key: string, mode: ConversationMode): AttentionState {
  return agentState(state, key).mode === mode ? state : withAgent(state, key, { mode });
}
