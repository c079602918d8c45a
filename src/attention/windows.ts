// Compose windows as the fold sees them: a message that is for an agent opens one, and what its author says next
// without a target belongs to it. The harness (or the host) composes the turn with src/compose; this only keeps
// the decision about the fragments the same as about the first.
import type { AttentionLimits } from './settings.ts';
import { type Addressed, type AttentionState, STATE_LIMITS, type Window } from './state.ts';

export function openWindow(
  state: AttentionState,
  author: string,
  addressed: readonly Addressed[],
  at: number,
  limits: AttentionLimits,
): AttentionState {
  const open = state.windows.find((window) => window.author === author && window.until >= at);
  const others = state.windows.filter((window) => window.author !== author && window.until >= at);
  if (addressed.length === 0) {
    // Said to nobody, or to somebody else: the author's window is over.
    return state.windows.length === others.length ? state : { ...state, windows: others };
  }
  const firstAt = open?.firstAt ?? at;
  const until = Math.min(firstAt + limits.composeMaxMs, at + limits.composeMs);
  const kept = addressed.slice(0, STATE_LIMITS.addressed);
  const window: Window = { author, firstAt, until, addressed: kept };
  return { ...state, windows: [window, ...others].slice(0, STATE_LIMITS.windows) };
}

/** A typing sign keeps the author's window open; its end closes it after the usual pause. */
export function noteTyping(
  state: AttentionState,
  author: string,
  typing: boolean,
  at: number,
  limits: AttentionLimits,
): AttentionState {
  const wait = typing ? limits.typingMs : limits.composeMs;
  const windows = state.windows.map((window) =>
    window.author === author && window.until >= at
      ? { ...window, until: Math.min(window.firstAt + limits.composeMaxMs, at + wait) }
      : window,
  );
  return { ...state, windows };
}
