// Edits and deletes. An edit is decided again from its words alone. When it is now for an agent, the agent gets a new
// delivery. When it is no longer for an agent, the pending delivery is superseded. When the agent has answered already,
// it may answer again, and only if the words changed. Edits change no counters and no exchanges.
import type { ChatEventOf } from '../protocol/chat-event.ts';
import type { LogRecord } from '../protocol/log-record.ts';
import { keyOf } from './accounts.ts';
import { NO_GUARD, foldPerson } from './agent-talk.ts';
import type { Attended } from './attend.ts';
import { decide, isPairingCode, refusal } from './decide.ts';
import type { Decision, Effect } from './decision.ts';
import { hearsDirect } from './direct.ts';
import { aimedElsewhere, climbLadder } from './directedness.ts';
import { type Heard, readMessage } from './heard.ts';
import { obeyRequests } from './modes.ts';
import { recallOriginal, updateRecent } from './recent.ts';
import type { Roster, RosterAgent } from './roster.ts';
import { forgotten } from './scorer/memory.ts';
import type { Addressed, AttentionState, Recent } from './state.ts';
import { hashText } from './text.ts';

export function attendEdit(
  state: AttentionState,
  record: LogRecord,
  event: ChatEventOf<'edit'>,
  roster: Roster,
): Attended {
  const original = originalOf(state, record, event.targetEventId, roster);
  const heard = readMessage(state, record, event, roster);
  const textHash = hashText(heard.folded);
  if (original === undefined || original.textHash === textHash) return { state, decisions: [], effects: [] };
  if (isPairingCode(heard.folded)) {
    const others = roster.agents.filter(({ key }) => key !== original.author && key !== heard.author.key);
    const decisions = others.map((agent) => refusal(heard, agent, 'pairing'));
    return { state: updateRecent(state, original.event, { textHash }), decisions, effects: [] };
  }
  const decisions: Decision[] = [];
  const effects: Effect[] = [];
  const addressed: Addressed[] = [];
  for (const agent of roster.agents) {
    if (agent.key === original.author) continue;
    const outcome = isHeardBy(agent, heard, original)
      ? editFor(heard, agent, original, event.targetEventId)
      : unheard(agent, original);
    // An agent that edits somebody else's message is not told of that edit.
    const told = agent.key !== heard.author.key;
    if (told && outcome.decision !== undefined) decisions.push(outcome.decision);
    if (outcome.effect !== undefined) effects.push(outcome.effect);
    if (outcome.addressed !== undefined) addressed.push(outcome.addressed);
  }
  let next = updateRecent(state, original.event, { textHash, addressed });
  // As with a new message, a person releases the agents they speak to, and stops those they tell to stop.
  if (heard.author.kind === 'human') next = foldPerson(next, heard, decisions);
  // A message that is edited into "leave" or "stop" is obeyed like a new one.
  const obeyed = obeyRequests(next, heard, decisions);
  return { state: obeyed.state, decisions, effects: [...effects, ...obeyed.effects] };
}

/**
 * An agent's edit wakes nobody: it is for those alone who were asked by its message and have not answered it. So two
 * agents cannot talk by editing, where the loop guard counts nothing.
 */
function isHeardBy({ key }: RosterAgent, { author }: Heard, { addressed, answeredBy }: Recent): boolean {
  if (author.kind !== 'agent') return true;
  return addressed.some(({ agent }) => agent === key) && !answeredBy.includes(key);
}

/** Whom the message was for stays as it is. */
function unheard({ key }: RosterAgent, { addressed }: Recent): EditOutcome {
  const before = addressed.find(({ agent }) => agent === key);
  return before === undefined ? {} : { addressed: before };
}

interface EditOutcome {
  decision?: Decision;
  effect?: Effect;
  addressed?: Addressed;
}

