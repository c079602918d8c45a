// The inbox: what waits for a person. This file owns its rows: how each kind is made and what its detail holds. A row
// is filed open, is closed once, and never opens again.
//
//   filed (open) ─▶ closed
//
// The key is derived from what the row is about, so filing the same thing twice gives one row.
import type { DeliveryRow, InboxRow, LogRow, OutboxRow, TokenRow } from '../../store/tables.ts';
import type { Change } from '../kernel/change.ts';

/** What `detail` holds, by kind. The store keeps it as plain JSON. */
export interface InboxDetail {
  loop_stopped: { cause: string; conversation: string };
  /** `error`: what the harness said about the turns that failed. */
  no_answer: { why: string; conversation: string; delivery: string; error?: string };
  declined: { why: string; conversation: string; delivery: string };
  dead_letter: { why: string | null; conversation: string; delivery: string };
  /** `endShown`: the question about it has lost its buttons. */
  approval: {
    reason: string;
    text: string;
    conversation: string;
    outbox: string;
    decided?: Decided;
    endShown?: true;
  };
  lost_send: { why: string; text: string; conversation: string; outbox: string };
  offer_unclaimed: { conversation: string };
  /** `tokenKind` and `subject`: whose token it was. `token`: its key, as operators know it. */
  leaked_token: { tokenKind: TokenRow['kind']; subject: string; token: string; conversation: string };
  /** A debt that escalated to a person with its list, or one that was refused, with the reason. */
  obligation: Record<string, unknown> & { refused?: string };
}

/** What a person decided on an approval. `name`: how the platform calls them, where it was decided in chat. */
export interface Decided {
  what: 'approve' | 'decline';
  by: string;
  name?: string;
}

type Item<K extends InboxRow['kind']> = {
  key: string;
  kind: K;
  eventId: string;
  agents: readonly string[];
  detail: InboxDetail[K];
};

const APPROVAL = 'approval:';

export const inboxKeys = {
  loopStopped: (eventId: string): string => `loop:${eventId}`,
  unanswered: (delivery: string): string => `unanswered:${delivery}`,
  deadLetter: (delivery: string): string => `dead:${delivery}`,
  approval: (outbox: string): string => `${APPROVAL}${outbox}`,
  lostSend: (outbox: string): string => `lost:${outbox}`,
  offer: (eventId: string): string => `offer:${eventId}`,
  leakedToken: (token: string): string => `leaked:${token}`,
  obligation: (derivedId: string): string => `obligation:${derivedId}`,
  obligationRefused: (eventId: string, recipient: string | null, reason: string): string =>
    `obligation-refused:${eventId}:${recipient ?? ''}:${reason}`,
};

/** Files an item. */
export function fileItem<K extends InboxRow['kind']>(item: Item<K>, now: number): Change {
  const row: InboxRow = { ...item, createdAt: now, closedAt: null, open: 1 };
  return { writes: [{ table: 'inbox', row }], news: [{ type: 'inbox', key: row.key }] };
}

/** Changes the detail of an open item. Undefined when there is no open item. */
export function amendItem(row: InboxRow | undefined, detail: Record<string, unknown>): Change | undefined {
  if (row === undefined || row.open === 0) return undefined;
  const amended: InboxRow = { ...row, detail: { ...row.detail, ...detail } };
  return { writes: [{ table: 'inbox', row: amended }], news: [{ type: 'inbox', key: row.key }] };
}

/** Closes an item. Undefined when there is no open item. */
export function closeItem(
  row: InboxRow | undefined,
  now: number,
  decided?: Decided,
): (Change & { row: InboxRow }) | undefined {
  if (row === undefined || row.open === 0) return undefined;
  const detail = decided === undefined ? row.detail : { ...row.detail, decided };
  const closed: InboxRow = { ...row, detail, open: 0, closedAt: now };
  return {
    writes: [{ table: 'inbox', row: closed }],
    news: [{ type: 'inbox', key: row.key }],
    row: closed,
  };
}

/** Files a delivery that was given up. The caller does it in the same unit, so one never exists without the other. */
export function fileDeadLetter({ key, agent, source, why, conversation }: DeliveryRow, now: number): Change {
  const detail = { why, conversation, delivery: key };
  return fileItem(
    { key: inboxKeys.deadLetter(key), kind: 'dead_letter', eventId: source, agents: [agent], detail },
    now,
  );
}

