// Brings a file to this Earshot's schema, one numbered step at a time, each in its own transaction: a crash leaves a
// whole number of steps. Forward only. A file from a newer Earshot is refused before anything is read from it.
import type { DatabaseSync } from 'node:sqlite';
import { tables } from './migrations/0001-tables.ts';
import { dropSignal } from './migrations/0002-drop-signal.ts';
import { sourceId } from './migrations/0003-source-id.ts';
import { files } from './migrations/0004-files.ts';
import { prompt } from './migrations/0005-prompt.ts';
import { settings } from './migrations/0006-settings.ts';
import { deliveryBlocks } from './migrations/0007-delivery-blocks.ts';

/** In order; the file's `user_version` is how many have run. */
export const MIGRATIONS: readonly string[] = [
  tables,
  dropSignal,
  sourceId,
  files,
  prompt,
  settings,
  deliveryBlocks,
];

/** Told before the first step. An existing file can still be copied as it is. */
export type BeforeMigration = (db: DatabaseSync, from: number, to: number) => void;

export function migrate(
  db: DatabaseSync,
  file: string,
  migrations: readonly string[] = MIGRATIONS,
  before: BeforeMigration = () => undefined,
): void {
  const version = schemaVersion(db);
  if (version > migrations.length) {
    throw new Error(
      `${file} has schema ${version}, this Earshot knows up to ${migrations.length}: use the Earshot that wrote it, or a newer one`,
    );
  }
  if (version > 0 && version < migrations.length) before(db, version, migrations.length);
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue;
    try {
      db.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${index + 1}; COMMIT;`);
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw new Error(`${file} could not be brought to schema ${index + 1}`, { cause: error });
    }
  }
}

export function schemaVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}
