// A lane: what one agent is to be handed, in order, to one session at a time. At most `windowDeliveries` are handed and
// unacknowledged; conversation order is kept because a delivery that is handed again goes before everything later of
// its conversation. A stalled session stalls its own lane and no other.
//
// Nothing here is the truth: the store is. After a restart, and for every new session, the lane is filled from it.
import type { Cancel } from '../runtime/clock.ts';
import type { DeliveryRow, LogRow } from '../store/tables.ts';

export interface LaneItem {
  delivery: DeliveryRow;
  event: LogRow;
  /** Composed by the host: the joined text, and the fragments before the one that carries it. */
  text?: string;
  merged?: readonly DeliveryRow[];
}

export type HandOutcome =
  | { type: 'accepted' }
  /** No answer in time, or one that says try again. */
  | { type: 'again'; why: string }
  | { type: 'refused'; why: string }
  /** The session is gone. */
  | { type: 'gone' };

export interface LaneDeps {
  windowDeliveries: number;
  hand(item: LaneItem): Promise<HandOutcome>;
  accepted(item: LaneItem): void;
  refused(item: LaneItem, why: string): void;
  backoffMs(attempt: number): number;
  after(ms: number, run: () => void): Cancel;
  handAttempts: number;
}

export class Lane {
  readonly #deps: LaneDeps;
  #waiting: LaneItem[] = [];
  /** Keys of what waits: a long queue is searched only for what is in it. */
  readonly #waitingKeys = new Set<string>();
  readonly #handed = new Map<string, LaneItem>();
  /** Conversations that wait before being handed again. */
  readonly #resting = new Map<string, Cancel>();
  #open = false;

  constructor(deps: LaneDeps) {
    this.#deps = deps;
  }

  get load(): number {
    return this.#waiting.length + this.#handed.size;
  }

  /** New, or changed while waiting: an edit replaces what has not been handed. */
  add(item: LaneItem): void {
    const { key } = item.delivery;
    if (this.#waitingKeys.has(key)) {
      const waiting = this.#waiting.findIndex((other) => other.delivery.key === key);
      this.#waiting[waiting] = item;
    } else if (!this.#handed.has(key)) {
      this.#waitingKeys.add(key);
      this.#waiting.push(item);
    }
    this.#pump();
  }

  /** Gone from the queue; true when it was already handed, so that the session must be told. */
  drop(key: string): boolean {
    if (this.#waitingKeys.delete(key)) {
      this.#waiting = this.#waiting.filter((item) => item.delivery.key !== key);
    }
    return this.#handed.delete(key);
  }

  open(): void {
    this.#open = true;
    this.#pump();
  }

  /** The session is gone: what it held and did not acknowledge goes to the next one. */
  close(): void {
    this.#open = false;
    for (const cancel of this.#resting.values()) cancel();
    this.#resting.clear();
    this.#handed.clear();
    this.#waiting = [];
    this.#waitingKeys.clear();
  }

  #pump(): void {
    let from = 0;
    while (this.#open && this.#handed.size < this.#deps.windowDeliveries) {
      const next = this.#nextReady(from);
      if (next < 0) return;
      const [item] = this.#waiting.splice(next, 1);
      if (item === undefined) return;
      from = next;
      this.#waitingKeys.delete(item.delivery.key);
      this.#handed.set(item.delivery.key, item);
      void this.#hand(item);
    }
  }

  #nextReady(from: number): number {
    if (this.#resting.size === 0) return from < this.#waiting.length ? from : -1;
    for (let index = from; index < this.#waiting.length; index++) {
      const conversation = this.#waiting[index]?.delivery.conversation;
      if (conversation !== undefined && !this.#resting.has(conversation)) return index;
    }
    return -1;
  }

  async #hand(item: LaneItem): Promise<void> {
    const outcome = await this.#deps.hand(item);
    if (this.#handed.get(item.delivery.key) !== item) return; // withdrawn, or the session changed meanwhile
    this.#handed.delete(item.delivery.key);
    switch (outcome.type) {
      case 'accepted':
        this.#deps.accepted(item);
        break;
      case 'refused':
        this.#deps.refused(item, outcome.why);
        break;
      case 'again':
        if (item.delivery.attempt >= this.#deps.handAttempts) this.#deps.refused(item, outcome.why);
        else this.#again(item);
        break;
      case 'gone':
        return;
    }
    this.#pump();
  }

  /** Back to the front of its conversation, after a rest in which the conversation waits. */
  #again(item: LaneItem): void {
    const { conversation, attempt } = item.delivery;
    const later = this.#waiting.findIndex((other) => other.delivery.conversation === conversation);
    const again: LaneItem = { ...item, delivery: { ...item.delivery, attempt: attempt + 1 } };
    this.#waiting.splice(later < 0 ? this.#waiting.length : later, 0, again);
    this.#waitingKeys.add(again.delivery.key);
    this.#resting.get(conversation)?.();
    const rest = this.#deps.after(this.#deps.backoffMs(attempt), () => {
      this.#resting.delete(conversation);
      this.#pump();
    });
    this.#resting.set(conversation, rest);
  }
}
