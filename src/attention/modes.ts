// Modes: how much of a conversation an agent wants. `auto` is the ladder, `follow` batches what it takes part in,
// `mention_only` hears only explicit calls, `left` hears nothing until it is called back. Set by words, reactions,
// tools or the console, always through a log record; a room's `left` covers its threads.
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

/** A direct message cannot be left: leaving it means stop. */
export function effectiveMode(mode: ConversationMode, conversationKind: string): ConversationMode {
  return mode === 'left' && conversationKind === 'dm' ? 'mention_only' : mode;
}

/** False when every place is taken by an agent with a mode of its own: the caller says so out loud. */
export function hasRoomForMode(state: AttentionState, key: string): boolean {
  if (state.agents.some((agent) => agent.key === key)) return true;
  const taken = state.agents.filter((agent) => agent.mode !== null).length;
  return taken < STATE_LIMITS.agents;
}

export function setMode(state: AttentionState, key: string, mode: ConversationMode): AttentionState {
  return agentState(state, key).mode === mode ? state : withAgent(state, key, { mode });
}
