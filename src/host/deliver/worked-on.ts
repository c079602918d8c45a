// What a harness that cannot compose may be at work on, by conversation and author. If the author goes on, the host ends
// that delivery and hands over one with all the words, as the agent SDK does with its own turns. How often is bounded as
// there: freely while the first words are new, and a few times after that.
import { COMPOSE_DEFAULTS } from '../../compose/index.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { detailOf } from '../delivery/delivery-row.ts';
import { isFragment } from './fragments.ts';
import type { LaneItem } from './lane.ts';

interface Work {
  key: string;
  /** When its first words were said. */
  firstAt: number;
  /** When it was handed over. What was said before that came in a window of its own and stays one. */
  handedAt: number;
  /** Corrections after the longest time of a window. */
  late: number;
}

/** Pieces of work remembered. The oldest is forgotten; what its author adds is then a delivery of its own. */
const WORK_MAX = 1_000;

export class WorkedOn {
  readonly #work = new Map<string, Work>();
  readonly #maxWindowMs: () => number;

  constructor(maxWindowMs: () => number) {
    this.#maxWindowMs = maxWindowMs;
  }

  /** The key of the delivery that the item corrects, if it may. */
  earlier(item: LaneItem, now: number): string | undefined {
    // What need not be answered may be meant for somebody who spoke in between: it ends no work.
    const isMeant = isFragment(item.delivery) && item.delivery.policy === 'must_respond';
    const work = isMeant ? this.#work.get(placeOf(item)) : undefined;
    if (work === undefined || item.delivery.createdAt < work.handedAt) return undefined;
    const isNew = now - work.firstAt <= this.#maxWindowMs();
    return isNew || work.late < COMPOSE_DEFAULTS.maxLateRestarts ? work.key : undefined;
  }

  /** The item is handed over. `corrected`: it carries the words of what was handed over before. */
  handed(item: LaneItem, corrected: boolean, now: number): void {
    const { mode, createdAt, key } = item.delivery;
    if (mode !== 'buffered' && mode !== 'immediate') return;
    const place = placeOf(item);
    const before = corrected ? this.#work.get(place) : undefined;
    const firstAt = before?.firstAt ?? createdAt;
    const late = (before?.late ?? 0) + (corrected && now - firstAt > this.#maxWindowMs() ? 1 : 0);
    this.#work.delete(place);
    this.#work.set(place, { key, firstAt, handedAt: before?.handedAt ?? now, late });
    const [oldest] = this.#work.keys();
    if (this.#work.size > WORK_MAX && oldest !== undefined) this.#work.delete(oldest);
  }

  /** The delivery has ended. What replaced it is worked on in its place. */
  ended(delivery: DeliveryRow): void {
    const found = [...this.#work].find(([, { key }]) => key === delivery.key);
    if (found === undefined) return;
    const [place, work] = found;
    const { replacedBy } = detailOf(delivery);
    if (replacedBy === undefined) this.#work.delete(place);
    else this.#work.set(place, { ...work, key: replacedBy });
  }
}

function placeOf({ delivery, event }: LaneItem): string {
  return `${event.author} ${delivery.conversation}`;
}
