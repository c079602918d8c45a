// Measures the pipeline on the real host: durable ingest, decide, deliver, acknowledge, over WebSocket on loopback,
// with SQLite, each commit synced, redaction on. Rates are measured by turns with the floors (by-turns.ts), because on
// a shared machine only ratios mean anything. Prints a table, or one JSON object with --json.
import { type Bytes, measureBytes } from './bytes.ts';
import { type Rate, byTurns } from './by-turns.ts';
import { Client, Crew, eventAt, openLoop, postLoop } from './load.ts';
import { Served, rounded, summary, syncTime, withFolder } from './measure.ts';
import { AGENTS, BATCHED, POSTS, SINGLE, SLOW_SYNC_MS } from './shapes.ts';

type Times = ReturnType<typeof summary>;

export interface Pipeline {
  kind: 'bench/pipeline';
  syncMs: Times;
  bytes: Bytes;
  single: Rate;
  batched: Rate;
  slowSync: Rate;
  onSqlite: Rate;
  least: Rate;
  postsPerSecond: number;
  openLoop: { committedMs: Times; arrivedMs: Times };
  fanOut: { agents: number; quietMs: Times; offeredMs: Times };
  restart: { pending: number; openMs: number; readyMs: number; firstMs: number };
  idle: { harnesses: number; rssMb: number };
  stalled: { arrivedMs: Times; besideMs: Times };
}

const OFTEN = { starts: 6, slices: 5 };
const ONCE = { starts: 2, slices: 4 };
const OPEN_LOOP = { perSecond: 1_000, events: 3_000 };
const FAN_OUT_AGENTS = 100;
const PENDING = 100_000;
const IDLE_HARNESSES = 2_000;
const BESIDE = 20;

async function onHost<R>(
  options: { agents: number; extraSyncMs?: number },
  run: (server: Served, folder: string) => Promise<R>,
): Promise<R> {
  return withFolder(async (folder) => {
    const server = await Served.start('./host-server.ts', { folder, extraSyncMs: 0, ...options });
    try {
      return await run(server, folder);
    } finally {
      await server.kill();
    }
  });
}

/** One event per request. Each is answered before the next one on its connection. */
async function posts(): Promise<number> {
  return onHost({ agents: AGENTS }, async (server) => {
    const crew = await Crew.connect(server.url, AGENTS);
    await postLoop(server.url, { ...POSTS, run: 'warm', events: 1_000 }, AGENTS);
    const { perSecond } = await postLoop(server.url, { ...POSTS, run: 'post' }, AGENTS);
    crew.close();
    return perSecond;
  });
}

/** Steady traffic far below the maximum, so that only the path itself and the disk count. */
async function latency(): Promise<Pipeline['openLoop']> {
  return onHost({ agents: AGENTS }, async (server) => {
    const crew = await Crew.connect(server.url, AGENTS);
    await openLoop(crew, { ...OPEN_LOOP, run: 'warm', events: 1_000 });
    const { committedMs, arrivedMs } = await openLoop(crew, { ...OPEN_LOOP, run: 'open' });
    crew.close();
    return { committedMs: summary(committedMs), arrivedMs: summary(arrivedMs) };
  });
}

/** One event for a hundred agents: observed by all (only the log row), and offered to a role that all hold. */
async function fanOut(): Promise<Pipeline['fanOut']> {
  return onHost({ agents: FAN_OUT_AGENTS }, async (server) => {
    const surface = await Client.surface(server.url);
    const committed = async (text: string, more: object, run: string): Promise<Times> => {
      const times: number[] = [];
      for (let index = 0; index < 120; index++) {
        const event = { ...eventAt(run, index, FAN_OUT_AGENTS, text), ...more };
        const started = performance.now();
        await surface.ingest([event]);
        times.push(performance.now() - started);
      }
      return summary(times.slice(20));
    };
    const quietMs = await committed('the second run passed on my machine', {}, 'quiet');
    const mentions = [{ kind: 'role', id: 'helpers' }];
    const offeredMs = await committed('@helpers can one of you look at the deploy?', { mentions }, 'offered');
    surface.close();
    return { agents: FAN_OUT_AGENTS, quietMs, offeredMs };
  });
}

async function restart(): Promise<Pipeline['restart']> {
  return onHost({ agents: AGENTS }, async (server, folder) => {
    const surface = await Client.surface(server.url);
    let sent = 0;
    const send = async (): Promise<void> => {
      while (sent < PENDING) {
        const from = sent;
        sent += 200;
        await surface.ingest(
          Array.from({ length: 200 }, (_, index) => eventAt('pending', from + index, AGENTS)),
        );
      }
    };
    await Promise.all([send(), send(), send(), send()]);
    await server.kill();
    const again = await Served.start('./host-server.ts', { folder, agents: AGENTS, extraSyncMs: 0 });
    const started = performance.now();
    const harness = await Client.harness(again.url, 'agent-0');
    await new Promise<void>((resolve) => {
      harness.onDeliver = () => resolve();
    });
    const firstMs = performance.now() - started;
    harness.close();
    await again.kill();
    return { pending: PENDING, openMs: again.ready.openMs, readyMs: again.ready.readyMs, firstMs };
  });
}

