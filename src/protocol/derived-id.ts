// The ids that the host makes: one grammar, and the only place that writes, reads or recognises one.
//
// - Ids of the host's own events begin with a word: `out_…`, `turn:…`, `web_…`.
// - Derived ids: a harness drops a repeated eventId, so every further delivery about an event has an id of its own:
//   `evt_1/claimed`, `evt_1/retry-2`, `evt_1/escalated-lead`. An id may be derived more than once
//   (`evt_1/escalation-7/return-2`).
// - Tags: a source's id is unique in its conversation only, the host's event id everywhere on the host. Where a source's
//   id is taken by an event of another conversation, the event id is that id with a tag: `42~Xk3vQ1mZ9aTc`. The tag is a
//   hash of the conversation and the source's id, so the same event always gets the same one. The host makes the hash.
//
// They are a space of their own: a source's id that reads like one of them always gets a tag, so no source can stand in
// for an event of the host or take its place.
import { AGENT_ID, AGENT_ID_CHARS } from './identity.ts';

/** The same question once more. Such an ending replaces another one of its kind, so ids stay short. */
export const FOLLOW_UP_KINDS = ['reminder', 'expired', 'lapsed', 'retry', 'edit'] as const;
export type FollowUpKind = (typeof FOLLOW_UP_KINDS)[number];

/** What the obligations ladder makes: events of its own, and the returns of a question that is still owed. */
export const LADDER_KINDS = ['return', 'escalation', 'unclear', 'list'] as const;
export type LadderKind = (typeof LADDER_KINDS)[number];

/** What the host itself posts for an agent: short acknowledgements and reactions. */
export const OUTBOX_KINDS = [
  'ack-leave',
  'ack-stop',
  'ack-mode',
  'ack-dial',
  'ack-approval',
  'ack-loop',
  'ack-budget',
  'ack-trouble',
  'ack-gave-up',
  'ack-question-gone',
  'ack-away',
  'seen',
  'queued',
] as const;
export type OutboxKind = (typeof OUTBOX_KINDS)[number];

/** Of these: what the host says about the agent, in its own words. The others are said as if the agent spoke. */
const NOTICE_KINDS: ReadonlySet<DerivedKind> = new Set([
  'ack-loop',
  'ack-budget',
  'ack-trouble',
  'ack-gave-up',
  'ack-question-gone',
  'ack-away',
]);

const PLAIN_KINDS = ['claimed', 'loop-stopped'] as const;
const NUMBERED_KINDS = [...FOLLOW_UP_KINDS, ...LADDER_KINDS] as const;
const AGENT_KINDS = ['escalated', 'correction', ...OUTBOX_KINDS] as const;
export const DERIVED_KINDS = [...PLAIN_KINDS, ...NUMBERED_KINDS, ...AGENT_KINDS, 'undelivered'] as const;
export type DerivedKind = (typeof DERIVED_KINDS)[number];

/** The parts of one ending. `of` is the id without it, which may be derived itself. */
export type DerivedId = { [Kind in DerivedKind]: { kind: Kind; of: string } & Details<Kind> }[DerivedKind];

/** `sent`: the end of the id of the message that could not be posted. */
type Details<Kind> = Kind extends FollowUpKind | LadderKind
  ? { number: number }
  : Kind extends 'escalated' | 'correction' | OutboxKind
    ? { agent: string }
    : Kind extends 'undelivered'
      ? { sent: string }
      : unknown;

/** The event in full, for the agent that claimed it. */
export function claimedId(eventId: string): string {
  return `${eventId}/claimed`;
}

/** Tells the lead that agents were talking in a loop. */
export function loopStoppedId(eventId: string): string {
  return `${eventId}/loop-stopped`;
}

/** `attempt` counts the deliveries of this question, so the first follow-up has the number 2. */
export function followUpId(deliveredId: string, kind: FollowUpKind, attempt: number): string {
  return `${withoutFollowUp(deliveredId)}/${kind}-${attempt}`;
}

export function ladderId(eventId: string, kind: LadderKind, number: number): string {
  return `${eventId}/${kind}-${number}`;
}

/** Tells the lead that this agent did not answer. */
export function escalatedId(eventId: string, agent: string): string {
  return `${eventId}/escalated-${agent}`;
}

/** The record of what a message or an act says about what this agent should have done. */
export function correctionId(eventId: string, agent: string): string {
  return `${eventId}/correction-${agent}`;
}

/** The event of something that the host posts for this agent about the event. */
export function outboxId(eventId: string, kind: OutboxKind, agent: string): string {
  return `${eventId}/${kind}-${agent}`;
}

/** The end of a sent message's id tells several undelivered answers to one event apart. */
const SENT_CHARS = 24;

