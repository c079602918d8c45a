// From stored text to a state. Text that cannot be read is rebuilt from the rows (store.ts), and a rebuild reads rows
// without waiting. So it runs over what is loaded; where it wants more, that is loaded, and it runs again from the start.
// Each page is twice as long as the one before: a log of a million rows takes eleven runs.
import { indexShape } from '../columns.ts';
import { type StateCodec, type StoredRows, UnreadableState } from '../store.ts';
import type { IndexName, TableName, Tables } from '../tables.ts';
import type { RawRow, RowReader } from './rows.ts';

const FIRST_PAGE_ROWS = 500;

export async function readStoredState(
  codec: StateCodec,
  key: string,
  text: string,
  rows: RowReader,
  log: (line: string) => void,
): Promise<unknown> {
  try {
    return codec.decode(key, text);
  } catch (error) {
    if (!(error instanceof UnreadableState) || codec.rebuild === undefined) throw error;
    const value = await rebuild(codec.rebuild.bind(codec), key, text, new LoadedRows(rows));
    log(`${error.message}; it was rebuilt from what else is stored`);
    return value;
  }
}

async function rebuild(
  run: NonNullable<StateCodec['rebuild']>,
  key: string,
  text: string,
  loaded: LoadedRows,
): Promise<unknown> {
  for (;;) {
    try {
      return run(key, text, loaded);
    } catch (error) {
      if (!(error instanceof MoreWanted)) throw error;
      await error.load();
    }
  }
}

class MoreWanted extends Error {
  readonly load: () => Promise<void>;

  constructor(load: () => Promise<void>) {
    super('more rows are wanted');
    this.load = load;
  }
}

interface LoadedScan {
  rows: RawRow[];
  isWhole: boolean;
}

class LoadedRows implements StoredRows {
  readonly #reader: RowReader;
  readonly #rows = new Map<string, string | undefined>();
  readonly #scans = new Map<string, LoadedScan>();

  constructor(reader: RowReader) {
    this.#reader = reader;
  }

  row<T extends TableName>(table: T, key: string): Tables[T] | undefined {
    const name = `${table} ${key}`;
    if (!this.#rows.has(name)) {
      throw new MoreWanted(async () => void this.#rows.set(name, await this.#reader.get(table, key)));
    }
    const doc = this.#rows.get(name);
    return doc === undefined ? undefined : (JSON.parse(doc) as Tables[T]);
  }

  *rows<T extends TableName>(
    table: T,
    index: IndexName<T>,
    ...eq: readonly (string | number)[]
  ): Generator<Tables[T]> {
    const name = JSON.stringify([table, index, eq]);
    const scan = this.#scans.get(name) ?? { rows: [], isWhole: false };
    this.#scans.set(name, scan);
    for (const { doc } of scan.rows) yield JSON.parse(doc) as Tables[T];
    if (!scan.isWhole) throw new MoreWanted(() => this.#more(scan, table, index, eq));
  }

  async #more(
    scan: LoadedScan,
    table: TableName,
    index: string,
    eq: readonly (string | number)[],
  ): Promise<void> {
    const { order } = indexShape(table, index);
    // The next page begins after the last value: two rows with the same one would be torn apart.
    if (order !== 'position' && order !== 'seq') throw new Error(`${table}.${index} cannot be read in pages`);
    const last = scan.rows.at(-1);
    const limit = Math.max(FIRST_PAGE_ROWS, scan.rows.length);
    const after = last === undefined ? {} : { after: order === 'seq' ? seqOf(last) : last.position };
    const page = await this.#reader.scan(table, index, { eq, limit, ...after });
    for (const row of page) scan.rows.push(row);
    scan.isWhole = page.length < limit;
  }
}

function seqOf({ doc }: RawRow): number {
  return (JSON.parse(doc) as { seq: number }).seq;
}
