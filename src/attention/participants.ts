// Who is in the conversation. Speakers of the last 7 days are folded from messages. A membership read of the surface
// corrects them: a fresh and complete one is the truth, a partial or old one can only raise the count.
import type { LogRecord } from '../protocol/log-record.ts';
import type { AuthorKind } from '../protocol/vocabulary.ts';
import type { AttentionLimits } from './settings.ts';
import {
  type AttentionDraft,
  type AttentionState,
  type Speaker,
  STATE_LIMITS,
  findSpeaker,
  minuteOf,
} from './state.ts';
import { foldText } from './text.ts';

export interface Party {
  key: string;
  kind: AuthorKind;
  displayName: string | undefined;
}

export interface Humans {
  count: number;
  /** There is a complete read that is young enough, and no new author since. */
  fresh: boolean;
  /** There is a read. */
  known: boolean;
}

/** Counts a message, and puts its author in front of the speakers. */
export function noteSpeaker(draft: AttentionDraft, party: Party, at: number): void {
  const before = findSpeaker(draft, party.key);
  const atMin = minuteOf(at);
  const name = party.displayName === undefined ? (before?.name ?? '') : clipName(foldText(party.displayName));
  const speaker: Speaker =
    before === undefined
      ? {
          key: party.key,
          kind: party.kind,
          name,
          atMin,
          partner: '',
          spokeLast: false,
          partnerN: 0,
          partnerAtMin: 0,
        }
      : { ...before, kind: party.kind, name, atMin };
  const speakers = [speaker];
  for (const other of draft.speakers) if (other.key !== party.key) speakers.push(other);
  const gone = speakers.length > STATE_LIMITS.speakers ? speakers.pop() : undefined;
  if (gone?.kind === 'human') {
    const { humans, atMin: latest } = draft.forgotten;
    draft.forgotten = { humans: humans + 1, atMin: Math.max(latest, gone.atMin) };
  }
  draft.n += 1;
  draft.last = party.key;
  draft.speakers = speakers;
}

export function effectiveHumans(
  state: AttentionState,
  record: LogRecord,
  author: Party,
  limits: AttentionLimits,
): Humans {
  const spoken = humansHeard(state, record.at, author, limits);
  const parent = record.facts.parent?.humans ?? 0;
  const read = record.facts.membership ?? state.membership;
  if (read === null || read === undefined) {
    return { count: Math.max(spoken, parent), fresh: false, known: false };
  }
  // A new author makes an older read stale. The host reads again after the decision; a decision never waits for it.
  const unseen =
    author.kind === 'human' && findSpeaker(state, author.key) === undefined && read.at < record.at;
  const fresh = read.complete && !unseen && record.at - read.at < limits.membershipFreshMs;
  return { count: fresh ? read.humans : Math.max(spoken, parent, read.humans), fresh, known: true };
}

function humansHeard(state: AttentionState, at: number, author: Party, limits: AttentionLimits): number {
  const since = minuteOf(at - limits.speakersMs);
  let humans = author.kind === 'human' ? 1 : 0;
  for (const speaker of state.speakers) {
    if (speaker.kind === 'human' && speaker.atMin >= since && speaker.key !== author.key) humans++;
  }
  return state.forgotten.atMin >= since ? humans + state.forgotten.humans : humans;
}

/** Cuts the name so that its JSON is small in every script. A cut name still matches by what is left of it. */
function clipName(folded: string): string {
  const name = folded.trim();
  let bytes = 0;
  let end = 0;
  while (end < name.length) {
    const code = name.codePointAt(end) ?? 0;
    // Controls, quote, backslash and half a surrogate pair are no part of a name, and JSON would escape them.
    if (code < 32 || code === 34 || code === 92 || (code >= 0xd800 && code <= 0xdfff)) break;
    bytes += utf8Bytes(code);
    if (bytes > STATE_LIMITS.nameBytes) break;
    end += code > 0xffff ? 2 : 1;
  }
  return name.slice(0, end).trimEnd();
}

/** The name is as long as a name can be here, so it may have been cut. */
export function mayBeCut(name: string): boolean {
  let bytes = 0;
  for (const char of name) bytes += utf8Bytes(char.codePointAt(0) ?? 0);
  return bytes > STATE_LIMITS.nameBytes - 4;
}

function utf8Bytes(code: number): number {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}
