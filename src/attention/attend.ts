// attend, the fold: `(state, record, roster) -> { state, decisions, effects }`. It is pure: no clock, no I/O, no
// randomness. Time comes from the records. Live traffic, replay, the simulator and what-if all call this function.
import type { LogRecord } from '../protocol/log-record.ts';
import {
  attendClaim,
  attendDisengage,
  attendFocus,
  attendMode,
  attendProgress,
  attendResolve,
  attendTurn,
} from './attend-act.ts';
import { attendDelete, attendEdit } from './attend-amendment.ts';
import { attendMessage } from './attend-message.ts';
import { attendReaction } from './attend-reaction.ts';
import { expireClaims } from './claims.ts';
import type { Decision, Effect } from './decision.ts';
import { keyOf, partyOf } from './heard.ts';
import { shortKey } from './keys.ts';
import type { Roster } from './roster.ts';
import { type AttentionState, closeDraft, openDraft } from './state.ts';
import { noteTyping } from './windows.ts';

export interface Attended {
  state: AttentionState;
  decisions: readonly Decision[];
  effects: readonly Effect[];
}

export function attend(state: AttentionState, record: LogRecord, roster: Roster): Attended {
  return attendRecord(advance(state, record, roster), record, roster);
}

function attendRecord(state: AttentionState, record: LogRecord, roster: Roster): Attended {
  const { event } = record;
  switch (event.type) {
    case 'message':
      return attendMessage(state, record, event, roster);
    case 'edit':
      return attendEdit(state, record, event, roster);
    case 'delete':
      return attendDelete(state, record, event, roster);
    case 'reaction':
      return attendReaction(state, record, event, roster);
    case 'typing': {
      const { key } = partyOf(event, roster);
      return only(noteTyping(state, key, event.typing ?? true, record.at, roster.limits));
    }
    case 'membership':
      return only(state); // `advance` has stored the membership already
    case 'progress':
      return attendProgress(state, record, roster);
    case 'claim':
      return attendClaim(state, record, event, roster);
    case 'mode':
      return attendMode(state, record, event, roster);
    case 'focus':
      return attendFocus(state, record, event, roster);
    case 'disengage':
      return attendDisengage(state, event, roster);
    case 'turn':
      return attendTurn(state, record, event, roster);
    case 'resolve':
      return attendResolve(state, event, roster);
    case 'tick': {
      const { state: swept, effects } = expireClaims(state, record.at, roster);
      return { state: swept, decisions: [], effects };
    }
  }
}

function only(state: AttentionState): Attended {
  return { state, decisions: [], effects: [] };
}

/** What every record may bring, whatever its type: time, membership, a thread's root. */
function advance(state: AttentionState, record: LogRecord, roster: Roster): AttentionState {
  const { at, seq, facts } = record;
  const draft = openDraft(state);
  draft.at = at;
  draft.seq = seq;
  if (state.since === 0) draft.since = at;
  if (facts.membership !== undefined) draft.membership = facts.membership;
  if (facts.root !== undefined && state.root === null) {
    const { eventId, authorId, mentions } = facts.root;
    draft.root = {
      key: shortKey(eventId),
      author: keyOf(authorId, roster),
      mentions: mentions.slice(0, 4).map((identity) => keyOf(identity, roster)),
      othersSpoke: false,
    };
  }
  return closeDraft(draft);
}

/** When the host must fold a tick at the latest: when the first claim expires. */
export function wakeAt(state: AttentionState): number | undefined {
  let first: number | undefined;
  for (const { until } of state.claims) if (first === undefined || until < first) first = until;
  return first;
}
