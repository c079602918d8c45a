// Fragments of one author become one delivery. The last one carries the words of all: its id stays the same on every
// further attempt, and the ones before it end `merged` and name it, so an answer to any of them settles it.
// Invariant: nobody's obligation is lost. The merged delivery has the strongest policy of its fragments.
import type { Decision } from '../../attention/index.ts';
import type { Policy } from '../../protocol/vocabulary.ts';
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { type Change, addChange, noChange } from '../kernel/change.ts';
import { decisionOf, detailOf, newestOf, withDetail } from './delivery-row.ts';
import { mergeInto, replace } from './move.ts';

/**
 * Merges what still waits of these deliveries, in the order in which they were said. The change ends all but the last.
 * `row` is the last, with the words of all, and still to be written: its caller also moves it.
 */
export function mergeFragments(
  deliveries: readonly DeliveryRow[],
  now: number,
): Change & { row: DeliveryRow | undefined } {
  const waiting = deliveries.filter(({ state }) => state === 'queued');
  const row = carrierOf(waiting);
  const change = { ...noChange(), row };
  if (row === undefined) return change;
  for (const fragment of waiting.slice(0, -1)) addChange(change, mergeInto(fragment, row.key, now));
  return change;
}

/** How a delivery ends whose author went on while the harness worked on it. The one that replaces it has both. */
export const CORRECTED = 'corrected';

/**
 * Merges `merged` with what its author said before, if the harness still works on that: `earlier` is the key of that
 * delivery. It ends, and the harness is told, so that it answers once and to everything.
 */
export function mergeCorrection(
  view: UnitView,
  merged: DeliveryRow,
  earlier: string | undefined,
): Change & { row: DeliveryRow } {
  const before = earlier === undefined ? undefined : newestOf(view, earlier);
  const change = { ...noChange(), row: merged };
  if (before === undefined || !isWorkedOn(before) || before.key === merged.key) return change;
  const row = carrierOf([before, merged]);
  if (row === undefined) return change;
  addChange(change, replace(before, row.key, CORRECTED, view.now));
  return { ...change, row };
}

/** Handed over, and neither answered nor put off. */
function isWorkedOn({ open, sends, disposition, dueFor }: DeliveryRow): boolean {
  return open === 1 && sends === 0 && disposition === null && dueFor !== 'lapse';
}

function carrierOf(rows: readonly DeliveryRow[]): DeliveryRow | undefined {
  const last = rows.at(-1);
  const asks = mostAsking(rows);
  if (last === undefined || asks === undefined || rows.length === 1) return last;
  const { policy, dueAt, dueFor } = asks;
  const mode = rows.some((row) => row.mode === 'immediate') ? 'immediate' : last.mode;
  return withDetail(
    { ...last, policy, mode, dueAt, dueFor },
    {
      fragments: rows.flatMap((row) => detailOf(row).fragments ?? [row.source]),
      decision: mergedDecision(rows, asks, last),
    },
  );
}

/** Reads like the newest fragment that asks the most, under the id of the last. */
function mergedDecision(rows: readonly DeliveryRow[], asks: DeliveryRow, last: DeliveryRow): Decision {
  const { refersTo: _, leadIn: __, ...decided } = decisionOf(asks);
  const { eventId, refersTo } = decisionOf(last);
  // Why the agent was addressed is said by the message that began it. The others only continue it.
  const began = rows.findLast((row) => decisionOf(row).reason !== 'fragment');
  const reason = began === undefined ? decided.reason : decisionOf(began).reason;
  const before = rows.flatMap((row) => decisionOf(row).leadIn ?? []);
  return {
    ...decided,
    eventId,
    reason,
    ...(refersTo === undefined ? {} : { refersTo }),
    ...(before.length === 0 ? {} : { leadIn: [...new Set(before)] }),
  };
}

const ASKS: Readonly<Record<Policy, number>> = {
  must_not_respond: 0,
  ack_only: 1,
  may_respond: 2,
  must_respond: 3,
};

/** The newest of those with the strongest policy. */
function mostAsking(rows: readonly DeliveryRow[]): DeliveryRow | undefined {
  const most = Math.max(...rows.map(({ policy }) => ASKS[policy]));
  return rows.findLast(({ policy }) => ASKS[policy] === most);
}
