// How far each person has read a conversation, and how many messages are unread. This file owns the cursor rows: one
// per person and conversation. A mark only moves forward.
import { WEB_CHAT_LIMITS } from '../../protocol/web-chat.ts';
import type { Apply } from '../kernel/change.ts';
import type { StoreReader } from '../kernel/context.ts';

function markKey(person: string, conversation: string): string {
  return `person/${person} ${conversation}`;
}

export function markRead(apply: Apply, person: string, conversation: string, seq: number): Promise<void> {
  const key = markKey(person, conversation);
  return apply({
    states: [],
    rows: [['cursor', key]],
    run(view) {
      const before = view.row('cursor', key)?.seq ?? 0;
      return {
        writes: seq > before ? [{ table: 'cursor', row: { key, seq } }] : [],
        news: [],
        result: undefined,
      };
    },
  });
}

/** Log rows in one read. */
const ROWS = 200;
/** The most reads. A conversation with many rows that are no messages is not counted to its end. */
const READS = 5;

/** Counts unread messages by others, up to WEB_CHAT_LIMITS.unread. */
export async function unreadSince(store: StoreReader, person: string, conversation: string): Promise<number> {
  let after = (await store.get('cursor', markKey(person, conversation)))?.seq ?? 0;
  const own = `human:${person}`;
  let unread = 0;
  for (let read = 0; read < READS; read++) {
    const rows = await store.scan('log', 'byConversation', { eq: [conversation], after, limit: ROWS });
    unread += rows.filter(({ type, author }) => type === 'message' && author !== own).length;
    if (unread >= WEB_CHAT_LIMITS.unread) return WEB_CHAT_LIMITS.unread;
    after = rows.at(-1)?.seq ?? after;
    if (rows.length < ROWS) break;
  }
  return unread;
}
