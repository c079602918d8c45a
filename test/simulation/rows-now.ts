// What holds of the stored rows at any moment: it is looked at while things go wrong too, and not only in the end.
import { checkRows } from '../../src/host/check/check-rows.ts';
import { deadlineAt, decisionOf } from '../../src/host/delivery/delivery-row.ts';
import type { Store } from '../../src/store/store.ts';
import type { DeliveryRow } from '../../src/store/tables.ts';
import type { SimWorld } from './world.ts';

const ALL = 100_000;

/** No time passes. Where a commit is under way, reads would wait for it, and nothing is said. */
export async function lookAtRows(world: SimWorld): Promise<void> {
  const { store, host, seen } = world;
  if (store === undefined || host === undefined) return;
  const found: string[] = [];
  judgeRows(world, store).then(
    (lines) => found.push(...lines),
    () => undefined,
  );
  await world.drain();
  for (const line of found) seen.problem(`in the middle of things, ${line}`);
}

async function judgeRows({ plan }: SimWorld, store: Store): Promise<string[]> {
  const found = await checkRows(store);
  for (const agent of plan.cast.agents) {
    const open = await store.scan('delivery', 'openByAgent', { eq: [agent, 1], limit: ALL });
    const forgotten = open.filter(
      (row) =>
        row.dueAt === null && (row.state === 'accepted' || row.state === 'turn_taken') && hasDeadline(row),
    );
    found.push(...forgotten.map(({ key }) => `delivery ${key} must be answered and nobody is asked again`));
  }
  return found;
}

/** What is owed has its own ladder instead. */
function hasDeadline(row: DeliveryRow): boolean {
  return deadlineAt({ ...decisionOf(row), policy: row.policy }, row.createdAt, 0) !== null;
}
