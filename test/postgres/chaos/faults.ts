// What befalls the hosts and their database, drawn from the seed.
import { setTimeout as rest } from 'node:timers/promises';
import pg from 'pg';
import type { Random } from '../../../src/runtime/random.ts';
import type { PostgresServer } from '../server.ts';
import type { HostNodes } from './nodes.ts';

export const SCHEMA = 'chaos';

export interface Faults {
  kills: number;
  /** Stopped for a moment, and past the lease. */
  stops: number;
  longStops: number;
  terminated: number;
  serverStops: number;
}

export type Fault = 'kill' | 'stop' | 'long_stop' | 'terminate' | 'server_stop';

/** Longer than a lease, which is 10 s. */
const LONG_STOP_MS = 12_500;
const STOP_MS = { least: 500, most: 3_000 };

export function drawn({ kills, stops, longStops, terminated, serverStops }: Faults, random: Random): Fault[] {
  const all: Fault[] = [
    ...Array<Fault>(kills).fill('kill'),
    ...Array<Fault>(stops).fill('stop'),
    ...Array<Fault>(longStops).fill('long_stop'),
    ...Array<Fault>(terminated).fill('terminate'),
    ...Array<Fault>(serverStops).fill('server_stop'),
  ];
  return all
    .map((fault) => ({ fault, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ fault }) => fault);
}

export async function play(
  fault: Fault,
  hosts: HostNodes,
  server: PostgresServer,
  random: Random,
): Promise<void> {
  const node = hosts.nodes[Math.floor(random.next() * hosts.nodes.length)];
  if (node === undefined) return;
  switch (fault) {
    case 'kill':
      hosts.kill(node);
      return hosts.again(node);
    case 'stop':
    case 'long_stop': {
      const { least, most } = STOP_MS;
      hosts.stop(node);
      await rest(fault === 'stop' ? least + random.next() * (most - least) : LONG_STOP_MS);
      hosts.wake(node);
      return;
    }
    case 'terminate':
      return asking(server.url, async (client) => {
        await client.query(
          `SELECT pg_terminate_backend(pid) FROM
            (SELECT pid FROM pg_stat_activity WHERE application_name = $1 ORDER BY random() LIMIT 1) AS picked`,
          [`earshot ${SCHEMA}`],
        );
      });
    case 'server_stop':
      return server.restartAtOnce();
  }
}

export async function asking<R>(url: string, ask: (client: pg.Client) => Promise<R>): Promise<R> {
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${SCHEMA}` });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await ask(client);
  } finally {
    await client.end();
  }
}
