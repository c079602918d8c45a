// Composing for harnesses that cannot: without the capability `buffered`, the host waits the window out and hands three
// fragments over as one delivery. Uses the same pure fold as the agent SDK; a harness that composes passes straight by.
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
import type { Link } from '../session/link.ts';
import { textOf } from '../kernel/log-row.ts';

export interface Composer {
  add(item: LaneItem): void;
  /** True when it was still waiting here. */
  drop(delivery: DeliveryRow): boolean;
  typing(news: Extract<HostNews, { type: 'typing' }>): void;
  close(): void;
}

export function createComposer(context: HostContext, link: Link, ready: (item: LaneItem) => void): Composer {
  if (link.agreement.capabilities.injection.buffered) return passThrough(context, link, ready);
  const states = new Map<string, ComposeState>();
  /** By the id under which it entered its window; an edit takes the place of what it edits. */
  const items = new Map<string, LaneItem>();
  const timers = new Map<string, Cancel>();

  const fold = (conversation: string, input: ComposeInput): void => {
    const { state, outputs } = compose(states.get(conversation) ?? initialCompose(), input);
    states.set(conversation, state);
    for (const output of outputs) {
      // No room for another window: better two turns than a lost line.
      if (output.type === 'refused')
        for (const item of output.eventIds.flatMap((id) => take(items, id))) ready(item);
      if (output.type !== 'inject') continue;
      const taken = output.eventIds.flatMap((eventId) => take(items, eventId));
      const merged = merge(taken);
      if (merged !== undefined) ready(merged);
      // The harness runs its own turns; the window is free for the next fragments at once.
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

  /** An edit of what waits here: the same place in the same window, the new words. */
  const takePlace = (item: LaneItem): boolean => {
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
      if (takePlace(item)) return;
      const { mode } = delivery;
      if (mode !== 'buffered' && mode !== 'immediate') return ready(item);
      // A turn that was composed before is not composed again with what is typed now.
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

/** The harness composes; typing signs help it to. */
function passThrough(_context: HostContext, link: Link, ready: (item: LaneItem) => void): Composer {
  const talking = new Set<string>();
  return {
    add(item) {
      talking.add(item.delivery.conversation);
      ready(item);
    },
    drop: () => false,
    typing({ conversation, author, typing }) {
      if (!talking.has(conversation)) return;
      const { id } = parseConversationKey(conversation);
      link.notify('notifications/typing', {
        conversation: { id },
        author: { id: author.id, kind: author.kind },
        typing,
      });
    },
    close: () => talking.clear(),
  };
}

function take(items: Map<string, LaneItem>, eventId: string): LaneItem[] {
  const item = items.get(eventId);
  items.delete(eventId);
  return item === undefined ? [] : [item];
}

/** The last fragment carries the turn; the ones before it are settled with it. */
function merge(taken: readonly LaneItem[]): LaneItem | undefined {
  const last = taken.at(-1);
  if (last === undefined || taken.length === 1) return last;
  const text = taken.map((item) => item.text ?? textOf(item.event)).join('\n');
  return { ...last, text, merged: taken.slice(0, -1).map(({ delivery }) => delivery) };
}
