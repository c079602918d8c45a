// Looks at a copy of a store before it takes the store's place: whether it is one, whether this Earshot can open it, and
// whether it is whole. Reads all of it and changes nothing.
import { connectReader } from './connect.ts';
import { inWords } from './errors.ts';
import { MIGRATIONS, schemaVersion } from './migrate.ts';

/** How many events it holds. Throws with what is wrong. */
export function checkCopy(file: string): number {
  const db = connectReader(file);
  try {
    const version = schemaVersion(db);
    if (version === 0) throw new Error(`${file} is no store of Earshot`);
    if (version > MIGRATIONS.length)
      throw new Error(
        `${file} has schema ${version}, this Earshot knows up to ${MIGRATIONS.length}: use the Earshot that wrote it, or a newer one`,
      );
    const found = db.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
    if (found !== 'ok')
      throw new Error(`${file} is damaged (${String(found).replaceAll(/\s+/g, ' ')}): take another copy`);
    return Number(db.prepare('SELECT count(*) AS n FROM log').get()?.n ?? 0);
  } catch (error) {
    throw inWords(error, file);
  } finally {
    db.close();
  }
}
