// Who is talking with whom: the exchange table, one_shot credits and open questions, each one table for all agents.
// An exchange: each person's partner is the last one they spoke to or were spoken to by, whoever that is. It is counted
// in messages of the room, not in seconds, so the same figures fit fast and slow rooms. Measured on labelled chat, this
// answers "is this for me?" better than timed credits.
import type { AttentionLimits } from './settings.ts';
import {
  type Ask,
  type AttentionDraft,
  type AttentionState,
  MINUTE_MS,
  STATE_LIMITS,
  type Speaker,
  findSpeaker,
  minuteOf,
} from './state.ts';

export interface LiveExchange {
  partner: string;
  /** `owes`: the partner spoke last. `follow_up`: the author did. */
  turn: 'owes' | 'follow_up';
  /** Messages in the room since then, without this one. */
  ago: number;
}

/** The partner to whom an author's untargeted message goes, if there is one. Call it before the message is counted. */
export function liveExchange(
  state: AttentionState,
  author: string,
  at: number,
  limits: AttentionLimits,
): LiveExchange | undefined {
  const speaker = findSpeaker(state, author);
  if (speaker === undefined || speaker.partner === '') return undefined;
  const ago = state.n - speaker.partnerN;
  const within = speaker.spokeLast ? limits.followUpMessages : limits.owesMessages;
  if (ago >= within || at - speaker.partnerAtMin * MINUTE_MS > limits.exchangeMs) return undefined;
  return { partner: speaker.partner, turn: speaker.spokeLast ? 'follow_up' : 'owes', ago };
}

/**
 * `from` has just spoken to `to`, at message `draft.n`: each becomes the other's partner. When `to` was only inferred,
 * `to` keeps the partner they have.
 */
export function converse(
  draft: AttentionDraft,
  from: string,
  to: string,
  at: number,
  inferred: boolean,
): void {
  if (from === to) return;
  draft.speakers = draft.speakers.map((speaker): Speaker => {
    if (speaker.key === from) return paired(speaker, to, true, draft.n, at);
    if (speaker.key !== to) return speaker;
    if (inferred && speaker.partner !== '' && speaker.partner !== from) return speaker;
    return paired(speaker, from, false, draft.n, at);
  });
  // The next words of `to` answer `from`, so they no longer continue what `to` said before.
  if (draft.windows.some(({ author }) => author === to)) {
    draft.windows = draft.windows.filter(({ author }) => author !== to);
  }
}

function paired(speaker: Speaker, partner: string, spokeLast: boolean, n: number, at: number): Speaker {
  return { ...speaker, partner, spokeLast, partnerN: n, partnerAtMin: minuteOf(at) };
}

/** The agent disengages: those whose partner it is have none any more, and neither has the agent. */
export function endExchanges(state: AttentionState, agent: string): AttentionState {
  const speakers = state.speakers.map((speaker) =>
    speaker.partner === agent || speaker.key === agent ? { ...speaker, partner: '' } : speaker,
  );
  return { ...state, speakers };
}

/** Stickiness `one_shot`: an agent's reply gives those it answers one untargeted message to the agent. */
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

/**
 * The agent's open question to this person, or to the room. "ok" to an agent that has just asked is an approval;
 * otherwise it is only an acknowledgement and starts nothing.
 */
export function openAsk(
  state: AttentionState,
  agent: string,
  to: string,
  n: number,
  maxAge: number,
): Ask | undefined {
  for (const ask of state.asks) {
    if (ask.agent === agent && (ask.to === '' || ask.to === to) && n - ask.n <= maxAge) return ask;
  }
  return undefined;
}

export function noteAsk(draft: AttentionDraft, ask: Ask): void {
  const others = draft.asks.filter((other) => other.agent !== ask.agent || other.to !== ask.to);
  draft.asks = [ask, ...others].slice(0, STATE_LIMITS.asks);
}

export function closeAsk(state: AttentionState, closed: Ask): AttentionState {
  return { ...state, asks: state.asks.filter((ask) => ask !== closed) };
}
