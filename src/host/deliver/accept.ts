// Acknowledgements. All that arrive together are one unit, so a harness that takes sixty deliveries at once costs one
// commit. Each makes its delivery accepted and ends the fragments that were merged into it.
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { detailOf, withDetail } from '../delivery/delivery-row.ts';
import { accept, mergeInto, settle } from '../delivery/move.ts';
import { type Change, addChange, mergeChanges, noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import type { LaneItem } from './lane.ts';

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