/** Tells an agent that its answer could not be posted. */
export function undeliveredId(eventId: string, sentId: string): string {
  return `${eventId}/undelivered-${sentId.slice(-SENT_CHARS)}`;
}

/** The last ending of an id; undefined when the id is not derived. */
export function parseDerivedId(id: string): DerivedId | undefined {
  const cut = id.lastIndexOf('/');
  if (cut <= 0 || isTaggedId(id)) return undefined;
  return undeliveredIn(id) ?? endingOf(id.slice(0, cut), id.slice(cut + 1));
}

export function isDerivedId(id: string): boolean {
  return parseDerivedId(id) !== undefined;
}

/** All endings of an id, the last one first. */
export function derivationsOf(id: string): DerivedId[] {
  const found: DerivedId[] = [];
  for (let one = parseDerivedId(id); one !== undefined; one = parseDerivedId(one.of)) found.push(one);
  return found;
}

/** The ending of this kind, wherever in the id: `evt_1/claimed/retry-2` is `claimed` too. */
export function derivationAs<Kind extends DerivedKind>(
  id: string,
  kind: Kind,
): Extract<DerivedId, { kind: Kind }> | undefined {
  return derivationsOf(id).find((one): one is Extract<DerivedId, { kind: Kind }> => one.kind === kind);
}

/** Whether the event is a line of the host about an agent. */
export function isNoticeId(id: string): boolean {
  const last = parseDerivedId(id);
  return last !== undefined && NOTICE_KINDS.has(last.kind);
}

/** The event that somebody wrote, below all endings. */
export function rootEventId(id: string): string {
  return derivationsOf(id).at(-1)?.of ?? id;
}

/** The id without its last ending. */
export function originId(id: string): string {
  return parseDerivedId(id)?.of ?? id;
}

/** The question behind what the obligations ladder made: `evt_1` for `evt_1/escalation-7/return-2`. */
export function questionOf(id: string): string {
  const last = parseDerivedId(id);
  return last !== undefined && isOneOf(LADDER_KINDS, last.kind) ? questionOf(last.of) : id;
}

/** Whether the obligations ladder made the event with this id. */
export function isLadderId(id: string): boolean {
  return questionOf(id) !== id;
}

/**
 * The obligation's own event behind a delivery about it: `evt_1/escalation-7` for `evt_1/escalation-7/return-2`. Returns,
 * longer lists and follow-ups only ask again.
 */
export function owedEventId(id: string): string {
  const last = parseDerivedId(id);
  if (last === undefined) return id;
  const asksAgain = last.kind === 'return' || last.kind === 'list' || isOneOf(FOLLOW_UP_KINDS, last.kind);
  return asksAgain ? owedEventId(last.of) : id;
}

export function isFollowUpId(id: string): boolean {
  return withoutFollowUp(id) !== id;
}

/** The id that this question had when it was delivered first. */
export function withoutFollowUp(id: string): string {
  const last = parseDerivedId(id);
  return last !== undefined && isOneOf(FOLLOW_UP_KINDS, last.kind) ? last.of : id;
}

/** The id of the question: without what a claim, a follow-up or a refused answer added to it. */
export function withoutAnswerEndings(id: string): string {
  const last = parseDerivedId(id);
  if (last === undefined) return id;
  const same = last.kind === 'claimed' || last.kind === 'undelivered' || isOneOf(FOLLOW_UP_KINDS, last.kind);
  return same ? withoutAnswerEndings(last.of) : id;
}

function endingOf(of: string, ending: string): DerivedId | undefined {
  if (isOneOf(PLAIN_KINDS, ending)) return { kind: ending, of };
  const numbered = NUMBERED_KINDS.find((kind) => ending.startsWith(`${kind}-`));
  if (numbered !== undefined) {
    const digits = ending.slice(numbered.length + 1);
    return NUMBER.test(digits) ? { kind: numbered, of, number: Number(digits) } : undefined;
  }
  const named = AGENT_KINDS.find((kind) => ending.startsWith(`${kind}-`));
  const agent = named === undefined ? '' : ending.slice(named.length + 1);
  return named !== undefined && isAgentId(agent) ? { kind: named, of, agent } : undefined;
}

/** As the host writes numbers: no sign, no leading zero. */
const NUMBER = /^[1-9]\d{0,14}$/;

function isAgentId(text: string): boolean {
  return text.length <= AGENT_ID_CHARS && AGENT_ID.test(text);
}

const UNDELIVERED = '/undelivered-';

/**
 * Read before the other endings, because the id of a sent message may have one itself: when an acknowledgement cannot
 * be posted, the id ends in `/undelivered-evt_1/ack-stop-lead`.
 */
