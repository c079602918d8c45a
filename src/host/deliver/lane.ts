// A lane: the deliveries of one session, in order. At most `windowDeliveries` are handed and not yet acknowledged.
// Order is kept within a conversation: a delivery that is handed again goes before every later one of its
// conversation. A session that stalls holds up only its own lane.
//
// A lane is working memory. The store is the truth, and fills the lane of every new session. Acknowledgements are
// written to the store in batches (`createAcceptance`).
import assert from 'node:assert/strict';
import type { KnockTask } from '../../protocol/knock-topic.ts';
import type { Cancel } from '../../runtime/clock.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { StoreError, type UnitView } from '../../store/store.ts';
import { accept, settle } from '../delivery/move.ts';
import { type Change, mergeChanges, noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';

export interface LaneItem {
  delivery: DeliveryRow;
  event: LogRow;
  /** The logged messages whose words it has, if the host composed it. */
  parts?: readonly LogRow[];
  /** For a knock: the earlier ones in the conversation that still wait. Read when it is handed over. */
  waiting?: readonly KnockTask[];
}

export type HandOutcome =
  | { type: 'accepted' }
  /** It ended without being handed, because the session cannot take its mode. */
  | { type: 'settled' }
  /** No answer in time, or an answer that says to try again, perhaps not before a time. */
  | { type: 'again'; why: string; afterMs?: number | undefined }
  | { type: 'refused'; why: string }
  /** The session has ended. */
  | { type: 'gone' };

export interface LaneDeps {
  windowDeliveries: number;
  /** Hands one delivery to the session. Answers at once when nothing was sent. */
  hand(item: LaneItem): HandOutcome | Promise<HandOutcome>;
  accepted(item: LaneItem): void;
  refused(item: LaneItem, why: string): void;
  /** A delivery has left the lane, so there may be room for more. */
  left(): void;
  backoffMs(attempt: number, afterMs: number | undefined): number;
  after(ms: number, run: () => void): Cancel;
  handAttempts: number;
  /** False: the session takes every event once. What it does not acknowledge is given up. */
  handsAgain: boolean;
}

interface Place {
  /** In the order of the lane. It stays the same when a delivery is handed again. */
  readonly order: number;
  /** While it is handed and not acknowledged. It is taken out before the place is: see StateCache about tables of a Map. */
  handed: LaneItem | undefined;
}

export class Lane {
  readonly #deps: LaneDeps;
  #waiting: LaneItem[] = [];
  /** Every delivery of the lane. */
  readonly #places = new Map<string, Place>();
  #lastPlace = 0;
  /** How many are handed. */
  #handed = 0;
  /** Conversations that wait for the back-off of a delivery. */
  readonly #resting = new Map<string, Cancel>();
  /** Deliveries that were handed, were not acknowledged, and wait to be handed again. */
  readonly #unanswered = new Set<string>();
  /** The harness has said that it is full. Nothing is handed until this is over. */
  #full: Cancel | undefined;
  #open = false;

  constructor(deps: LaneDeps) {
    this.#deps = deps;
  }

  get load(): number {
    return this.#waiting.length + this.#handed;
  }

  has(key: string): boolean {
    return this.#places.has(key);
  }

  keys(): IterableIterator<string> {
    return this.#places.keys();
  }

  /** Adds a delivery, or replaces one that is still waiting. */
  add(item: LaneItem): void {
    const { key } = item.delivery;
    const place = this.#places.get(key);
    if (place === undefined) {
      this.#places.set(key, { order: ++this.#lastPlace, handed: undefined });
      this.#waiting.push(item);
    } else if (place.handed === undefined) {
      const waiting = this.#waiting.findIndex((other) => other.delivery.key === key);
      this.#waiting[waiting] = item;
    }
    this.#pump();
  }

  /** Removes a delivery, handed or not. */
  drop(key: string): void {
    const place = this.#places.get(key);
    if (place === undefined) return;
    if (place.handed !== undefined) this.#takeBack(place);
    else {
      this.#waiting = this.#waiting.filter((item) => item.delivery.key !== key);
    }
    this.#leave(key);
    this.#pump();
  }

  open(): void {
    this.#open = true;
    this.#pump();
  }

  /** The session has ended. Returns what it was handed and did not acknowledge. */
  close(): LaneItem[] {
    this.#open = false;
    for (const cancel of this.#resting.values()) cancel();
    this.#resting.clear();
    this.#full?.();
    this.#full = undefined;
    const again = this.#waiting.filter(({ delivery }) => this.#unanswered.has(delivery.key));
    const handed = [...this.#places.values()].flatMap((place) => place.handed ?? []);
    const unanswered = [...handed, ...again];
    this.#handed = 0;
    this.#places.clear();
    this.#unanswered.clear();
    this.#waiting = [];
    return unanswered;
  }

  #pump(): void {
    let from = 0;
    while (this.#open && this.#full === undefined && this.#handed < this.#deps.windowDeliveries) {
      const next = this.#nextReady(from);
      if (next < 0) return;
      const [item] = this.#waiting.splice(next, 1);
      if (item === undefined) return;
      from = next;
      const { key, attempt } = item.delivery;
      if (attempt > this.#deps.handAttempts) {
        this.#leave(key);
        this.#deps.refused(item, 'no_acknowledgement');
        continue;
      }
      const place = this.#places.get(key);
      assert(place !== undefined);
      place.handed = item;
      this.#handed++;
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
    const { key, attempt } = item.delivery;
    let outcome: HandOutcome;
    try {
      outcome = await this.#deps.hand(item);
    } catch (error) {
      // A fault of the host. It is retried like any other, and in the end the dead letter says why.
      outcome = { type: 'again', why: error instanceof Error ? error.message : String(error) };
    }
    const place = this.#places.get(key);
    if (place?.handed !== item) return; // withdrawn, or the lane was closed
    if (outcome.type === 'gone') return; // it stays unacknowledged, and `close` returns it
    this.#takeBack(place);
    const { handsAgain, handAttempts } = this.#deps;
    if (outcome.type === 'again' && handsAgain && attempt < handAttempts) {
      this.#handAgain(item, outcome.afterMs);
    } else {
      this.#leave(key);
      if (outcome.type === 'accepted') this.#deps.accepted(item);
      else if (outcome.type !== 'settled') this.#deps.refused(item, outcome.why);
    }
    this.#pump();
  }

  #takeBack(place: Place): void {
    place.handed = undefined;
    this.#handed--;
  }

  #leave(key: string): void {
    this.#places.delete(key);
    this.#unanswered.delete(key);
    this.#deps.left();
  }

  /**
   * Puts it back into its place. Its conversation waits until the back-off is over; one that waits already is not woken
   * sooner by a later delivery. A harness that says when to come back is full and not silent. That is no attempt, and
   * all its conversations wait: what an agent does not take stays queued.
   */
  #handAgain(item: LaneItem, afterMs: number | undefined): void {
    const { conversation, attempt, key } = item.delivery;
    const placeOf = ({ delivery }: LaneItem): number => this.#places.get(delivery.key)?.order ?? 0;
    const place = placeOf(item);
    const later = this.#waiting.findIndex(
      (other) => other.delivery.conversation === conversation && placeOf(other) > place,
    );
    const isFull = afterMs !== undefined;
    const again: LaneItem = isFull ? item : { ...item, delivery: { ...item.delivery, attempt: attempt + 1 } };
    this.#waiting.splice(later < 0 ? this.#waiting.length : later, 0, again);
    this.#unanswered.add(key);
    if (isFull) {
      this.#full ??= this.#deps.after(this.#deps.backoffMs(1, afterMs), () => {
        this.#full = undefined;
        this.#pump();
      });
      return;
    }
    if (this.#resting.has(conversation)) return;
    const rest = this.#deps.after(this.#deps.backoffMs(attempt, afterMs), () => {
      this.#resting.delete(conversation);
      this.#pump();
    });
    this.#resting.set(conversation, rest);
  }
}

