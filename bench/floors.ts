// The floors under the pipeline: what this machine does with a bare loop (floor-server.ts), so that the host's figure
// can be a ratio instead of a boast. Prints a table, or one JSON object with --json.
import { type Bytes, measureBytes } from './bytes.ts';
import type { FloorServerOptions } from './floor-server.ts';
import { Crew, closedLoop } from './load.ts';
import { Served, rounded, syncTime, withFolder } from './measure.ts';
import { AGENTS, BATCHED, SINGLE, SLOW_SYNC_MS, type Shape, WARM_UP } from './shapes.ts';

export interface FloorOptions {
  extraSyncMs?: number;
  /** Moves what the host moves; without it, the least there is. */
  same?: Bytes;
}

export async function floorRate(shape: Shape, options: FloorOptions = {}): Promise<number> {
  return withFolder(async (folder) => {
    const served: FloorServerOptions = { folder, extraSyncMs: 0, ...options };
    const server = await Served.start('./floor-server.ts', served);
    const crew = await Crew.connect(server.url, AGENTS);
    await closedLoop(crew, WARM_UP);
    const { perSecond } = await closedLoop(crew, { ...shape, run: 'floor' });
    crew.close();
    await server.kill();
    return perSecond;
  });
}

if (import.meta.main) {
  const same = await measureBytes();
  const floors = {
    kind: 'bench/floors',
    syncMs: await withFolder((folder) => Promise.resolve(syncTime(folder))),
    bytes: same,
    single: await floorRate(SINGLE, { same }),
    batched: await floorRate(BATCHED, { same }),
    slowSync: await floorRate(BATCHED, { same, extraSyncMs: SLOW_SYNC_MS }),
    leastSingle: await floorRate(SINGLE),
    leastBatched: await floorRate(BATCHED),
  };
  if (process.argv.includes('--json')) console.log(JSON.stringify(floors));
  else {
    const { p50, p99 } = floors.syncMs;
    console.log(
      [
        'bare loop: WebSocket in, one synced transaction a turn, WebSocket out, acknowledgements written',
        `  sync of one page              ${p50.toFixed(2)} ms (p99 ${p99.toFixed(2)} ms)`,
        `  the host's bytes, an event    ${JSON.stringify(same)}`,
        `  moving the same, one a frame  ${rounded(floors.single)} /s`,
        `    64 a frame                  ${rounded(floors.batched)} /s`,
        `    +${SLOW_SYNC_MS} ms per sync              ${rounded(floors.slowSync)} /s`,
        `  moving the least, one a frame ${rounded(floors.leastSingle)} /s`,
        `    64 a frame                  ${rounded(floors.leastBatched)} /s`,
      ].join('\n'),
    );
  }
}
