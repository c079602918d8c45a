// A lane: what one agent is to be handed, in order, to one session at a time. At most `windowDeliveries` are handed and
// unacknowledged; conversation order is kept because a delivery that is handed again goes before everything later of
// its conversation. A stalled session stalls its own lane and no other.
//
// Nothing here is the truth: the store is. After a restart, and for every new session, the lane is filled from it.
import type { Cancel } from '../../runtime/clock.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import type { UnitView } from '../../store/store.ts';
import { detailOf, withDetail } from '../delivery/delivery-row.ts';
import { accept, mergeInto, settle } from '../delivery/move.ts';
import { type Change, addChange, mergeChanges, noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';

export interface LaneItem {
  delivery: DeliveryRow;
  event: LogRow;
  /** Composed by the host: the joined text, and the fragments before the one that carries it. */
  text?: string;
  merged?: readonly DeliveryRow[];
}

export type HandOutcome =
  | { type: 'accepted' }
  /** Ended without being handed: the session cannot take this kind. */
  | { type: 'settled' }
  /** No answer in time, or one that says try again. */
  | { type: 'again'; why: string }
  | { type: 'refused'; why: string }
  /** The session is gone. */
  | { type: 'gone' };

export interface LaneDeps {
  windowDeliveries: number;
  /** At once when nothing was sent. */
  hand(item: LaneItem): HandOutcome | Promise<HandOutcome>;
  accepted(item: LaneItem): void;
  refused(item: LaneItem, why: string): void;
  /** Something has left the lane: there may be room to read on. */
  left(): void;
  backoffMs(attempt: number): number;
  after(ms: number, run: () => void): Cancel;
  handAttempts: number;
}

export class Lane {
  readonly #deps: LaneDeps;
  #waiting: LaneItem[] = [];
  readonly #handed = new Map<string, LaneItem>();
  /** Everything in the lane, with its place in the order: kept while it is handed again and again. */
  readonly #places = new Map<string, number>();
  #lastPlace = 0;
  /** Conversations that wait before being handed again. */
  readonly #resting = new Map<string, Cancel>();
  /** Handed at least once and waiting for the next time. */
  readonly #unanswered = new Set<string>();
  #open = false;

  constructor(deps: LaneDeps) {
    this.#deps = deps;
  }

  get load(): number {
    return this.#waiting.length + this.#handed.size;
  }

  has(key: string): boolean {
    return this.#places.has(key);
  }

  /** New, or changed while waiting: what has not been handed is replaced. */
  add(item: LaneItem): void {
    const { key } = item.delivery;
    if (!this.#places.has(key)) {
      this.#places.set(key, ++this.#lastPlace);
      this.#waiting.push(item);
    } else if (!this.#handed.has(key)) {
      const waiting = this.#waiting.findIndex((other) => other.delivery.key === key);
      this.#waiting[waiting] = item;
    }
    this.#pump();
  }

  /** Gone from the queue, handed or not; what comes after it may go on. */
  drop(key: string): void {
    if (!this.#places.has(key)) return;
    if (!this.#handed.delete(key)) {
      this.#waiting = this.#waiting.filter((item) => item.delivery.key !== key);
    }
    this.#leave(key);
    this.#pump();
  }

  open(): void {
    this.#open = true;
    this.#pump();
  }

  /** The session is gone. Answers with what it was handed, once or more, and did not acknowledge. */
  close(): LaneItem[] {
    this.#open = false;
    for (const cancel of this.#resting.values()) cancel();
    this.#resting.clear();
    const again = this.#waiting.filter(({ delivery }) => this.#unanswered.has(delivery.key));
    const unanswered = [...this.#handed.values(), ...again];
    this.#handed.clear();
    this.#places.clear();
    this.#unanswered.clear();
    this.#waiting = [];
    return unanswered;
  }

  #pump(): void {
    let from = 0;
    while (this.#open && this.#handed.size < this.#deps.windowDeliveries) {
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
      this.#handed.set(key, item);
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
      // Ours, not the harness's: tried again like any other, and in the end a dead letter that says why.
      outcome = { type: 'again', why: error instanceof Error ? error.message : String(error) };
    }
    if (this.#handed.get(key) !== item) return; // withdrawn, or the session changed meanwhile
    if (outcome.type === 'gone') return; // unanswered: whoever closes the lane hears of it
    this.#handed.delete(key);
    if (outcome.type === 'again' && attempt < this.#deps.handAttempts) {
      this.#handAgain(item);
    } else {
      this.#leave(key);
      if (outcome.type === 'accepted') this.#deps.accepted(item);
      else if (outcome.type !== 'settled') this.#deps.refused(item, outcome.why);
    }
    this.#pump();
  }

  #leave(key: string): void {
    this.#places.delete(key);
    this.#unanswered.delete(key);
    this.#deps.left();
  }

  /** Back to its place in its conversation, after a rest in which the conversation waits. */
  #handAgain(item: LaneItem): void {
    const { conversation, attempt, key } = item.delivery;
    const placeOf = ({ delivery }: LaneItem): number => this.#places.get(delivery.key) ?? 0;
    const place = placeOf(item);
    const later = this.#waiting.findIndex(
      (other) => other.delivery.conversation === conversation && placeOf(other) > place,
    );
    const again: LaneItem = { ...item, delivery: { ...item.delivery, attempt: attempt + 1 } };
    this.#waiting.splice(later < 0 ? this.#waiting.length : later, 0, again);
    this.#unanswered.add(key);
    this.#resting.get(conversation)?.();
    const rest = this.#deps.after(this.#deps.backoffMs(attempt), () => {
      this.#resting.delete(conversation);
      this.#pump();
    });
    this.#resting.set(conversation, rest);
  }
}

