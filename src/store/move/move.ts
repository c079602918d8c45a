// Copies a SQLite store into a PostgreSQL schema: position by position, so that everything that names one (a digest, a read
// mark, a page of the log) still means the same row, and text by text, so that the log is decided again to the same bytes.
// It may be ended at any moment and started again. The copy counts only once it was read back and found equal.
import { postgresAddress } from '../postgres/address.ts';
import { openSchema } from '../postgres/open.ts';
import { inPostgresWords } from '../postgres/words.ts';
import { differences, type Listed, MOVED, type MovedTable } from './inventory.ts';
import { Source } from './source.ts';
import { Target } from './target.ts';

export type MoveStep = 'reading' | 'copying' | 'comparing';

export interface MoveOptions {
  /** The SQLite file. */
  from: string;
  /** The address of the database, with `?schema=NAME` for another schema than the usual one. */
  to: string;
  /** Removes an unfinished copy of other data first. */
  anew: boolean;
  /** Called often. `of` is the number of rows, where it is known. */
  seen: (step: MoveStep, table: MovedTable, rows: number, of?: number) => void;
}

export interface Moved {
  tables: readonly Listed[];
  /** What an earlier run had copied already. */
  resumedRows: number;
  /** An earlier run had finished it. Nothing was done. */
  wasThere: boolean;
}

/** Rejects with one line in words. */
export async function moveStore({ from, to, anew, seen }: MoveOptions): Promise<Moved> {
  const { url, schema, shown } = postgresAddress(to);
  const source = Source.open(from);
  try {
    const tables = source.inventory((table, rows) => seen('reading', table, rows));
    const target = new Target(await openSchema(url, schema), schema);
    try {
      return await copy(source, target, { tables, anew, seen });
    } finally {
      await target.close();
    }
  } catch (error) {
    throw inPostgresWords(error, shown);
  } finally {
    source.close();
  }
}

interface Copying {
  tables: readonly Listed[];
  anew: boolean;
  seen: MoveOptions['seen'];
}

async function copy(source: Source, target: Target, { tables, anew, seen }: Copying): Promise<Moved> {
  await target.lock();
  if (anew) await target.clear();
  const found = await target.look(tables);
  if (found === 'finished') return { tables, resumedRows: 0, wasThere: true };
  if (found === 'empty') await target.begin(tables);
  let resumedRows = 0;
  for (const table of MOVED) {
    const of = tables.find((listed) => listed.table === table)?.rows;
    const { reached, rows: before } = await target.progress(table);
    resumedRows += before;
    let rows = before;
    for (const page of source.pages(table, reached)) {
      await target.put(table, page);
      rows += page.length;
      seen('copying', table, rows, of);
    }
  }
  const stored = await target.inventory((table, rows) => seen('comparing', table, rows));
  const wrong = differences(tables, stored);
  if (wrong.length > 0)
    throw new Error(
      `the copy differs from the file in ${wrong.join(', ')}, so it does not count: run it again with --anew, and report it if it happens again`,
    );
  await target.finish(source.remembered());
  return { tables, resumedRows, wasThere: false };
}
