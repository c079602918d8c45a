// Deliveries that are read from the store before they can be handed over. One read may overtake another, so each delivery
// waits for the earlier ones of its conversation: they keep the order in which they became ready.
import type { DeliveryRow } from '../../store/tables.ts';
import type { LaneItem } from './lane.ts';

export interface ReadInOrderDeps {
  /** Undefined: there is nothing to hand over. Never rejects. */
  read(delivery: DeliveryRow): Promise<LaneItem | undefined>;
  ready(item: LaneItem): void;
}

interface Waiting {
  delivery: DeliveryRow;
  /** Missing: it must be read. */
  item: LaneItem | undefined;
}

export class ReadInOrder {
  readonly #deps: ReadInOrderDeps;
  /** By the key of the delivery. One that has ended is taken out. */
  readonly #waiting = new Map<string, Waiting>();
  /** By conversation: ends when everything that waits there is handed on. */
  readonly #lines = new Map<string, Promise<void>>();

  constructor(deps: ReadInOrderDeps) {
    this.#deps = deps;
  }

  has(key: string): boolean {
    return this.#waiting.has(key);
  }

  /** Hands it on at once if it need not be read and no earlier one of its conversation waits. */
  add(delivery: DeliveryRow, item: LaneItem | undefined): void {
    const { key, conversation } = delivery;
    const earlier = this.#lines.get(conversation);
    if (earlier === undefined && item !== undefined) return this.#deps.ready(item);
    const keepsPlace = this.#waiting.has(key);
    this.#waiting.set(key, { delivery, item });
    if (keepsPlace) return;
    const line = (earlier ?? Promise.resolve())
      .then(() => this.#read(key))
      .then(() => {
        if (this.#lines.get(conversation) === line) this.#lines.delete(conversation);
      });
    this.#lines.set(conversation, line);
  }

  drop(key: string): void {
    this.#waiting.delete(key);
  }

  /** The session has ended. The next one reads what waits here. */
  close(): void {
    this.#waiting.clear();
  }

  /** Reads again what was announced in another form meanwhile. */
  async #read(key: string): Promise<void> {
    for (let waiting = this.#waiting.get(key); waiting !== undefined; ) {
      const item = waiting.item ?? (await this.#deps.read(waiting.delivery));
      const now = this.#waiting.get(key);
      if (now === waiting) {
        this.#waiting.delete(key);
        if (item !== undefined) this.#deps.ready(item);
        return;
      }
      waiting = now;
    }
  }
}