/** Files a delivery that should have been answered and was not. */
export function fileUnanswered(
  { key, agent, source, conversation }: DeliveryRow,
  why: string,
  now: number,
  error?: string,
): Change {
  const kind = why === 'declined' ? 'declined' : 'no_answer';
  const detail = { why, conversation, delivery: key, ...(error === undefined ? {} : { error }) };
  return fileItem({ key: inboxKeys.unanswered(key), kind, eventId: source, agents: [agent], detail }, now);
}

/** Files a send that waits until a person agrees. */
export function fileApproval(send: OutboxRow, text: string, reason: string, now: number): Change {
  const { key, eventId, agent, conversation } = send;
  const detail = { reason, text, conversation, outbox: key };
  return fileItem({ key: inboxKeys.approval(key), kind: 'approval', eventId, agents: [agent], detail }, now);
}

/** Files a send of which nobody can tell whether it was shown. */
export function fileLostSend(send: OutboxRow, text: string, why: string, now: number): Change {
  const { key, eventId, agent, conversation } = send;
  const detail = { why, text, conversation, outbox: key };
  return fileItem({ key: inboxKeys.lostSend(key), kind: 'lost_send', eventId, agents: [agent], detail }, now);
}

/** Files a token that was revoked because somebody wrote it in the event. */
export function fileLeakedToken(
  { key, kind: tokenKind, subject }: TokenRow,
  { key: eventId, conversation }: Pick<LogRow, 'key' | 'conversation'>,
  now: number,
): Change {
  const detail = { tokenKind, subject, token: key.slice(0, TOKEN_KEY_SHOWN), conversation };
  const agents = tokenKind === 'agent' ? [subject] : [];
  return fileItem({ key: inboxKeys.leakedToken(key), kind: 'leaked_token', eventId, agents, detail }, now);
}

/** Characters of a token's key that are shown. */
const TOKEN_KEY_SHOWN = 16;

/** Whose token was written in chat. */
export function leakIn({ detail }: Pick<InboxRow, 'detail'>): { kind: string; subject: string } {
  return { kind: word(detail['tokenKind']) ?? 'somebody', subject: word(detail['subject']) ?? '' };
}

/** The outbox key of the send that an approval is about; undefined for every other kind. */
export function approvedSend(row: InboxRow | undefined): string | undefined {
  const outbox = row?.kind === 'approval' ? row.detail['outbox'] : undefined;
  return typeof outbox === 'string' ? outbox : undefined;
}

/** What was decided on it, and by whom. Undefined: nobody did, or it is of a time when that was not kept. */
export function decidedOn({ kind, detail }: Pick<InboxRow, 'kind' | 'detail'>): Decided | undefined {
  return kind === 'approval' ? (detail as Partial<InboxDetail['approval']>).decided : undefined;
}

/** Notes that people see how it ended. Undefined when that is noted, or when it has not ended. */
export function noteEndShown(row: InboxRow | undefined): Change | undefined {
  if (row === undefined || row.open === 1 || isEndShown(row)) return undefined;
  const noted: InboxRow = { ...row, detail: { ...row.detail, endShown: true } };
  return { writes: [{ table: 'inbox', row: noted }], news: [] };
}

export function isEndShown({ detail }: Pick<InboxRow, 'detail'>): boolean {
  return (detail as Partial<InboxDetail['approval']>).endShown === true;
}

/** The outbox key of the send that an approval with this key is about. */
export function sendOfApproval(key: string): string | undefined {
  return key.startsWith(APPROVAL) ? key.slice(APPROVAL.length) : undefined;
}

/** Why the item was filed: the reason of an approval, or how a delivery ended. */
export function reasonOf({ detail }: Pick<InboxRow, 'detail'>): string {
  const { reason, why } = detail;
  if (typeof reason === 'string') return reason;
  return typeof why === 'string' ? why : '';
}

/** What the harness said about the turns that failed. */
export function errorIn({ detail }: Pick<InboxRow, 'detail'>): string | undefined {
  return word(detail['error']);
}

/** Who is asked for the owed answer, who does not give it, and how many wait for it. */
export function owedIn({ detail }: Pick<InboxRow, 'detail'>): {
  recipient: string | undefined;
  blockedOn: string | undefined;
  count: number;
} {
  const { recipient, blockedOn, items } = detail;
  return {
    recipient: word(recipient),
    blockedOn: word(blockedOn),
    count: Array.isArray(items) ? items.length : 1,
  };
}

function word(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Whether the item is a refused debt, not one that escalated to a person. */
export function isRefusedObligation(row: Pick<InboxRow, 'detail'>): boolean {
  return row.detail['refused'] !== undefined;
}
