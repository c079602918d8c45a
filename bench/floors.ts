// Measures the floors under the pipeline: loops without features on this machine. The host's figure is then a ratio.
// Prints a table, or one JSON object with --json.
import { type Floor, type FloorOptions, Loop } from './by-turns.ts';
import { measureBytes } from './bytes.ts';
import { rounded, syncTime, withFolder } from './measure.ts';
import { BATCHED, SINGLE, SLOW_SYNC_MS, type Shape } from './shapes.ts';

const FOR_MS = 4_000;

async function floorRate(shape: Shape, options: FloorOptions): Promise<number> {
  const loop = await Loop.floor(options);
  try {
    return (await loop.slice(shape, FOR_MS)).perSecond;
  } finally {
    await loop.close();
  }
}

interface Rates {
  single: number;
  batched: number;
}

function line({ single, batched }: Rates): string {
  return `${rounded(single)} /s one event a frame, ${rounded(batched)} /s with 64`;
}

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
