// Delivery rows: what one agent is to be handed. This folder owns them. This file says how a row is made and what its
// detail holds; move.ts has every transition. No other folder builds a row, writes one, or reads `detail` by name.
//
// Only what is handed to a harness has a row. Mailbox, digest and silent decisions are in the log row alone, so a
// hundred quiet agents do not cost a hundred rows.
import type { Decision } from '../../attention/index.ts';
import { type Identity, deliveryKey } from '../../protocol/identity.ts';
import { claimedId, withoutAnswerEndings } from '../../protocol/derived-id.ts';
import type { NotShown } from '../../protocol/not-shown.ts';
import type { Blocks } from '../../protocol/vocabulary.ts';
import type { UnitView, Write } from '../../store/store.ts';
import type { KeptOutcome } from '../../store/kept-outcome.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { keepDecision, keptOutcome } from '../kernel/outcomes.ts';

/** What `detail` holds. The store keeps it as plain JSON; `detailOf` is the only reader. */
export interface DeliveryDetail {
  /** What was decided. `decisionOf` reads it, under the row's own event id. */
  decision: KeptOutcome;
  /** It is about a direct message. */
  private?: true;
  /** The key of the delivery that replaced it. */
  replacedBy?: string;
  /** It had ended with its claim, and its agent has claimed the same again: what replaced it asks the same. */
  claimedAgain?: true;
  /** The logged events whose texts were merged into it, in order. */
  fragments?: readonly string[];
  /** It was sent again because a turn ended without an answer. */
  reminder?: boolean;
  /** It was sent again because its deadline passed. */
  expired?: boolean;
  /** It was sent again because a claim or deferral ran out. */
  lapsed?: boolean;
  /** A turn was running at the deadline and got one more deadline. */
  waited?: boolean;
  /** How many turns failed on it, since when, and what the harness said about the last one. */
  failures?: number;
  failingSince?: number;
  error?: string;
  /** A harness died in the middle of its turn. */
  crashed?: true;
  /** Its asker was told that something is wrong. */
  toldTrouble?: true;
  requiresThreadCheck?: boolean;
  /** Its text was edited after the delivery was made. */
  edited?: boolean;
  /** The answer to it was not shown. */
  undelivered?: boolean;
  notShown?: NotShown;
  /** The key of the first send of a turn that took it, where that named no event. */
  firstWord?: string;
  /** Its answer waits for a person's yes. */
  approval?: true;
  /** Its time was over while that answer still waited, and was put off once. */
  lateApproval?: true;
  /** The agent's reason for deferring it. */
  deferred?: string | undefined;
  /** It is an escalation: another agent did not answer, or a loop was stopped. */
  escalation?: Record<string, unknown>;
  digest?: readonly DigestLine[];
  /** It asks for an owed answer again: what is blocked, and what happens without an answer. */
  obligation?: { blocks: Blocks; defaultAction: string; dischargeDelegate?: string };
  /** For an owed answer: what asks for it. */
  kind?: 'return' | 'escalate' | 'reciprocal';
  /** Who is asked for the owed answer with this delivery. */
  recipient?: Identity;
  /** For an escalated debt: who does not answer, and the debts that wait for them. */
  blockedOn?: Identity;
  items?: readonly OwedItem[];
}

/** What changes in a detail. Decisions are packed on their way into the row. */
export type DetailChange = Partial<Omit<DeliveryDetail, 'decision'>> & { decision?: Decision };

/** One debt on the list of an escalation. */
export interface OwedItem {
  eventId: string;
  author: Identity;
  recipient: Identity;
  blocks: Blocks;
  defaultAction: string;
  createdAt: number;
}

/** One conversation in a digest: who wrote and how much, never what; and how the work there stands. */
export interface DigestLine {
  where: string;
  stream?: string;
  events: number;
  authors: readonly string[];
  types: readonly string[];
  /** The last reported figures of each piece of work. */
  progress?: readonly { by: string; done: number; total?: number }[];
  /** Who holds how many claims. */
  claims?: readonly { by: string; count: number }[];
  /** Without an event id: the whole conversation. */
  resolved?: readonly { by: string; eventId: string | undefined }[];
  signals?: readonly { signal: string; count: number }[];
}

export function detailOf(row: DeliveryRow): DeliveryDetail {
  return row.detail as unknown as DeliveryDetail;
}

/** Whether it waits because its last turn failed. */
export function isRetry(row: DeliveryRow): boolean {
  return row.state === 'held' && row.dueFor === 'hand' && detailOf(row).failures !== undefined;
}

/** Whether it asks again because a platform refused the answer. */
export function isUndelivered(row: DeliveryRow): boolean {
  return detailOf(row).notShown?.why === 'not_delivered';
}

/** Whether it is about something that was said in a direct message. */
export function isAboutDirectMessage(row: DeliveryRow): boolean {
  return detailOf(row).private === true;
}

/** The decision the delivery was made from. */
export function decisionOf(row: DeliveryRow): Decision {
  return { eventId: row.eventId, agent: row.agent, ...keptOutcome(detailOf(row).decision) };
}

/** The row with more detail. The detail it had stays. */
export function withDetail(row: DeliveryRow, { decision, ...more }: DetailChange): DeliveryRow {
  const kept = decision === undefined ? {} : keptIn(decision);
  return { ...row, detail: { ...row.detail, ...more, ...kept } };
}

