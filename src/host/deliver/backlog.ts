// The backlog: the open deliveries of an agent that a new session has not been handed. They are read from the store in
// pages, in order, so that a lane never holds more than it needs. While there is more to read, news of a delivery is
// only noted, and looked up once the last page is read.
import type { DeliveryRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import type { Link } from '../session/session-row.ts';
import type { Composer } from './composer.ts';
import type { Lane, LaneItem } from './lane.ts';
import { afterCrash } from './failed-turn.ts';
import { laneItem } from './payload.ts';

/** How many open deliveries are read at a time. The next page is read when fewer than half are left in the lane. */
export const LANE_ITEMS = 2_000;

/** Where the reading stands. */
export interface Backlog {
  agent: string;
  /** Whether the session takes again what an earlier one has accepted. */
  redelivers: boolean;
  /** Its sessions end with its harness. A webhook has none: what it has begun goes on. */
  keepsSessions: boolean;
  /** Stores that the harness has it. */
  accepted: (item: Pick<LaneItem, 'delivery'>) => void;
  lane: Lane;
  composer: Composer;
  /** Whether the store has more to read. The next page begins after `position`. */
  more: boolean;
  position: number;
  loading: boolean;
  /** Keys of deliveries that were announced while there was more to read. */
  announced: Set<string>;
}

export function newBacklog(
  { agent, agreement, keepsSessions = true }: Link,
  lane: Lane,
  composer: Composer,
  accepted: Backlog['accepted'],
): Backlog {
  const redelivers = agreement.capabilities.delivery.redelivery;
  const reading = { more: true, position: 0, loading: false, announced: new Set<string>() };
  return { agent, redelivers, keepsSessions, accepted, lane, composer, ...reading };
}

/** Reads the next page into the lane. `holding`: event ids that the harness says it has already. */
export async function readBacklog(
  context: HostContext,
  backlog: Backlog,
  holding: ReadonlySet<string>,
): Promise<void> {
  if (backlog.loading || !backlog.more) return;
  backlog.loading = true;
  backlog.composer.hold();
  try {
    const rows = await context.store.scan('delivery', 'openByAgent', {
      eq: [backlog.agent, 1],
      after: backlog.position,
      limit: LANE_ITEMS,
    });
    for (const { position, ...row } of rows) {
      // What became ready after this page was read is looked up again.
      if (row.state === 'queued') backlog.announced.delete(row.key);
      await enqueue(context, backlog, row, holding);
      backlog.position = position;
    }
    if (rows.length === LANE_ITEMS) return;
    await enqueueAnnounced(context, backlog, holding);
    backlog.more = false; // from here on the courier adds news as it comes
  } finally {
    backlog.loading = false;
    backlog.composer.open();
  }
}

/** In the order of the news. What is announced while this reads is read after it, or it would overtake what waits here. */
async function enqueueAnnounced(
  context: HostContext,
  backlog: Backlog,
  holding: ReadonlySet<string>,
): Promise<void> {
  for (const key of backlog.announced) {
    backlog.announced.delete(key); // before it is read, so that newer news of it is not lost
    try {
      const row = await context.store.get('delivery', key);
      if (row?.open === 1 && !backlog.lane.has(key)) await enqueue(context, backlog, row, holding);
    } catch (error) {
      backlog.announced = new Set([key, ...backlog.announced]);
      throw error;
    }
  }
}

/** Held, claimed and deferred deliveries are not handed, and neither is what the harness holds. */
async function enqueue(
  context: HostContext,
  { composer, redelivers, keepsSessions, accepted }: Backlog,
  row: DeliveryRow,
  holding: ReadonlySet<string>,
): Promise<void> {
  if (row.state === 'held' || row.dueFor === 'lapse' || row.dueFor === 'hand') return;
  // The host died before it had stored the acknowledgement. To hold a delivery is to acknowledge it once more.
  if (holding.has(row.eventId) && row.state === 'queued') return accepted({ delivery: row });
  if (holding.has(row.eventId) || (row.state !== 'queued' && !redelivers)) return;
  if (row.state === 'turn_taken' && keepsSessions && !(await afterCrash(context, row))) return;
  const item = await laneItem(context, row);
  if (item === undefined) return;
  // A delivery that an earlier session accepted is handed as a further attempt. A queued one was counted before.
  composer.add(row.state === 'queued' ? item : { ...item, delivery: { ...row, attempt: row.attempt + 1 } });
}
