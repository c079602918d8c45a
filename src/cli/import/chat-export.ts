// An export of any platform, as the command sees it: events in the order of time, as often as they are asked for.
import type { ChatEvent } from '../../protocol/chat-event.ts';
import type { Account } from './account.ts';

export interface ChatExport {
  /** Reads from the beginning each time. `since`: epoch ms; what is older is passed over without a word. */
  events(account: Account, since: number): AsyncIterable<ChatEvent>;
  /** What people call an account. Complete once everything has been read. */
  nameOf(id: string): string | undefined;
  isApp(id: string): boolean;
  /** What a reader of the report should know about this kind of export. */
  caveats: readonly string[];
  /** The same, so grave that it is said at once. */
  warnings: readonly string[];
}

/** In the order of time. What is at the same time keeps its order: a reaction comes after its message. */
export function inOrder(events: readonly ChatEvent[]): ChatEvent[] {
  return events.toSorted((a, b) => Number(a.at) - Number(b.at));
}
