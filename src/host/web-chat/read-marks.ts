// How far each person has read a conversation, and how many messages are unread. This file owns the cursor rows: one
// per person and conversation. A mark only moves forward.
import { WEB_CHAT_LIMITS } from '../../protocol/web-chat.ts';
import type { Apply } from '../kernel/change.ts';
import type { StoreReader } from '../kernel/context.ts';
import type { LogRow } from '../../store/tables.ts';

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

export interface Unread {
  unread: number;
  /** Messages among them that mention the person, by name or as everybody. */
  mentioned: number;
  firstUnread?: string;
}

/** Counts unread messages by others, up to WEB_CHAT_LIMITS.unread. */
export async function unreadSince(store: StoreReader, person: string, conversation: string): Promise<Unread> {
  let after = (await store.get('cursor', markKey(person, conversation)))?.seq ?? 0;
  const own = `human:${person}`;
  const found: LogRow[] = [];
  for (let read = 0; read < READS; read++) {
    const rows = await store.scan('log', 'byConversation', { eq: [conversation], after, limit: ROWS });
    found.push(...rows.filter(({ type, author }) => type === 'message' && author !== own));
    if (found.length >= WEB_CHAT_LIMITS.unread) break;
    after = rows.at(-1)?.seq ?? after;
    if (rows.length < ROWS) break;
  }
  const counted = found.slice(0, WEB_CHAT_LIMITS.unread);
  const mentioned = counted.filter((row) => isMentioned(row, person)).length;
  const [first] = counted;
  return { unread: counted.length, mentioned, ...(first === undefined ? {} : { firstUnread: first.key }) };
}

function isMentioned({ record: { event } }: LogRow, person: string): boolean {
  const mentions = 'mentions' in event ? (event.mentions ?? []) : [];
  return mentions.some(({ kind, id }) => kind === 'broadcast' || (kind === 'human' && id === person));
}