// Acknowledgements. All that arrive together are one unit, so sixty acknowledgements at once cost one commit. Each
// makes its delivery `accepted`.

/** The most acknowledgements in one unit. */
const UNIT_MAX = 256;

type Deps = Pick<HostContext, 'apply' | 'log' | 'clock'> & {
  settings: { limits: Pick<HostContext['settings']['limits'], 'retryBaseMs'> };
};

type Acknowledged = Pick<LaneItem, 'delivery'>;

/** `pending` has the keys whose acknowledgement is not stored yet. */
export function createAcceptance(deps: Deps, pending = new Set<string>()): (item: Acknowledged) => void {
  let waiting: Acknowledged[] = [];
  const write = (): void => {
    const items = waiting;
    waiting = [];
    if (items.length > 0) commitAccepted(deps, items, pending);
  };
  return (item) => {
    pending.add(item.delivery.key);
    const count = waiting.push(item);
    if (count === UNIT_MAX) write();
    else if (count === 1) queueMicrotask(write); // after all the answers that have arrived already
  };
}

/** Until it is stored: the session has it and will not be handed it again, so nobody else would bring the row on. */
function commitAccepted(deps: Deps, items: readonly Acknowledged[], pending: Set<string>): void {
  const { apply, log, clock, settings } = deps;
  apply({
    states: [],
    rows: items.map(({ delivery }) => ['delivery', delivery.key] as const),
    run: (view) => ({ ...mergeChanges(items.map((item) => acceptOne(view, item))), result: undefined }),
  }).then(
    () => {
      for (const { delivery } of items) pending.delete(delivery.key);
    },
    (error: unknown) => {
      const deliveries = items.map(({ delivery }) => delivery.key);
      log.error({ err: error, deliveries }, 'acknowledgements could not be stored; it is tried again');
      if (error instanceof StoreError && error.kind === 'closed') return;
      clock.after(settings.limits.retryBaseMs, () => commitAccepted(deps, items, pending));
    },
  );
}

function acceptOne(view: UnitView, { delivery }: Acknowledged): Change {
  const row = view.row('delivery', delivery.key);
  return row === undefined || row.open === 0 ? noChange() : acceptRow(row, delivery, view.now);
}

/** A delivery that must not be answered is settled as soon as it has arrived. */
function acceptRow(row: DeliveryRow, handed: DeliveryRow, now: number): Change {
  return row.policy === 'must_not_respond'
    ? settle(row, 'ignored', null, now, { attempt: handed.attempt })
    : accept(row, handed);
}
