// One pass over an export: every event is checked against the schema that `replay` reads with, and counted.
import { type ChatEvent, isChatEvent } from '../../protocol/chat-event.ts';
import type { Io } from '../io.ts';
import type { Account } from './account.ts';
import type { ChatExport } from './chat-export.ts';

export interface ImportStats {
  messages: number;
  /** Other events, by type. */
  others: Map<string, number>;
  rooms: Set<string>;
  threads: Set<string>;
  people: Set<string>;
  /** Epoch ms. */
  from: number;
  to: number;
}

export interface ImportPass {
  stats: ImportStats;
  events(): AsyncGenerator<ChatEvent>;
}

export function createPass(chat: ChatExport, account: Account, since: number, io: Io): ImportPass {
  const stats: ImportStats = {
    messages: 0,
    others: new Map(),
    rooms: new Set(),
    threads: new Set(),
    people: new Set(),
    from: Number.POSITIVE_INFINITY,
    to: 0,
  };
  return {
    stats,
    async *events() {
      for await (const event of chat.events(account, since)) {
        const { type } = event;
        if (!isChatEvent(event)) {
          account.add('malformed', type);
          continue;
        }
        count(stats, event);
        io.progress.show(() => `${stats.messages} messages`);
        yield event;
      }
      io.progress.clear();
    },
  };
}

function count(stats: ImportStats, { type, conversation, author, at }: ChatEvent): void {
  if (type !== 'message') {
    stats.others.set(type, (stats.others.get(type) ?? 0) + 1);
    return;
  }
  stats.messages++;
  stats.rooms.add(conversation.parentId ?? conversation.id);
  if (conversation.kind === 'thread') stats.threads.add(conversation.id);
  if (author.kind === 'human') stats.people.add(author.id);
  stats.from = Math.min(stats.from, Number(at));
  stats.to = Math.max(stats.to, Number(at));
}