async function idle(): Promise<Pipeline['idle']> {
  return onHost({ agents: IDLE_HARNESSES }, async (server) => {
    const clients: Client[] = [];
    for (let from = 0; from < IDLE_HARNESSES; from += 100) {
      const some = Array.from({ length: 100 }, (_, index) =>
        Client.harness(server.url, `agent-${from + index}`),
      );
      clients.push(...(await Promise.all(some)));
    }
    const { rss, sessions } = await server.ask<{ rss: number; sessions: number }>({ type: 'memory' });
    for (const client of clients) client.close();
    return { harnesses: sessions, rssMb: rss / 1_048_576 };
  });
}

/** Nineteen harnesses: first among twenty that all answer, then beside one that never answers. */
async function stalled(): Promise<Pipeline['stalled']> {
  return onHost({ agents: BESIDE }, async (server) => {
    const crew = await Crew.connect(server.url, BESIDE);
    await openLoop(crew, { run: 'warm', perSecond: 1_000, events: 1_000 });
    const { arrivedMs } = await openLoop(crew, { run: 'free', perSecond: 1_000, events: 2_000 });
    const beside = await openLoop(crew, { run: 'stuck', perSecond: 1_000, events: 2_000, stalled: 0 });
    crew.close();
    return { arrivedMs: summary(arrivedMs), besideMs: summary(beside.arrivedMs) };
  });
}

export async function measurePipeline(): Promise<Pipeline> {
  const same = await measureBytes();
  return {
    kind: 'bench/pipeline',
    syncMs: await withFolder((folder) => Promise.resolve(syncTime(folder))),
    bytes: same,
    single: await byTurns(OFTEN, SINGLE, { floor: 'bare', same }),
    batched: await byTurns(OFTEN, BATCHED, { floor: 'bare', same }),
    slowSync: await byTurns(ONCE, BATCHED, { floor: 'bare', same, extraSyncMs: SLOW_SYNC_MS }),
    onSqlite: await byTurns(ONCE, SINGLE, { floor: 'sqlite', same }),
    least: await byTurns(ONCE, SINGLE, { floor: 'least', same }),
    postsPerSecond: await posts(),
    openLoop: await latency(),
    fanOut: await fanOut(),
    restart: await restart(),
    idle: await idle(),
    stalled: await stalled(),
  };
}

const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
const both = ({ p50, p99 }: Times): string => `p50 ${ms(p50)}, p99 ${ms(p99)}`;
const rate = ({ perSecond, floorPerSecond, ratio }: Rate): string =>
  `${rounded(perSecond)} /s, ${ratio.toFixed(2)} × ${rounded(floorPerSecond)} /s`;
const spread = ({ spread: [low, high] }: Rate): string => `${low.toFixed(2)} to ${high.toFixed(2)}`;
const loops = ({ loopUs, floorLoopUs }: Rate): string =>
  `${loopUs.toFixed(0)} µs, bare loop ${floorLoopUs.toFixed(0)} µs`;

/** The host's rows of the budget table: figure, measured, budget. */
export function pipelineRows(host: Pipeline): [string, string, string][] {
  return [
    ['sync of one page on this machine', both(host.syncMs), ''],
    ['ingest → decide → deliver → ack', rate(host.single), '≥ 0.6 × bare loop, ≥ 8,000 /s'],
    ['  half of the slices', spread(host.single), ''],
    ['  64 events a frame', rate(host.batched), '≥ 0.6 × bare loop, ≥ 8,000 /s'],
    ['  half of the slices', spread(host.batched), ''],
    [`  64 events a frame, +${SLOW_SYNC_MS} ms per sync`, rate(host.slowSync), '≥ 6,000 /s'],
    ['  against the same on bare SQLite', rate(host.onSqlite), ''],
    ['  against one row on bare SQLite', rate(host.least), ''],
    ['  POST /v1/events, one event each', `${rounded(host.postsPerSecond)} /s`, ''],
    ['  CPU of the event loop per event', loops(host.single), ''],
    ['sent → committed, at 1,000/s', both(host.openLoop.committedMs), ''],
    ['sent → harness, at 1,000/s', both(host.openLoop.arrivedMs), 'p50 ≤ 1.5 ms, p99 ≤ 10 ms'],
    [`one event to ${host.fanOut.agents} agents, overheard`, both(host.fanOut.quietMs), '≤ 3 ms committed'],
    ['  offered to a role that all hold', both(host.fanOut.offeredMs), ''],
    [`restart, ${rounded(host.restart.pending)} pending: store and host`, ms(host.restart.openMs), '≤ 1 s'],
    ['  from the start of the process', ms(host.restart.readyMs), ''],
    ['  connecting → first delivery', ms(host.restart.firstMs), ''],
    [`${rounded(host.idle.harnesses)} idle harnesses`, `${rounded(host.idle.rssMb)} MB`, '≤ 400 MB'],
    ['20 harnesses, all acknowledge', both(host.stalled.arrivedMs), ''],
    ['  the other 19 beside a stalled one', both(host.stalled.besideMs), 'no slower'],
  ];
}

if (import.meta.main) {
  const pipeline = await measurePipeline();
  if (process.argv.includes('--json')) console.log(JSON.stringify(pipeline));
  else {
    for (const [what, got, budget] of pipelineRows(pipeline)) {
      console.log(`  ${what.padEnd(42)}${got.padEnd(34)}${budget}`);
    }
  }
}
