// Brings states and rows from the database to what the node knows, with their versions. All of it goes over the writing
// connection, in one trip: the statements are sent together.
import type { AnyRow, Changes } from '../batch.ts';
import type { RowRef, StateCodec } from '../store.ts';
import type { TableName } from '../tables.ts';
import { binaryArray } from './arrays.ts';
import type { Connections, Statement } from './connections.ts';
import type { Foreign } from './foreign.ts';
import type { Known } from './known.ts';
import { readStoredState } from './rebuild.ts';
import type { RowReader } from './rows.ts';

export interface LoaderOptions {
  connections: Connections;
  known: Known;
  rows: RowReader;
  codec: StateCodec;
  foreign: Foreign;
  log: (line: string) => void;
}

/** Entries that have another version than the node knows; -1 for one that it does not know. */
const NEWER_STATES: Statement = {
  name: 'newer_states',
  text: `SELECT i.key, coalesce(t.version, 0), t.wake_at, t.text
    FROM unnest($1::text[], $2::bigint[]) AS i(key, version) LEFT JOIN state AS t ON t.key = i.key
    WHERE coalesce(t.version, 0) <> i.version`,
};

function newerRows(table: TableName): Statement {
  return {
    name: `newer_${table}`,
    text: `SELECT i.key, coalesce(t.version, 0), t.doc
      FROM unnest($1::text[], $2::bigint[]) AS i(key, version) LEFT JOIN "${table}" AS t ON t.key = i.key
      WHERE coalesce(t.version, 0) <> i.version`,
  };
}

const UNKNOWN = -1;

export type NewerState = [key: string, version: string, wakeAt: number | null, text: string | null];

export class Loader {
  readonly #options: LoaderOptions;

  constructor(options: LoaderOptions) {
    this.#options = options;
  }

  /** Afterwards all of these are known as they are now. */
  async load(states: readonly string[], rows: readonly RowRef[]): Promise<void> {
    const byTable = Map.groupBy(rows, ([table]) => table);
    const loading = [...byTable].map(([table, refs]) => this.#loadRows(table, refs));
    await Promise.all([this.#loadStates(states), ...loading]);
  }

  /** After a conflict: everything that the batch looked at or wrote. */
  refresh(changes: Changes): Promise<void> {
    const looked = changes.onlyRead();
    const written = changes.rows.map(({ table, key }): RowRef => [table, key]);
    return this.load(
      [...changes.states.map(({ key }) => key), ...looked.states],
      [...written, ...looked.rows],
    );
  }

  async take([key, version, wakeAt, text]: NewerState): Promise<void> {
    const { known, codec, rows, foreign, log } = this.#options;
    foreign.arrived(key, Number(version), known.state(key) !== undefined);
    if (text === null) {
      known.setState(key);
      return;
    }
    const seen = { wakeAt, version: Number(version) };
    try {
      known.setState(key, { ...seen, value: await readStoredState(codec, key, text, rows, log) });
    } catch (error) {
      const why = error instanceof Error ? error : new Error(String(error));
      known.setState(key, { ...seen, value: undefined, error: why });
    }
  }

  async #loadStates(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const { connections, known } = this.#options;
    const versions = keys.map((key) => known.state(key)?.version ?? UNKNOWN);
    const found = await connections.write<NewerState>(NEWER_STATES, [
      binaryArray('text', keys),
      binaryArray('bigint', versions),
    ]);
    for (const state of found) await this.take(state);
  }

  async #loadRows(table: TableName, refs: readonly RowRef[]): Promise<void> {
    const { connections, known } = this.#options;
    const keys = [...new Set(refs.map(([, key]) => key))];
    const versions = keys.map((key) => known.row([table, key])?.version ?? UNKNOWN);
    const found = await connections.write<[key: string, version: string, doc: string | null]>(
      newerRows(table),
      [binaryArray('text', keys), binaryArray('bigint', versions)],
    );
    for (const [key, version, doc] of found) {
      const row = doc === null ? undefined : (Object.freeze(JSON.parse(doc)) as AnyRow);
      known.setRow([table, key], { row, version: Number(version) });
    }
  }
}
