// The dial of one agent in one conversation. The settings give it a number; people in the chat move it by a notch ("be a
// bit quieter", "chime in more often"). The last change wins: what was asked in the chat holds until the settings say
// another number than they did then, or until the agent is set back to normal.
import type { DialMove } from './intent/request.ts';
import type { Roster, RosterAgent } from './roster.ts';
import { ATTENTION, ATTENTION_NOTCHES, type AttentionNotch } from './scorer/bands.ts';
import { type AttentionDraft, type AttentionState, agentState, agentsWith } from './state.ts';

/** The number in force here, and the notch if it was asked for in the chat. */
export interface DialHere {
  attention: number;
  asked: AttentionNotch | undefined;
}

export function dialHere(state: AttentionState, agent: RosterAgent): DialHere {
  for (const { key, dial } of state.agents) {
    if (key !== agent.key || dial === null || dial.from !== agent.attention) continue;
    return { attention: ATTENTION[dial.notch], asked: dial.notch };
  }
  return { attention: agent.attention, asked: undefined };
}

/** The next notch, from any number. Undefined: it is at the end already. */
export function nextNotch(attention: number, move: DialMove): AttentionNotch | undefined {
  const upwards = ATTENTION_NOTCHES.toSorted((a, b) => ATTENTION[a] - ATTENTION[b]);
  return move === 'keener'
    ? upwards.find((notch) => ATTENTION[notch] > attention)
    : upwards.findLast((notch) => ATTENTION[notch] < attention);
}

/** A notch that is what the settings say is kept as nothing: there the settings hold. */
export function withNotch(state: AttentionState, agent: RosterAgent, notch: AttentionNotch): AttentionState {
  const dial = ATTENTION[notch] === agent.attention ? null : { notch, from: agent.attention };
  return { ...state, agents: agentsWith(state, agent.key, { dial }) };
}

export function withoutNotch(state: AttentionState, key: string): AttentionState {
  if (agentState(state, key).dial === null) return state;
  return { ...state, agents: agentsWith(state, key, { dial: null }) };
}

/** Drops what was asked before the settings changed, so that it does not come back when they are changed back. */
export function dropOutdated(draft: AttentionDraft, { byKey }: Roster): void {
  const outdated = draft.agents.some(
    ({ key, dial }) => dial !== null && dial.from !== (byKey.get(key)?.attention ?? dial.from),
  );
  if (!outdated) return;
  draft.agents = draft.agents.map((agent) =>
    agent.dial !== null && agent.dial.from !== (byKey.get(agent.key)?.attention ?? agent.dial.from)
      ? { ...agent, dial: null }
      : agent,
  );
}
