// What was said before: the messages of a channel or of a thread, oldest first. Used to look for a lost post, to fill
// what was missed, and for the host's context.
import type { Called } from '../failure.ts';
import type { SlackApi } from './api.ts';
import { type SlackMessage, messageSchema, msOfTs, tsOfMs } from './payload.ts';

export interface PastRequest {
  channel: string;
  /** The root's ts, for a thread. */
  thread?: string | undefined;
  /** Epoch ms, both inclusive. */
  since?: number;
  until?: number;
  /** At most this many: the newest of a channel, the first of a thread from `since` on. */
  limit: number;
}

const PAGE = 200;
const PAGES_MAX = 10;

export interface Past {
  /** Oldest first. */
  messages: SlackMessage[];
  /** False: there is more than was read. */
  isWhole: boolean;
}

interface Page {
  messages?: unknown;
  has_more?: boolean;
  response_metadata?: { next_cursor?: string };
}

export async function readPast(api: SlackApi, request: PastRequest): Promise<Called<Past>> {
  const { channel, thread, since, until, limit } = request;
  const messages = new Map<string, SlackMessage>();
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX && messages.size < limit; page++) {
    const called = await api.call<Page>(
      thread === undefined ? 'conversations.history' : 'conversations.replies',
      {
        channel,
        limit: Math.min(PAGE, limit),
        include_all_metadata: true,
        inclusive: true,
        ...(thread !== undefined && { ts: thread }),
        ...(since !== undefined && { oldest: tsOfMs(since) }),
        ...(until !== undefined && { latest: tsOfMs(until) }),
        ...(cursor !== undefined && { cursor }),
      },
    );
    if (!called.ok) return called;
    for (const message of messagesIn(called.value)) {
      const at = msOfTs(message.ts);
      if (at >= (since ?? 0) && at <= (until ?? Infinity)) messages.set(message.ts, message);
    }
    cursor = called.value.response_metadata?.next_cursor;
    if (!cursor) break;
  }
  const inOrder = [...messages.values()].toSorted((a, b) => Number(a.ts) - Number(b.ts));
  const isWhole = !cursor && inOrder.length <= limit;
  return { ok: true, value: { messages: thread === undefined ? inOrder.slice(-limit) : inOrder, isWhole } };
}

function messagesIn({ messages }: Page): SlackMessage[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((one: unknown) => {
    const parsed = messageSchema.safeParse(one);
    return parsed.success ? [parsed.data] : [];
  });
}
