// The PostgreSQL of the bench: it syncs every commit, as the SQLite beside it does. What it costs is read from outside: the
// CPU time of all its processes from /proc, statements and WAL from its own counters.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { PostgresServer } from '../../test/postgres/server.ts';

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '256MB',
  max_wal_size: '4GB',
  max_connections: '200',
  // Between two slices everything is cleaned up (`rest`), so that nobody pays for what another has left behind.
  autovacuum: 'off',
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'top',
  log_min_messages: 'warning',
};
const US_A_TICK = 10_000;

export interface DatabaseCost {
  cpuUs: number;
  statements: number;
  walBytes: number;
}

export class Database {
  readonly url: string;
  readonly #server: PostgresServer;
  readonly #client: pg.Client;

  constructor(server: PostgresServer, client: pg.Client) {
    this.url = server.url;
    this.#server = server;
    this.#client = client;
  }

  static async start(folder: string): Promise<Database> {
    const server = await PostgresServer.in(join(folder, 'postgres'), SETTINGS);
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query('CREATE EXTENSION pg_stat_statements');
    return new Database(server, client);
  }

  async cost(): Promise<DatabaseCost> {
    const { rows } = await this.#client.query<{ statements: string; wal: string }>(
      `SELECT (SELECT sum(calls) FROM pg_stat_statements) AS statements, pg_current_wal_lsn() - '0/0' AS wal`,
    );
    return {
      cpuUs: cpuTicks(this.#server.pid) * US_A_TICK,
      statements: Number(rows[0]?.statements),
      walBytes: Number(rows[0]?.wal),
    };
  }

  /** Batches that nodes of this schema have written. */
  async batches(schema: string): Promise<number> {
    const { rows } = await this.#client.query<{ sum: string }>(`SELECT sum(batch) FROM ${schema}.node`);
    return Number(rows[0]?.sum ?? 0);
  }

  /** Cleans up what a slice has left behind, and tells the planner what there is now. */
  async rest(): Promise<void> {
    await this.#client.query('VACUUM (ANALYZE)');
  }

  /** One statement at a time, for whoever has to look. */
  async ask<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    return (await this.#client.query<Row>(text)).rows;
  }

  async stop(): Promise<void> {
    await this.#client.end();
    await this.#server.stop();
  }
}

/** Of the server, of its children, and of those that have ended. */
function cpuTicks(pid: number): number {
  const own = stat(String(pid));
  let ticks = own === undefined ? 0 : own.ticks + own.endedTicks;
  for (const name of readdirSync('/proc')) {
    const child = /^\d+$/.test(name) ? stat(name) : undefined;
    if (child?.parent === pid) ticks += child.ticks;
  }
  return ticks;
}

/** The fields after the name, which may have blanks and brackets in it (proc_pid_stat(5)). */
function stat(pid: string): { parent: number; ticks: number; endedTicks: number } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined; // it has ended meanwhile
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const at = (number: number): number => Number(fields[number - 3]);
  return { parent: at(4), ticks: at(14) + at(15), endedTicks: at(16) + at(17) };
}
