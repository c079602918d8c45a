// Work claims: who answers, where several agents could. A claim is on one event or on the whole conversation. It has a
// TTL and a fencing token, the seq of the record that granted it. Readers compare the expiry; ticks remove the claim.
import type { ChatEventOf } from '../protocol/chat-event.ts';
import { claimedId } from '../protocol/derived-id.ts';
import type { LogRecord, Unclaimable } from '../protocol/log-record.ts';
import { keyOf } from './accounts.ts';
import type { Attended } from './attend.ts';
import type { Decision, Effect } from './decision.ts';
import { partyOf } from './heard.ts';
import { recall, recallOriginal } from './recent.ts';
import type { Roster, RosterAgent } from './roster.ts';
import { type AttentionDraft, type AttentionState, type Claim, STATE_LIMITS, shortKey } from './state.ts';

/** Folds the record of a claim, a renewal or a release. The host answers with the effect. */
export function attendClaim(
  state: AttentionState,
  record: LogRecord,
  event: Omit<ChatEventOf<'claim'>, 'type'> & { type: string },
  roster: Roster,
): Attended {
  const { agent } = partyOf(record.event, roster);
  if (agent === undefined) return { state, decisions: [], effects: [] };
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
    answeredBy: answerersOf(state, record, target, roster),
    unclaimable: record.facts.original?.unclaimable,
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

/** From the state while it remembers the event, else from the record's facts: a claim may come much later. */
function answerersOf(
  state: AttentionState,
  { facts }: LogRecord,
  target: string | undefined,
  roster: Roster,
): readonly string[] {
  if (target === undefined) return [];
  return recallOriginal(state, target, facts.original, (id) => keyOf(id, roster, facts))?.answeredBy ?? [];
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

export function claimOn(state: AttentionState, event: string, at: number): Claim | undefined {
  for (const claim of state.claims) {
    if (claim.until > at && (claim.event === event || claim.event === '')) return claim;
  }
  return undefined;
}

interface ClaimRequest {
  op: 'claim' | 'renew' | 'release';
  agent: string;
  /** '' is the whole conversation. */
  event: string;
  at: number;
  seq: number;
  ttlMs: number;
  token: number | undefined;
  /** Who has answered the event already. */
  answeredBy: readonly string[];
  unclaimable: Unclaimable | undefined;
}

interface ClaimResult {
  state: AttentionState;
  outcome:
    | { type: 'granted'; claim: Claim; fresh: boolean }
    | { type: 'released'; claim: Claim }
    | { type: 'refused'; why: ClaimRefusal; holder: string; until: number };
}

/** `limit`: the state is full of claims, and the first of them ends at `until`. */
export type ClaimRefusal = 'held' | 'not_holder' | 'stale_token' | 'answered' | 'limit' | Unclaimable;

function applyClaim(state: AttentionState, request: ClaimRequest): ClaimResult {
  const { agent, event, at } = request;
  const live = state.claims.filter((claim) => claim.until > at && overlaps(claim.event, event));
  const foreign = live.find((claim) => claim.agent !== agent);
  if (foreign !== undefined) return refused(state, 'held', foreign);
  // A claim on the conversation covers its events. A claim on an event does not cover the conversation.
  const held = live.find(
    (claim) => claim.event === event || (claim.event === '' && request.op !== 'release'),
  );
  if (request.op !== 'claim') {
    if (held === undefined)
      return { state, outcome: { type: 'refused', why: 'not_holder', holder: '', until: 0 } };
    if (request.token !== undefined && request.token !== held.token)
      return refused(state, 'stale_token', held);
  }
  // A claim on the whole conversation replaces the agent's claims on its events: one claim, one token.
  const others = state.claims.filter((claim) => claim.until > at && !live.includes(claim));
  if (held === undefined && others.length >= STATE_LIMITS.claims) {
    const soonest = Math.min(...others.map((claim) => claim.until));
    return { state, outcome: { type: 'refused', why: 'limit', holder: '', until: soonest } };
  }
  if (held === undefined && request.unclaimable !== undefined)
    return { state, outcome: { type: 'refused', why: request.unclaimable, holder: '', until: 0 } };
  const other = request.answeredBy.find((answerer) => answerer !== agent);
  if (held === undefined && other !== undefined) {
    return { state, outcome: { type: 'refused', why: 'answered', holder: other, until: 0 } };
  }
  if (request.op === 'release' && held !== undefined) {
    return { state: { ...state, claims: others }, outcome: { type: 'released', claim: held } };
  }
  // Claiming again renews the claim under the same token and never shortens it, so a repeated call does no harm.
  const claim: Claim = {
    event: held?.event ?? event,
    agent,
    until: Math.max(held?.until ?? 0, at + request.ttlMs),
    token: held?.token ?? request.seq,
  };
  return {
    state: { ...state, claims: [claim, ...others] },
    outcome: { type: 'granted', claim, fresh: held === undefined },
  };
}

function overlaps(held: string, wanted: string): boolean {
  return held === wanted || held === '' || wanted === '';
}

function refused(state: AttentionState, why: 'held' | 'stale_token', held: Claim): ClaimResult {
  return { state, outcome: { type: 'refused', why, holder: held.agent, until: held.until } };
}

/** Called when the claimant has answered. */
export function endClaim(draft: AttentionDraft, agent: string, event: string): void {
  draft.claims = draft.claims.filter((claim) => claim.agent !== agent || claim.event !== event);
}

/** Removes expired claims. The host offers their events again. */
export function expireClaims(
  state: AttentionState,
  at: number,
  roster: Pick<Roster, 'byKey'>,
): { state: AttentionState; effects: Effect[] } {
  const expired = state.claims.filter((claim) => claim.until <= at);
  if (expired.length === 0) return { state, effects: [] };
  const claims = state.claims.filter((claim) => claim.until > at);
  const effects = expired.map(({ agent, event }): Effect => {
    const { id } = roster.byKey.get(agent) ?? { id: agent };
    return { type: 'claim_released', agent: id, event, why: 'expired' };
  });
  return { state: { ...state, claims }, effects };
}

/** Whether this agent may answer this event. The host asks again at the send, with the token of the claim. */
export function mayAnswer(
  state: AttentionState,
  agent: string,
  event: string,
  at: number,
  token?: number,
): { ok: true } | { ok: false; why: 'claimed_by_other' | 'stale_token'; holder: string } {
  const claim = claimOn(state, event, at);
  if (claim === undefined) {
    return token === undefined ? { ok: true } : { ok: false, why: 'stale_token', holder: '' };
  }
  if (claim.agent !== agent) return { ok: false, why: 'claimed_by_other', holder: claim.agent };
  if (token !== undefined && token !== claim.token)
    return { ok: false, why: 'stale_token', holder: claim.agent };
  return { ok: true };
}
