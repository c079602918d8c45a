// A schema of its own for a test, stores in it, and a plain connection to look at it and to disturb it.
import pg from 'pg';
import { inject } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { TABLES } from '../../src/store/columns.ts';
import { openPostgresStore, type PostgresOptions } from '../../src/store/postgres/open.ts';
import type { Store } from '../../src/store/store.ts';
import { codec } from '../contract/store-rows.ts';

let count = 0;

export class StoreSchema {
  readonly name = `test_${process.pid}_${++count}`;
  readonly url = inject('postgres');
  readonly #stores = new Set<Store>();
  readonly #clients = new Set<pg.Client>();
  #emptying: pg.Client | undefined;

  async open(over: Partial<PostgresOptions> = {}): Promise<Store> {
    const options = { url: this.url, schema: this.name, clock: systemClock, codec };
    const store = await openPostgresStore({ ...options, ...over });
    this.#stores.add(store);
    return store;
  }

  /** A connection that sees the schema as its own. It is ended with the test. */
  async client(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.url, options: `-c search_path=${this.name}` });
    client.on('error', () => undefined);
    await client.connect();
    this.#clients.add(client);
    return client;
  }

  /** Everything that is stored goes, and positions count on. Not TRUNCATE: that takes longer than a test. */
  async empty(): Promise<void> {
    this.#emptying ??= await this.client();
    const tables = [...TABLES, 'state', 'said', 'log_change', 'meta'].map(
      (table) => `DELETE FROM "${table}"`,
    );
    await this.#emptying.query(tables.join('; '));
  }

  /** The backends of this schema's stores. Other tests have theirs on the same server. */
  async backends(client: pg.Client): Promise<number[]> {
    const { rows } = await client.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE application_name = $1 ORDER BY pid',
      [`earshot ${this.name}`],
    );
    return rows.map(({ pid }) => pid);
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#stores].map((store) => store.close()));
    await Promise.all([...this.#clients].map((client) => client.end()));
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    await client.query(`DROP SCHEMA IF EXISTS ${this.name} CASCADE`);
    await client.end();
  }
}
