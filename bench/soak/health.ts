// Measures a host from inside its process: memory, files, lag of the event loop, what is open, what it has stored.
import { statSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Host } from '../../src/host/host.ts';
import { readAllObligations } from '../../src/host/kernel/obligations.ts';
import { waitedMs } from '../measure.ts';
import type { OutboxState } from '../../src/store/tables.ts';

export interface Reading {
  rss: number;
  /** What the last collection on request has left of the heap, and of buffers and other memory outside it. */
  heapFloor: number;
  externalFloor: number;
  /** What V8 has taken for the heap, garbage and free pages included. */
  heapTotal: number;
  walBytes: number;
  /** The file, and the pages of it that hold something. A file keeps the size of its fullest moment. */
  dbBytes: number;
  dbUsedBytes: number;
  lagP99Ms: number;
  /** For how much of the time since the last reading the main thread waited for a processor that others had. */
  waited: number;
  openDeliveries: number;
  /** Events of the source, counted after the sync by the news of it. */
  stored: number;
  complaints: number;
}

export interface Health {
  /** `collect`: all garbage is collected first. It stops the host for a moment, so not every time. */
  read(collect: boolean): Promise<Omit<Reading, 'complaints'>>;
}

const LAG_SAMPLE_MS = 10;
/** Open deliveries of one agent are counted up to this. */
const COUNTED_MAX = 2_000;
const NS_PER_MS = 1e6;

export function watchHealth(host: Host, file: string, platform: string): Health {
  const lag = monitorEventLoopDelay({ resolution: LAG_SAMPLE_MS });
  lag.enable();
  let [heapFloor, externalFloor] = [Number.NaN, Number.NaN];
  const usedBytes = pagesOf(file);
  let stored = 0;
  let last = { atMs: performance.now(), waitedMs: waitedMs(process.pid) };
  host.context.bus.listen((news) => {
    if (news.type !== 'logged') return;
    const { event } = news.row.record;
    if (event.platform === platform && event.author.kind === 'human') stored++;
  });
  return {
    async read(collect) {
      // Before the collection, or it would look smaller than it is.
      const { rss, heapTotal } = process.memoryUsage();
      if (collect) {
        collectGarbage();
        ({ heapUsed: heapFloor, external: externalFloor } = process.memoryUsage());
      }
      const now = { atMs: performance.now(), waitedMs: waitedMs(process.pid) };
      const waited = (now.waitedMs - last.waitedMs) / (now.atMs - last.atMs);
      last = now;
      const reading = {
        rss,
        waited,
        heapFloor,
        externalFloor,
        heapTotal,
        walBytes: sizeOf(`${file}-wal`),
        dbBytes: sizeOf(file),
        dbUsedBytes: usedBytes(),
        lagP99Ms: lag.percentile(99) / NS_PER_MS,
        openDeliveries: (await openDeliveries(host)).length,
        stored,
      };
      lag.reset();
      return reading;
    },
  };
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** Reads how many pages are in use, without a look at any of them. */
function pagesOf(file: string): () => number {
  const db = new DatabaseSync(file, { readOnly: true });
  const [size, all, free] = ['page_size', 'page_count', 'freelist_count'].map((name) => {
    const statement = db.prepare(`PRAGMA ${name}`);
    return (): number => Number(Object.values(statement.get() ?? {})[0]);
  });
  return () => (size?.() ?? 0) * ((all?.() ?? 0) - (free?.() ?? 0));
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

async function openDeliveries({ context: { store, attention } }: Host): Promise<string[]> {
  const rows = await Promise.all(
    attention.agents.map(({ id }) =>
      store.scan('delivery', 'openByAgent', { eq: [id, 1], limit: COUNTED_MAX }),
    ),
  );
  return rows.flat().map(({ key, state }) => `delivery ${key} is ${state}`);
}

const SENDING: readonly OutboxState[] = ['queued', 'sending', 'unknown'];
const SETTLE_MS = 60_000;
/** One in so many is looked at to see whether the list has moved. */
const SOME = 100;

/**
 * Resolves when nothing is open any more, or with what still is when for a while nothing was settled. It is looked at
 * after every change.
 */
export async function settled(host: Host): Promise<string[]> {
  const { store, bus } = host.context;
  let over = performance.now() + SETTLE_MS;
  let least = Infinity;
  let seen = '';
  for (;;) {
    const news = Promise.withResolvers<void>();
    const unlisten = bus.listen(() => news.resolve());
    const sends = await Promise.all(
      SENDING.map((state) => store.scan('outbox', 'bySurface', { eq: ['bench', state], limit: COUNTED_MAX })),
    );
    const owed = (await readAllObligations(store)).open;
    const left = [
      ...(await openDeliveries(host)),
      ...sends.flat().map(({ key, state }) => `send ${key} is ${state}`),
      ...owed.map(({ eventId }) => `an answer to ${eventId} is owed`),
    ];
    // Of a long list only the beginning is counted, so it may change and stay as long.
    const some = left.filter((_, index) => index % SOME === 0).join();
    if (left.length < least || some !== seen) over = performance.now() + SETTLE_MS;
    seen = some;
    least = Math.min(least, left.length);
    const waitMs = over - performance.now();
    if (left.length > 0 && waitMs > 0) await Promise.race([news.promise, pause(waitMs)]);
    unlisten();
    if (left.length === 0 || waitMs <= 0) return left;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
