// From stored text to a state, the same in every store. What cannot be read is rebuilt from the rows, and the operator
// is told; the next write of that state puts it right on disk.
import type { AnyRow } from './batch.ts';
import { indexShape } from './columns.ts';
import { type ScanRange, type StateCodec, type StoredRows, UnreadableState } from './store.ts';
import type { IndexName, TableName, Tables } from './tables.ts';

const PAGE_ROWS = 500;

/** What a store reads with, synchronously. */
export interface RowSource {
  loadRow(table: TableName, key: string): AnyRow | undefined;
  scanDocs(table: TableName, index: string, range: ScanRange): readonly { position: number; doc: string }[];
}

export function readState(
  codec: StateCodec,
  key: string,
  text: string,
  source: RowSource,
  log: (line: string) => void,
): unknown {
  try {
    return codec.decode(key, text);
  } catch (error) {
    if (!(error instanceof UnreadableState) || codec.rebuild === undefined) throw error;
    const value = codec.rebuild(key, text, storedRows(source));
    log(`${error.message}; it was rebuilt from what else is stored`);
    return value;
  }
}

/** For the check: what is wrong with it, in words. */
export function unreadable(codec: StateCodec, key: string, text: string): string[] {
  try {
    codec.decode(key, text);
    return [];
  } catch (error) {
    if (error instanceof UnreadableState) return [error.message];
    return [`state ${key} cannot be read: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function storedRows(source: RowSource): StoredRows {
  return {
    row: (table, key) => source.loadRow(table, key) as Tables[typeof table] | undefined,
    rows: (table, index, ...eq) => pages(source, table, index, eq),
  };
}

function* pages<T extends TableName>(
  source: RowSource,
  table: T,
  index: IndexName<T>,
  eq: readonly (string | number)[],
): Generator<Tables[T]> {
  const { order } = indexShape(table, index);
  // The next page begins after the last value: two rows with the same one would be torn apart.
  if (order !== 'position' && order !== 'seq') throw new Error(`${table}.${index} cannot be read in pages`);
  for (let after: number | undefined; ; ) {
    const range = { eq, limit: PAGE_ROWS, ...(after === undefined ? {} : { after }) };
    const page = source.scanDocs(table, index, range);
    let last: Tables[T] | undefined;
    for (const { doc } of page) {
      last = JSON.parse(doc) as Tables[T];
      yield last;
    }
    if (last === undefined || page.length < PAGE_ROWS) return;
    after = order === 'position' ? page.at(-1)?.position : (last as { seq?: number }).seq;
  }
}
