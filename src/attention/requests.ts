// Requests that the host obeys itself, without a model: "leave", "stop", "only when I mention you". It posts one short
// acknowledgement. An @mention, an assignment or an obligation brings an agent that has left back.
import type { ConversationMode } from '../protocol/vocabulary.ts';
import type { Decision, Effect } from './decision.ts';
import { dropCredits, endExchanges } from './exchange.ts';
import type { Heard } from './heard.ts';
import { readMode } from './intent/intent.ts';
import { effectiveMode, hasRoomForMode, modeOf, setMode } from './modes.ts';
import { type AttentionState, STATE_LIMITS } from './state.ts';

interface Obeyed {
  state: AttentionState;
  effects: Effect[];
}

export function obeyRequests(state: AttentionState, heard: Heard, decisions: readonly Decision[]): Obeyed {
  let obeyed: Obeyed = { state, effects: [] };
  for (const decision of decisions) {
    const { row } = decision.trace;
    if (row === 'leave_request') obeyed = obey(obeyed, heard, decision, 'leave');
    else if (row === 'stop_request') obeyed = obey(obeyed, heard, decision, 'stop');
    else if (row === 'mode_request') obeyed = obey(obeyed, heard, decision, 'mode');
    else if (decision.directedness === 'to_me') obeyed = bringBack(obeyed, heard, decision);
  }
  return obeyed;
}

function obey(obeyed: Obeyed, heard: Heard, decision: Decision, template: 'leave' | 'stop' | 'mode'): Obeyed {
  const agent = heard.roster.byIdentity.get(decision.agent);
  if (agent === undefined) return obeyed;
  const { kind } = heard.record.event.conversation;
  const mode = effectiveMode(wantedMode(heard, template), kind);
  if (!hasRoomForMode(obeyed.state, agent.key)) {
    const refused: Effect = { type: 'refused', what: 'mode', agent: agent.id, limit: STATE_LIMITS.agents };
    return { ...obeyed, effects: [...obeyed.effects, refused] };
  }
  const { eventId } = heard.record.event;
  const effects: Effect[] = [{ type: 'mode', agent: agent.id, mode, by: heard.record.event.author.id }];
  let state = setMode(obeyed.state, agent.key, mode);
  if (template !== 'mode') {
    state = dropCredits(endExchanges(state, agent.key), agent.key);
    state = { ...state, windows: state.windows.filter(({ author }) => author !== heard.author.key) };
    effects.push({
      type: 'cancel_turn',
      agent: agent.id,
      eventId,
      why: template === 'leave' ? 'left' : 'stop',
    });
  }
  effects.push({ type: 'acknowledge', agent: agent.id, eventId, template, mode });
  return { state, effects: [...obeyed.effects, ...effects] };
}

function wantedMode(heard: Heard, template: 'leave' | 'stop' | 'mode'): ConversationMode {
  if (template === 'leave') return 'left';
  if (template === 'stop') return 'mention_only';
  return readMode(heard.folded) ?? 'auto';
}

function bringBack(obeyed: Obeyed, heard: Heard, decision: Decision): Obeyed {
  const agent = heard.roster.byIdentity.get(decision.agent);
  if (agent === undefined || modeOf(heard, agent) !== 'left') return obeyed;
  const state = setMode(obeyed.state, agent.key, 'auto');
  const effect: Effect = { type: 'mode', agent: agent.id, mode: 'auto', by: heard.record.event.author.id };
  return { state, effects: [...obeyed.effects, effect] };
}
