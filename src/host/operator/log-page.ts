// Reads one page of the log for a person: from any place, in either direction, filtered, with the counts that a
// scrollbar needs. Rows are oldest first in both directions.
import type { LogPage } from '../../protocol/operator-api.ts';
import type { LogFilter, LogRange } from '../../store/log-reader.ts';
import type { Scanned, Store } from '../../store/store.ts';
import type { LogRow } from '../../store/tables.ts';
import { iso } from '../../protocol/log-record.ts';
import { shownEvent } from './shown.ts';

/** Where the page starts: after or before a position, at an offset, at a time, or at the end of the log. */
export type LogFrom =
  | { after: number }
  | { before: number }
  | { offset: number }
  | { time: number }
  | { last: true };

export interface LogQuery {
  from: LogFrom;
  filter: LogFilter;
  /** Epoch ms. `to` is exclusive. */
  period: { from?: number; to?: number };
  limit: number;
}

interface ReadRows {
  rows: readonly Scanned<LogRow>[];
  /** The position from which the next page goes on; undefined on the last page. */
  more: number | undefined;
  complete: boolean;
}

export async function logPage(store: Pick<Store, 'log' | 'horizon'>, query: LogQuery): Promise<LogPage> {
  const { log } = store;
  const { filter, limit } = query;
  // A cursor must not pass a commit that is under way.
  const end = (await store.horizon()) + 1;
  const bounds = await periodBounds(log, query.period, end);
  const { back, range } = await rangeOf(log, query, bounds);
  const found = await readRows(log, filter, range, limit);
  const rows = back ? found.rows.toReversed() : found.rows;
  const [first, last] = [rows[0], rows.at(-1)];
  const counted = isCounted(query);
  const extent = await log.extent(counted ? filter.conversation : undefined, first?.position);
  const offset = counted && first !== undefined ? extent.before : null;
  const tail = last?.position ?? (back ? undefined : range.after);
  const cursors = back
    ? { prev: found.more, next: 'before' in query.from ? last?.position : undefined }
    : { prev: offset === 0 || !((range.after ?? 0) > 0) ? undefined : first?.position, next: found.more };
  return {
    log: rows.map(shownEvent),
    total: counted ? extent.total : null,
    offset,
    first: endOf(extent.first),
    last: endOf(extent.last),
    ...(cursors.prev === undefined ? {} : { prevCursor: String(cursors.prev) }),
    ...(cursors.next === undefined ? {} : { nextCursor: String(cursors.next) }),
    ...(tail === undefined ? {} : { tailCursor: String(tail) }),
    complete: found.complete,
  };
}

/** Reads one row more than wanted, to know whether there is another page. */
async function readRows(
  log: Store['log'],
  filter: LogFilter,
  range: LogRange,
  limit: number,
): Promise<ReadRows> {
  const { rows, reached } = await log.find(filter, { ...range, limit: limit + 1 });
  if (rows.length > limit) {
    const kept = rows.slice(0, limit);
    return { rows: kept, more: kept.at(-1)?.position, complete: true };
  }
  return { rows, more: reached, complete: reached === undefined };
}

interface Bounds {
  after?: number;
  before: number;
}

/** The positions around a period. A period that begins after the last row holds no rows. */
async function periodBounds(
  log: Store['log'],
  { from, to }: LogQuery['period'],
  before: number,
): Promise<Bounds> {
  const bounds: Bounds = { before };
  if (from !== undefined) bounds.after = ((await log.seek({ at: from })) ?? Number.MAX_SAFE_INTEGER) - 1;
  const end = to === undefined ? undefined : await log.seek({ at: to });
  if (end !== undefined) bounds.before = Math.min(end, before);
  return bounds;
}

async function rangeOf(
  log: Store['log'],
  { from, filter, limit }: LogQuery,
  bounds: Bounds,
): Promise<{ back: boolean; range: LogRange }> {
  const after = bounds.after ?? Number.MIN_SAFE_INTEGER;
  const { before } = bounds;
  if ('before' in from || 'last' in from) {
    const until = 'before' in from ? Math.min(before, from.before) : before;
    return { back: true, range: { after, before: until, limit, descending: true } };
  }
  const start = 'after' in from ? from.after : await placeBefore(log, from, filter.conversation);
  return { back: false, range: { after: Math.max(after, start), before, limit } };
}

/** The position just before the row at this time or offset, so that a page after it begins with that row. */
async function placeBefore(
  log: Store['log'],
  from: { offset: number } | { time: number },
  conversation: string | undefined,
): Promise<number> {
  const place =
    'time' in from
      ? { at: from.time }
      : { offset: from.offset, ...(conversation === undefined ? {} : { conversation }) };
  return ((await log.seek(place)) ?? Number.MAX_SAFE_INTEGER) - 1;
}

/** True when the store can count the rows without reading them: for the whole log, or for one conversation. */
function isCounted({ filter, period }: LogQuery): boolean {
  const { conversation: _, ...others } = filter;
  return [...Object.values(others), period.from, period.to].every((value) => value === undefined);
}

function endOf(end: { position: number; at: number } | undefined): LogPage['first'] {
  return end === undefined ? null : { position: end.position, at: iso(end.at) };
}
