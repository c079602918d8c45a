// Implements log-reader.ts over any source of pages, so all stores share this code. It works in steps and lets other
// readers run between two steps, because one worker serves several.
import { aTurn } from '../runtime/schedule.ts';
import { logMatcher } from './log-match.ts';
import {
  FIND_ROWS_MAX,
  type LogExtent,
  type LogFilter,
  type LogPlace,
  type LogRange,
  type Tallied,
  type TallyQuery,
} from './log-reader.ts';
import { LogTally } from './log-tally.ts';
import type { LogRow } from './tables.ts';

export interface RawLogRow {
  position: number;
  doc: string;
}

export interface LogSource<Row extends RawLogRow = RawLogRow> {
  /** Rows by position, of one conversation or of all. */
  page(conversation: string | undefined, range: Required<LogRange>): Soon<Row[]>;
  /** Rows with these words, by position. Undefined when this source has no index of words. */
  said?(words: string, range: Required<LogRange>): Promise<RawFound<Row>>;
  count(conversation: string | undefined, before: number | undefined): Soon<number>;
  /** The position of the row that has this many rows before it. */
  nth(conversation: string | undefined, offset: number): Soon<number | undefined>;
  /**
   * The first position at or after a time, and the rows of a period, newest first. A source has both when its times do
   * not rise with its positions, because several processes write at once.
   */
  byTime?: {
    first(at: number): Promise<number | undefined>;
    period(query: Pick<TallyQuery, 'from' | 'to' | 'conversation'>): AsyncIterable<Row[]>;
  };
}

/** What a source reads at once or over a network. */
export type Soon<T> = T | Promise<T>;

export interface RawFound<Row extends RawLogRow = RawLogRow> {
  rows: Row[];
  reached?: number;
}

const STEP_ROWS = 500;
const LOWEST = Number.MIN_SAFE_INTEGER;
const HIGHEST = Number.MAX_SAFE_INTEGER;

export async function findInLog<Row extends RawLogRow>(
  source: LogSource<Row>,
  filter: LogFilter,
  range: LogRange,
): Promise<RawFound<Row>> {
  const indexed = filter.words !== undefined && source.said !== undefined;
  const matches = logMatcher(filter, indexed ? 'indexed' : 'compared');
  const wanted = { ...fullRange(range), limit: Math.max(0, range.limit) };
  const rows: Row[] = [];
  const rest = { ...wanted, limit: isPlain(filter) ? wanted.limit : STEP_ROWS };
  for (let looked = 0; looked < FIND_ROWS_MAX; looked += STEP_ROWS) {
    const page = await nextPage(source, filter, rest);
    for (const row of page.rows) {
      moveOn(rest, row.position);
      if (filter.conversation !== undefined && indexed && !isIn(row, filter.conversation)) continue;
      if (matches(row.doc)) rows.push(row);
      if (rows.length === wanted.limit) return { rows, reached: row.position };
    }
    if (page.reached === undefined) return { rows };
    moveOn(rest, page.reached);
    await aTurn();
  }
  return { rows, reached: rest.descending ? rest.before : rest.after };
}

/** Every row of the conversation, or of the log, matches: then no more rows are read than the page needs. */
function isPlain(filter: LogFilter): boolean {
  return Object.entries(filter).every(([name, value]) => name === 'conversation' || value === undefined);
}

async function nextPage<Row extends RawLogRow>(
  source: LogSource<Row>,
  filter: LogFilter,
  range: Required<LogRange>,
): Promise<RawFound<Row>> {
  if (filter.words !== undefined && source.said !== undefined) return source.said(filter.words, range);
  const rows = await source.page(filter.conversation, range);
  const last = rows.at(-1);
  return last === undefined || rows.length < range.limit ? { rows } : { rows, reached: last.position };
}

function moveOn(range: Required<LogRange>, position: number): void {
  if (range.descending) range.before = position;
  else range.after = position;
}

function isIn({ doc }: RawLogRow, conversation: string): boolean {
  return (JSON.parse(doc) as LogRow).conversation === conversation;
}

export async function logExtent(
  source: LogSource,
  conversation: string | undefined,
  before: number | undefined,
): Promise<LogExtent> {
  return {
    total: await source.count(conversation, undefined),
    before: before === undefined ? 0 : await source.count(conversation, before),
    first: await endOf(source, false),
    last: await endOf(source, true),
  };
}

/** The ends of the whole log, because a scrollbar over time is the same for every filter. */
async function endOf(
  source: LogSource,
  descending: boolean,
): Promise<{ position: number; at: number } | undefined> {
  const [row] = await source.page(undefined, { ...fullRange({ limit: 1 }), descending });
  return row === undefined ? undefined : { position: row.position, at: atOf(row) };
}

export async function seekInLog(source: LogSource, place: LogPlace): Promise<number | undefined> {
  if ('offset' in place) return source.nth(place.conversation, place.offset);
  if (source.byTime !== undefined) return source.byTime.first(place.at);
  let low = (await endOf(source, false))?.position;
  const last = await endOf(source, true);
  if (low === undefined || last === undefined || last.at < place.at) return undefined;
  // Times rise with positions: the store's clock never goes back while it is open.
  let high = last.position;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = await source.page(undefined, { ...fullRange({ limit: 1 }), after: middle - 1 });
    if (row !== undefined && atOf(row) >= place.at) high = Math.min(high, row.position, middle);
    else low = (row?.position ?? middle) + 1;
  }
  const [found] = await source.page(undefined, { ...fullRange({ limit: 1 }), after: low - 1 });
  return found?.position;
}

export async function tallyLog(source: LogSource, query: TallyQuery): Promise<Tallied> {
  const tally = new LogTally(query);
  for await (const rows of source.byTime?.period(query) ?? byPosition(source, query)) {
    for (const row of rows) {
      const counted = tally.add(JSON.parse(row.doc) as LogRow);
      if (counted === 'over') return { entries: tally.entries() };
      if (counted === 'full') return { entries: tally.entries(), reached: tally.oldest };
    }
    await aTurn();
  }
  return { entries: tally.entries() };
}

/** The rows before the end of the period, newest first. */
async function* byPosition(source: LogSource, { to, conversation }: TallyQuery): AsyncGenerator<RawLogRow[]> {
  const before = (await seekInLog(source, { at: to })) ?? HIGHEST;
  const rest = { ...fullRange({ limit: STEP_ROWS }), before, descending: true };
  for (;;) {
    const rows = await source.page(conversation, rest);
    const last = rows.at(-1);
    if (last !== undefined) moveOn(rest, last.position);
    yield rows;
    if (rows.length < STEP_ROWS) return;
  }
}

function fullRange({ after, before, limit, descending }: LogRange): Required<LogRange> {
  return { after: after ?? LOWEST, before: before ?? HIGHEST, limit, descending: descending ?? false };
}

function atOf({ doc }: RawLogRow): number {
  return (JSON.parse(doc) as LogRow).at;
}