function undeliveredIn(id: string): DerivedId | undefined {
  const cut = id.lastIndexOf(UNDELIVERED);
  const sent = id.slice(cut + UNDELIVERED.length);
  if (cut <= 0 || sent === '' || sent.length > SENT_CHARS) return undefined;
  const slash = sent.lastIndexOf('/');
  if (slash >= 0) {
    const inner = endingOf(sent.slice(0, slash), sent.slice(slash + 1));
    if (inner === undefined || !isOneOf(OUTBOX_KINDS, inner.kind)) return undefined;
  }
  return { kind: 'undelivered', of: id.slice(0, cut), sent };
}

/** The longest id of an event, from a source or from the host. */
export const EVENT_ID_CHARS = 256;
/** 72 bits in base64url: nobody finds a second conversation with the tag of a given one. */
export const TAG_CHARS = 12;

const TAGGED = /~[\w-]{12}$/;
const TILDE = 126;

/** Derived ids never end in a tag, because no agent's id has a `~`. */
export function isTaggedId(id: string): boolean {
  return id.charCodeAt(id.length - TAG_CHARS - 1) === TILDE && TAGGED.test(id);
}

/** A very long id is cut, so that the whole stays an id. The tag still tells it from others with the same beginning. */
export function withTag(sourceId: string, tag: string): string {
  const longest = EVENT_ID_CHARS - TAG_CHARS - 1;
  const kept = sourceId.length > longest ? sourceId.slice(0, longest).toWellFormed() : sourceId;
  return `${kept}~${tag}`;
}

/** The source's id before the tag. Undefined without a tag, and where the source's id may have been cut. */
export function untagged(id: string): string | undefined {
  return isTaggedId(id) && id.length < EVENT_ID_CHARS ? id.slice(0, -TAG_CHARS - 1) : undefined;
}

/** What the ids of each kind begin with. They are stored and on the wire: they never change. */
export const HOST_ID_PREFIXES = {
  /** What an agent sends, once it is visible. */
  send: 'out_',
  /** What an agent or an operator does: a claim, a mode, a resolve. */
  act: 'act_',
  /** What a person does in the web chat. */
  web: 'web_',
  /** An agent's report of progress. */
  progress: 'progress_',
  /** The members of a conversation, as the host read them. */
  members: 'members_',
  /** The start or the end of a turn. */
  turn: 'turn:',
  /** The passing of time in a conversation. */
  tick: 'tick:',
  /** A digest. It is delivered and not logged. */
  digest: 'digest:',
} as const;
export type HostIdKind = keyof typeof HOST_ID_PREFIXES;

export function hostId(kind: HostIdKind, ...parts: readonly (string | number)[]): string {
  return HOST_ID_PREFIXES[kind] + parts.join(':');
}

/**
 * Every kind of id that the host makes, with how it is made about an event. Whoever adds a kind adds it here, and to the
 * test that plants every one of them (test/host/planted-ids.test.ts): no source can take one.
 */
export const HOST_ID_MAKERS: Readonly<
  Record<HostIdKind | DerivedKind, (eventId: string, agent: string) => string>
> = {
  send: (eventId) => hostId('send', eventId),
  act: (eventId) => hostId('act', eventId),
  web: (eventId) => hostId('web', eventId),
  progress: (eventId) => hostId('progress', eventId),
  members: (eventId) => hostId('members', eventId),
  turn: (eventId, agent) => hostId('turn', eventId, 'started', agent),
  tick: (eventId) => hostId('tick', eventId, 1),
  digest: (_eventId, agent) => hostId('digest', agent, 1),
  claimed: claimedId,
  'loop-stopped': loopStoppedId,
  escalated: escalatedId,
  correction: correctionId,
  undelivered: (eventId) => undeliveredId(eventId, hostId('send', '1')),
  ...kindsAs(FOLLOW_UP_KINDS, (kind) => (eventId) => followUpId(eventId, kind, 2)),
  ...kindsAs(LADDER_KINDS, (kind) => (eventId) => ladderId(eventId, kind, 1)),
  ...kindsAs(OUTBOX_KINDS, (kind) => (eventId, agent) => outboxId(eventId, kind, agent)),
};

function kindsAs<const K extends string, T>(kinds: readonly K[], make: (kind: K) => T): Record<K, T> {
  return Object.fromEntries(kinds.map((kind) => [kind, make(kind)])) as Record<K, T>;
}

export function isHostIdOf(kind: HostIdKind, id: string): boolean {
  return id.startsWith(HOST_ID_PREFIXES[kind]);
}

const PREFIXES = Object.values(HOST_ID_PREFIXES);

/** Whether the id reads like one that the host makes. */
export function isHostId(id: string): boolean {
  return PREFIXES.some((prefix) => id.startsWith(prefix)) || isDerivedId(id) || isTaggedId(id);
}

function isOneOf<const T extends string>(list: readonly T[], value: string): value is T {
  return (list as readonly string[]).includes(value);
}
