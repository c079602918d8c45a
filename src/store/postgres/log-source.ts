// The log in PostgreSQL as log-reads.ts reads it. Its times do not rise with its positions, because several nodes write at
// once; so places in time and periods are read over the index of times.
import type { LogRange } from '../log-reader.ts';
import type { LogSource, RawLogRow } from '../log-reads.ts';
import type { LogRow } from '../tables.ts';
import type { Connections, Statement } from './connections.ts';
import { limitOf, toRawRow, wholeBound } from './rows.ts';

const PERIOD_ROWS = 500;

/** Of two records the later one has the lower position only if they are less than this apart: a batch is given up before. */
const OUT_OF_ORDER_MS = 60_000;

/** The lowest position, so that nothing at or after the time lies before it. */
const FIRST_AT: Statement = {
  name: 'log_first_at',
  text: `SELECT min(position) FROM log WHERE at >= $1
    AND at < (SELECT min(at) FROM log WHERE at >= $1) + ${OUT_OF_ORDER_MS}`,
};

export function logSource(connections: Connections, said: NonNullable<LogSource['said']>): LogSource {
  const number = async (statement: Statement, values: (string | number)[]): Promise<number | undefined> => {
    const [row] = await connections.readLong<[string | null]>(statement, values);
    return row === undefined || row[0] === null ? undefined : Number(row[0]);
  };
  return {
    said,
    async page(conversation, range) {
      const { after, before, limit } = range;
      const bounds = [wholeBound(after, 'after'), wholeBound(before, 'before'), limitOf(limit)];
      const values = conversation === undefined ? bounds : [...bounds, conversation];
      return (await connections.readLong<[string, string]>(pageStatement(conversation, range), values)).map(
        toRawRow,
      );
    },
    async count(conversation, before) {
      const bound = before === undefined ? [] : [wholeBound(before, 'before')];
      const values = conversation === undefined ? bound : [...bound, conversation];
      return (await number(countStatement(conversation, before), values)) ?? 0;
    },
    nth: (conversation, offset) =>
      number(nthStatement(conversation), conversation === undefined ? [offset] : [offset, conversation]),
    byTime: {
      first: (at) => number(FIRST_AT, [at]),
      period: (query) => period(connections, query),
    },
  };
}

/** In one conversation seq and position have the same order, and the index is sorted by seq already. */
function pageStatement(conversation: string | undefined, { descending }: Required<LogRange>): Statement {
  const way = descending ? 'DESC' : 'ASC';
  const where = 'position > $1 AND position < $2';
  return conversation === undefined
    ? {
        name: `log_page_${way}`,
        text: `SELECT position, doc FROM log WHERE ${where} ORDER BY position ${way} LIMIT $3`,
      }
    : {
        name: `log_page_of_one_${way}`,
        text: `SELECT position, doc FROM log WHERE conversation = $4 AND ${where} ORDER BY seq ${way} LIMIT $3`,
      };
}

function countStatement(conversation: string | undefined, before: number | undefined): Statement {
  const conditions = [
    ...(before === undefined ? [] : ['position < $1']),
    ...(conversation === undefined ? [] : [`conversation = $${before === undefined ? 1 : 2}`]),
  ];
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  return {
    name: `log_count_${conditions.length}_${before === undefined}`,
    text: `SELECT count(*) FROM log${where}`,
  };
}

function nthStatement(conversation: string | undefined): Statement {
  return conversation === undefined
    ? { name: 'log_nth', text: 'SELECT position FROM log ORDER BY position LIMIT 1 OFFSET $1' }
    : {
        name: 'log_nth_of_one',
        text: 'SELECT position FROM log WHERE conversation = $2 ORDER BY seq LIMIT 1 OFFSET $1',
      };
}

async function* period(
  connections: Connections,
  { from, to, conversation }: { from: number; to: number; conversation?: string },
): AsyncGenerator<RawLogRow[]> {
  const of = conversation === undefined ? '' : ' AND conversation = $5';
  const statement: Statement = {
    name: `log_period${conversation === undefined ? '' : '_of_one'}`,
    text: `SELECT position, doc FROM log WHERE at >= $1 AND (at, position) < ($2, $3)${of}
      ORDER BY at DESC, position DESC LIMIT $4`,
  };
  let at = to;
  let before = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const values = [from, at, before, PERIOD_ROWS, ...(conversation === undefined ? [] : [conversation])];
    const rows = (await connections.readLong<[string, string]>(statement, values)).map(toRawRow);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PERIOD_ROWS) return;
    at = (JSON.parse(last.doc) as LogRow).at;
    before = last.position;
  }
}
