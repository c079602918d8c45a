// Measures host and floor by turns: both servers run warm side by side and get slices of a second in turn. Whatever a
// shared machine does to one slice it also does to its neighbours, so the median of their ratios is stable. Whole runs
// one after the other scatter by a third.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bytes } from './bytes.ts';
import { Crew, closedLoop } from './load.ts';
import { Served, median, percentile } from './measure.ts';
import { AGENTS, SLICE_MS, type Shape, WARM_UP } from './shapes.ts';

/**
 * - `bare`: WebSocket in, our group commit, WebSocket out (floor-store-server.ts). The host adds its features to this.
 * - `sqlite`: the same bytes without our store, so the ratio includes the cost of the group commit.
 * - `least`: one row per event on bare SQLite, so the ratio includes the cost of the bytes too.
 */
export type Floor = 'bare' | 'sqlite' | 'least';

export interface FloorOptions {
  floor: Floor;
  /** The bytes that the host moves per event. */
  same: Bytes;
  extraSyncMs?: number;
}

interface Slice {
  perSecond: number;
  /** CPU time of the server's event loop per event. */
  loopUs: number;
}

/** The median of the slices, and the median of their ratios. */
export interface Rate {
  perSecond: number;
  floorPerSecond: number;
  ratio: number;
  /** Lower and upper quartile of the ratios. */
  spread: [low: number, high: number];
  loopUs: number;
  floorLoopUs: number;
}

/** A warm server with the clients that load it. */
export class Loop {
  readonly #folder: string;
  readonly #server: Served;
  readonly #crew: Crew;
  #slices = 0;

  constructor(folder: string, server: Served, crew: Crew) {
    this.#folder = folder;
    this.#server = server;
    this.#crew = crew;
  }

  static async open(script: string, options: object): Promise<Loop> {
    const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-'));
    const server = await Served.start(script, { folder, extraSyncMs: 0, ...options });
    const loop = new Loop(folder, server, await Crew.connect(server.url, AGENTS));
    await closedLoop(loop.#crew, WARM_UP, loop.#drained);
    return loop;
  }

  static floor({ floor, same, extraSyncMs = 0 }: FloorOptions): Promise<Loop> {
    if (floor === 'bare') return Loop.open('./floor-store-server.ts', { same, extraSyncMs });
    return Loop.open('./floor-server.ts', { extraSyncMs, ...(floor === 'least' ? {} : { same }) });
  }

  static host(more: { extraSyncMs?: number; platformsUrl?: string } = {}): Promise<Loop> {
    return Loop.open('./host-server.ts', { agents: AGENTS, ...more });
  }

  async slice(shape: Shape, forMs = SLICE_MS): Promise<Slice> {
    const run = `slice-${this.#slices++}`;
    const before = await this.#server.ask<{ loopUs: number }>({ type: 'cpu' });
    const { perSecond, events } = await closedLoop(this.#crew, { ...shape, forMs, run }, this.#drained);
    const after = await this.#server.ask<{ loopUs: number }>({ type: 'cpu' });
    return { perSecond, loopUs: (after.loopUs - before.loopUs) / events };
  }

  async close(): Promise<void> {
    this.#crew.close();
    await this.#server.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  readonly #drained = (): Promise<unknown> => this.#server.ask({ type: 'drained' });
}

export interface Turns {
  /** How often both servers are started. Two processes of the same code differ by up to a tenth. */
  starts: number;
  /** Slices of the host per start. */
  slices: number;
}

export function byTurns(turns: Turns, shape: Shape, options: FloorOptions): Promise<Rate> {
  const { extraSyncMs = 0 } = options;
  return compared(
    turns,
    shape,
    () => Loop.floor(options),
    () => Loop.host({ extraSyncMs }),
  );
}

/** One loop beside another. */
export async function compared(
  { starts, slices }: Turns,
  shape: Shape,
  openFloor: () => Promise<Loop>,
  openHost: () => Promise<Loop>,
): Promise<Rate> {
  const measured: Measured = { floors: [], hosts: [], ratios: [] };
  for (let start = 0; start < starts; start++) {
    const floor = await openFloor();
    const host = await openHost();
    try {
      await takeTurns(slices, shape, floor, host, measured);
    } finally {
      await floor.close();
      await host.close();
    }
  }
  return rateOf(measured);
}

interface Measured {
  floors: Slice[];
  hosts: Slice[];
  ratios: number[];
}

/** Floor, host, floor, host, floor: compares each slice of the host with the mean of its two neighbours. */
async function takeTurns(
  slices: number,
  shape: Shape,
  floor: Loop,
  host: Loop,
  into: Measured,
): Promise<void> {
  let before = await floor.slice(shape);
  into.floors.push(before);
  for (let at = 0; at < slices; at++) {
    const slice = await host.slice(shape);
    const after = await floor.slice(shape);
    into.hosts.push(slice);
    into.floors.push(after);
    into.ratios.push(slice.perSecond / ((before.perSecond + after.perSecond) / 2));
    before = after;
  }
}

function rateOf({ floors, hosts, ratios }: Measured): Rate {
  const sorted = ratios.toSorted((a, b) => a - b);
  return {
    perSecond: median(hosts.map(({ perSecond }) => perSecond)),
    floorPerSecond: median(floors.map(({ perSecond }) => perSecond)),
    ratio: median(ratios),
    spread: [percentile(sorted, 0.25), percentile(sorted, 0.75)],
    loopUs: median(hosts.map(({ loopUs }) => loopUs)),
    floorLoopUs: median(floors.map(({ loopUs }) => loopUs)),
  };
}
