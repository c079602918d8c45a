// Opens the store of several nodes: one schema of a PostgreSQL database, brought to this Earshot's tables, and a row for
// this node in it.
import type { Client, ClientConfig } from 'pg';
import type { Clock } from '../../runtime/clock.ts';
import { loadOptional } from '../../runtime/optional-package.ts';
import { systemRandom } from '../../runtime/random.ts';
import { nextTurn, type Schedule } from '../../runtime/schedule.ts';
import type { StateCodec, Store } from '../store.ts';
import { DEFAULT_SCHEMA, mustBeName } from './address.ts';
import { Connections } from './connections.ts';
import { databaseClock, ownClock } from './database-clock.ts';
import { migrate } from './migrate.ts';
import { NodeRow } from './node-row.ts';
import { PostgresStore } from './postgres-store.ts';

export interface PostgresOptions {
  /** `postgres://user@host/database`. */
  url: string;
  clock: Clock;
  codec: StateCodec;
  /** Several hosts may share a database, each with a schema of its own. */
  schema?: string;
  /** The name of this node. Two that run at a time have different ones. */
  node?: string;
  /** How long callers wait for a database that cannot be reached, before they are told. */
  patienceMs?: number;
  /** Receives lines for the operator. */
  log?: (line: string) => void;
  /** Called when this node was taken for dead. Its sessions are not its own any more. */
  onFenced?: () => void;
  /** Runs every commit that writes. For metrics. */
  around?: (commit: () => Promise<void>) => Promise<void>;
  schedule?: Schedule;
  /** For tests: how long a node may be silent. */
  leaseMs?: number;
  /** For tests: always lock states first, or take the time from the clock alone. */
  lockFirst?: boolean;
  ownTime?: boolean;
}

const OLDEST_SERVER = 170_000;
const PATIENCE_MS = 30_000;
const ASK_TIME = {
  name: 'time',
  text: `SELECT extract(epoch FROM clock_timestamp())::float8 * 1000,
    greatest((SELECT at FROM log ORDER BY position DESC LIMIT 1), (SELECT value FROM meta WHERE name = 'time'), 0),
    to_regclass('copying') IS NOT NULL`,
};

export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, schema = DEFAULT_SCHEMA, patienceMs = PATIENCE_MS, ownTime = false } = options;
  const connections = await connectionsTo(url, schema, patienceMs);
  try {
    await (await bringUp(connections, schema)).end();
    await connections.renewWriter();
    const node = new NodeRow(options.node ?? systemRandom.id(), connections);
    await node.register();
    const clock = ownTime ? ownClock(options.clock) : databaseClock(options.clock);
    const sentAt = clock.elapsed();
    const [time] = await connections.read<[number, number, boolean]>(ASK_TIME);
    clock.learn(time?.[0] ?? 0, sentAt);
    if (time?.[2] === true) {
      await node.remove();
      throw new Error(
        `the schema ${schema} has an unfinished copy of a SQLite store: run "earshot migrate" again, it goes on where it stopped`,
      );
    }
    return new PostgresStore({
      connections,
      node,
      clock,
      lastTime: time?.[1] ?? 0,
      codec: options.codec,
      schedule: options.schedule ?? nextTurn,
      log: options.log ?? (() => {}),
      fenced: options.onFenced ?? (() => {}),
      around: options.around ?? ((commit) => commit()),
      lockFirst: options.lockFirst ?? false,
      patienceMs,
      ...(options.leaseMs !== undefined && { leaseMs: options.leaseMs }),
    });
  } catch (error) {
    await connections.close();
    throw error;
  }
}

/** A connection to a schema that is brought to this Earshot's tables. Whoever asked ends it. */
export async function openSchema(url: string, schema: string): Promise<Client> {
  const connections = await connectionsTo(url, schema, 0);
  return bringUp(connections, schema);
}

async function connectionsTo(url: string, schema: string, patienceMs: number): Promise<Connections> {
  mustBeName(schema);
  const { default: pg } = await loadOptional(['pg'], () => import('pg'));
  const connect = (config: ClientConfig) => new pg.Client(config);
  return new Connections({ url, schema, patienceMs, connect });
}

async function bringUp(connections: Connections, schema: string): Promise<Client> {
  const client = await connections.plain();
  try {
    const { rows } = await client.query<{ version: number; encoding: string }>(
      `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding`,
    );
    const { version = 0, encoding = '' } = rows[0] ?? {};
    if (version < OLDEST_SERVER) {
      throw new Error(
        `this PostgreSQL is version ${Math.floor(version / 10_000)}: Earshot needs 17 or later`,
      );
    }
    if (encoding !== 'UTF8') {
      throw new Error(
        `this database keeps its text as ${encoding}: make one with ENCODING 'UTF8' TEMPLATE template0`,
      );
    }
    await migrate(client, schema);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}
