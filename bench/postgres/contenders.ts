// Who takes turns: hosts on one store, each node in a process of its own with its own clients, and job queues. Each is
// started once and stays warm; a slice is a few seconds of load on one of them, with what it has cost.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '../load.ts';
import { Served } from '../measure.ts';
import { AGENTS } from '../shapes.ts';
import type { Database } from './database.ts';
import type { PeerOptions } from './peer-server.ts';
import { keepSending, type Speech } from './talk.ts';

export interface Slice {
  perSecond: number;
  /** For each event. */
  nodeUs: number;
  databaseUs: number;
  statements: number;
  walBytes: number;
  /** Units for each batch that was written. Not known of SQLite and the queues. */
  unitsABatch: number;
}

export interface Contender {
  slice(speech: Speech): Promise<Slice>;
  close(): Promise<void>;
}

interface Used {
  processUs: number;
  units: number;
}

/** Runs the load and reads all counters before and after. */
async function measured(
  database: Database,
  servers: readonly Served[],
  schema: string | undefined,
  load: () => Promise<number>,
): Promise<Slice> {
  const used = async (): Promise<Used> => {
    const each = await Promise.all(servers.map((server) => server.ask<Used>({ type: 'cpu' })));
    return {
      processUs: each.reduce((sum, { processUs }) => sum + processUs, 0),
      units: each.reduce((sum, { units }) => sum + units, 0),
    };
  };
  const batches = async (): Promise<number> => (schema === undefined ? 0 : database.batches(schema));
  await database.rest();
  const [nodes, cost, written] = [await used(), await database.cost(), await batches()];
  const started = performance.now();
  const events = await load();
  const seconds = (performance.now() - started) / 1_000;
  const [nodesAfter, costAfter, writtenAfter] = [await used(), await database.cost(), await batches()];
  return {
    perSecond: events / seconds,
    nodeUs: (nodesAfter.processUs - nodes.processUs) / events,
    databaseUs: (costAfter.cpuUs - cost.cpuUs) / events,
    statements: (costAfter.statements - cost.statements) / events,
    walBytes: (costAfter.walBytes - cost.walBytes) / events,
    unitsABatch: (nodesAfter.units - nodes.units) / (writtenAfter - written),
  };
}

interface HostNode {
  server: Served;
  surface: Client;
  /** Of the agents that are connected here. */
  agents: readonly string[];
  harnesses: readonly Client[];
}

/** Nobody answers here. No reminder, and no word about an agent that is away, is to fall into the turn of another. */
const QUIET = { deadlineMs: 3_600_000, host: { limits: { awayMs: 0 } } };

export interface HostsOptions {
  database: Database;
  folder: string;
  /** Missing: on SQLite. */
  schema?: string;
  nodes: number;
}

/** Agents are dealt to the nodes. A message comes in on the node of its agent; its conversation may be anybody's. */
export async function openHosts({ database, folder, schema, nodes }: HostsOptions): Promise<Contender> {
  const open: HostNode[] = [];
  for (let number = 0; number < nodes; number++) {
    const own = join(folder, `${schema ?? 'sqlite'}-${number}`);
    mkdirSync(own);
    const postgres = schema === undefined ? {} : { postgres: { url: database.url, schema } };
    const settings = { folder: own, extraSyncMs: 0, agents: AGENTS, ...QUIET, ...postgres };
    const server = await Served.start('./host-server.ts', settings);
    const agents = Array.from({ length: AGENTS }, (_, at) => at)
      .filter((at) => at % nodes === number)
      .map((at) => `agent-${at}`);
    const harnesses = await Promise.all(agents.map((agent) => Client.harness(server.url, agent)));
    open.push({ server, surface: await Client.surface(server.url), agents, harnesses });
  }
  const servers = open.map(({ server }) => server);
  let slices = 0;
  return {
    slice: (speech) =>
      measured(database, servers, schema, async () => {
        const run = `slice-${slices++}`;
        const sent = await Promise.all(open.map((node, number) => talkTo(node, `${run}-${number}`, speech)));
        for (const { server } of open) await server.ask({ type: 'drained' });
        return sent.reduce((sum, events) => sum + events, 0);
      }),
    async close() {
      for (const { server, surface, harnesses } of open) {
        for (const client of [surface, ...harnesses]) client.close();
        await server.kill();
      }
    },
  };
}

/** Ends when every event has reached its harness. */
async function talkTo(
  { surface, agents, harnesses }: HostNode,
  run: string,
  speech: Speech,
): Promise<number> {
  const all = Promise.withResolvers<void>();
  let arrived = 0;
  let expected = Number.POSITIVE_INFINITY;
  for (const harness of harnesses)
    harness.onDeliver = () => {
      arrived++;
      if (arrived >= expected) all.resolve();
    };
  expected = await keepSending(speech, run, agents, (events) => surface.ingest(events));
  if (arrived < expected) await all.promise;
  return expected;
}

export async function openPeer(database: Database, options: Omit<PeerOptions, 'url'>): Promise<Contender> {
  const server = await Served.start('./postgres/peer-server.ts', { ...options, url: database.url });
  return {
    slice: (speech) =>
      measured(database, [server], undefined, async () => {
        const { events } = await server.ask<{ events: number }>({ type: 'slice', ...speech });
        return events;
      }),
    close: () => server.kill(),
  };
}
