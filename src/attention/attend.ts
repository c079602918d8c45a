// attend, the fold: `(state, record, roster) -> { state, decisions, effects }`. It is pure: no clock, no I/O, no
// randomness. Time comes from the records. Live traffic, replay, the simulator and what-if all call this function. Acts
// that need few lines (focus, disengage, turns, resolves, progress) are folded here, the others in their own files.
import type { ChatEventOf } from '../protocol/chat-event.ts';
import type { LogRecord } from '../protocol/log-record.ts';
import { keyOf } from './accounts.ts';
import { attendDelete, attendEdit } from './attend-amendment.ts';
import { attendMessage } from './attend-message.ts';
import { attendReaction } from './attend-reaction.ts';
import { attendClaim, expireClaims } from './claims.ts';
import { isDenied, refusal } from './decide.ts';
import type { Decision, Effect } from './decision.ts';
import { concerned, partyOf, readMessage } from './heard.ts';
import { settlePairs } from './loop-guard.ts';
import { dropOutdated } from './dial.ts';
import { attendOpinion } from './opinion.ts';
import { attendMode } from './modes.ts';
import { dropCredits, endExchanges } from './participants.ts';
import { noteTyping } from './recent.ts';
import type { Roster } from './roster.ts';
import { type AttentionState, agentState, closeDraft, openDraft, shortKey, withAgent } from './state.ts';

export interface Attended {
  state: AttentionState;
  decisions: readonly Decision[];
  effects: readonly Effect[];
}

export function attend(state: AttentionState, record: LogRecord, roster: Roster): Attended {
  return attendRecord(advance(state, record, roster), record, roster);
}

function attendRecord(state: AttentionState, record: LogRecord, roster: Roster): Attended {
  const { event } = record;
  switch (event.type) {
    case 'message':
      return attendMessage(state, record, event, roster);
    case 'edit':
      return attendEdit(state, record, event, roster);
    case 'delete':
      return attendDelete(state, record, event, roster);
    case 'reaction':
      return attendReaction(state, record, event, roster);
    case 'typing': {
      const { key } = partyOf(event, roster);
      return only(noteTyping(state, key, event.typing ?? true, record.at, roster.limits));
    }
    case 'membership':
      return only(state); // `advance` has stored the membership already
    case 'escalation':
      return only(state); // the obligations fold made it; the conversation only keeps the record
    case 'correction':
      return only(state); // a label for `earshot tune`; it changes no decision by itself
    case 'opinion':
      return attendOpinion(state, event, roster);
    case 'progress':
      return attendProgress(state, record, roster);
    case 'claim':
      return attendClaim(state, record, event, roster);
    case 'mode':
      return attendMode(state, record, event, roster);
    case 'focus':
      return attendFocus(state, event, roster);
    case 'disengage':
      return attendDisengage(state, event, roster);
    case 'turn':
      return attendTurn(state, event, roster);
    case 'resolve':
      return attendResolve(state, event, roster);
    case 'tick': {
      const { state: swept, effects } = expireClaims(state, record.at, roster);
      return { state: swept, decisions: [], effects };
    }
  }
}

function only(state: AttentionState): Attended {
  return { state, decisions: [], effects: [] };
}

/** What every record may bring, whatever its type: time, membership, a thread's root. */
function advance(state: AttentionState, record: LogRecord, roster: Roster): AttentionState {
  const { at, seq, facts } = record;
  const draft = openDraft(state);
  draft.at = at;
  draft.seq = seq;
  dropOutdated(draft, roster);
  if (state.since === 0) draft.since = at;
  if (facts.membership !== undefined) draft.membership = facts.membership;
  if (facts.root !== undefined && state.root === null) {
    const { eventId, authorId, mentions } = facts.root;
    draft.root = {
      key: shortKey(eventId),
      author: keyOf(authorId, roster, facts),
      mentions: mentions.slice(0, 4).map((identity) => keyOf(identity, roster, facts)),
      othersSpoke: false,
    };
  }
  return closeDraft(draft);
}

/** When the host must fold a tick at the latest: when the first claim expires. */
export function wakeAt(state: AttentionState): number | undefined {
  let first: number | undefined;
  for (const { until } of state.claims) if (first === undefined || until < first) first = until;
  return first;
}

/** The host keeps an agent's focus for all conversations and writes it into records. Here it only ends windows. */
function attendFocus(state: AttentionState, event: ChatEventOf<'focus'>, roster: Roster): Attended {
  const { agent } = partyOf(event, roster);
  if (agent === undefined) return only(state);
  const windows = state.windows.filter((window) =>
    window.addressed.every((entry) => entry.agent !== agent.key),
  );
  return only({ ...state, windows });
}

/** Ends the agent's credits and exchanges. The turn's own last reply does not start them again. */
function attendDisengage(state: AttentionState, event: ChatEventOf<'disengage'>, roster: Roster): Attended {
  const agent = concerned(event, roster);
  if (agent === undefined) return only(state);
  const dropped = dropCredits(endExchanges(state, agent.key), agent.key);
  return only(withAgent(dropped, agent.key, { disengaged: true }));
}

/** The start and the end of a turn allow the agent new exchanges. */
function attendTurn(state: AttentionState, event: ChatEventOf<'turn'>, roster: Roster): Attended {
  const { agent } = partyOf(event, roster);
  if (agent === undefined || !agentState(state, agent.key).disengaged) return only(state);
  return only(withAgent(state, agent.key, { disengaged: false }));
}

function attendResolve(state: AttentionState, event: ChatEventOf<'resolve'>, roster: Roster): Attended {
  const target = event.targetEventId === undefined ? '' : shortKey(event.targetEventId);
  const { agent } = partyOf(event, roster);
  const claims = state.claims.filter((claim) => claim.event !== target || claim.agent !== agent?.key);
  const asks = state.asks.filter((ask) => ask.event !== target);
  const loop = agent === undefined ? state.loop : settlePairs(state.loop, agent.key);
  return only({ ...state, claims, asks, loop });
}

/** Progress is a notification. Agents see it in digests and never answer it. */
function attendProgress(state: AttentionState, record: LogRecord, roster: Roster): Attended {
  const heard = readMessage(state, record, { text: '' }, roster);
  const decisions = roster.agents
    .filter((agent) => agent.key !== heard.author.key)
    .map((agent): Decision => {
      if (isDenied(heard, agent)) return refusal(heard, agent, 'denied');
      return {
        eventId: record.event.eventId,
        agent: agent.id,
        decision: 'observe',
        directedness: 'ambient',
        policy: 'must_not_respond',
        mode: agent.injection.digest === false ? 'tool_mailbox' : 'digest',
        context: 'none',
        reason: 'progress',
        intent: 'status',
        priority: 'normal',
        trace: { rung: 'act', row: 'status', facts: {} },
      };
    });
  return { state, decisions, effects: [] };
}