function editFor(heard: Heard, agent: RosterAgent, original: Recent, target: string): EditOutcome {
  const before = original.addressed.find((addressed) => addressed.agent === agent.key);
  // New words do not make an agent a party to somebody else's direct message.
  if (before === undefined && !hearsDirect(heard.direct, agent)) return {};
  const direction = climbLadder(heard, agent, true);
  const explicit = direction.directedness === 'to_me';
  const gone = direction.rung.id === 'left';
  const stays = before !== undefined && !gone && (explicit || aimedElsewhere(heard, agent) === undefined);
  if (before === undefined && !explicit) return {};
  if (!stays && before !== undefined) {
    const effect: Effect = { type: 'supersede', agent: agent.id, eventId: target, why: 'edited_away' };
    return { decision: withdrawn(heard, agent, target, 'edited_away'), effect };
  }
  const addressed: Addressed = before ?? { agent: agent.key, rung: direction.rung.id };
  const decided = { ...decide(heard, agent, NO_GUARD), refersTo: target };
  if (decided.decision === 'denied') return { decision: decided };
  if (original.answeredBy.includes(agent.key)) {
    return { decision: afterResponse(decided), addressed };
  }
  if (before === undefined) return { decision: decided, addressed };
  const effect: Effect = { type: 'amend', agent: agent.id, eventId: target, by: decided.eventId };
  return requestRow(decided) ? { decision: decided, effect, addressed } : { effect, addressed };
}

function requestRow({ trace: { row } }: Decision): boolean {
  return row === 'leave_request' || row === 'stop_request' || row === 'mode_request';
}

/** The agent's answer stands, and it may answer again. What was said before the message has its answer. */
function afterResponse(decided: Decision): Decision {
  const { leadIn: _answered, ...rest } = decided;
  return {
    ...rest,
    decision: 'engage',
    directedness: 'to_me',
    policy: 'may_respond',
    mode: 'buffered',
    reason: 'edited_after_response',
    trace: { rung: 'amendment', row: 'amendment', facts: { answered: true } },
  };
}

function withdrawn(
  heard: Heard,
  agent: RosterAgent,
  target: string,
  reason: 'edited_away' | 'deleted',
): Decision {
  return {
    eventId: heard.record.event.eventId,
    refersTo: target,
    agent: agent.id,
    decision: 'observe',
    directedness: 'to_other',
    policy: 'must_not_respond',
    mode: reason === 'deleted' ? 'silent' : 'tool_mailbox',
    context: 'none',
    reason,
    intent: 'statement',
    priority: 'normal',
    trace: { rung: 'amendment', row: 'amendment', facts: {} },
  };
}

export function attendDelete(
  state: AttentionState,
  record: LogRecord,
  event: ChatEventOf<'delete'>,
  roster: Roster,
): Attended {
  const original = originalOf(state, record, event.targetEventId, roster);
  if (original === undefined) return { state, decisions: [], effects: [] };
  const heard = readMessage(state, record, { text: '', mentions: [] }, roster);
  const decisions: Decision[] = [];
  const effects: Effect[] = [];
  for (const agent of roster.agents) {
    const was = original.addressed.some((addressed) => addressed.agent === agent.key);
    if (!was || original.answeredBy.includes(agent.key)) continue;
    const { targetEventId: eventId } = event;
    decisions.push(withdrawn(heard, agent, eventId, 'deleted'));
    effects.push(
      { type: 'supersede', agent: agent.id, eventId, why: 'deleted' },
      { type: 'cancel_turn', agent: agent.id, eventId, why: 'deleted' },
    );
  }
  return { state: forget(state, original), decisions, effects };
}

function forget(state: AttentionState, original: Recent): AttentionState {
  return {
    ...state,
    recent: state.recent.filter((recent) => recent.event !== original.event),
    asks: state.asks.filter((ask) => ask.event !== original.event),
    claims: state.claims.filter((claim) => claim.event !== original.event),
    ...forgotten(state, original.author),
  };
}

function originalOf(
  state: AttentionState,
  record: LogRecord,
  eventId: string,
  roster: Roster,
): Recent | undefined {
  return recallOriginal(state, eventId, record.facts.original, (identity) =>
    keyOf(identity, roster, record.facts),
  );
}
