// Outbox rows: what an agent says, or the host for it. Each key becomes at most one visible message. This folder owns
// the rows: how they are made, what their body holds, and every transition.
//
//   awaiting_approval ─▶ queued ─▶ sending ─▶ visible
//           │              ▲ │        │
//           │              │ │        ├─▶ unknown ─▶ sending (after the platform was asked: find)
//           │              │ │        ├─▶ queued    (try again later, or wait to be pulled)
//           │              └─┼────────┘
//           └─▶ cancelled ◀──┘        ├─▶ failed    (given up: the agent may answer otherwise)
//                                     └─▶ lost      (nobody can tell whether it was shown: not sent again)
//
// `sending` is durable before the platform is called, so the host knows of a crash in between. A platform that echoes a
// post proves it visible, whatever the row says. That is the only way out of `failed`, `lost` and
// `cancelled`.
import { createHash } from 'node:crypto';
import { type OutboxKind, outboxId } from '../../protocol/derived-id.ts';
import type { Signal, Visibility } from '../../protocol/vocabulary.ts';
import type { ToolInput } from '../../protocol/tools.ts';
import type { UnitView, Write } from '../../store/store.ts';
import type { OutboxRow, OutboxState } from '../../store/tables.ts';
import type { Place } from '../../attention/index.ts';
import type { Change } from '../kernel/change.ts';
import { type ListedFile, removeFile } from './file-row.ts';
import type { Parts } from './parts.ts';

export const OUTBOX_MOVES: Readonly<Record<OutboxState, readonly OutboxState[]>> = {
  awaiting_approval: ['queued', 'cancelled'],
  queued: ['sending', 'visible', 'failed', 'cancelled'],
  sending: ['queued', 'unknown', 'visible', 'failed', 'lost'],
  unknown: ['queued', 'sending', 'visible', 'failed', 'lost'],
  visible: [],
  failed: [],
  lost: [],
  cancelled: [],
};

export function isEnded({ state }: Pick<OutboxRow, 'state'>): boolean {
  return OUTBOX_MOVES[state].length === 0;
}

/** What a message's `body` holds. The store keeps it as plain JSON; `messageBodyOf` is the only reader. */
export interface MessageBody {
  text: string;
  visibility: Visibility;
  directedness?: ToolInput<'chat.send_message'>['directedness'] | undefined;
  mentions: readonly string[];
  obligation?: ToolInput<'chat.send_message'>['obligation'] | undefined;
  recipient?: string | undefined;
  /** Where it goes, for the first message of a new conversation. */
  place?: Place;
  /** Who alone sees it, by the platform's id. */
  onlyFor?: string;
  /** The message that its thread begins on, where this opens one. */
  root?: string;
  /** The delivery it answers. */
  delivery?: string;
  /** The host says it for the agent, to acknowledge a request that the host itself carries out. */
  template?: AckTemplate;
  /** The send that waits for the answer, where the host asks a person to agree to one. */
  approval?: string;
  /** The files that go with it (file-row.ts). */
  attachments?: readonly ListedFile[];
  /** What the surface noted about it, for the next attempt. */
  note?: string;
  /** Why a person declined it, if they said so. */
  declined?: string;
  /** How it is cut, if it is too long for one message (parts.ts). */
  parts?: Parts;
  /** Further platform ids (on-platform.ts). */
  shownAs?: readonly string[];
  /** The newest edit or delete of it by its agent, and how many there were (amendment-row.ts). */
  amended?: { key: string; times: number };
}

/** What the host says for an agent. `approval`: something waits until a person agrees. */
export type AckTemplate =
  | 'leave'
  | 'stop'
  | 'mode'
  | 'dial'
  | 'approval'
  | 'loop'
  | 'budget'
  | TroubleTemplate;

/** Why there is no answer yet, or none at all (trouble-lines.ts). */
export type TroubleTemplate = 'trouble' | 'gave-up' | 'away' | 'question-gone';

const TROUBLE: ReadonlySet<string> = new Set<TroubleTemplate>([
  'trouble',
  'gave-up',
  'away',
  'question-gone',
]);

/** It is about a question and does not answer it, so the question stays open in every respect. */
export function answersNothing(row: OutboxRow): boolean {
  return TROUBLE.has(messageBodyOf(row).template ?? '');
}

export interface ReactionBody {
  /** The message that shows it. */
  targetEventId: string;
  /** The event that it is on, when that is another one: an escalation has no message of its own. */
  about?: string;
  signal: Signal;
  glyph: string;
  recipient?: string | undefined;
  remove?: boolean | undefined;
}

/** What an edit or a delete holds. */
export interface AmendBody {
  /** The message. */
  targetEventId: string;
  /** Of an edit, until it has ended. */
  text?: string;
  /** Whom the message mentioned. */
  mentions?: readonly string[];
}

export function messageBodyOf({ body }: OutboxRow): MessageBody {
  return body as unknown as MessageBody;
}

