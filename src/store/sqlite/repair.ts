// Mends what a store can mend by itself: columns are copies of fields of the JSON, and indexes are made from columns. The
// caller has a copy of the file and knows that nobody uses it.
import { columnName, indexedFields, TABLES } from '../columns.ts';
import { connectWriter } from './connect.ts';
import { inWords } from './errors.ts';

/** Returns how many rows had wrong columns. Throws, in words, when the file is too damaged to be written. */
export function repairColumns(file: string): number {
  const db = connectWriter(file);
  try {
    let mended = 0;
    for (const table of TABLES) {
      const copies = ['key', ...indexedFields(table)].map((field) => ({
        column: columnName(field),
        value: `json_extract(doc, '$.${field}')`,
      }));
      const set = copies.map(({ column, value }) => `${column} = ${value}`).join(', ');
      const differs = copies.map(({ column, value }) => `${column} IS NOT ${value}`).join(' OR ');
      const sql = `UPDATE "${table}" SET ${set} WHERE json_valid(doc) AND (${differs})`;
      mended += Number(db.prepare(sql).run().changes);
    }
    db.exec('REINDEX');
    return mended;
  } catch (error) {
    throw inWords(error, file);
  } finally {
    db.close();
  }
}
