// Composes fragments for a session that lacks the capability `buffered`: the host waits until the compose window closes
// and hands three fragments over as one delivery. It uses the same pure fold as the agent SDK. For a harness that
// composes by itself, deliveries pass straight through. A harness that pulls is composed for in pull.ts.
//
// Every author has a window of their own. The harness runs its turns by itself, so for the fold a turn is over as soon
// as it is handed over: no window waits for another. What an author adds while the harness still works on their words
// (worked-on.ts) ends that delivery and is handed over with it, as one.
import {
  type ComposeInput,
  type ComposeState,
  compose,
  initialCompose,
  wakeAt,
} from '../../compose/index.ts';
import type { Cancel } from '../../runtime/clock.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { decisionOf, detailOf } from '../delivery/delivery-row.ts';
import type { HostNews } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { parseConversationKey } from '../kernel/conversation.ts';
import { textOf } from '../kernel/log-row.ts';
import type { Link } from '../session/session-row.ts';
import { commitMerge, composeOptions, fragmentInput, isFragment } from './fragments.ts';
import type { LaneItem } from './lane.ts';
import { laneItem } from './payload.ts';
import { WorkedOn } from './worked-on.ts';

export interface Composer {
  add(item: LaneItem): void;
  /** Whether the delivery waits here. */
  has(key: string): boolean;
  /** True when the delivery was still waiting here. */
  drop(delivery: DeliveryRow): boolean;
  typing(news: Extract<HostNews, { type: 'typing' }>): void;
  /** While the backlog is read no window closes, so that fragments of one window meet. A new composer is held. */
  hold(): void;
  open(): void;
  close(): void;
}

export function createComposer(context: HostContext, link: Link, ready: (item: LaneItem) => void): Composer {
  return link.agreement.capabilities.injection.buffered
    ? passThrough(link, ready)
    : new HostComposer(context, ready);
}

class HostComposer implements Composer {
  readonly #context: HostContext;
  readonly #ready: (item: LaneItem) => void;
  readonly #states = new Map<string, ComposeState>();
  /** By the event id under which the item entered its window. An edit keeps that id. */
  readonly #items = new Map<string, LaneItem>();
  readonly #timers = new Map<string, Cancel>();
  /** Conversations with a merge under way. What is ready after it waits for it, so the order stays. */
  readonly #merging = new Map<string, Promise<void>>();
  /** Keys of the deliveries in such a merge, and of those that ended meanwhile. */
  readonly #leaving = new Set<string>();
  readonly #gone = new Set<string>();
  readonly #worked: WorkedOn;
  #held = true;
  #closed = false;

  constructor(context: HostContext, ready: (item: LaneItem) => void) {
    this.#context = context;
    this.#ready = ready;
    this.#worked = new WorkedOn(() => context.attention.limits.composeMaxMs);
  }

