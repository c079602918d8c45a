// The bare loop: WebSocket in, the store's own group commit, WebSocket out, acknowledgements stored. It uses the host's
// tables and row sizes, and checks, decides, redacts, orders and redelivers nothing. The difference to the host is what
// its features cost.
import { join } from 'node:path';
import { systemClock } from '../src/runtime/clock.ts';
import { openSqliteStore } from '../src/store/sqlite/open.ts';
import type { Store, Unit } from '../src/store/store.ts';
import type { DeliveryRow, LogRow } from '../src/store/tables.ts';
import type { Bytes } from './bytes.ts';
import { filler } from './filler.ts';
import { FRAME_BYTES, serveFloor } from './floor-wire.ts';
import type { BenchEvent } from './load.ts';
import { slowerSync } from './measure.ts';

export interface FloorStoreOptions {
  folder: string;
  extraSyncMs: number;
  same: Bytes;
}

/** The approximate size of the plain fields of a row. */
const LOG_FIELDS = 560;
const DELIVERY_FIELDS = 340;

const { folder, extraSyncMs, same } = JSON.parse(process.argv[2] ?? '{}') as FloorStoreOptions;
const started = performance.now();

function logRow(event: BenchEvent, conversation: string, seq: number, at: number): LogRow {
  return {
    key: event.eventId,
    conversation,
    seq,
    at,
    type: event.type,
    author: event.author.id,
    record: { kind: 'event', seq, at, event, facts: { configVersion: 'bench' } } as LogRow['record'],
    decisions: [filler(same.log - LOG_FIELDS)],
    secrets: [],
  };
}

function deliveryRow({ eventId, mentions }: BenchEvent, conversation: string, at: number): DeliveryRow {
  const agent = mentions?.[0]?.id ?? '';
  return {
    key: eventId,
    agent,
    conversation,
    eventId,
    source: eventId,
    policy: 'must_respond',
    mode: 'buffered',
    state: 'queued',
    open: 1,
    disposition: null,
    why: null,
    attempt: 1,
    dueAt: at + 300_000,
    dueFor: 'deadline',
    createdAt: at,
    settledAt: null,
    turnId: null,
    sends: 0,
    detail: { filler: filler(same.delivery - DELIVERY_FIELDS) },
  };
}

function storing(event: BenchEvent): Unit<void> {
  const key = `c/${event.platform}/${event.workspaceId}/${event.conversation.id}`;
  return {
    states: [key],
    fresh: ['log', event.eventId],
    run(view) {
      const known = view.row('log', event.eventId);
      const { seq } = (view.state(key) as { seq: number } | undefined) ?? { seq: 0 };
      if (known !== undefined) return { writes: [], result: undefined };
      const state = { seq: seq + 1, filler: filler(same.state) };
      return {
        writes: [
          { table: 'log', row: logRow(event, key, seq + 1, view.now) },
          { state: key, value: state, wakeAt: null },
          { table: 'delivery', row: deliveryRow(event, key, view.now) },
        ],
        result: undefined,
      };
    },
  };
}

function accepting(eventId: string): Unit<void> {
  return {
    states: [],
    rows: [['delivery', eventId]],
    run(view) {
      const row = view.row('delivery', eventId);
      if (row === undefined) return { writes: [], result: undefined };
      return { writes: [{ table: 'delivery', row: { ...row, state: 'accepted' } }], result: undefined };
    },
  };
}

function shown(event: BenchEvent): object {
  return { ...event, filler: filler(same.frame - FRAME_BYTES) };
}

async function ingest(store: Store, event: BenchEvent, stored: () => void): Promise<void> {
  await store.transact(storing(event));
  stored();
}

const store = await openSqliteStore({
  file: join(folder, 'floor.db'),
  clock: systemClock,
  codec: { encode: (_, value) => JSON.stringify(value), decode: (_, text) => JSON.parse(text) as unknown },
  wrap: (parts) => slowerSync(parts, extraSyncMs),
});
serveFloor(started, (wire) => ({
  ingest({ events, answer }) {
    const all = events.map((event) => ingest(store, event, () => wire.deliver(event, shown(event))));
    Promise.all(all).then(answer, (error: unknown) => {
      throw error;
    });
  },
  acknowledged: (eventId) => void store.transact(accepting(eventId)),
}));
