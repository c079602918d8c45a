// The connections of one node: one that writes, one for short reads, one for long ones, one for what nodes tell each other.
// No more than these four. Statements are pipelined, so a
// connection serves many readers at once. A read that loses its connection is asked again on a new one. What the writing connection has lost
// is the backend's to find out, so it is only connected again here.
import type { Client, ClientConfig } from 'pg';
import { systemClock } from '../../runtime/clock.ts';
import { faultOf, unavailable } from './errors.ts';

/** Prepared once for each connection. */
export interface Statement {
  name: string;
  text: string;
}

export type Values = readonly (string | number | Buffer | null)[];

export interface ConnectionOptions {
  url: string;
  schema: string;
  /** How long callers wait for a database that cannot be reached. */
  patienceMs: number;
  connect: (config: ClientConfig) => Client;
}

const CONNECT_MS = 5_000;
/** A statement without an answer for so long has lost its connection, for instance to a machine that is gone. */
const ANSWER_MS = 15_000;
/** For statements that look at every row. A million of them take seconds. */
export const WHOLE_TABLE_MS = 600_000;
const RETRY_MS = { first: 20, most: 500 };

/**
 * No lock is waited for longer than this, and no transaction is left open for longer by a node that was stopped. The plans
 * are those for a few keys of a large table: other plans were chosen while a table was small, and kept.
 */
const WRITER_SETTINGS = {
  lock_timeout: 200,
  idle_in_transaction_session_timeout: 2_000,
  transaction_timeout: 5_000,
  plan_cache_mode: 'force_generic_plan',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_seqscan: 'off',
  jit: 'off',
};
const READER_SETTINGS = { jit: 'off' };
/** A beat that has to wait is left to the next. */
const SIGNAL_SETTINGS = { jit: 'off', lock_timeout: 200, transaction_timeout: 5_000 };
type Reader = 'short' | 'long' | 'signal';

/** Not among the startup parameters: poolers refuse those that they do not know. */
const SET = 'SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS s(name, value)';

export class Connections {
  readonly #options: ConnectionOptions;
  #writer: Client | undefined;
  readonly #readers: Partial<Record<Reader, Promise<Client> | undefined>> = {};
  #heard: ((text: string) => void) | undefined;
  #closed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** A connection without limits of time, for migrations. The caller ends it. */
  plain(): Promise<Client> {
    return this.#patiently(this.#options.patienceMs, () => this.#connect({}));
  }

  /** The writing connection ends, with all that it was doing, and another one begins. */
  async renewWriter(): Promise<void> {
    this.dropWriter();
    this.#writer = await this.#connect(WRITER_SETTINGS);
  }

  dropWriter(): void {
    discard(this.#writer);
    this.#writer = undefined;
  }

  get hasWriter(): boolean {
    return this.#writer !== undefined;
  }

  async write<Row extends unknown[]>(statement: Statement | string, values: Values = []): Promise<Row[]> {
    if (this.#writer === undefined) throw new Error('the connection is lost');
    return ask<Row>(this.#writer, statement, values);
  }

  /** Short reads share a connection, so they are answered in the order in which they were asked. */
  read<Row extends unknown[]>(
    statement: Statement | string,
    values: Values = [],
    patienceMs = this.#options.patienceMs,
  ): Promise<Row[]> {
    return this.#read('short', statement, values, patienceMs);
  }

  /** Reads that may take a while: pages of the log, search, checks. Nobody who wants a row waits behind them. */
  readLong<Row extends unknown[]>(
    statement: Statement | string,
    values: Values = [],
    answerMs = ANSWER_MS,
  ): Promise<Row[]> {
    return this.#read('long', statement, values, this.#options.patienceMs, answerMs);
  }

  /** What nodes tell each other is heard from the next signal on. */
  hear(heard: (text: string) => void): void {
    this.#heard = heard;
  }

  /** Asks once, on the connection that also listens. A connection that is lost begins anew with the next signal. */
  signal<Row extends unknown[]>(statement: Statement, values: Values): Promise<Row[]> {
    return this.#read('signal', statement, values, 0);
  }

  /** The channel of this schema's nodes. */
  get channel(): string {
    return `earshot_${this.#options.schema}`;
  }

  #read<Row extends unknown[]>(
    which: Reader,
    statement: Statement | string,
    values: Values,
    patienceMs: number,
    answerMs = ANSWER_MS,
  ): Promise<Row[]> {
    return this.#patiently(patienceMs, async () => {
      const reader = (this.#readers[which] ??=
        which === 'signal' ? this.#listening() : this.#connect(READER_SETTINGS));
      let client: Client | undefined;
      try {
        client = await reader;
        return await ask<Row>(client, statement, values, answerMs);
      } catch (error) {
        const isLost = client === undefined || faultOf(error) === 'lost';
        if (isLost && this.#readers[which] === reader) {
          this.#readers[which] = undefined;
          discard(client);
        }
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const readers = Object.values(this.#readers).map((reader) => reader?.then((client) => client.end()));
    await Promise.allSettled([this.#writer?.end(), ...readers]);
  }

  /** Tries again while the connection is lost, as long as callers are to wait. */
  async #patiently<R>(patienceMs: number, attempt: () => Promise<R>): Promise<R> {
    const pause = new Pause(patienceMs);
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (faultOf(error) !== 'lost' || this.#closed) throw error;
        if (!(await pause.next())) throw unavailable('the database cannot be reached', error);
      }
    }
  }

  async #listening(): Promise<Client> {
    const client = await this.#connect(SIGNAL_SETTINGS);
    client.on('notification', ({ payload }) => this.#heard?.(payload ?? ''));
    await client.query(`LISTEN ${this.channel}`);
    return client;
  }

  async #connect(settings: Readonly<Record<string, string | number>>): Promise<Client> {
    const { url, schema, connect } = this.#options;
    const client = connect({
      connectionString: url,
      pipeline: true,
      application_name: `earshot ${schema}`,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
    });
    // Statements under way hear of it themselves.
    client.on('error', () => undefined);
    await client.connect();
    try {
      const set = { search_path: schema, ...settings };
      await client.query(SET, [Object.keys(set), Object.values(set).map(String)]);
    } catch (error) {
      discard(client);
      throw error;
    }
    return client;
  }
}

/** Waits longer each time, up to a limit in all. */
export class Pause {
  readonly #until: number;
  #ms = RETRY_MS.first;

  constructor(patienceMs: number) {
    this.#until = (systemClock.elapsed?.() ?? 0) + patienceMs;
  }

  /** False: it has taken too long. */
  async next(): Promise<boolean> {
    if ((systemClock.elapsed?.() ?? 0) >= this.#until) return false;
    await pauseFor(this.#ms);
    this.#ms = Math.min(RETRY_MS.most, this.#ms * 2);
    return true;
  }
}

export function pauseFor(ms: number): Promise<void> {
  return new Promise((resolve) => void systemClock.after(ms, resolve));
}

async function ask<Row extends unknown[]>(
  client: Client,
  statement: Statement | string,
  values: Values,
  answerMs = ANSWER_MS,
): Promise<Row[]> {
  const named = typeof statement === 'string' ? { text: statement } : statement;
  const query = { ...named, values: [...values], rowMode: 'array' as const, query_timeout: answerMs };
  const { rows } = await client.query<Row>(query);
  return rows;
}

function discard(client: Client | undefined): void {
  client?.end().catch(() => undefined);
}
