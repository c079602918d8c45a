// The last few messages of a conversation. Edits, deletes, reactions, replies and lead-in lines refer to them. For
// older messages, whoever writes the record looks in the log (facts.original).
import type { OriginalFacts } from '../protocol/log-record.ts';
import { shortKey } from './keys.ts';
import { type AttentionDraft, type AttentionState, type Recent, STATE_LIMITS } from './state.ts';

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

/** The author's untargeted lines just before, which belong to the turn. Stops at a line that was for somebody. */
export function leadIn(state: AttentionState, author: string, since: number): readonly number[] {
  const seqs: number[] = [];
  for (const recent of state.recent) {
    if (recent.at < since) break;
    if (recent.author !== author) continue;
    if (recent.addressed.length > 0) break;
    seqs.unshift(recent.seq);
  }
  return seqs;
}
