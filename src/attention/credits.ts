// one_shot stickiness, the engagement text's own: an agent's reply grants the authors it targets a credit; the
// author's next untargeted message consumes it and engages, whatever it says.
import type { AttentionLimits } from './settings.ts';
import { type AttentionDraft, type AttentionState, STATE_LIMITS } from './state.ts';

export function hasCredit(state: AttentionState, author: string, agent: string, at: number): boolean {
  for (const credit of state.credits) {
    if (credit.author === author && credit.agent === agent && credit.until > at) return true;
  }
  return false;
}

export function grantCredit(
  draft: AttentionDraft,
  author: string,
  agent: string,
  at: number,
  limits: AttentionLimits,
): void {
  const others = draft.credits.filter(
    (credit) => credit.until > at && !(credit.author === author && credit.agent === agent),
  );
  draft.credits = [{ author, agent, until: at + limits.stickyMs }, ...others].slice(0, STATE_LIMITS.credits);
}

export function spendCredit(state: AttentionState, author: string, agent: string): AttentionState {
  const kept = state.credits.filter((credit) => !(credit.author === author && credit.agent === agent));
  return kept.length === state.credits.length ? state : { ...state, credits: kept };
}

export function dropCredits(state: AttentionState, agent: string): AttentionState {
  return { ...state, credits: state.credits.filter((credit) => credit.agent !== agent) };
}
