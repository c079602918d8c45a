// Records of what agents and operators do: claims, modes, focus, disengage, turns, resolves, progress. Each changes
// state and may have effects. Only a granted claim and progress also make decisions for agents.
import type { ChatEventOf } from '../protocol/chat-event.ts';
import { claimedId } from '../protocol/derived-id.ts';
import type { LogRecord } from '../protocol/log-record.ts';
import { isDenied } from './admission.ts';
import type { Attended } from './attend.ts';
import { applyClaim, expireClaims } from './claims.ts';
import { refusal } from './decide.ts';
import type { Decision, Effect } from './decision.ts';
import { dropCredits, endExchanges } from './exchange.ts';
import { readMessage, partyOf } from './heard.ts';
import { shortKey } from './keys.ts';
import { noteProgress } from './loop-guard.ts';
import { effectiveMode, hasRoomForMode, setMode } from './modes.ts';
import { recall } from './recent.ts';
import type { Roster, RosterAgent } from './roster.ts';
import { type AttentionState, STATE_LIMITS, agentState, withAgent } from './state.ts';

const nothing = (state: AttentionState): Attended => ({ state, decisions: [], effects: [] });

export function attendClaim(
  state: AttentionState,
  record: LogRecord,
  event: Omit<ChatEventOf<'claim'>, 'type'> & { type: string },
  roster: Roster,
): Attended {
  const { agent } = partyOf(record.event, roster);
  if (agent === undefined) return nothing(state);
  const target = event.targetEventId;
  const op = event.op ?? 'claim';
  // First free the claims that have expired, with their effects: this record may come before the tick that would do it.
  const swept = expireClaims(state, record.at, roster);
  const { state: next, outcome } = applyClaim(swept.state, {
    op,
    agent: agent.key,
    event: target === undefined ? '' : shortKey(target),
    at: record.at,
    seq: record.seq,
    ttlMs: event.ttlMs ?? roster.limits.claimTtlMs,
    token: event.token,
  });
  const name = target ?? '';
  switch (outcome.type) {
    case 'granted': {
      const { token, until } = outcome.claim;
      // An agent never gets its own message delivered, even when it claims it.
      const own = target !== undefined && recall(state, target)?.author === agent.key;
      const decisions =
        outcome.fresh && target !== undefined && !own ? [claimed(record, agent, target, token)] : [];
      return {
        state: next,
        decisions,
        effects: [...swept.effects, { type: 'claim_granted', agent: agent.id, event: name, token, until }],
      };
    }
    case 'released':
      return {
        state: next,
        decisions: [],
        effects: [
          ...swept.effects,
          { type: 'claim_released', agent: agent.id, event: name, why: 'released' },
        ],
      };
    case 'refused': {
      const { why, until } = outcome;
      const holder = roster.byKey.get(outcome.holder)?.id ?? outcome.holder;
      return {
        state: next,
        decisions: [],
        effects: [
          ...swept.effects,
          { type: 'claim_refused', agent: agent.id, event: name, why, holder, until },
        ],
      };
    }
  }
}

/** The claimant gets the event in full, under a derived id, because harnesses drop a repeated id. */
function claimed(record: LogRecord, agent: RosterAgent, target: string, token: number): Decision {
  return {
    eventId: claimedId(target),
    refersTo: target,
    agent: agent.id,
    decision: 'engage',
    directedness: 'to_my_role',
    policy: 'may_respond',
    mode: 'buffered',
    context: record.event.conversation.kind === 'dm' ? 'none' : 'thread_window',
    reason: 'claimed',
    intent: 'statement',
    priority: 'normal',
    trace: { rung: 'act', row: 'claimed', facts: { token } },
  };
}

/** An agent acts only for itself. People and the console act for any agent. */
function concerned(event: ChatEventOf<'mode' | 'disengage'>, roster: Roster): RosterAgent | undefined {
  const author = partyOf(event, roster).agent;
  return author ?? (event.agent === undefined ? undefined : roster.byIdentity.get(event.agent));
}

export function attendMode(
  state: AttentionState,
  record: LogRecord,
  event: ChatEventOf<'mode'>,
  roster: Roster,
): Attended {
  const agent = concerned(event, roster);
  if (agent === undefined) return nothing(state);
  if (!hasRoomForMode(state, agent.key)) {
    return {
      ...nothing(state),
      effects: [{ type: 'refused', what: 'mode', agent: agent.id, limit: STATE_LIMITS.agents }],
    };
  }
  const mode = effectiveMode(event.mode, record.event.conversation.kind);
  let next = setMode(state, agent.key, mode);
  if (mode === 'left' || mode === 'mention_only')
    next = dropCredits(endExchanges(next, agent.key), agent.key);
  return {
    state: next,
    decisions: [],
    effects: [{ type: 'mode', agent: agent.id, mode, by: event.author.id }],
  };
}

/** The host keeps an agent's focus for all conversations and writes it into records. Here it only ends windows. */
export function attendFocus(
  state: AttentionState,
  _record: LogRecord,
  event: ChatEventOf<'focus'>,
  roster: Roster,
): Attended {
  const { agent } = partyOf(event, roster);
  if (agent === undefined) return nothing(state);
  const windows = state.windows.filter((window) =>
    window.addressed.every((entry) => entry.agent !== agent.key),
  );
  return nothing({ ...state, windows });
}

/** Ends the agent's credits and exchanges. The turn's own last reply does not start them again. */
export function attendDisengage(
  state: AttentionState,
  event: ChatEventOf<'disengage'>,
  roster: Roster,
): Attended {
  const agent = concerned(event, roster);
  if (agent === undefined) return nothing(state);
  const dropped = dropCredits(endExchanges(state, agent.key), agent.key);
  return nothing(withAgent(dropped, agent.key, { disengaged: true }));
}

export function attendTurn(
  state: AttentionState,
  record: LogRecord,
  event: ChatEventOf<'turn'>,
  roster: Roster,
): Attended {
  const { agent } = partyOf(event, roster);
  if (agent === undefined) return nothing(state);
  // The start and the end of a turn allow the agent new exchanges.
  const next = agentState(state, agent.key).disengaged
    ? withAgent(state, agent.key, { disengaged: false })
    : state;
  const effects: Effect[] =
    event.phase === 'started' ? [{ type: 'cursor', agent: agent.id, seq: record.seq }] : [];
  return { state: next, decisions: [], effects };
}

export function attendResolve(
  state: AttentionState,
  event: ChatEventOf<'resolve'>,
  roster: Roster,
): Attended {
  const target = event.targetEventId === undefined ? '' : shortKey(event.targetEventId);
  const { agent } = partyOf(event, roster);
  const claims = state.claims.filter((claim) => claim.event !== target || claim.agent !== agent?.key);
  const asks = state.asks.filter((ask) => ask.event !== target);
  return nothing(noteProgress({ ...state, claims, asks }));
}

/** Progress is a notification. Agents see it in digests and never answer it. */
export function attendProgress(state: AttentionState, record: LogRecord, roster: Roster): Attended {
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
  const admitted = decisions.length === 0 || decisions.some(({ decision }) => decision !== 'denied');
  return { state: admitted ? noteProgress(state) : state, decisions, effects: [] };
}
