// The order of posts. What an agent says in a conversation appears in the order in which it was said, and the amendments
// of a message in the order in which they were asked for. Such a line has one row at a time that may be posted: a row
// waits while an earlier one has no outcome yet. The row before it is what it waits for, and not a time.
import type { Scanned } from '../../store/store.ts';
import type { OutboxRow } from '../../store/tables.ts';
import type { StoreReader } from '../kernel/context.ts';
import { amendBodyOf, isAmendment, isEnded, isForPulling } from '../outbox/outbox-row.ts';

/** How many rows of the agent in the conversation are looked at, before or after one. All that wait stand together. */
const LOOKED_AT = 64;
/** Rows of one event: its message, and others that name the same event. */
const OF_ONE_EVENT = 10;

/** The nearest earlier row of the line whose outcome is not known. */
export async function unresolvedBefore(store: StoreReader, row: OutboxRow): Promise<OutboxRow | undefined> {
  if (row.kind === 'reaction') return undefined;
  const earlier = await rowsBefore(store, row);
  return earlier.find((other) => isOfLine(row, other) && isUnresolved(other));
}

/** The next row of the line that waits and was not tried yet. */
export async function nextInLine(store: StoreReader, row: OutboxRow): Promise<OutboxRow | undefined> {
  const after = row.kind === 'reaction' ? undefined : await positionOf(store, row);
  if (after === undefined) return undefined;
  const eq = [row.agent, row.conversation];
  const later = await store.scan('outbox', 'byAgentConversation', { eq, after, limit: LOOKED_AT });
  return later.find((other) => isOfLine(row, other) && isUnresolved(other) && other.attempt === 0);
}

/** Names the line of a row; undefined for what may be posted in any order. */
export function lineOf(row: OutboxRow): string | undefined {
  if (row.kind === 'reaction') return undefined;
  const { targetEventId } = isAmendment(row) ? amendBodyOf(row) : {};
  return JSON.stringify([row.agent, row.conversation, targetEventId]);
}

/** Newest first. */
async function rowsBefore(store: StoreReader, row: OutboxRow): Promise<Scanned<OutboxRow>[]> {
  const page = { eq: [row.agent, row.conversation], limit: LOOKED_AT, descending: true };
  const newest = await store.scan('outbox', 'byAgentConversation', page);
  // Nearly always it is among the newest. With many behind it, the page is read again from where it stands.
  const index = newest.findIndex(({ key }) => key === row.key);
  if (index >= 0 && index < LOOKED_AT / 2) return newest.slice(index + 1);
  const before = await positionOf(store, row);
  return before === undefined ? [] : store.scan('outbox', 'byAgentConversation', { ...page, before });
}

async function positionOf(store: StoreReader, { key, eventId }: OutboxRow): Promise<number | undefined> {
  const rows = await store.scan('outbox', 'byEvent', { eq: [eventId], limit: OF_ONE_EVENT });
  return rows.find((row) => row.key === key)?.position;
}

function isUnresolved(row: OutboxRow): boolean {
  return !isEnded(row) && !isForPulling(row) && row.state !== 'awaiting_approval';
}

/** A message comes after the messages of the agent in the conversation, an amendment after those of the same message. */
function isOfLine(row: OutboxRow, other: OutboxRow): boolean {
  if (row.kind === 'message') return other.kind === 'message';
  return isAmendment(other) && amendBodyOf(other).targetEventId === amendBodyOf(row).targetEventId;
}
