// Lines that wait for a second opinion on this host. What their author says next to the same agent must not overtake
// them: the commit of the next line releases them first (attend/release-earlier.ts), and the answer comes too late.
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { LogRow } from '../../store/tables.ts';
import { conversationKeyOf, placeOf } from '../kernel/conversation.ts';

export interface HeldLine {
  /** Its key. */
  delivery: string;
  event: string;
}

export interface HeldLines {
  /** Deliveries that wait and are of this event's author and conversation. */
  before(event: ChatEvent): readonly HeldLine[];
  add(row: LogRow, agent: string): void;
  /** The question is over. */
  remove(row: LogRow, agent: string): void;
}

export function createHeldLines(): HeldLines {
  /** By delivery. No more than questions under way, which the quota bounds. */
  const held = new Map<string, Pick<LogRow, 'key' | 'conversation' | 'author'>>();
  return {
    before(event) {
      if (held.size === 0 || event.type !== 'message') return [];
      const conversation = conversationKeyOf(placeOf(event));
      const author = `${event.author.kind}:${event.author.id}`;
      return [...held].flatMap(([delivery, one]) =>
        one.conversation === conversation && one.author === author ? [{ delivery, event: one.key }] : [],
      );
    },
    add({ key, conversation, author }, agent) {
      held.set(deliveryKey(key, agent), { key, conversation, author });
    },
    remove({ key }, agent) {
      held.delete(deliveryKey(key, agent));
    },
  };
}
