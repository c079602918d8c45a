// Composing for harnesses that cannot: without the capability `buffered`, the host waits the window out and hands three
// fragments over as one delivery. Uses the same pure fold as the agent SDK; a harness that composes passes straight by.
import { type ComposeInput, type ComposeState, compose, initialCompose, wakeAt } from '../compose/index.ts';
import type { Cancel } from '../runtime/clock.ts';
import type { DeliveryRow } from '../store/tables.ts';
import type { HostContext, HostNews } from './context.ts';
import type { LaneItem } from './lane.ts';
import type { Link } from './link.ts';
import { textOf } from './payload.ts';

export interface Composer {
  add(item: LaneItem): void;
  drop(delivery: DeliveryRow): void;
  typing(news: Extract<HostNews, { type: 'typing' }>): void;
  close(): void;
}

export function createComposer(context: HostContext, link: Link, ready: (item: LaneItem) => void): Composer {
  if (link.agreement.capabilities.injection.buffered) return passThrough(context, link, ready);
  const states = new Map<string, ComposeState>();
  const items = new Map<string, LaneItem>();
  const timers = new Map<string, Cancel>();

  const fold = (conversation: string, input: ComposeInput): void => {
    const { state, outputs } = compose(states.get(conversation) ?? initialCompose(), input);
    states.set(conversation, state);
    for (const output of outputs) {
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

  return {
    add(item) {
      const { delivery, event } = item;
      if (delivery.mode !== 'buffered' && delivery.mode !== 'immediate') return ready(item);
      items.set(delivery.eventId, item);
      fold(delivery.conversation, {
        type: 'fragment',
        eventId: delivery.eventId,
        author: event.author,
        at: context.clock.now(),
        chars: textOf(event).length,
        addressee: delivery.agent,
        mode: delivery.mode,
        ...(delivery.eventId === delivery.source ? {} : { refersTo: delivery.source }),
      });
    },
    drop(delivery) {
      if (!items.delete(delivery.eventId)) return;
      fold(delivery.conversation, { type: 'delete', eventId: delivery.eventId, at: context.clock.now() });
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
    drop: () => undefined,
    typing({ conversation, author, typing }) {
      if (!talking.has(conversation)) return;
      const id = decodeURIComponent(conversation.slice(conversation.lastIndexOf('/') + 1));
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
  const text = taken.map(({ event }) => textOf(event)).join('\n');
  return { ...last, text, merged: taken.slice(0, -1).map(({ delivery }) => delivery) };
}
