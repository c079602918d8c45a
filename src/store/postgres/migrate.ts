// Brings a schema to this Earshot's tables and functions, one numbered step at a time, each in a transaction of its own.
// Several nodes may start at once: they take turns under an advisory lock. Steps only add, because nodes of an older
// Earshot go on working meanwhile. Forward only: a schema from a newer Earshot is refused.
import type { Client } from 'pg';
import { tables } from './migrations/0001-tables.ts';
import { positions } from './migrations/0002-positions.ts';
import { commit1 } from './migrations/0003-commit-1.ts';
import { beat1 } from './migrations/0004-beat-1.ts';
import { keptDecisions } from './migrations/0005-kept-decisions.ts';

/** In order. The table `migration` has a row for each that has run. */
export const MIGRATIONS: readonly string[] = [tables, positions, commit1, beat1, keptDecisions];

export async function migrate(
  client: Pick<Client, 'query' | 'escapeIdentifier'>,
  schema: string,
  migrations: readonly string[] = MIGRATIONS,
): Promise<void> {
  const name = client.escapeIdentifier(schema);
  const lock = [`earshot ${schema}`];
  await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', lock);
  try {
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${name}`);
    await client.query(`SET search_path = ${name}`);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migration (number int PRIMARY KEY, at timestamptz NOT NULL)',
    );
    const { rows } = await client.query<{ last: number }>(
      'SELECT coalesce(max(number), 0) AS last FROM migration',
    );
    const version = rows[0]?.last ?? 0;
    if (version > migrations.length) {
      throw new Error(
        `the schema ${schema} has number ${version}, this Earshot knows up to ${migrations.length}: use the Earshot that wrote it, or a newer one`,
      );
    }
    for (const [index, sql] of migrations.entries()) {
      if (index >= version) await step(client, schema, index + 1, sql);
    }
  } finally {
    await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', lock);
  }
}

async function step(
  client: Pick<Client, 'query'>,
  schema: string,
  number: number,
  sql: string,
): Promise<void> {
  try {
    await client.query(`BEGIN; ${sql}; INSERT INTO migration VALUES (${number}, now()); COMMIT;`);
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`the schema ${schema} could not be brought to number ${number}`, { cause: error });
  }
}
