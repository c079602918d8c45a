// Modes: how much of a conversation an agent wants. `auto`: what the ladder says. `follow`: threads it takes part in,
// in batches. `mention_only`: only explicit calls. `left`: nothing until it is called back. Words, reactions, tools
// and the console set a mode, always through a log record. An agent that left a room has left its threads too. Requests
// such as "leave" or "only when I mention you" are obeyed here, without a model, and so are those about the dial.
import type { ChatEventOf } from '../protocol/chat-event.ts';
import type { LogRecord } from '../protocol/log-record.ts';
import type { ConversationMode } from '../protocol/vocabulary.ts';
import type { Attended } from './attend.ts';
import type { Decision, Effect } from './decision.ts';
import { dialHere, nextNotch, withNotch, withoutNotch } from './dial.ts';
import { type Heard, concerned } from './heard.ts';
import type { AgentRequest } from './intent/request.ts';
import { REQUEST_ROWS } from './matrix.ts';
import { dropCredits, endExchanges } from './participants.ts';
import type { Roster, RosterAgent } from './roster.ts';
import { type AttentionState, STATE_LIMITS, agentState, isSet, withAgent } from './state.ts';

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

/** An agent cannot leave a direct message. There it is quiet until it is called (`isQuiet` in directedness.ts). */
function effectiveMode(mode: ConversationMode, conversationKind: string): ConversationMode {
  return mode === 'left' && conversationKind === 'dm' ? 'mention_only' : mode;
}

/** False when the state is full of agents for which something was set. The caller reports that. */
function hasRoomForMode(state: AttentionState, key: string): boolean {
  if (state.agents.some((agent) => agent.key === key)) return true;
  const taken = state.agents.filter(isSet).length;
  return taken < STATE_LIMITS.agents;
}

function setMode(state: AttentionState, key: string, mode: ConversationMode): AttentionState {
  return agentState(state, key).mode === mode ? state : withAgent(state, key, { mode });
}

/** Back to normal is back to the settings: the dial as well. */
function backToNormal(state: AttentionState, key: string, mode: ConversationMode): AttentionState {
  return mode === 'auto' ? withoutNotch(state, key) : state;
}

/** Folds the record of an act that sets a mode. */
export function attendMode(
  state: AttentionState,
  record: LogRecord,
  event: ChatEventOf<'mode'>,
  roster: Roster,
): Attended {
  const agent = concerned(event, roster);
  if (agent === undefined) return { state, decisions: [], effects: [] };
  if (!hasRoomForMode(state, agent.key)) {
    const refused: Effect = { type: 'refused', what: 'mode', agent: agent.id, limit: STATE_LIMITS.agents };
    return { state, decisions: [], effects: [refused] };
  }
  const mode = effectiveMode(event.mode, record.event.conversation.kind);
  let next = backToNormal(setMode(state, agent.key, mode), agent.key, mode);
  if (mode === 'left' || mode === 'mention_only')
    next = dropCredits(endExchanges(next, agent.key), agent.key);
  return {
    state: next,
    decisions: [],
    effects: [{ type: 'mode', agent: agent.id, mode, by: event.author.id }],
  };
}

interface Obeyed {
  state: AttentionState;
  effects: Effect[];
}

/**
 * The host posts one short acknowledgement for each request. An @mention, an assignment or an obligation brings an
 * agent that has left back.
 */
export function obeyRequests(state: AttentionState, heard: Heard, decisions: readonly Decision[]): Obeyed {
  let obeyed: Obeyed = { state, effects: [] };
  for (const decision of decisions) {
    const { row, facts } = decision.trace;
    if (isRequestRow(row)) obeyed = obey(obeyed, heard, decision, REQUEST_ROWS[row]);
    else if (decision.directedness !== 'to_me') continue;
    // "leave this channel, and send me the report first": it is to answer as well, so nothing is cancelled.
    else if (facts['asksToo'] !== undefined) obeyed = obey(obeyed, heard, decision, 'mode');
    else obeyed = bringBack(obeyed, heard, decision);
  }
  return obeyed;
}

const isRequestRow = (row: string): row is keyof typeof REQUEST_ROWS => row in REQUEST_ROWS;

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
  if (template === 'mode' && heard.asks?.dial !== undefined && dialCounts(heard, agent))
    return moveDial(obeyed, heard, agent, heard.asks);
  const effects: Effect[] = [{ type: 'mode', agent: agent.id, mode, by: heard.record.event.author.id }];
  let state = backToNormal(setMode(obeyed.state, agent.key, mode), agent.key, mode);
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
  const language = heard.asks?.language ?? 'en';
  effects.push({ type: 'acknowledge', agent: agent.id, eventId, template, mode, language });
  return { state, effects: [...obeyed.effects, ...effects] };
}

/**
 * Whether a notch would change anything for this agent here. Where the dial counts nothing, the request is one for a mode:
 * in direct messages, with another stickiness, and while the agent has left or waits for mentions.
 */
function dialCounts(heard: Heard, agent: RosterAgent): boolean {
  const { record, roster } = heard;
  if (record.event.conversation.kind === 'dm' || !roster.preset.scores) return false;
  const mode = modeOf(heard, agent);
  return agent.stickiness === 'exchange' && (mode === 'auto' || mode === 'follow');
}

/** One notch a request, and none beyond the ends. The acknowledgement says which it was. */
function moveDial({ state, effects }: Obeyed, heard: Heard, agent: RosterAgent, asks: AgentRequest): Obeyed {
  const { eventId, author } = heard.record.event;
  const move = asks.dial ?? 'quieter';
  const notch = nextNotch(dialHere(state, agent).attention, move);
  const moved: Effect[] =
    notch === undefined ? [] : [{ type: 'dial', agent: agent.id, notch, by: author.id }];
  const told: Effect = {
    type: 'acknowledge',
    agent: agent.id,
    eventId,
    template: 'dial',
    mode: modeOf({ ...heard, state }, agent),
    dial: { move, atEnd: notch === undefined },
    language: asks.language,
  };
  return {
    state: notch === undefined ? state : withNotch(state, agent, notch),
    effects: [...effects, ...moved, told],
  };
}

function wantedMode(heard: Heard, template: 'leave' | 'stop' | 'mode'): ConversationMode {
  if (template === 'leave') return 'left';
  if (template === 'stop') return 'mention_only';
  return heard.asks?.mode ?? 'auto';
}

function bringBack(obeyed: Obeyed, heard: Heard, decision: Decision): Obeyed {
  const agent = heard.roster.byIdentity.get(decision.agent);
  if (agent === undefined || modeOf(heard, agent) !== 'left') return obeyed;
  const state = setMode(obeyed.state, agent.key, 'auto');
  const effect: Effect = { type: 'mode', agent: agent.id, mode: 'auto', by: heard.record.event.author.id };
  return { state, effects: [...obeyed.effects, effect] };
}
