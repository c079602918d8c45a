// The PostgreSQL schema that is copied into. While the table `copying` is there the copy is not finished: no node opens the
// schema, and the same copy goes on where it stopped. At the end it is called `copied`. One session does everything and
// holds a lock, so whoever gets the lock after a crash sees all that the crashed one has committed.
import type { Client } from 'pg';
import { BLOCK_POSITIONS } from '../postgres/migrations/0002-positions.ts';
import { Digest, differences, type Listed, MOVED, type MovedTable } from './inventory.ts';
import { putStatement, putValues } from './put-statements.ts';
import type { Remembered, StoredRow } from './source.ts';

export interface Progress {
  /** The place of the last row that is copied. */
  reached: string | undefined;
  rows: number;
}

/** A killed copy gives up its lock when the server notices that it is gone. */
const LOCK_MS = 15_000;
const LOCK_REFUSED = '55P03';
const ROWS_A_LOOK = 2_000;

/** What the target is, before anything is copied. */
export type Found = 'empty' | 'unfinished' | 'finished';

export class Target {
  readonly #client: Client;
  readonly #schema: string;

  constructor(client: Client, schema: string) {
    this.#client = client;
    this.#schema = schema;
  }

  /** Throws when another copy into this schema is running. */
  async lock(): Promise<void> {
    try {
      await this.#client.query(`SET lock_timeout = ${LOCK_MS}`);
      await this.#client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [
        `earshot copying ${this.#schema}`,
      ]);
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_REFUSED) throw error;
      throw new Error('another copy into it is running: let that one finish', { cause: error });
    }
  }

  /** Throws, in words, when it holds anything but this very copy. */
  async look(wanted: readonly Listed[]): Promise<Found> {
    const [copying, copied] = [await this.#listed('copying'), await this.#listed('copied')];
    if (copying !== undefined) {
      const changed = differences(wanted, copying);
      if (changed.length === 0) return 'unfinished';
      throw new Error(
        `schema ${this.#schema} has an unfinished copy of other data (${changed.join(', ')}), for instance because a host ran since: run it again with --anew, which removes that copy and begins again`,
      );
    }
    if (copied !== undefined && differences(wanted, copied).length === 0) return 'finished';
    await this.#mustBeEmpty();
    return 'empty';
  }

  /** From here on no node opens the schema. */
  async begin(wanted: readonly Listed[]): Promise<void> {
    await this.#inTransaction(async () => {
      // A node that starts now either is seen here, or sees that a copy is under way.
      await this.#client.query('LOCK TABLE node IN SHARE MODE');
      await this.#mustBeEmpty();
      await this.#client.query(
        'CREATE TABLE copying (name text PRIMARY KEY, rows bigint NOT NULL, hash text NOT NULL, reached text, copied bigint NOT NULL)',
      );
      for (const { table, rows, hash } of wanted)
        await this.#client.query('INSERT INTO copying VALUES ($1, $2, $3, NULL, 0)', [table, rows, hash]);
    });
  }

  /** Removes what an unfinished copy has left. */
  async clear(): Promise<void> {
    if ((await this.#listed('copying')) === undefined) return;
    const tables = MOVED.map((table) => `"${table}"`).join(', ');
    await this.#client.query(`BEGIN; TRUNCATE ${tables}; DROP TABLE copying; COMMIT`);
  }

  async progress(table: MovedTable): Promise<Progress> {
    const { rows } = await this.#client.query<{ reached: string | null; copied: string }>(
      'SELECT reached, copied FROM copying WHERE name = $1',
      [table],
    );
    return { reached: rows[0]?.reached ?? undefined, rows: Number(rows[0]?.copied ?? 0) };
  }

  async put(table: MovedTable, page: readonly StoredRow[]): Promise<void> {
    await this.#client.query({ ...putStatement(table), values: [...putValues(table, page)] });
  }

  /** What is stored now. The server hashes each text, so that not everything comes back over the wire. */
  async inventory(seen: (table: MovedTable, rows: number) => void): Promise<Listed[]> {
    const listed: Listed[] = [];
    for (const table of MOVED) {
      const digest = new Digest();
      let rows = 0;
      for (let after: string | undefined = table === 'state' ? '' : '0'; after !== undefined; ) {
        const page = await this.#look(table, after);
        for (const [place, key, wakeAt, hash] of page) digest.add(place, key, wakeAt, hash);
        rows += page.length;
        seen(table, rows);
        after = page.at(-1)?.[0];
      }
      listed.push(digest.end(table));
    }
    return listed;
  }

  /** Opens the schema to nodes. Their positions come after those of every row, also of rows that were removed. */
  async finish({ lastPosition, meta }: Remembered): Promise<void> {
    for (const table of MOVED) await this.#client.query(`ANALYZE "${table}"`);
    await this.#inTransaction(async () => {
      for (const [name, value] of meta)
        await this.#client.query(
          'INSERT INTO meta VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
          [name, value],
        );
      const block = Math.floor(lastPosition / BLOCK_POSITIONS) + 1;
      await this.#client.query(
        `SELECT setval('position_block', greatest($1, (SELECT last_value FROM position_block)))`,
        [block],
      );
      await this.#client.query('DROP TABLE IF EXISTS copied; ALTER TABLE copying RENAME TO copied');
    });
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  async #look(table: MovedTable, after: string): Promise<[string, string, number | null, string][]> {
    const [place, wakeAt, text] =
      table === 'state' ? ['key', 'wake_at', 'text'] : ['position', 'NULL::float8', 'doc'];
    const { rows } = await this.#client.query<[string, string, number | null, string]>({
      name: `look_${table}`,
      text: `SELECT ${place}::text, key, ${wakeAt}, encode(sha256(convert_to(${text}, 'UTF8')), 'hex')
        FROM "${table}" AS t WHERE t.${place} > $1 ORDER BY t.${place} LIMIT ${ROWS_A_LOOK}`,
      values: [after],
      rowMode: 'array',
    });
    return rows;
  }

  async #listed(name: 'copying' | 'copied'): Promise<Listed[] | undefined> {
    const found = await this.#client.query<{ there: boolean }>(
      'SELECT to_regclass($1) IS NOT NULL AS there',
      [name],
    );
    if (found.rows[0]?.there !== true) return undefined;
    const { rows } = await this.#client.query<{ name: MovedTable; rows: string; hash: string }>(
      `SELECT name, rows, hash FROM ${name}`,
    );
    return rows.map((row) => ({ table: row.name, rows: Number(row.rows), hash: row.hash }));
  }

  async #mustBeEmpty(): Promise<void> {
    for (const table of [...MOVED, 'node']) {
      const { rows } = await this.#client.query(`SELECT FROM "${table}" LIMIT 1`);
      if (rows.length === 0) continue;
      const what =
        table === 'node' ? 'a host has it open, or had it open and was killed' : `${table} has rows`;
      throw new Error(
        `schema ${this.#schema} is not empty (${what}): name another one (…?schema=NAME), or drop it if nobody needs it (DROP SCHEMA ${this.#schema} CASCADE)`,
      );
    }
  }

  async #inTransaction(run: () => Promise<void>): Promise<void> {
    await this.#client.query('BEGIN');
    try {
      await run();
      await this.#client.query('COMMIT');
    } catch (error) {
      await this.#client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }
}
