// The news of the host: what has just been committed or has just happened, told to whoever acts on it or shows it.
// News about stored rows is part of a Change (change.ts) and is published after the sync, never before. The bus is how
// steps of the pipeline reach each other without importing each other.
import type { DeliveryRow, LogRow, OutboxRow } from '../../store/tables.ts';

export type HostNews =
  | { type: 'logged'; row: LogRow }
  /** A new or changed delivery is ready to be handed over. Without `event` the listener reads it from the log. */
  | { type: 'deliver'; delivery: DeliveryRow; event?: LogRow | undefined }
  | { type: 'withdraw'; delivery: DeliveryRow; reason: string }
  | { type: 'settled'; delivery: DeliveryRow }
  /** An outbox row is to be posted. */
  | { type: 'outbox'; key: string }
  /** Nobody need wait for an outbox row any more: it is visible, failed or cancelled, or its source pulls it. */
  | { type: 'outbox_done'; row: OutboxRow }
  /** The sweep has something to do: now, or at the given time. */
  | { type: 'due'; at?: number }
  | { type: 'typing'; conversation: string; author: LogRow['record']['event']['author']; typing: boolean }
  /** A person stopped the agent: everything of it there from before the record with this seq ends. */
  | { type: 'cancel_turn'; agent: string; conversation: string; reason: string; seq: number }
  | { type: 'inbox'; key: string }
  | { type: 'session'; agent: string; connected: boolean }
  | { type: 'progress'; agent: string; detail: Record<string, unknown> }
  /** A line for the log. A unit may run more than once, so it returns its warnings as news instead of logging them. */
  | { type: 'warning'; message: string; fields: Record<string, unknown> };

export interface HostLog {
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

export interface HostBus {
  publish(news: HostNews): void;
  /** Listeners must not throw and must not wait. Answers with how to stop listening. */
  listen(listener: (news: HostNews) => void): () => void;
}

export function createBus(log: HostLog): HostBus {
  const listeners = new Set<(news: HostNews) => void>();
  return {
    publish(news) {
      if (news.type === 'warning') log.warn(news.fields, news.message);
      for (const listener of listeners) {
        try {
          listener(news);
        } catch (error) {
          // One broken listener must not keep the news from the others.
          log.error({ err: error, news: news.type }, 'a listener failed');
        }
      }
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
