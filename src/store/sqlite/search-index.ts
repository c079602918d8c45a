// Full-text search in a file of its own beside the store. The worker fills it from the log. Folding and an FTS5 insert
// take about 14 µs a message, a third of a whole unit (measured); here they cost the writer nothing, and the index can
// always be rebuilt. It follows the log by position. `log_change` names rows that were scrubbed or removed; their words
// are really erased (secure-delete). A search catches up first, so it sees everything that is committed.
import { rmSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { aTurn } from '../../runtime/schedule.ts';
import type { LogRange } from '../log-reader.ts';
import type { RawFound } from '../log-reads.ts';
import { containsRuns, foldWords, ftsQuery, searchableText, soughtRuns } from '../search-words.ts';
import type { LogRow } from '../tables.ts';
import type { RawRow } from './rows.ts';

const ROWS_A_STEP = 500;
/** Other requests wait for the end of a step. So many characters take about a tenth of a second. */
const CHARS_A_STEP = 1_048_576;
const SEARCH_VERSION = 1;

const SCHEMA = `
  DROP TABLE IF EXISTS said; DROP TABLE IF EXISTS progress;
  CREATE VIRTUAL TABLE said USING fts5(words, tokenize = 'ascii');
  INSERT INTO said (said, rank) VALUES ('secure-delete', 1);
  CREATE TABLE progress (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
  INSERT INTO progress VALUES ('position', 0), ('change', 0);
  PRAGMA user_version = ${SEARCH_VERSION};`;

export class SearchIndex {
  readonly #db: DatabaseSync;
  readonly #log: Record<'after' | 'at' | 'changes' | 'last', StatementSync>;
  readonly #put: StatementSync;
  readonly #remove: StatementSync;
  readonly #find: StatementSync;
  readonly #pages: Record<'up' | 'down', StatementSync>;
  readonly #reached: StatementSync;
  readonly #reach: StatementSync;

  constructor(file: string, store: DatabaseSync) {
    this.#db = openIndex(`${file}-search`);
    this.#log = {
      after: store.prepare('SELECT position, doc FROM log WHERE position > ? ORDER BY position LIMIT ?'),
      at: store.prepare('SELECT position, doc FROM log WHERE position = ?'),
      changes: store.prepare('SELECT id, position FROM log_change WHERE id > ? ORDER BY id LIMIT ?'),
      // The last position, of removed rows too (`meta`). An index beyond it belongs to another store, for instance to
      // the one before a backup was restored.
      last: store.prepare(
        `SELECT max(coalesce((SELECT max(position) FROM log), 0),
                    coalesce((SELECT value FROM meta WHERE name = 'position'), 0)) AS last`,
      ),
    };
    this.#put = this.#db.prepare('INSERT INTO said (rowid, words) VALUES (?, ?)');
    this.#remove = this.#db.prepare('DELETE FROM said WHERE rowid = ?');
    this.#find = this.#db.prepare('SELECT rowid FROM said WHERE said MATCH ? ORDER BY rowid DESC LIMIT ?');
    const page = 'SELECT rowid FROM said WHERE said MATCH ? AND rowid > ? AND rowid < ? ORDER BY rowid';
    this.#pages = {
      up: this.#db.prepare(`${page} ASC LIMIT ?`),
      down: this.#db.prepare(`${page} DESC LIMIT ?`),
    };
    this.#reached = this.#db.prepare('SELECT value FROM progress WHERE name = ?');
    this.#reach = this.#db.prepare('UPDATE progress SET value = ? WHERE name = ?');
  }

  async search(words: string, limit: number): Promise<RawRow[]> {
    const runs = soughtRuns(words);
    if (runs.length === 0 || limit <= 0) return [];
    await this.catchUp();
    return this.#find
      .all(ftsQuery(runs), limit)
      .map(({ rowid }) => this.#log.at.get(rowid as number) as RawRow | undefined)
      .filter((row) => row !== undefined)
      .filter(({ doc }) => containsRuns(wordsOf(doc), runs));
  }

  /** The same between two positions, in either direction. `reached` is set when there may be more beyond it. */
  async page(words: string, range: Required<LogRange>): Promise<RawFound> {
    const runs = soughtRuns(words);
    if (runs.length === 0) return { rows: [] };
    await this.catchUp();
    const { after, before, limit, descending } = range;
    const found = this.#pages[descending ? 'down' : 'up'].all(ftsQuery(runs), after, before, limit);
    const rows = found
      .map(({ rowid }) => this.#log.at.get(rowid as number) as RawRow | undefined)
      .filter((row) => row !== undefined)
      .filter(({ doc }) => containsRuns(wordsOf(doc), runs));
    const last = found.at(-1)?.rowid;
    return last === undefined || found.length < limit ? { rows } : { rows, reached: Number(last) };
  }

  /** Returns the last entry of `log_change` that it has applied. Other requests run between two steps. */
  async catchUp(): Promise<number> {
    if (Number(this.#log.last.get()?.last ?? 0) < this.#mark('position')) this.#db.exec(SCHEMA);
    while (this.#step('change', () => this.#nextChanges())) await aTurn();
    while (this.#step('position', () => this.#nextRows())) await aTurn();
    return this.#mark('change');
  }

  close(): void {
    this.#db.close();
  }

  #step(name: 'position' | 'change', next: () => number | undefined): boolean {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const reached = next();
      if (reached !== undefined) this.#reach.run(reached, name);
      this.#db.exec('COMMIT');
      return reached !== undefined;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  #nextRows(): number | undefined {
    let last: number | undefined;
    let chars = 0;
    for (const row of this.#log.after.iterate(this.#mark('position'), ROWS_A_STEP)) {
      const { position, doc } = row as unknown as RawRow;
      this.#index({ position, doc });
      last = position;
      chars += doc.length;
      if (chars >= CHARS_A_STEP) break;
    }
    return last;
  }

  #nextChanges(): number | undefined {
    const changes = this.#log.changes.all(this.#mark('change'), ROWS_A_STEP);
    const indexed = this.#mark('position');
    for (const { position } of changes) {
      // A row beyond it will be read later, in its newest form.
      if (Number(position) > indexed) continue;
      this.#remove.run(Number(position));
      const row = this.#log.at.get(Number(position)) as RawRow | undefined;
      if (row !== undefined) this.#index(row);
    }
    const last = changes.at(-1)?.id;
    return last === undefined ? undefined : Number(last);
  }

  #index({ position, doc }: RawRow): void {
    const words = wordsOf(doc);
    if (words.length > 0) this.#put.run(position, words.join(' '));
  }

  #mark(name: 'position' | 'change'): number {
    return Number(this.#reached.get(name)?.value ?? 0);
  }
}

function wordsOf(doc: string): string[] {
  return foldWords(searchableText(JSON.parse(doc) as LogRow) ?? '');
}

export function removeIndex(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}-search${suffix}`, { force: true });
}

/** The index can be rebuilt, so it is not synced. A damaged or older one is rebuilt too. */
function openIndex(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 5_000 });
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON;');
  if (Number(db.prepare('PRAGMA user_version').get()?.user_version) !== SEARCH_VERSION) db.exec(SCHEMA);
  return db;
}
