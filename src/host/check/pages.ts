// Reads a whole index, a page at a time, so that a check never holds the store for long and any store fits.
import type { ScanRange, Scanned } from '../../store/store.ts';

const PAGE = 500;

/** `orderOf`: the order column of the index, where it is not the position. */
export async function* pages<Row>(
  scan: (range: Pick<ScanRange, 'after' | 'limit'>) => Promise<Scanned<Row>[]>,
  orderOf: (row: Scanned<Row>) => number = ({ position }) => position,
): AsyncGenerator<Scanned<Row>> {
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = await scan({ after, limit: PAGE });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = orderOf(last);
  }
}
