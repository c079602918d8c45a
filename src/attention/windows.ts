// Compose windows as the fold sees them: a message that is for an agent opens one, and what its author says next
// without a target belongs to it. The harness (or the host) composes the turn with src/compose; this only keeps
// the decision about the fragments the same as about the first.
import type { AttentionLimits } from './settings.ts';
import {
  type Addressed,
  type AttentionDraft,
  type AttentionState,
  STATE_LIMITS,
  type Window,
} from './state.ts';

export function openWindow(
  draft: AttentionDraft,
  author: string,
  addressed: readonly Addressed[],
  at: number,
  limits: AttentionLimits,
): void {
  const windows = draft.windows.filter((window) => window.author !== author && window.until >= at);
  // Said to nobody, or to somebody else: the author's window is over.
  if (addressed.length > 0) {
    const firstAt = windowOf(draft, author, at)?.firstAt ?? at;
    const until = Math.min(firstAt + limits.composeMaxMs, at + limits.composeMs);
    const kept =
      addressed.length > STATE_LIMITS.addressed ? addressed.slice(0, STATE_LIMITS.addressed) : addressed;
    windows.unshift({ author, firstAt, until, addressed: kept });
    if (windows.length > STATE_LIMITS.windows) windows.pop();
  }
  draft.windows = windows;
}

/** The author's window, if it is open. */
export function windowOf(
  state: Pick<AttentionState, 'windows'>,
  author: string,
  at: number,
): Window | undefined {
  for (const window of state.windows) if (window.author === author && window.until >= at) return window;
  return undefined;
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
