// Reads states: by key, by when a tick is due, and by prefix. A state that this node knows in its newest version is not
// sent and not decoded again. Keys that are wanted at the same time are asked for together: a host with thousands of busy
// conversations wants one for nearly every delivery.
import { nextTurn } from '../../runtime/schedule.ts';
import { StateCache } from '../state-cache.ts';
import { binaryArray } from './arrays.ts';
import type { Connections, Statement } from './connections.ts';
import type { Known } from './known.ts';
import { limitOf } from './rows.ts';

const GET: Statement = {
  name: 'states_get',
  text: `SELECT i.ord, t.version, CASE WHEN t.version <> i.version THEN t.text END
    FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS i(key, version, ord) JOIN state AS t ON t.key = i.key`,
};
const DUE: Statement = {
  name: 'state_due',
  text: 'SELECT key, wake_at FROM state WHERE wake_at <= $1 ORDER BY wake_at, key LIMIT $2',
};
const KEYS: Statement = {
  name: 'state_keys',
  text: 'SELECT key FROM state WHERE key > $1 AND key >= $2 AND key < $3 ORDER BY key LIMIT $4',
};
const TEXTS: Statement = {
  name: 'state_texts',
  text: 'SELECT key, text FROM state WHERE key > $1 ORDER BY key LIMIT $2',
};
/** Sorts after every character a key can hold. */
const AFTER_ALL = '\u{10FFFF}';

export type ReadText = (key: string, text: string) => Promise<unknown>;

interface ReadState {
  value: unknown;
  version: number;
}

type Found = [ord: string, version: string, text: string | null];
interface Wanted {
  key: string;
  version: number;
  resolve: (found: Found | undefined) => void;
  reject: (error: unknown) => void;
}
const KEYS_A_TRIP = 500;

/** What units have loaded is looked at first. These are states that only readers want. */
const READ_MAX = 1_000;

export class StateReader {
  readonly #connections: Connections;
  readonly #known: Known;
  readonly #read = new StateCache<ReadState>(READ_MAX);
  #wanted: Wanted[] = [];
  #isAsking = false;

  constructor(connections: Connections, known: Known) {
    this.#connections = connections;
    this.#known = known;
  }

  async get(key: string, read: ReadText): Promise<unknown> {
    // No key has one, and PostgreSQL would refuse the keys of all the others too.
    if (key.includes('\0')) return undefined;
    const seen = this.#known.state(key) ?? this.#read.get(key);
    const row = await this.#ask(key, seen?.version ?? -1);
    if (row === undefined) return undefined;
    const [, version, text] = row;
    if (text === null) return seen?.value;
    const value = await read(key, text);
    this.#read.set(key, { value, version: Number(version) });
    return value;
  }

  /** The first goes with all others of its turn. The next collect while that trip is under way. */
  #ask(key: string, version: number): Promise<Found | undefined> {
    return new Promise((resolve, reject) => {
      this.#wanted.push({ key, version, resolve, reject });
      if (this.#isAsking) return;
      this.#isAsking = true;
      nextTurn(() => void this.#askAll());
    });
  }

  async #askAll(): Promise<void> {
    while (this.#wanted.length > 0) await this.#askFor(this.#wanted.splice(0, KEYS_A_TRIP));
    this.#isAsking = false;
  }

  async #askFor(wanted: readonly Wanted[]): Promise<void> {
    const keys = wanted.map(({ key }) => key);
    const versions = wanted.map(({ version }) => version);
    try {
      const values = [binaryArray('text', keys), binaryArray('bigint', versions)];
      const rows = await this.#connections.read<Found>(GET, values);
      const found = new Map(rows.map((row) => [Number(row[0]), row]));
      for (const [at, { resolve }] of wanted.entries()) resolve(found.get(at + 1));
    } catch (error) {
      for (const { reject } of wanted) reject(error);
    }
  }

  async due(until: number, limit: number): Promise<{ key: string; wakeAt: number }[]> {
    const rows = await this.#connections.read<[string, number]>(DUE, [until, limitOf(limit)]);
    return rows.map(([key, wakeAt]) => ({ key, wakeAt }));
  }

  async keys(prefix: string, after: string, limit: number): Promise<string[]> {
    const values = [after, prefix, prefix + AFTER_ALL, limitOf(limit)];
    return (await this.#connections.read<[string]>(KEYS, values)).map(([key]) => key);
  }

  texts(after: string, limit: number): Promise<[key: string, text: string][]> {
    return this.#connections.readLong<[string, string]>(TEXTS, [after, limit]);
  }
}
