// The bytes that the host stores and sends for one event of the bench, taken from a real run. A bare loop that moves as
// many bytes (floor-server.ts) is the floor for the host.
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { AGENTS, WARM_UP } from './shapes.ts';
import { Crew, closedLoop } from './load.ts';
import { Served, withFolder } from './measure.ts';

/** Averages over the run. */
export interface Bytes {
  log: number;
  delivery: number;
  state: number;
  frame: number;
}

export async function measureBytes(): Promise<Bytes> {
  return withFolder(async (folder) => {
    const server = await Served.start('./host-server.ts', { folder, agents: AGENTS, extraSyncMs: 0 });
    const crew = await Crew.connect(server.url, AGENTS);
    await closedLoop(crew, { ...WARM_UP, events: 2_000 }, () => server.ask({ type: 'drained' }));
    const frame = crew.meanFrameBytes();
    crew.close();
    await server.stop();
    const db = new DatabaseSync(join(folder, 'host.db'), { readOnly: true });
    const mean = (table: string, column: string): number =>
      Number(db.prepare(`SELECT avg(length(${column})) AS bytes FROM ${table}`).get()?.bytes);
    const bytes = {
      log: mean('log', 'doc'),
      delivery: mean('delivery', 'doc'),
      state: mean('state', 'text'),
      frame,
    };
    db.close();
    return bytes;
  });
}
