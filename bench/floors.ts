// The floor under the pipeline: what this machine does with a bare loop (floor-server.ts), so that the host's figure
// can be a ratio instead of a boast. Prints a table, or one JSON object with --json.
import { type ClosedLoop, Crew, closedLoop } from './load.ts';
import { Served, rounded, syncTime, withFolder } from './measure.ts';

export const SLOW_SYNC_MS = 2;
export const AGENTS = 4;
export type Shape = Omit<ClosedLoop, 'run'>;
/** A client that keeps several frames under way, each with what it had collected. */
export const BATCHED: Shape = { events: 20_000, batch: 64, inFlight: 8, forMs: 4_000 };
/** One event a frame, as many under way. */
export const SINGLE: Shape = { ...BATCHED, batch: 1, inFlight: 512 };
export const WARM_UP: ClosedLoop = { ...BATCHED, run: 'warm', events: 6_000, forMs: 3_000 };

export interface FloorOptions {
  extraSyncMs?: number;
  /** Each delivery is acknowledged, and the acknowledgement written. */
  acked?: boolean;
}

export async function floorRate(shape: Shape, options: FloorOptions = {}): Promise<number> {
  return withFolder(async (folder) => {
    const server = await Served.start('./floor-server.ts', {
      folder,
      extraSyncMs: 0,
      acked: false,
      ...options,
    });
    const crew = await Crew.connect(server.url, AGENTS);
    await closedLoop(crew, WARM_UP);
    const { perSecond } = await closedLoop(crew, { ...shape, run: 'floor' });
    crew.close();
    await server.kill();
    return perSecond;
  });
}

if (import.meta.main) {
  const floors = {
    kind: 'bench/floors',
    syncMs: await withFolder((folder) => Promise.resolve(syncTime(folder))),
    perSecond: await floorRate(BATCHED),
    perSecondSlowSync: await floorRate(BATCHED, { extraSyncMs: SLOW_SYNC_MS }),
    perSecondAcked: await floorRate(BATCHED, { acked: true }),
    perSecondSingleAcked: await floorRate(SINGLE, { acked: true }),
  };
  if (process.argv.includes('--json')) console.log(JSON.stringify(floors));
  else {
    console.log(
      [
        'bare loop: WebSocket in, one row a unit in one synced transaction a turn, WebSocket out',
        `  sync of one page              ${floors.syncMs.p50.toFixed(2)} ms (p99 ${floors.syncMs.p99.toFixed(2)} ms)`,
        `  64 events a frame             ${rounded(floors.perSecond)} /s`,
        `    +${SLOW_SYNC_MS} ms per sync              ${rounded(floors.perSecondSlowSync)} /s`,
        `    acknowledged, written       ${rounded(floors.perSecondAcked)} /s`,
        `  one a frame, acknowledged     ${rounded(floors.perSecondSingleAcked)} /s`,
      ].join('\n'),
    );
  }
}
