// Compose windows in the fold. A message for an agent opens one, and its author's next messages without a target belong
// to it. Here the window only gives those fragments the same decision as the first message. The harness, or the host,
// composes the turn itself with src/compose.
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
  // A message to nobody, or to somebody else, ends the author's window.
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

/** While the author types, the window stays open. When typing stops, it closes after the usual pause. */
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
