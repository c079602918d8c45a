// Work claims: who may answer what several could. A claim is on one event or on the whole conversation, has a TTL
// and a fencing token (the seq of the record that granted it); expiry is compared lazily and swept by ticks.
import type { Effect } from './decision.ts';
import type { Roster } from './roster.ts';
import { type AttentionDraft, type AttentionState, type Claim, STATE_LIMITS } from './state.ts';

export function claimOn(state: AttentionState, event: string, at: number): Claim | undefined {
  for (const claim of state.claims) {
    if (claim.until > at && (claim.event === event || claim.event === '')) return claim;
  }
  return undefined;
}

export interface ClaimRequest {
  op: 'claim' | 'renew' | 'release';
  agent: string;
  /** '' is the whole conversation. */
  event: string;
  at: number;
  seq: number;
  ttlMs: number;
  token: number | undefined;
}

export interface ClaimResult {
  state: AttentionState;
  outcome:
    | { type: 'granted'; claim: Claim; fresh: boolean }
    | { type: 'released'; claim: Claim }
    | { type: 'refused'; why: ClaimRefusal; holder: string; until: number };
}

/** `limit`: as many claims are open here as state keeps; one of them ends at `until`. */
export type ClaimRefusal = 'held' | 'not_holder' | 'stale_token' | 'answered' | 'limit';

export function applyClaim(state: AttentionState, request: ClaimRequest): ClaimResult {
  const { agent, event, at } = request;
  const live = state.claims.filter((claim) => claim.until > at && overlaps(claim.event, event));
  const foreign = live.find((claim) => claim.agent !== agent);
  if (foreign !== undefined) return refused(state, 'held', foreign);
  // A claim on the conversation covers its events; one on an event is none on the conversation.
  const held = live.find(
    (claim) => claim.event === event || (claim.event === '' && request.op !== 'release'),
  );
  if (request.op !== 'claim') {
    if (held === undefined)
      return { state, outcome: { type: 'refused', why: 'not_holder', holder: '', until: 0 } };
    if (request.token !== undefined && request.token !== held.token)
      return refused(state, 'stale_token', held);
  }
  // Taking the whole conversation takes in the agent's claims on its events: one claim, one token.
  const others = state.claims.filter((claim) => claim.until > at && !live.includes(claim));
  if (held === undefined && others.length >= STATE_LIMITS.claims) {
    const soonest = Math.min(...others.map((claim) => claim.until));
    return { state, outcome: { type: 'refused', why: 'limit', holder: '', until: soonest } };
  }
  const answeredBy = state.recent.find((recent) => recent.event === event)?.answeredBy ?? [];
  const other = answeredBy.find((answerer) => answerer !== agent);
  if (held === undefined && other !== undefined) {
    return { state, outcome: { type: 'refused', why: 'answered', holder: other, until: 0 } };
  }
  if (request.op === 'release' && held !== undefined) {
    return { state: { ...state, claims: others }, outcome: { type: 'released', claim: held } };
  }
  // Claiming again what one holds renews it under the same token: a repeated call is no second claim, and never less.
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

/** The claimant has answered: the claim has done its work. */
export function endClaim(draft: AttentionDraft, agent: string, event: string): void {
  draft.claims = draft.claims.filter((claim) => claim.agent !== agent || claim.event !== event);
}

/** Claims whose time is over are freed; the host offers their events again. */
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

/** May this agent answer this event? Asked again when it sends, with the token it was given. */
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
