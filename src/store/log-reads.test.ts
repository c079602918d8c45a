// The bounds of reading the log: what is not looked at is said, never left out in silence.
import { expect, it } from 'vitest';
import { FIND_ROWS_MAX, TALLY_ROWS_MAX } from './log-reader.ts';
import { findInLog, type LogSource, tallyLog } from './log-reads.ts';

const docOf = (n: number): string =>
  `{"conversation":"room","at":${n * 1_000},"type":"message","author":"human:ann","record":{"event":{"author":{"id":"ann","kind":"human"}}},"decisions":[]}`;

/** A log of so many rows, a second apart, none of them kept. */
function endless(rows: number): LogSource {
  return {
    page(_, { after, before, limit, descending }) {
      const low = Math.max(1, after + 1);
      const high = Math.min(rows, before - 1);
      const length = Math.max(0, Math.min(limit, high - low + 1));
      return Array.from({ length }, (__, i) => (descending ? high - i : low + i)).map((position) => ({
        position,
        doc: docOf(position),
      }));
    },
    count: () => rows,
    nth: (_, offset) => (offset < rows ? offset + 1 : undefined),
  };
}

it('stops looking for what is rare, and says where to go on', async () => {
  const source = endless(FIND_ROWS_MAX + 700);
  const nobody = { author: 'zed' };
  expect(await findInLog(source, nobody, { limit: 5 })).toEqual({ rows: [], reached: FIND_ROWS_MAX });
  expect(await findInLog(source, nobody, { limit: 5, after: FIND_ROWS_MAX })).toEqual({ rows: [] });
  expect(await findInLog(source, nobody, { limit: 5, descending: true })).toEqual({ rows: [], reached: 701 });
});

it('counts the newest, and says since when', async () => {
  const rows = TALLY_ROWS_MAX + 5;
  const query = { from: 0, to: (rows + 1) * 1_000, bucketMs: 1e12 };
  const { entries, reached } = await tallyLog(endless(rows), query);
  expect(entries.map(({ count }) => count)).toEqual([TALLY_ROWS_MAX]);
  expect(reached).toBe(6_000);
  const whole = await tallyLog(endless(9), query);
  expect([whole.entries[0]?.count, whole.reached]).toEqual([9, undefined]);
});
