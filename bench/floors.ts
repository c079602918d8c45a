// The floor under the pipeline: what this machine does with a bare loop (floor-server.ts), so that the host's figure
// can be a ratio instead of a boast. Prints a table, or one JSON object with --json.
import { type ClosedLoop, Crew, closedLoop } from './load.ts';
import { Served, syncTime, withFolder } from './measure.ts';

export interface Floors {
  kind: 'bench/floors';
  syncMs: { p50: number; p99: number; max: number };
  perSecond: number;
  perSecondSlowSync: number;
}

export const SLOW_SYNC_MS = 2;
/** A client that keeps several frames under way, each with what it had collected. */
export const LOAD: Omit<ClosedLoop, 'run'> = { events: 40_000, batch: 64, inFlight: 8 };
export const AGENTS = 4;
export const WARM_UP: ClosedLoop = { ...LOAD, run: 'warm', events: 4_000 };

async function floor(extraSyncMs: number): Promise<number> {
  return withFolder(async (folder) => {
    const server = await Served.start('./floor-server.ts', { folder, extraSyncMs });
    const crew = await Crew.connect(server.url, AGENTS);
    await closedLoop(crew, WARM_UP);
    const rate = await closedLoop(crew, { ...LOAD, run: 'floor' });
    crew.close();
    await server.stop();
    return rate;
  });
}

export async function measureFloors(): Promise<Floors> {
  return {
    kind: 'bench/floors',
    syncMs: await withFolder((folder) => Promise.resolve(syncTime(folder))),
    perSecond: await floor(0),
    perSecondSlowSync: await floor(SLOW_SYNC_MS),
  };
}

export function floorLines({ syncMs, perSecond, perSecondSlowSync }: Floors): string[] {
  return [
    `sync of one page     ${syncMs.p50.toFixed(2)} ms (p99 ${syncMs.p99.toFixed(2)} ms)`,
    `bare loop            ${Math.round(perSecond)} /s`,
    `  +${SLOW_SYNC_MS} ms per sync     ${Math.round(perSecondSlowSync)} /s`,
  ];
}

if (import.meta.main) {
  const floors = await measureFloors();
  if (process.argv.includes('--json')) console.log(JSON.stringify(floors));
  else console.log(['floors', ...floorLines(floors).map((line) => `  ${line}`)].join('\n'));
}
