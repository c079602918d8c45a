// The floors under the pipeline: what this machine does with loops that have no features, so that the host's figure can
// be a ratio instead of a boast. Prints a table, or one JSON object with --json.
// - `bare`: WebSocket in, our group commit, WebSocket out (floor-store-server.ts). What the host adds is its features.
// - `sqlite`: the same bytes, without the store: what the group commit costs too.
// - `least`: one row an event on bare SQLite: what the bytes cost too.
import { type Bytes, measureBytes } from './bytes.ts';
import { Crew, closedLoop } from './load.ts';
import { Served, rounded, syncTime, withFolder } from './measure.ts';
import { AGENTS, BATCHED, SINGLE, SLOW_SYNC_MS, type Shape, WARM_UP } from './shapes.ts';

export type Floor = 'bare' | 'sqlite' | 'least';

export interface FloorOptions {
  floor: Floor;
  /** What the host moves for an event. */
  same: Bytes;
  extraSyncMs?: number;
}

export async function floorRate(
  shape: Shape,
  { floor, same, extraSyncMs = 0 }: FloorOptions,
): Promise<number> {
  return withFolder(async (folder) => {
    const server = await Served.start(
      floor === 'bare' ? './floor-store-server.ts' : './floor-server.ts',
      floor === 'least' ? { folder, extraSyncMs } : { folder, extraSyncMs, same },
    );
    const crew = await Crew.connect(server.url, AGENTS);
    await closedLoop(crew, WARM_UP);
    const { perSecond } = await closedLoop(crew, { ...shape, run: 'floor' });
    crew.close();
    await server.kill();
    return perSecond;
  });
}

interface Rates {
  single: number;
  batched: number;
}

function line({ single, batched }: Rates): string {
  return `${rounded(single)} /s one event a frame, ${rounded(batched)} /s with 64`;
}

if (import.meta.main) {
  const same = await measureBytes();
  const both = async (floor: Floor): Promise<Rates> => ({
    single: await floorRate(SINGLE, { floor, same }),
    batched: await floorRate(BATCHED, { floor, same }),
  });
  const floors = {
    kind: 'bench/floors',
    syncMs: await withFolder((folder) => Promise.resolve(syncTime(folder))),
    bytes: same,
    bare: await both('bare'),
    bareSlowSync: await floorRate(BATCHED, { floor: 'bare', same, extraSyncMs: SLOW_SYNC_MS }),
    sqlite: await both('sqlite'),
    least: await both('least'),
  };
  if (process.argv.includes('--json')) console.log(JSON.stringify(floors));
  else {
    const { p50, p99 } = floors.syncMs;
    console.log(
      [
        'loops without features: WebSocket in, one synced transaction a turn, WebSocket out, acknowledgements written',
        `  sync of one page          ${p50.toFixed(2)} ms (p99 ${p99.toFixed(2)} ms)`,
        `  bytes of an event         ${JSON.stringify(same)}`,
        `  on our group commit       ${line(floors.bare)}`,
        `    +${SLOW_SYNC_MS} ms per sync          ${rounded(floors.bareSlowSync)} /s`,
        `  the same on bare SQLite   ${line(floors.sqlite)}`,
        `  one row on bare SQLite    ${line(floors.least)}`,
      ].join('\n'),
    );
  }
}
