// Delivery rows: what one agent is to be handed. This folder owns them. Here is how a row is made and what its detail
// holds; move.ts has every transition. No other folder builds a row, writes one, or reads `detail` by name.
//
// A row exists only for what is handed to a harness. Mailbox, digest and silent decisions live in the log row alone, so
// a hundred quiet agents cost no hundred rows.
import type { Decision } from '../../attention/index.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { Blocks } from '../../protocol/vocabulary.ts';
import type { UnitView, Write } from '../../store/store.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';

/** What `detail` holds. The store keeps it as plain JSON; `detailOf` is the only reader. */
export interface DeliveryDetail {
  /** What was decided when it was made, under the row's own event id. */
  decision: Decision;
  /** It comes from a direct message. */
  private?: true;
  /** The delivery that took its place. */
  replacedBy?: string;
  /** Logged events whose texts make up a merged turn, in order. */
  fragments?: readonly string[];
  /** It goes out once more because nobody answered, its time was over, or it was put off and came back. */
  reminder?: boolean;
  expired?: boolean;
  lapsed?: boolean;
  /** A turn was at work at the deadline and got one deadline more. */
  waited?: boolean;
  /** Turns that failed on it. */
  failures?: number;
  requiresThreadCheck?: boolean;
  /** Its words were edited since it was first handed. */
  edited?: boolean;
  /** The answer to it was refused by the platform, with the platform's reason. */
  undelivered?: boolean;
  error?: string;
  /** The agent's reason for deferring it. */
  deferred?: string | undefined;
  /** It is an escalation of what another agent did not answer, or of a loop. */
  escalation?: Record<string, unknown>;
  digest?: readonly DigestLine[];
  /** It returns a debt: what is blocked and what happens without an answer. */
  obligation?: { blocks: Blocks; defaultAction: string; dischargeDelegate?: string };
}

/** One conversation in a digest: who and how many, never what. */
export interface DigestLine {
  where: string;
  stream?: string;
  events: number;
  authors: readonly string[];
  types: readonly string[];
}

export function detailOf(row: DeliveryRow): DeliveryDetail {
  return row.detail as unknown as DeliveryDetail;
}

/** The decision the delivery was made from. */
export function decisionOf(row: DeliveryRow): Decision {
  return detailOf(row).decision;
}

/** The row with more detail; what it had stays. */
export function withDetail(row: DeliveryRow, more: Partial<DeliveryDetail>): DeliveryRow {
  return { ...row, detail: { ...row.detail, ...more } };
}

export interface NewDelivery {
  /** The logged event it is about. */
  about: LogRow;
  decision: Decision;
  /** `held`: not to be handed before `dueAt`, or before an offer comes round to it. */
  state?: 'held' | 'queued';
  dueAt: number | null;
  dueFor: DeliveryRow['dueFor'];
  now: number;
  detail?: Record<string, unknown>;
}

/** A new delivery. Every delivery is made here, or follows from another one (follow-up.ts). */
export function newDelivery({
  about,
  decision,
  state,
  dueAt,
  dueFor,
  now,
  detail,
}: NewDelivery): DeliveryRow {
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
    detail: { decision, ...(isPrivate(about) ? { private: true } : {}), ...detail },
  };
}

function isPrivate({ record: { event } }: LogRow): boolean {
  return event.conversation.kind === 'dm';
}

const HANDED: ReadonlySet<string> = new Set(['immediate', 'buffered', 'notify']);

/** Whether a decision of this kind is handed to the harness at all. */
export function isHanded({ mode }: Decision): boolean {
  return HANDED.has(mode);
}

/** When a delivery must have been answered. Obligations have a ladder of their own and no deadline. */
export function deadlineAt({ policy, reason }: Decision, at: number, deadlineMs: number): number | null {
  return policy === 'must_respond' && reason !== 'obligation' ? at + deadlineMs : null;
}

/** The same as the two fields of a row. */
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

/** For retention alone: nothing else removes a delivery. */
export function removeDelivery(key: string): Write {
  return { table: 'delivery', remove: key };
}

const LONGEST_CHAIN = 100;
/** Reasons after which an answer to the first delivery still answers the one in its place. */
const STILL_ASKED: ReadonlySet<string> = new Set(['reminder', 'expired', 'lapsed', 'retry', 'merged']);

/** The delivery that stands for this one now, whatever replaced it; itself when nothing did. */
export function newestOf(view: UnitView, key: string): DeliveryRow | undefined {
  return lastOf(view, key, () => true);
}

/** What an answer to this delivery answers: the one in its place, unless that asks something else by now. */
export function answeredBy(view: UnitView, key: string): DeliveryRow | undefined {
  return lastOf(view, key, ({ why }) => STILL_ASKED.has(why ?? ''));
}

function lastOf(view: UnitView, key: string, goesOn: (row: DeliveryRow) => boolean): DeliveryRow | undefined {
  let row = view.row('delivery', key);
  for (let step = 0; row !== undefined && step < LONGEST_CHAIN; step++) {
    const next = detailOf(row).replacedBy;
    if (next === undefined || !goesOn(row)) return row;
    row = view.row('delivery', next) ?? row;
  }
  return row;
}
