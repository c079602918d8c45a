// Composes fragments for a harness that lacks the capability `buffered`: the host waits until the compose window closes
// and hands three fragments over as one delivery. It uses the same pure fold as the agent SDK. For a harness that
// composes by itself, deliveries pass straight through.
import {
  type ComposeInput,
  type ComposeState,
  compose,
  initialCompose,
  wakeAt,
} from '../../compose/index.ts';
import type { Cancel } from '../../runtime/clock.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { parseConversationKey } from '../kernel/conversation.ts';
import type { HostNews } from '../kernel/change.ts';
import type { LaneItem } from './lane.ts';
import { detailOf } from '../delivery/delivery-row.ts';
import type { Link } from '../session/session-row.ts';
import { textOf } from '../kernel/log-row.ts';

export interface Composer {
  add(item: LaneItem): void;
  /** True when the delivery was still waiting here. */
  drop(delivery: DeliveryRow): boolean;
  typing(news: Extract<HostNews, { type: 'typing' }>): void;
  close(): void;
}

export function createComposer(context: HostContext, link: Link, ready: (item: LaneItem) => void): Composer {
  if (link.agreement.capabilities.injection.buffered) return passThrough(link, ready);
  const states = new Map<string, ComposeState>();
  /** By the event id under which the item entered its window. An edit keeps that id. */
  const items = new Map<string, LaneItem>();
  const timers = new Map<string, Cancel>();

  const fold = (conversation: string, input: ComposeInput): void => {
    const { state, outputs } = compose(states.get(conversation) ?? initialCompose(), input);
    states.set(conversation, state);
    for (const output of outputs) {
      // There is no room for another window. Handing over two turns is better than losing a line.
      if (output.type === 'refused')
        for (const item of output.eventIds.flatMap((id) => removeItem(items, id))) ready(item);
      if (output.type !== 'inject') continue;
      const fragments = output.eventIds.flatMap((eventId) => removeItem(items, eventId));
      const merged = mergeItems(fragments);
      if (merged !== undefined) ready(merged);
      // The harness runs its turns by itself. For the fold the turn is over, so the next window can open.
      fold(conversation, { type: 'turn_started', at: input.at, turn: output.turn });
      fold(conversation, { type: 'turn_ended', at: input.at, turn: output.turn });
    }
    schedule(conversation);
  };
  const schedule = (conversation: string): void => {
    timers.get(conversation)?.();
    timers.delete(conversation);
    const at = wakeAt(states.get(conversation) ?? initialCompose());
    if (at === undefined || at === null) {
      states.delete(conversation);
      return;
    }
    const wait = Math.max(0, at - context.clock.now());
    timers.set(
      conversation,
      context.clock.after(wait, () => fold(conversation, { type: 'tick', at: context.clock.now() })),
    );
  };

  /** An edit of a fragment that waits here: it keeps its place in the window and gets the new text. */
  const replaceEdited = (item: LaneItem): boolean => {
    const { delivery, event } = item;
    const replaced = [...items].find(([, old]) => detailOf(old.delivery).replacedBy === delivery.key);
    if (replaced === undefined) return false;
    const [eventId] = replaced;
    items.set(eventId, item);
    const text = textOf(event);
    fold(delivery.conversation, {
      type: 'edit',
      eventId,
      text,
      chars: text.length,
      at: context.clock.now(),
    });
    return true;
  };

  return {
    add(item) {
      const { delivery, event } = item;
      if (replaceEdited(item)) return;
      const { mode } = delivery;
      if (mode !== 'buffered' && mode !== 'immediate') return ready(item);
      // A repeated or already composed delivery is not composed again with new fragments.
      if (delivery.attempt > 1 || detailOf(delivery).fragments !== undefined) return ready(item);
      items.set(delivery.eventId, item);
      fold(delivery.conversation, {
        type: 'fragment',
        eventId: delivery.eventId,
        author: event.author,
        at: context.clock.now(),
        chars: textOf(event).length,
        addressee: delivery.agent,
        mode,
        ...(delivery.eventId === delivery.source ? {} : { refersTo: delivery.source }),
      });
    },
    drop(delivery) {
      const entered = [...items].find(([, item]) => item.delivery.key === delivery.key)?.[0];
      if (entered === undefined) return false;
      const waiting = items.get(entered);
      if (waiting !== undefined && detailOf(delivery).replacedBy !== undefined && delivery.why === 'edited') {
        items.set(entered, { ...waiting, delivery });
        return true;
      }
      items.delete(entered);
      fold(delivery.conversation, { type: 'delete', eventId: entered, at: context.clock.now() });
      return true;
    },
    typing({ conversation, author, typing }) {
      if (!states.has(conversation)) return;
      fold(conversation, {
        type: 'typing',
        author: `${author.kind}:${author.id}`,
        typing,
        at: context.clock.now(),
      });
    },
    close() {
      for (const cancel of timers.values()) cancel();
      timers.clear();
    },
  };
}

/** For a harness that composes by itself. It gets the typing events too, because they help it to compose. */
function passThrough(link: Link, ready: (item: LaneItem) => void): Composer {
  const conversations = new Set<string>();
  return {
    add(item) {
      conversations.add(item.delivery.conversation);
      ready(item);
    },
    drop: () => false,
    typing({ conversation, author, typing }) {
      if (!conversations.has(conversation)) return;
      const { id } = parseConversationKey(conversation);
      link.notify('notifications/typing', {
        conversation: { id },
        author: { id: author.id, kind: author.kind },
        typing,
      });
    },
    close: () => conversations.clear(),
  };
}

function removeItem(items: Map<string, LaneItem>, eventId: string): LaneItem[] {
  const item = items.get(eventId);
  items.delete(eventId);
  return item === undefined ? [] : [item];
}

/** The last fragment carries the joined text. The ones before it end when that one is accepted. */
function mergeItems(items: readonly LaneItem[]): LaneItem | undefined {
  const last = items.at(-1);
  if (last === undefined || items.length === 1) return last;
  const text = items.map((item) => item.text ?? textOf(item.event)).join('\n');
  return { ...last, text, merged: items.slice(0, -1).map(({ delivery }) => delivery) };
}
