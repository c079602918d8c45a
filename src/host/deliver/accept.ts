// Acknowledgements, written as they come in: all that arrive together are one unit, so that a harness which takes sixty
// deliveries at once costs one. Each makes its delivery accepted and ends the fragments that were merged into it.
import type { UnitView, Write } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { move, settle, supersede } from '../delivery/delivery-state.ts';
import { replacedBy } from '../delivery/follow-up.ts';
import type { LaneItem } from './lane.ts';
import { fragmentsOf } from './lane-item.ts';

/** In one unit. The next ones are the next unit, of the same transaction if it has room. */
const TOGETHER_MAX = 256;

type Deps = Pick<HostContext, 'store' | 'bus' | 'log'>;

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

function writeAll({ store, bus, log }: Deps, items: readonly LaneItem[]): void {
  store
    .transact({
      states: [],
      rows: items.flatMap(({ delivery, merged = [] }) =>
        [delivery, ...merged].map(({ key }) => ['delivery', key] as const),
      ),
      run(view) {
        const changed = items.flatMap((item) => accepted(view, item));
        return { writes: changed.map((row): Write => ({ table: 'delivery', row })), result: changed };
      },
    })
    .then((changed) => {
      for (const row of changed) if (row.open === 0) bus.tell({ type: 'settled', delivery: row });
    })
    .catch((error: unknown) => {
      const deliveries = items.map(({ delivery }) => delivery.key);
      log.error({ err: error, deliveries }, 'deliveries could not be updated; they are handed over again');
    });
}

function accepted(view: UnitView, { delivery: { key, attempt }, merged = [] }: LaneItem): DeliveryRow[] {
  const row = view.row('delivery', key);
  if (row === undefined) return [];
  const fragments = merged.flatMap((other) => view.row('delivery', other.key) ?? []);
  const next = acceptedRow(withFragments(row, fragments), attempt, view.now);
  const over = fragments.flatMap((fragment) => {
    const ended = supersede(fragment, 'merged', view.now);
    return ended === undefined ? [] : [replacedBy(ended, key)];
  });
  return next === undefined ? over : [next, ...over];
}

function withFragments(row: DeliveryRow, fragments: readonly DeliveryRow[]): DeliveryRow {
  if (fragments.length === 0) return row;
  const sources = [...fragments.flatMap((other) => fragmentsOf(other) ?? [other.source]), row.source];
  return { ...row, detail: { ...row.detail, fragments: sources } };
}

/** What must not be answered is done with once it has arrived. */
function acceptedRow(row: DeliveryRow, attempt: number, now: number): DeliveryRow | undefined {
  if (row.policy === 'must_not_respond') return settle({ ...row, attempt }, 'ignored', null, now);
  return row.state === 'queued' || row.state === 'handed' ? move(row, 'accepted', { attempt }) : undefined;
}
