// What was just said: the last few messages of a conversation, and the open compose windows. Edits, deletes, reactions,
// replies and lead-in lines refer to recent messages. For older ones, whoever writes the record looks in the log
// (facts.original).
import type { LogRecord, OriginalFacts } from '../protocol/log-record.ts';
import type { AttentionLimits } from './settings.ts';
import {
  type Addressed,
  type AttentionDraft,
  type AttentionState,
  type Recent,
  STATE_LIMITS,
  type Window,
  shortKey,
} from './state.ts';

export function recall(state: Pick<AttentionState, 'recent'>, eventId: string): Recent | undefined {
  const key = shortKey(eventId);
  for (const recent of state.recent) if (recent.event === key) return recent;
  return undefined;
}

/** The event that an edit, delete or reaction refers to: from the state, else from the record's facts. */
export function recallOriginal(
  state: AttentionState,
  eventId: string,
  facts: OriginalFacts | undefined,
  toKey: (identity: string) => string,
): Recent | undefined {
  const remembered = recall(state, eventId);
  if (remembered !== undefined || facts === undefined || facts.eventId !== eventId) return remembered;
  return {
    event: shortKey(eventId),
    author: toKey(facts.authorId),
    seq: 0,
    at: 0,
    textHash: facts.textHash,
    addressed: facts.addressed.map((agent) => ({ agent: toKey(agent), rung: 'mention' })),
    answeredBy: facts.answeredBy.map(toKey),
  };
}

export function remember(draft: AttentionDraft, recent: Recent): void {
  const all = draft.recent.toSpliced(0, 0, recent);
  if (all.length > STATE_LIMITS.recent) all.pop();
  draft.recent = trimAddressed(all);
}

/** Bounds the list over all messages. The oldest messages first forget whom they were for. */
function trimAddressed(recent: readonly Recent[]): readonly Recent[] {
  let left: number = STATE_LIMITS.addressedInAll;
  let trimmed: Recent[] | undefined;
  for (let i = 0; i < recent.length; i++) {
    const entry = recent[i];
    if (entry === undefined) break;
    const kept = Math.min(left, STATE_LIMITS.addressed, entry.addressed.length);
    left -= kept;
    if (kept === entry.addressed.length) continue;
    trimmed ??= [...recent];
    trimmed[i] = { ...entry, addressed: entry.addressed.slice(0, kept) };
  }
  return trimmed ?? recent;
}

export function updateRecent(state: AttentionState, event: string, change: Partial<Recent>): AttentionState {
  return { ...state, recent: recentWith(state, event, change) };
}

function recentWith(
  { recent }: Pick<AttentionState, 'recent'>,
  event: string,
  change: Partial<Recent>,
): readonly Recent[] {
  return trimAddressed(recent.map((entry) => (entry.event === event ? { ...entry, ...change } : entry)));
}

export function noteAnswer(draft: AttentionDraft, eventId: string, agent: string): void {
  const answered = recall(draft, eventId);
  if (answered === undefined || answered.answeredBy.includes(agent)) return;
  const answeredBy = [...answered.answeredBy, agent].slice(0, STATE_LIMITS.addressed);
  draft.recent = recentWith(draft, answered.event, { answeredBy });
}

/**
 * The author's untargeted lines just before, which belong to the turn. Stops at a line that was for somebody, or that the
 * agent has answered. Before an edit they are those before the message that it changes, which is not one of them.
 */
export function leadIn(
  { recent }: Pick<AttentionState, 'recent'>,
  { event, at }: Pick<LogRecord, 'event' | 'at'>,
  { author, agent, withinMs }: { author: string; agent: string; withinMs: number },
): readonly number[] {
  const changed = event.type === 'edit' ? shortKey(event.targetEventId) : undefined;
  const from = changed === undefined ? -1 : recent.findIndex((line) => line.event === changed);
  if (changed !== undefined && from < 0) return [];
  const since = (recent[from]?.at ?? at) - withinMs;
  const seqs: number[] = [];
  for (let index = from + 1; index < recent.length; index++) {
    const line = recent[index];
    if (line === undefined || line.at < since) break;
    if (line.author !== author) continue;
    if (line.addressed.length > 0 || line.answeredBy.includes(agent)) break;
    seqs.unshift(line.seq);
  }
  return seqs;
}

// Compose windows. A message for an agent opens one, and its author's next messages without a target belong to it. Here
// the window only gives those fragments the same decision as the first message. The harness, or the host, composes the
// turn itself with src/compose.

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
