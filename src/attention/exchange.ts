// The exchange table: each person's current partner is the last one they spoke to or were spoken to by, whoever
// that is. One table serves all agents. Counted in room messages, not seconds, so that it carries over from fast
// rooms to slow ones. Measured on labelled chat it finds "is this for me?" better than timed credits do.
import type { AttentionLimits } from './settings.ts';
import {
  type AttentionDraft,
  type AttentionState,
  MINUTE_MS,
  type Speaker,
  findSpeaker,
  minuteOf,
} from './state.ts';

export interface LiveExchange {
  partner: string;
  /** `owes`: the partner spoke last. `follow_up`: the author did. */
  turn: 'owes' | 'follow_up';
  /** Room messages since, this one not counted. */
  ago: number;
}

/** Whom an author's untargeted message goes to, if anybody: asked before the message is counted. */
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
 * `from` has just spoken to `to`, at message `draft.n`. Both sides' last partner is now the other. When that is only
 * inferred, it does not take `to` away from whoever they are talking with.
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
  // Spoken to by somebody, one's next words are an answer to them and no longer a fragment of what came before.
  if (draft.windows.some(({ author }) => author === to)) {
    draft.windows = draft.windows.filter(({ author }) => author !== to);
  }
}

function paired(speaker: Speaker, partner: string, spokeLast: boolean, n: number, at: number): Speaker {
  return { ...speaker, partner, spokeLast, partnerN: n, partnerAtMin: minuteOf(at) };
}

/** Disengage: everybody whose partner is this agent has none any more, and neither has the agent. */
export function endExchanges(state: AttentionState, agent: string): AttentionState {
  const speakers = state.speakers.map((speaker) =>
    speaker.partner === agent || speaker.key === agent ? { ...speaker, partner: '' } : speaker,
  );
  return { ...state, speakers };
}