/** The decision as a detail has it. */
export function keptIn(decision: Decision): Pick<DeliveryDetail, 'decision'> {
  return { decision: keepDecision(decision).kept };
}

export interface NewDelivery {
  /** The logged event it is about. */
  about: LogRow;
  decision: Decision;
  /** `held`: not handed before `dueAt`, or before the offer reaches its agent. */
  state?: 'held' | 'queued';
  dueAt: number | null;
  dueFor: DeliveryRow['dueFor'];
  now: number;
  detail?: Record<string, unknown>;
}

/** A new delivery for an event. follow-up.ts and escalate.ts make deliveries that follow from another one. */
export function newDelivery({
  about,
  decision,
  state,
  dueAt,
  dueFor,
  now,
  detail,
}: NewDelivery): DeliveryRow {
  const made: Partial<DeliveryDetail> = keptIn(decision);
  if (isPrivate(about)) made.private = true;
  return {
    key: deliveryKey(decision.eventId, decision.agent),
    agent: decision.agent,
    conversation: about.conversation,
    eventId: decision.eventId,
    source: about.key,
    policy: decision.policy,
    mode: decision.mode,
    state: state ?? 'queued',
    open: 1,
    disposition: null,
    why: null,
    attempt: 1,
    dueAt,
    dueFor,
    createdAt: now,
    settledAt: null,
    turnId: null,
    sends: 0,
    detail: detail === undefined ? made : { ...made, ...detail },
  };
}

function isPrivate({ record: { event } }: LogRow): boolean {
  return event.conversation.kind === 'dm';
}

const HANDED: ReadonlySet<string> = new Set(['immediate', 'buffered', 'notify']);

/** Whether this decision hands the event to the harness at all. */
export function isHanded({ mode }: Decision): boolean {
  return HANDED.has(mode);
}

/** When a delivery must be answered. Null for obligations: their own ladder asks again. */
export function deadlineAt({ policy, reason }: Decision, at: number, deadlineMs: number): number | null {
  return policy === 'must_respond' && reason !== 'obligation' ? at + deadlineMs : null;
}

/** The deadline as the two fields of a row. */
export function deadlineOf(
  decision: Decision,
  at: number,
  deadlineMs: number,
): Pick<DeliveryRow, 'dueAt' | 'dueFor'> {
  const dueAt = deadlineAt(decision, at, deadlineMs);
  return { dueAt, dueFor: dueAt === null ? null : 'deadline' };
}

export function putDelivery(row: DeliveryRow): Write {
  return { table: 'delivery', row };
}

/** Only retention removes a delivery. */
export function removeDelivery(key: string): Write {
  return { table: 'delivery', remove: key };
}

const LONGEST_CHAIN = 100;
/** Reasons for a replacement that asks the same question. An answer to the first also answers the replacement. */
const STILL_ASKED: ReadonlySet<string> = new Set([
  'reminder',
  'expired',
  'lapsed',
  'retry',
  'merged',
  'declined',
]);

/** Follows every replacement to the newest delivery. The delivery itself when nothing replaced it. */
export function newestOf(view: UnitView, key: string): DeliveryRow | undefined {
  return lastOf(view, key, () => true);
}

/** The delivery that an answer to this one settles: its newest replacement that still asks the same. */
export function answeredBy(view: UnitView, key: string): DeliveryRow | undefined {
  return lastOf(view, key, (row) => STILL_ASKED.has(row.why ?? '') || detailOf(row).claimedAgain === true);
}

// One question, one answer. A question may be delivered under several ids: the offer and what its claim delivered, and
// the delivery after an answer that was not shown. `sends` of a delivery counts the answers to it, and every answer
// counts at the first delivery of its question too, so that a second answer under another id is seen as one.

/**
 * The delivery that an answer to this event settles: of the one with its id, its replacements and its claim the one that
 * is open. What was said to nobody has only that of its claim.
 */
export function askedIn(view: UnitView, eventId: string, agent: string): DeliveryRow | undefined {
  const named = answeredBy(view, deliveryKey(eventId, agent));
  if (named?.open === 1) return named;
  const first = withoutAnswerEndings(named?.eventId ?? eventId);
  const claimed = answeredBy(view, deliveryKey(claimedId(first), agent));
  return claimed?.open === 1 ? claimed : named;
}

/** Whether the question has its answer. An open delivery asks for one of its own. */
export function isAnswered(view: UnitView, row: DeliveryRow): boolean {
  if (row.sends > 0) return true;
  return row.open === 0 && (firstAsked(view, row)?.sends ?? 0) > 0;
}

/** The first delivery of the same question; undefined when this is the first. */
export function firstAsked(view: UnitView, row: DeliveryRow): DeliveryRow | undefined {
  const first = withoutAnswerEndings(row.eventId);
  if (first === row.eventId) return undefined;
  const found = newestOf(view, deliveryKey(first, row.agent));
  return found?.key === row.key ? undefined : found;
}

function lastOf(
  view: UnitView,
  key: string,
  mayFollow: (row: DeliveryRow) => boolean,
): DeliveryRow | undefined {
  let row = view.row('delivery', key);
  for (let step = 0; row !== undefined && step < LONGEST_CHAIN; step++) {
    const next = detailOf(row).replacedBy;
    if (next === undefined || !mayFollow(row)) return row;
    row = view.row('delivery', next) ?? row;
  }
  return row;
}