  add(item: LaneItem): void {
    const { delivery, event } = item;
    if (this.#replaceEdited(item)) return;
    if (!isFragment(delivery)) return this.#pass(delivery.conversation, [item]);
    this.#items.set(delivery.eventId, item);
    this.#fold(delivery.conversation, fragmentInput(this.#context, delivery, event));
  }

  has(key: string): boolean {
    if (this.#leaving.has(key)) return true;
    for (const { delivery } of this.#items.values()) if (delivery.key === key) return true;
    return false;
  }

  drop(delivery: DeliveryRow): boolean {
    const { key } = delivery;
    this.#worked.ended(delivery);
    if (this.#leaving.has(key)) {
      this.#gone.add(key);
      return true;
    }
    const entered = [...this.#items].find(([, item]) => item.delivery.key === key);
    if (entered === undefined) return false;
    const [eventId, waiting] = entered;
    if (detailOf(delivery).replacedBy !== undefined && delivery.why === 'edited') {
      this.#items.set(eventId, { ...waiting, delivery });
      return true;
    }
    this.#items.delete(eventId);
    this.#fold(delivery.conversation, { type: 'delete', eventId, at: this.#now() });
    return true;
  }

  typing({ conversation, author, typing }: Extract<HostNews, { type: 'typing' }>): void {
    if (!this.#states.has(conversation)) return;
    const key = `${author.kind}:${author.id}`;
    this.#fold(conversation, { type: 'typing', author: key, typing, at: this.#now() });
  }

  hold(): void {
    this.#held = true;
    for (const conversation of this.#states.keys())
      this.#fold(conversation, { type: 'turn_started', at: this.#now() });
  }

  open(): void {
    this.#held = false;
    for (const conversation of this.#states.keys())
      this.#fold(conversation, { type: 'turn_ended', at: this.#now() });
  }

  close(): void {
    this.#closed = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #now(): number {
    return this.#context.clock.now();
  }

  #fold(conversation: string, input: ComposeInput): void {
    const before = this.#states.get(conversation) ?? { ...initialCompose(), foreign: this.#held };
    const { state, outputs } = compose(before, input, composeOptions(this.#context));
    this.#states.set(conversation, state);
    for (const output of outputs) {
      // There is no room for another window. Handing over two turns is better than losing a line.
      if (output.type === 'refused') this.#pass(conversation, this.#take(output.eventIds));
      if (output.type !== 'inject') continue;
      this.#pass(conversation, this.#take(output.eventIds));
      this.#fold(conversation, { type: 'turn_ended', at: input.at, turn: output.turn });
    }
    this.#schedule(conversation);
  }

  /** A state is kept as long as somebody's window is in it. */
  #schedule(conversation: string): void {
    this.#timers.get(conversation)?.();
    this.#timers.delete(conversation);
    const state = this.#states.get(conversation);
    if (state === undefined || state.windows.length === 0) {
      this.#states.delete(conversation);
      return;
    }
    const at = wakeAt(state, composeOptions(this.#context));
    if (at === null || this.#closed) return;
    const tick = (): void => this.#fold(conversation, { type: 'tick', at: this.#now() });
    this.#timers.set(conversation, this.#context.clock.after(Math.max(0, at - this.#now()), tick));
  }

  #take(eventIds: readonly string[]): LaneItem[] {
    return eventIds.flatMap((eventId) => {
      const item = this.#items.get(eventId);
      this.#items.delete(eventId);
      return item === undefined ? [] : [item];
    });
  }

  /** Hands the fragments on as one delivery. What waits for an earlier merge of its conversation is handed after it. */
  #pass(conversation: string, fragments: readonly LaneItem[]): void {
    const [first, ...more] = fragments;
    if (first === undefined) return;
    const earlier = this.#merging.get(conversation);
    const corrects = this.#worked.earlier(first, this.#now());
    const isWhole = more.length === 0 && decisionOf(first.delivery).leadIn === undefined;
    if (earlier === undefined && isWhole && corrects === undefined) return this.#handOver(first, undefined);
    const keys = fragments.map(({ delivery }) => delivery.key);
    for (const key of keys) this.#leaving.add(key);
    const handed = this.#merged(earlier, keys, fragments, corrects).then((items) => {
      const left = items.filter(({ delivery }) => !this.#gone.has(delivery.key));
      for (const key of keys) this.#leaving.delete(key);
      for (const key of keys) this.#gone.delete(key);
      if (this.#merging.get(conversation) === handed) this.#merging.delete(conversation);
      // After the end of the session the store has them for the next one.
      if (!this.#closed) for (const item of left) this.#handOver(item, corrects);
    });
    this.#merging.set(conversation, handed);
  }

  #handOver(item: LaneItem, corrects: string | undefined): void {
    this.#worked.handed(item, corrects !== undefined, this.#now());
    this.#ready(item);
  }

  async #merged(
    earlier: Promise<void> | undefined,
    keys: readonly string[],
    fragments: readonly LaneItem[],
    corrects: string | undefined,
  ): Promise<readonly LaneItem[]> {
    await earlier;
    try {
      const isOne = keys.length === 1 && corrects === undefined;
      const row = isOne ? fragments[0]?.delivery : await commitMerge(this.#context, keys, corrects);
      const item = row === undefined ? undefined : await laneItem(this.#context, row, true);
      return item === undefined ? [] : [item];
    } catch (error) {
      this.#context.log.error(
        { err: error, deliveries: keys },
        'fragments were not merged; they go one by one',
      );
      return fragments;
    }
  }

  /** An edit of a fragment that waits here: it keeps its place in the window and gets the new text. */
  #replaceEdited(item: LaneItem): boolean {
    const { delivery, event } = item;
    const replaced = [...this.#items].find(([, old]) => detailOf(old.delivery).replacedBy === delivery.key);
    if (replaced === undefined) return false;
    const [eventId] = replaced;
    this.#items.set(eventId, item);
    const text = textOf(event);
    this.#fold(delivery.conversation, { type: 'edit', eventId, text, chars: text.length, at: this.#now() });
    return true;
  }
}

/** For a harness that composes by itself. It gets the typing events too, because they help it to compose. */
function passThrough(link: Link, ready: (item: LaneItem) => void): Composer {
  const conversations = new Set<string>();
  return {
    add(item) {
      conversations.add(item.delivery.conversation);
      ready(item);
    },
    has: () => false,
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
    hold: () => undefined,
    open: () => undefined,
    close: () => conversations.clear(),
  };
}