export function filesOf(row: OutboxRow): readonly ListedFile[] {
  return messageBodyOf(row).attachments ?? [];
}

/** The text, then the names of the files. For a person who decides about a send, or hears of a lost one. */
export function textWithFiles(row: OutboxRow): string {
  const names = filesOf(row).map(({ name, bytes }) => `[file: ${name}, ${bytes} bytes]`);
  return [messageBodyOf(row).text, ...names].join('\n');
}

export function reactionBodyOf({ body }: OutboxRow): ReactionBody {
  return body as unknown as ReactionBody;
}

export function amendBodyOf({ body }: OutboxRow): AmendBody {
  return body as unknown as AmendBody;
}

/** An edit or a delete of an earlier message. */
export function isAmendment({ kind }: Pick<OutboxRow, 'kind'>): boolean {
  return kind === 'edit' || kind === 'delete';
}

/** The delivery a send answers, if it answers one. */
export function answeredDelivery(row: OutboxRow): string | undefined {
  return messageBodyOf(row).delivery;
}

const STOPS = { stop: 'stop', leave: 'left' } as const;

/** Why the agent is stopped before this acknowledgement is posted; undefined for every other row. */
export function stopReason(row: OutboxRow): 'stop' | 'left' | undefined {
  const { template } = messageBodyOf(row);
  return template === 'stop' || template === 'leave' ? STOPS[template] : undefined;
}

/** Whether a stop cancels it: nothing of it is posted yet, and it is not an acknowledgement by the host. */
export function isUnsent(row: OutboxRow): boolean {
  const waits = row.state === 'queued' || row.state === 'awaiting_approval';
  const begun = (messageBodyOf(row).parts?.shown.length ?? 0) > 0;
  return waits && !begun && !isAcknowledgement(row);
}

/** The host says it for the agent. The agent knows nothing of it. */
export function isAcknowledgement(row: OutboxRow): boolean {
  return messageBodyOf(row).template !== undefined;
}

/** It waits for a source that pulls. That source decides when it is shown. */
export function isForPulling({ state, dueAt }: OutboxRow): boolean {
  return state === 'queued' && dueAt === null;
}

/** It was handed to the surface, and the outcome is not known yet. */
export function isUnderWay(row: OutboxRow): boolean {
  return row.state === 'sending' || row.state === 'unknown' || isForPulling(row);
}

export interface NewRow {
  key: string;
  agent: string;
  surface: string;
  conversation: string;
  eventId: string;
  inReplyTo: string | null;
  turnId: string | null;
  bodyHash: string;
  now: number;
}

/** An agent's message. */
export function newMessage(row: NewRow, body: MessageBody): OutboxRow {
  return newRow(row, 'message', 'queued', row.now, { ...body });
}

/** An agent's message that waits until a person agrees, at the longest until the given time. */
export function newWaitingMessage(row: NewRow, body: MessageBody, until: number): OutboxRow {
  return newRow(row, 'message', 'awaiting_approval', until, { ...body });
}

/** A reaction that an agent set by a tool call. */
export function newReaction(row: NewRow, body: ReactionBody): OutboxRow {
  return newRow(row, 'reaction', 'queued', row.now, { ...body });
}

type Own = Pick<NewRow, 'agent' | 'surface' | 'conversation' | 'now'> & { eventId: string };

/** An acknowledgement that the host says for an agent. Its key names event and purpose, so a repeat is one row. */
export function newAcknowledgement(about: Own, template: AckTemplate, said: MessageBody): OutboxRow {
  const row = ownRow(about, `ack-${template}`);
  return newRow(row, 'message', 'queued', about.now, { ...said, template });
}

/** A signal that the host sets for an agent after the delay. */
export function newSignal(about: Own, signal: 'seen' | 'queued', glyph: string, delayMs: number): OutboxRow {
  const body: ReactionBody = { targetEventId: about.eventId, signal, glyph };
  return newRow(ownRow(about, signal), 'reaction', 'queued', about.now + delayMs, { ...body });
}

function ownRow({ agent, surface, conversation, eventId, now }: Own, purpose: OutboxKind): NewRow {
  return {
    key: hostKey(agent, purpose, eventId),
    agent,
    surface,
    conversation,
    eventId: outboxId(eventId, purpose, agent),
    inReplyTo: eventId,
    turnId: null,
    bodyHash: purpose,
    now,
  };
}

export function newRow(
  { now, turnId, bodyHash, inReplyTo, eventId, ...row }: NewRow,
  kind: OutboxRow['kind'],
  state: OutboxState,
  dueAt: number | null,
  body: Record<string, unknown>,
): OutboxRow {
  const { key, agent, surface, conversation } = row;
  return {
    key,
    agent,
    surface,
    conversation,
    kind,
    state,
    eventId,
    inReplyTo,
    turnId,
    bodyHash,
    body,
    attempt: 0,
    dueAt,
    createdAt: now,
    platformId: null,
    error: null,
  };
}

/** The key of an agent's own send. */
export function sendKey(agent: string, idempotencyKey: string): string {
  return `${agent}:${idempotencyKey}`;
}

