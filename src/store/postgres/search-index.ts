// Full-text search in the table `said`: the words of every message, in the form of search-words.ts. The index follows the
// log up to the horizon; `log_change` names rows that were scrubbed or removed. A search catches up first. Any node may
// do it: each step is one statement that only counts if nobody else was faster (`said_up_to`). A row that was changed after
// a node had read it is named in `log_change`, and so put right by a later step.
import type { LogRange } from '../log-reader.ts';
import type { RawFound } from '../log-reads.ts';
import { containsRuns, foldWords, isBeginning, searchableText, soughtRuns } from '../search-words.ts';
import type { LogRow } from '../tables.ts';
import { binaryArray } from './arrays.ts';
import type { Connections, Statement } from './connections.ts';
import { readHorizon } from './horizon.ts';
import { limitOf, type RawRow, toRawRow, wholeBound } from './rows.ts';

const ROWS_A_STEP = 500;
/** Longer words are cut: PostgreSQL takes 2,046 bytes. What is found is compared whole. */
const WORD_CHARS_MAX = 500;

const UP_TO: Statement = { name: 'said_up_to', text: 'SELECT position, changes FROM said_up_to' };
const NEXT_ROWS: Statement = {
  name: 'said_next',
  text: 'SELECT position, doc FROM log WHERE position > $1 AND position <= $2 ORDER BY position LIMIT $3',
};
const ROWS_AT: Statement = {
  name: 'said_at',
  text: 'SELECT position, doc FROM log WHERE position = ANY ($1)',
};
const CHANGES: Statement = {
  name: 'said_changes',
  text: 'SELECT id, position FROM log_change ORDER BY id LIMIT $1',
};
const PUT = `INSERT INTO said (position, words)
  SELECT i.position, array_to_tsvector(string_to_array(i.words, ' '))
  FROM unnest($1::bigint[], $2::text[]) AS i(position, words) WHERE EXISTS (SELECT FROM moved)
  ON CONFLICT (position) DO UPDATE SET words = excluded.words`;
const ADD: Statement = {
  name: 'said_add',
  text: `WITH moved AS (UPDATE said_up_to SET position = $3 WHERE position = $4 AND changes = $5 RETURNING 1) ${PUT}`,
};
const CHANGE: Statement = {
  name: 'said_change',
  text: `WITH moved AS (UPDATE said_up_to SET changes = changes + 1 WHERE changes = $3 RETURNING 1),
    done AS (DELETE FROM log_change WHERE id = ANY ($4) AND EXISTS (SELECT FROM moved)),
    gone AS (DELETE FROM said WHERE position = ANY ($5) AND EXISTS (SELECT FROM moved)) ${PUT}`,
};

function pageStatement(descending: boolean): Statement {
  const way = descending ? 'DESC' : 'ASC';
  return {
    name: `said_page_${way}`,
    text: `SELECT l.position, l.doc FROM said AS s JOIN log AS l ON l.position = s.position
      WHERE s.words @@ $1::tsquery AND s.position > $2 AND s.position < $3 ORDER BY s.position ${way} LIMIT $4`,
  };
}

