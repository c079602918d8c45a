// The order of posts. What an agent says in a conversation appears in the order in which it was said, and the amendments
// of a message in the order in which they were asked for. A row waits while an earlier one has no outcome yet.
import type { OutboxRow } from '../../store/tables.ts';
import type { StoreReader } from '../kernel/context.ts';
import { amendBodyOf, isAmendment } from '../outbox/outbox-row.ts';

/** How many of the agent's newest rows are searched for an earlier message without an outcome. */
const LOOKED_BACK = 64;

/**
 * The oldest earlier row whose outcome is not known and that this one has to come after: a message after the messages of
 * the agent in the conversation, an amendment after those of the same message.
 */
export async function unresolvedBefore(store: StoreReader, row: OutboxRow): Promise<OutboxRow | undefined> {
  if (row.kind === 'reaction') return undefined;
  const comesFirst = (other: OutboxRow): boolean =>
    row.kind === 'message' ? other.kind === 'message' : isAmendmentOf(other, amendBodyOf(row).targetEventId);
  const last = await store.scan('outbox', 'byAgentConversation', {
    eq: [row.agent, row.conversation],
    limit: LOOKED_BACK,
    descending: true,
  });
  const at = last.find(({ key }) => key === row.key)?.position ?? 0;
  return last.findLast(
    (other) =>
      other.position < at &&
      comesFirst(other) &&
      (other.state === 'sending' ||
        other.state === 'unknown' ||
        (other.state === 'queued' && other.dueAt !== null)),
  );
}

function isAmendmentOf(row: OutboxRow, eventId: string): boolean {
  return isAmendment(row) && amendBodyOf(row).targetEventId === eventId;
}
