// Amendments: an agent edits or deletes a message of its own. An amendment is a row of the outbox like a send, so it
// survives a crash, is tried again and is posted in order. Doing it twice shows the same, so no platform has to be asked
// what became of one. The row of the message names its newest amendment. The text of an edit leaves the row when the row
// ends: from then on the log has it, and a delete finds it there.
import { createHash } from 'node:crypto';
import type { Place } from '../../attention/index.ts';
import type { OutboxRow } from '../../store/tables.ts';
import type { OutboundAmendment } from '../../surfaces/surface.ts';
import type { AgentsShown } from '../kernel/accounts.ts';
import type { Change } from '../kernel/change.ts';
import type { StoreReader } from '../kernel/context.ts';
import { mentioned, surfacePlace } from './on-platform.ts';
import { type NewRow, amendBodyOf, hostKey, messageBodyOf, newRow, queueSend } from './outbox-row.ts';
import { isInParts, partKey } from './parts.ts';

export type Amending = { type: 'edit'; text: string } | { type: 'delete' };

/** Identifies what is wanted of a message. */
export function amendmentHash(amending: Amending): string {
  const text = amending.type === 'edit' ? [amending.text] : [];
  const wanted = JSON.stringify([amending.type, ...text]);
  return createHash('sha256').update(wanted).digest('base64url').slice(0, 22);
}

/** The key of the next amendment of a message, where the caller brings none. */
export function nextAmendmentKey(sent: OutboxRow): string {
  return hostKey(sent.agent, `amend-${(messageBodyOf(sent).amended?.times ?? 0) + 1}`, sent.eventId);
}

/** The amendment as a row to be posted, and the message that names it from now on. */
export function amendSend(
  sent: OutboxRow,
  amending: Amending,
  given: Pick<NewRow, 'key' | 'eventId' | 'turnId' | 'now'>,
): Change & { row: OutboxRow } {
  const { agent, surface, conversation, eventId: targetEventId } = sent;
  const { mentions, amended } = messageBodyOf(sent);
  const bodyHash = amendmentHash(amending);
  const base: NewRow = { ...given, agent, surface, conversation, inReplyTo: null, bodyHash };
  const body =
    amending.type === 'edit' ? { targetEventId, text: amending.text, mentions } : { targetEventId };
  const row = newRow(base, amending.type, 'queued', given.now, body);
  const named = { key: row.key, times: (amended?.times ?? 0) + 1 };
  const queued = queueSend(row);
  const message = { ...sent, body: { ...sent.body, amended: named } };
  return { writes: [...queued.writes, { table: 'outbox', row: message }], news: queued.news, row };
}

/** What goes to the surface. Undefined when the platform has given the message no id. */
export async function amendmentOf(
  store: StoreReader,
  row: OutboxRow,
  place: Place,
  agents: AgentsShown,
): Promise<OutboundAmendment | undefined> {
  const { targetEventId, text } = amendBodyOf(row);
  const sent = await sendOf(store, targetEventId);
  const platformIds = sent === undefined ? [] : messageIds(sent);
  if (sent === undefined || platformIds.length === 0) return undefined;
  const amendment = {
    idempotencyKey: row.key,
    eventId: row.eventId,
    createdAt: row.createdAt,
    agent: row.agent,
    persona: agents.persona(row.agent),
    place: surfacePlace(place),
    target: { eventId: targetEventId, idempotencyKey: partKey(sent.key, 1), platformIds },
  };
  if (text === undefined) return { ...amendment, type: 'delete' };
  const mentions = messageBodyOf(sent).mentions.map((identity) => mentioned(identity, agents));
  return { ...amendment, type: 'edit', text, mentions };
}

/** The send that became this event. */
export async function sendOf(store: StoreReader, eventId: string): Promise<OutboxRow | undefined> {
  const [sent] = await store.scan('outbox', 'byEvent', { eq: [eventId], limit: 1 });
  return sent;
}

/** The platform's ids of the messages that it was posted as: one for each part. */
function messageIds(sent: OutboxRow): string[] {
  const { platformId } = sent;
  if (isInParts(sent)) return messageBodyOf(sent).parts?.shown.flatMap(({ ids }) => ids.slice(-1)) ?? [];
  return platformId === null ? [] : [platformId];
}