/** The key of a row that the host makes. An agent's own key has a colon here; ids hold neither sign. */
export function hostKey(agent: string, purpose: string, eventId: string): string {
  return `${agent}/${purpose}:${eventId}`;
}

/** The row in its new state; undefined when the move is not on the map. */
export function moveOutbox(
  row: OutboxRow,
  to: OutboxState,
  change: Partial<Pick<OutboxRow, 'attempt' | 'dueAt' | 'error' | 'platformId' | 'body'>> = {},
): OutboxRow | undefined {
  if (isEnded(row) || (row.state !== to && !OUTBOX_MOVES[row.state].includes(to))) return undefined;
  const next = { ...row, ...change, state: to };
  // Only a source that pulls may make a send wait without a time.
  if (next.dueAt === null && !isEnded(next) && to !== 'queued')
    throw new Error(`send ${row.key} would be ${to} without a due time, and nobody would ever move it`);
  return next;
}

/** An ended send is never due. Only damage leaves one that is, and the sweep would look at it for ever. */
export function clearDueSend(row: OutboxRow): Change {
  const isDamaged = isEnded(row) && row.dueAt !== null;
  return { writes: isDamaged ? [{ table: 'outbox', row: { ...row, dueAt: null } }] : [], news: [] };
}

/** A part is visible. The next one has its own attempts. After an unknown outcome it was not tried yet. */
export function nextPartBegins(row: OutboxRow, now: number): OutboxRow {
  const begun = { ...row, attempt: 1, error: null };
  return row.state === 'unknown' ? { ...begun, state: 'queued', attempt: 0, dueAt: now } : begun;
}

/**
 * Writes the row. Publishes `outbox_done` when nobody has to wait for it any more. The files of a send that ended
 * without being shown are removed with it.
 */
export function putSend(row: OutboxRow): Change {
  const done = isEnded(row) || isForPulling(row);
  const stored = isEnded(row) && isAmendment(row) ? withoutText(row) : row;
  const unshown = isEnded(row) && row.state !== 'visible';
  const writes: Write[] = [
    { table: 'outbox', row: stored },
    ...(unshown ? filesOf(row).map(removeFile) : []),
  ];
  return { writes, news: done ? [{ type: 'outbox_done', row }] : [] };
}

function withoutText(row: OutboxRow): OutboxRow {
  const { text: _, ...body } = row.body;
  return { ...row, body };
}

/** The surface notes something about a send that it is posting. */
export function noteOnSend(row: OutboxRow, note: string): Change {
  return { writes: [{ table: 'outbox', row: { ...row, body: { ...row.body, note } } }], news: [] };
}

/** Writes a row that is to be posted: at once, or at its time when `delayed`. */
export function queueSend(row: OutboxRow, delayed = false): Change {
  return {
    writes: [{ table: 'outbox', row }],
    news: [delayed ? { type: 'due' } : { type: 'outbox', key: row.key }],
  };
}

export function cancelSend(
  row: OutboxRow,
  why: string,
  reason?: string,
): Change & { row: OutboxRow | undefined } {
  const body = reason === undefined ? row.body : { ...row.body, declined: reason };
  const next = moveOutbox(row, 'cancelled', { dueAt: null, error: why, body });
  return next === undefined ? { writes: [], news: [], row: undefined } : { ...putSend(next), row: next };
}

/** The platform shows it, even if the row had failed or was cancelled. */
export function becomeVisible(row: OutboxRow): Change & { row: OutboxRow } {
  const next: OutboxRow = { ...row, state: 'visible', dueAt: null, error: null };
  return { ...putSend(next), row: next };
}

/** Removes the text and the files of a deleted message. The row stays, as proof that something was sent. */
export function scrubSend(row: OutboxRow): Change {
  const { attachments: _, ...body } = row.body;
  const scrubbed: OutboxRow = { ...row, body: { ...body, text: '' } };
  return { writes: [{ table: 'outbox', row: scrubbed }, ...filesOf(row).map(removeFile)], news: [] };
}

/** Only retention removes an outbox row. Its files go with it. */
export function removeSend(row: OutboxRow): Write[] {
  return [{ table: 'outbox', remove: row.key }, ...filesOf(row).map(removeFile)];
}

/** Identifies what is sent. The turn and the claim token are left out, because they may differ between retries. */
export function bodyHashOf(input: ToolInput<'chat.send_message'>): string {
  const { target, text, inReplyTo, visibility, directedness, recipient, mentions, obligation, attachments } =
    input;
  const body: unknown[] = [
    target,
    text,
    inReplyTo,
    visibility,
    directedness,
    recipient,
    mentions,
    obligation,
  ];
  if (attachments !== undefined) body.push(attachments);
  return createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22);
}

/** The row as the unit sees it, or the given one when the unit has none. */
export function currentSend(view: UnitView, row: OutboxRow): OutboxRow {
  return view.row('outbox', row.key) ?? row;
}
