// Who is in the conversation, and who is talking with whom. Speakers of the last 7 days are folded from messages. A
// membership read of the surface corrects their number: a fresh and complete one is the truth, a partial or old one can
// only raise the count. Below: who may talk to an agent; then the exchange table, one_shot credits and open questions,
// each one table for all agents.
import type { LogRecord } from '../protocol/log-record.ts';
import type { AuthorKind } from '../protocol/vocabulary.ts';
import type { RosterAgent } from './roster.ts';
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
          said: 0,
          called: 0,
          askedN: 0,
          words: '',
        }
      : { ...before, kind: party.kind, name, atMin };
  const speakers = inFront(speaker, draft.speakers);
  const gone = speakers.length > STATE_LIMITS.speakers ? speakers.pop() : undefined;
  if (gone?.kind === 'human') {
    const { humans, atMin: latest } = draft.forgotten;
    draft.forgotten = { humans: humans + 1, atMin: Math.max(latest, gone.atMin) };
  }
  draft.n += 1;
  draft.last = party.key;
  draft.speakers = speakers;
}

/** A list of its own, with the speaker in front and the others behind. By a copy: a list that grows is copied as it grows. */
function inFront(speaker: Speaker, before: readonly Speaker[]): Speaker[] {
  const speakers = before.slice();
  let place = 0;
  while (place < speakers.length && speakers[place]?.key !== speaker.key) place++;
  if (place === speakers.length) {
    speakers.unshift(speaker);
    return speakers;
  }
  for (; place > 0; place--) speakers[place] = speakers[place - 1] ?? speaker;
  speakers[0] = speaker;
  return speakers;
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

// Admission: whoever lacks `channel.respond` for an agent is denied by it.

/** Works for any record, decided or not. `authorAgent`: the agent whose account wrote it, if it was an agent's. */
export function denies(
  agent: RosterAgent,
  { event: { author }, facts }: Pick<LogRecord, 'event' | 'facts'>,
  authorAgent: string | undefined,
): boolean {
  if (agent.admitsAll) return false;
  const own = authorAgent === undefined ? `${author.kind}:${author.id}` : `agent:${authorAgent}`;
  const identities = new Set(['*', own, ...(facts.authorRoles ?? []).map((role) => `role:${role}`)]);
  if (agent.ignore.some((identity) => identities.has(identity))) return true;
  return !agent.respondTo.some((identity) => identities.has(identity));
}

// Exchanges: each person's partner is the last one they spoke to or were spoken to by, whoever that is. It is counted in
// messages of the room, not in seconds, so the same figures fit fast and slow rooms. Measured on labelled chat, this
// answers "is this for me?" better than timed credits.

export interface LiveExchange {
  partner: string;
  /** `owes`: the partner spoke last. `follow_up`: the author did. */
  turn: 'owes' | 'follow_up';
  /** Messages in the room since then, without this one. */
  ago: number;
}

/** What an untargeted line does. A question soon is for the room; "??" asks again whoever was asked before. */
export type LineKind = 'tells' | 'asks' | 'nudges';

/** The partner to whom an author's untargeted message goes, if there is one. Call it before the message is counted. */
export function liveExchange(
  state: AttentionState,
  author: string,
  at: number,
  limits: AttentionLimits,
  line: LineKind,
  joins = false,
): LiveExchange | undefined {
  const speaker = findSpeaker(state, author) ?? (joins ? spokenToBefore(state, author) : undefined);
  if (speaker === undefined || speaker.partner === '') return undefined;
  const ago = state.n - speaker.partnerN;
  const within = speaker.spokeLast ? followUpWithin(limits, line) : limits.owesMessages;
  if (ago >= within || at - speaker.partnerAtMin * MINUTE_MS > limits.exchangeMs) return undefined;
  return { partner: speaker.partner, turn: speaker.spokeLast ? 'follow_up' : 'owes', ago };
}

/**
 * Whoever asked in a room and was answered in a thread has said nothing in the thread yet. Their partner there is the last
 * one who spoke to them.
 */
function spokenToBefore(
  { speakers }: AttentionState,
  author: string,
): Pick<Speaker, 'partner' | 'spokeLast' | 'partnerN' | 'partnerAtMin'> | undefined {
  const other = speakers.find(({ partner, spokeLast }) => partner === author && spokeLast);
  return other === undefined ? undefined : { ...other, partner: other.key, spokeLast: false };
}

function followUpWithin(limits: AttentionLimits, line: LineKind): number {
  if (line === 'nudges') return limits.owesMessages;
  return line === 'asks' ? limits.followUpQuestions : limits.followUpMessages;
}

/** Another line of the same author in a row: it does not count against their exchange. */
export function keepUp(draft: AttentionDraft, author: string, at: number): void {
  draft.speakers = draft.speakers.map((speaker) =>
    speaker.key === author
      ? { ...speaker, partnerN: speaker.partnerN + 1, partnerAtMin: minuteOf(at) }
      : speaker,
  );
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

/** The agent disengages: those whose partner it is have none any more, and neither has the agent. Its lines are forgotten. */
export function endExchanges(state: AttentionState, agent: string): AttentionState {
  const speakers = state.speakers.map((speaker) =>
    speaker.partner === agent || speaker.key === agent ? { ...speaker, partner: '' } : speaker,
  );
  const lines = state.lines.filter(({ author, to }) => author !== agent && to !== agent);
  return { ...state, speakers, lines };
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
  const others = state.asks.filter((ask) => ask.agent !== closed.agent || ask.event !== closed.event);
  return { ...state, asks: others };
}
