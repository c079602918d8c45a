// Ids that the host derives from an event's id. A harness drops a repeated eventId, so every further delivery about an
// event has an id of its own: `evt_1/claimed`, `evt_1/retry-2`, `evt_1/escalated-lead`. An id may be derived more than
// once (`evt_1/escalation-7/return-2`). This file is the only place that writes, reads or recognises such an ending.
import { AGENT_ID, AGENT_ID_CHARS } from './identity.ts';

/** The same question once more. Such an ending replaces another one of its kind, so ids stay short. */
export const FOLLOW_UP_KINDS = ['reminder', 'expired', 'lapsed', 'retry', 'edit'] as const;
export type FollowUpKind = (typeof FOLLOW_UP_KINDS)[number];

/** What the obligations ladder makes: events of its own, and the returns of a question that is still owed. */
export const LADDER_KINDS = ['return', 'escalation', 'unclear', 'list'] as const;
export type LadderKind = (typeof LADDER_KINDS)[number];

/** What the host itself posts for an agent: short acknowledgements and reactions. */
export const OUTBOX_KINDS = ['ack-leave', 'ack-stop', 'ack-mode', 'ack-approval', 'seen', 'queued'] as const;
export type OutboxKind = (typeof OUTBOX_KINDS)[number];

const PLAIN_KINDS = ['claimed', 'loop-stopped'] as const;
const NUMBERED_KINDS = [...FOLLOW_UP_KINDS, ...LADDER_KINDS] as const;
const AGENT_KINDS = ['escalated', ...OUTBOX_KINDS] as const;
export const DERIVED_KINDS = [...PLAIN_KINDS, ...NUMBERED_KINDS, ...AGENT_KINDS, 'undelivered'] as const;
export type DerivedKind = (typeof DERIVED_KINDS)[number];

/** The parts of one ending. `of` is the id without it, which may be derived itself. */
export type DerivedId = { [Kind in DerivedKind]: { kind: Kind; of: string } & Details<Kind> }[DerivedKind];

/** `sent`: the end of the id of the message that could not be posted. */
type Details<Kind> = Kind extends FollowUpKind | LadderKind
  ? { number: number }
  : Kind extends 'escalated' | OutboxKind
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
  if (cut <= 0) return undefined;
  return undeliveredIn(id) ?? endingOf(id.slice(0, cut), id.slice(cut + 1));
}

/** Reserved: a source that used such an id could stand in for a delivery. */
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

function isOneOf<const T extends string>(list: readonly T[], value: string): value is T {
  return (list as readonly string[]).includes(value);
}