// Acknowledgements. All that arrive together are one unit, so a harness that takes sixty deliveries at once costs one
// commit. Each makes its delivery accepted and ends the fragments that were merged into it.

/** In one unit. More than these are the next unit, of the same batch if it has room. */
const TOGETHER_MAX = 256;

type Deps = Pick<HostContext, 'apply' | 'log'>;

export function createAcceptance(deps: Deps): (item: LaneItem) => void {
  let waiting: LaneItem[] = [];
  const write = (): void => {
    const items = waiting;
    waiting = [];
    if (items.length > 0) writeAll(deps, items);
  };
  return (item) => {
    const count = waiting.push(item);
    if (count === TOGETHER_MAX) write();
    else if (count === 1) queueMicrotask(write); // after everybody whose answer is here already
  };
}

function writeAll({ apply, log }: Deps, items: readonly LaneItem[]): void {
  apply({
    states: [],
    rows: items.flatMap(({ delivery, merged = [] }) =>
      [delivery, ...merged].map(({ key }) => ['delivery', key] as const),
    ),
    run: (view) => ({ ...mergeChanges(items.map((item) => acceptOne(view, item))), result: undefined }),
  }).catch((error: unknown) => {
    const deliveries = items.map(({ delivery }) => delivery.key);
    log.error({ err: error, deliveries }, 'deliveries could not be updated; they are handed over again');
  });
}

function acceptOne(view: UnitView, { delivery: { key, attempt }, merged = [] }: LaneItem): Change {
  const change = noChange();
  const row = view.row('delivery', key);
  if (row === undefined) return change;
  const fragments = merged.flatMap((other) => view.row('delivery', other.key) ?? []);
  addChange(change, accepted(withFragments(row, fragments), attempt, view.now));
  for (const fragment of fragments) addChange(change, mergeInto(fragment, key, view.now));
  return change;
}

function withFragments(row: DeliveryRow, merged: readonly DeliveryRow[]): DeliveryRow {
  if (merged.length === 0) return row;
  const before = merged.flatMap((other) => detailOf(other).fragments ?? [other.source]);
  return withDetail(row, { fragments: [...before, row.source] });
}

/** What must not be answered is over once it has arrived. */
function accepted(row: DeliveryRow, attempt: number, now: number): Change {
  return row.policy === 'must_not_respond'
    ? settle(row, 'ignored', null, now, { attempt })
    : accept(row, attempt);
}