export class SearchIndex {
  readonly #connections: Connections;
  readonly #log: (line: string) => void;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(connections: Connections, log: (line: string) => void) {
    this.#connections = connections;
    this.#log = log;
  }

  async search(words: string, limit: number): Promise<RawRow[]> {
    const found: RawRow[] = [];
    let before = Number.MAX_SAFE_INTEGER;
    while (found.length < limit) {
      const range = { after: -1, before, limit: Math.max(limit, ROWS_A_STEP), descending: true };
      const { rows, reached } = await this.page(words, range);
      found.push(...rows);
      if (reached === undefined) break;
      before = reached;
    }
    return found.slice(0, Math.max(0, limit));
  }

  /** `reached` is set when there may be more beyond it. */
  async page(words: string, { after, before, limit, descending }: Required<LogRange>): Promise<RawFound> {
    const runs = soughtRuns(words);
    if (runs.length === 0 || limit <= 0) return { rows: [] };
    await this.catchUp();
    const values = [tsQuery(runs), wholeBound(after, 'after'), wholeBound(before, 'before'), limitOf(limit)];
    const found = await this.#connections.readLong<[string, string]>(pageStatement(descending), values);
    const raw = found.map(toRawRow);
    const rows = raw.filter(({ doc }) => containsRuns(wordsOf(doc), runs));
    const last = raw.at(-1);
    return last === undefined || raw.length < limit ? { rows } : { rows, reached: last.position };
  }

  /** Something was scrubbed: nobody waits for the index, but it follows soon. */
  follow(): void {
    this.catchUp().catch((error: unknown) => {
      if (!this.#closed) this.#log(`the search index is behind, will try again: ${String(error)}`);
    });
  }

  /** Starts nothing more. Resolves when nothing runs. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running?.catch(() => undefined);
  }

  async catchUp(): Promise<void> {
    // What runs already may have looked too early.
    if (this.#running !== undefined) await this.#running.catch(() => undefined);
    if (this.#closed) return;
    this.#running ??= this.#catchUp().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  async #catchUp(): Promise<void> {
    while (await this.#nextChanges());
    while (await this.#nextRows());
  }

  async #upTo(): Promise<[position: number, changes: number]> {
    const [row] = await this.#connections.readLong<[string, string]>(UP_TO);
    return [Number(row?.[0] ?? 0), Number(row?.[1] ?? 0)];
  }

  async #nextRows(): Promise<boolean> {
    const [position, changes] = await this.#upTo();
    const values = [position, await readHorizon(this.#connections), ROWS_A_STEP];
    const rows = (await this.#connections.readLong<[string, string]>(NEXT_ROWS, values)).map(toRawRow);
    const last = rows.at(-1);
    if (last === undefined) return false;
    await this.#connections.readLong(ADD, [...entries(rows), last.position, position, changes]);
    return true;
  }

  async #nextChanges(): Promise<boolean> {
    const [, changes] = await this.#upTo();
    const found = await this.#connections.readLong<[string, string]>(CHANGES, [ROWS_A_STEP]);
    if (found.length === 0) return false;
    const ids = found.map(([id]) => Number(id));
    const positions = [...new Set(found.map(([, position]) => Number(position)))];
    const at = await this.#connections.readLong<[string, string]>(ROWS_AT, [
      binaryArray('bigint', positions),
    ]);
    const rows = at.map(toRawRow).filter(({ doc }) => wordsOf(doc).length > 0);
    const there = new Set(rows.map(({ position }) => position));
    const gone = positions.filter((position) => !there.has(position));
    await this.#connections.readLong(CHANGE, [
      ...entries(rows),
      changes,
      binaryArray('bigint', ids),
      binaryArray('bigint', gone),
    ]);
    return true;
  }
}

/** All words. The last one may be the beginning of a longer one. What is found is compared with the runs. */
function tsQuery(runs: readonly (readonly string[])[]): string {
  const words = runs.flat();
  const last = words.pop() ?? '';
  const end = isBeginning(runs.at(-1) ?? []) ? ':*' : '';
  const [cut = ''] = lexemes([last]);
  return [...lexemes(words).map((word) => `'${word}'`), `'${cut}'${end}`].join(' & ');
}

/** Positions and words of the rows that have any. */
function entries(rows: readonly RawRow[]): [Buffer, Buffer] {
  const said = rows.flatMap(({ position, doc }) => {
    const words = lexemes(wordsOf(doc));
    return words.length === 0 ? [] : [{ position, words: words.join(' ') }];
  });
  return [
    binaryArray(
      'bigint',
      said.map(({ position }) => position),
    ),
    binaryArray(
      'text',
      said.map(({ words }) => words),
    ),
  ];
}

function lexemes(words: readonly string[]): string[] {
  return [...new Set(words.map((word) => word.slice(0, WORD_CHARS_MAX)))];
}

function wordsOf(doc: string): string[] {
  return foldWords(searchableText(JSON.parse(doc) as LogRow) ?? '');
}
