// `earshot migrate`: a store that a host has filled, copied by a process that is killed on the way.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkDecisions } from '../../src/host/check/check-decisions.ts';
import { conversationKeys, hostStateCodec } from '../../src/host/kernel/conversation.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { TABLES } from '../../src/store/columns.ts';
import { migrate } from '../../src/store/postgres/migrate.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { Store } from '../../src/store/store.ts';
import { logRow, put } from '../contract/store-rows.ts';
import { cases } from '../long.ts';
import { earshot, type Ran } from '../replay/fake-io.ts';
import { childEnv, MAIN, until } from '../server/up.ts';
import { StoreSchema } from './store-schema.ts';
import { attention, CONFIG_VERSION, play, talk, talkingHost } from './talking-host.ts';

const EVENTS = cases(3_000, 50_000);
const ROOMS = 40;
const MOVED = [...TABLES, 'state'];

let data: string;
const file = (folder = data): string => join(folder, 'earshot.db');
const folder = (): string => mkdtempSync(join(tmpdir(), 'earshot-move-'));
const openFile = (path: string): Promise<Store> =>
  openSqliteStore({ file: path, clock: systemClock, codec: hostStateCodec });

/** A small store: whole, and quick to copy. */
async function small(rows = 3): Promise<string> {
  const made = folder();
  const store = await openFile(file(made));
  for (let n = 1; n <= rows; n++) await put(store, { table: 'log', row: logRow(`m${n}`, { seq: n }) });
  await store.close();
  return made;
}

function newSchema(): StoreSchema {
  const schema = new StoreSchema();
  onTestFinished(() => schema.dispose());
  return schema;
}

const addressOf = (schema: StoreSchema): string => `${schema.url}?schema=${schema.name}`;
const move = (schema: StoreSchema, from: string, ...more: string[]): Promise<Ran> =>
  earshot(['migrate', '--to', addressOf(schema), '--data', from, ...more]);

beforeAll(async () => {
  data = folder();
  const store = await openFile(file());
  const host = await talkingHost(store);
  await play([host], talk(EVENTS, ROOMS, 1));
  await host.stop();
  await store.transact({ states: [], run: () => ({ writes: everyTable(), result: undefined }) });
  await store.close();
});

function everyTable() {
  const at = 1;
  return [
    {
      table: 'file',
      row: {
        key: 'f',
        send: '',
        eventId: 'e',
        name: 'a.bin',
        contentType: 'x/y',
        data: 'QUJD'.repeat(1_500_000),
        createdAt: at,
      },
    },
    {
      table: 'token',
      row: {
        key: 't',
        kind: 'operator',
        subject: 'o',
        scopes: [],
        label: '',
        createdAt: at,
        revokedAt: null,
      },
    },
    { table: 'pairing', row: { key: 'p', role: 'owner', expiresAt: at, usedBy: null } },
    { table: 'grant', row: { key: 'g', roles: ['owner'] } },
    { table: 'cursor', row: { key: 'ann c', seq: 4 } },
    {
      table: 'inbox',
      row: {
        key: 'i',
        kind: 'declined',
        eventId: 'e',
        agents: [],
        detail: { a: '\0' },
        createdAt: at,
        closedAt: null,
        open: 1,
      },
    },
    { table: 'audit', row: { key: 'a', at, who: 'x', what: 'y', detail: {} } },
    {
      table: 'prompt',
      row: { key: 'q', agent: 'lead', conversation: 'c', at, turnId: null, deliveries: [], text: 'ö' },
    },
  ] as const;
}

/** Everything as it is stored, without the code that is tried. */
function inSqlite(path: string): Record<string, unknown[]> {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return Object.fromEntries(
      MOVED.map((table) => [
        table,
        db
          .prepare(sql(table))
          .all()
          .map((row) => ({ ...row })),
      ]),
    );
  } finally {
    db.close();
  }
}

async function inPostgres(client: pg.Client): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const table of MOVED) {
    const { rows } = await client.query<Record<string, unknown>>(sql(table));
    found[table] = rows.map((row) => ('position' in row ? { ...row, position: Number(row.position) } : row));
  }
  return found;
}

const sql = (table: string): string =>
  table === 'state'
    ? 'SELECT key, wake_at, text FROM state ORDER BY key'
    : `SELECT position, key, doc FROM "${table}" ORDER BY position`;

describe('a copy that is killed twice on the way', () => {
  /** The copy waits in the page that makes it so many rows. */
  const GATE = 4_711;
  let schema: StoreSchema;
  let client: pg.Client;
  beforeAll(async () => {
    schema = new StoreSchema();
    client = await schema.client();
    await migrate(client, schema.name);
    await client.query(`CREATE TABLE gate (rows bigint);
      CREATE FUNCTION gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF (SELECT sum(copied) FROM copying) >= (SELECT min(rows) FROM gate) THEN
          PERFORM pg_advisory_xact_lock(${GATE});
        END IF;
        RETURN NULL;
      END $$`);
    for (const table of MOVED)
      await client.query(
        `CREATE TRIGGER gate BEFORE INSERT ON "${table}" FOR EACH STATEMENT EXECUTE FUNCTION gate()`,
      );
  });
  afterAll(() => schema.dispose());

  function start(): ChildProcess {
    const child = spawn(process.execPath, [MAIN, 'migrate', '--to', addressOf(schema), '--data', data], {
      env: childEnv(),
      stdio: 'ignore',
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  }

  async function copied(): Promise<number> {
    const { rows } = await client.query<{ copied: string }>('SELECT sum(copied) AS copied FROM copying');
    return Number(rows[0]?.copied);
  }

  /** The killed process has sent a page, and the server commits it after its death. */
  async function killedAt(rows: number): Promise<void> {
    const holder = await schema.client();
    await holder.query('SELECT pg_advisory_lock($1)', [GATE]);
    await client.query('DELETE FROM gate');
    await client.query('INSERT INTO gate VALUES ($1)', [rows]);
    const child = start();
    const ended = once(child, 'exit');
    await until(async () => {
      expect(child.exitCode).toBeNull();
      const waiting = await client.query(
        `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${GATE} AND NOT granted`,
      );
      return waiting.rows.length > 0;
    });
    child.kill('SIGKILL');
    await ended;
    expect(await copied()).toBeLessThan(rows);
    await holder.query('SELECT pg_advisory_unlock($1)', [GATE]);
  }

  it('has the same rows, states, positions and decisions in the end, and leaves the file as it was', async () => {
    const bytes = readFileSync(file());
    const expected = inSqlite(file());
    const total = Object.values(expected).reduce((sum, rows) => sum + rows.length, 0);
    expect(expected['log']?.length).toBeGreaterThanOrEqual(EVENTS);
    await killedAt(Math.floor(total / 4));
    await expect(schema.open({ codec: hostStateCodec })).rejects.toThrow('unfinished copy of a SQLite store');
    await killedAt(Math.floor(total / 2));
    const had = await copied();
    expect(had).toBeLessThan(total);
    await client.query('DROP FUNCTION gate CASCADE');

    const ran = await move(schema, data);
    expect(ran).toMatchObject({ code: 0, err: '' });
    const words = new RegExp(
      `^Copied ${total} rows with \\d+ events, (\\d+) of them in an earlier run; read back, all counts`,
    );
    expect(ran.out).toMatch(words);
    expect(Number(words.exec(ran.out)?.[1])).toBeGreaterThanOrEqual(had);
    expect(await inPostgres(client)).toEqual(expected);
    expect(readFileSync(file()).equals(bytes)).toBe(true);

    const [before, store] = [await openFile(file()), await schema.open({ codec: hostStateCodec })];
    try {
      expect(await store.check()).toEqual([]);
      const conversations = await conversationKeys(store, '', 1_000);
      expect(conversations).toHaveLength(2 * ROOMS);
      expect(
        await checkDecisions(store, conversations, { attention, configVersion: CONFIG_VERSION }),
      ).toEqual([]);
      expect((await store.search('東京', 9)).map(({ key }) => key)).toEqual(
        (await before.search('東京', 9)).map(({ key }) => key),
      );
      const last = await before.horizon();
      expect(await store.horizon()).toBeGreaterThanOrEqual(last);
      await put(store, { table: 'log', row: logRow('new', { conversation: 'new', seq: 1 }) });
      const [row] = await store.scan('log', 'byPosition', { limit: 1, descending: true });
      expect(row).toMatchObject({ key: 'new' });
      expect(row?.position).toBeGreaterThan(last);
    } finally {
      await before.close();
    }
  });

  it('is not copied a second time', async () => {
    const again = await move(schema, data);
    expect(again).toMatchObject({ code: 0, err: '' });
    expect(again.out).toContain('was copied to');
    expect(again.out).toContain('nothing was done');
  });
});

describe('earshot migrate', () => {
  it('refuses while a host has the store open, and says whose process that is', async () => {
    const store = await openFile(file());
    const ran = await move(newSchema(), data);
    await store.close();
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(
      /migrate: another Earshot is using .* \(pid \d+\): stop it first, then migrate; nothing was changed\n$/,
    );
  });

  it('refuses a schema that holds other data, and one that a host has open', async () => {
    const from = await small();
    const [used, open] = [newSchema(), newSchema()];
    const store = await used.open();
    await put(store, { table: 'log', row: logRow('a') });
    await store.close();
    const first = await move(used, from);
    expect([first.code, first.err]).toEqual([
      1,
      expect.stringMatching(/is not empty \(log has rows\): name another one/),
    ]);
    await open.open();
    const second = await move(open, from);
    expect([second.code, second.err]).toEqual([1, expect.stringContaining('a host has it open')]);
  });

  it('refuses an unfinished copy of data that has changed since, until it is told to begin anew', async () => {
    const schema = newSchema();
    const from = await small();
    const client = await schema.client();
    await migrate(client, schema.name);
    // The last table cannot be written, so the first ones are copied and the copy fails.
    await client.query('ALTER TABLE log RENAME COLUMN source_id TO gone');
    const failed = await move(schema, from);
    expect([failed.code, failed.err]).toEqual([
      1,
      expect.stringMatching(/column "source_id" .* does not exist/),
    ]);
    await client.query('ALTER TABLE log RENAME COLUMN gone TO source_id');
    const store = await openFile(file(from));
    await put(store, { table: 'log', row: logRow('later', { seq: 4 }) });
    await store.close();
    const refused = await move(schema, from);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(/unfinished copy of other data \(log\).*--anew/),
    ]);
    const ran = await move(schema, from, '--anew', '--json');
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.out)).toMatchObject({ wasThere: false, resumedRows: 0 });
    expect(await inPostgres(client)).toEqual(inSqlite(file(from)));
  });

  it('does not count a copy that differs from the file', async () => {
    const schema = newSchema();
    const client = await schema.client();
    await migrate(client, schema.name);
    await client.query(`CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.doc := replace(NEW.doc, 'm2', 'm3'); RETURN NEW; END $$;
      CREATE TRIGGER spoil BEFORE INSERT ON log FOR EACH ROW EXECUTE FUNCTION spoil()`);
    const from = await small();
    const ran = await move(schema, from);
    expect([ran.code, ran.err]).toEqual([
      1,
      expect.stringMatching(/the copy differs from the file in log, so it does not count/),
    ]);
    await expect(schema.open()).rejects.toThrow('unfinished copy');
    await client.query('DROP TRIGGER spoil ON log');
    expect(await move(schema, from, '--anew')).toMatchObject({ code: 0 });
  });

  it('says in one line why a database cannot be used, without its password', async () => {
    const from = await small();
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    silent.close();
    const server = newSchema().url;
    for (const [to, words] of [
      [
        `postgres://me:secret@127.0.0.1:${port}/x`,
        /me@127\.0\.0\.1:\d+\/x cannot be reached \(.*ECONNREFUSED/,
      ],
      [server.replace(/\/postgres$/, '/nowhere'), /there is no such database: make it first/],
      [`${server}?schema=No%20Name`, /"No Name" cannot be the name of a schema/],
      ['mysql://me:secret@x/y', /"mysql:\/\/me@x\/y" is no address; write postgres:/],
    ] as const) {
      const ran = await earshot(['migrate', '--to', to, '--data', from]);
      expect([ran.code, ran.err]).toEqual([1, expect.stringMatching(words)]);
      expect(ran.err).toMatch(/^earshot: migrate: [^\n]+; nothing was changed\n$/);
      expect(ran.err).not.toContain('secret');
    }
  });

  it('says what is wrong with the folder or the file', async () => {
    const schema = newSchema();
    const empty = await move(schema, folder());
    expect([empty.code, empty.err]).toEqual([1, expect.stringContaining('there is no data in')]);
    const older = folder();
    copyFileSync(file(await small()), file(older));
    const db = new DatabaseSync(file(older));
    db.exec('PRAGMA user_version = 2');
    db.close();
    const old = await move(schema, older);
    expect([old.code, old.err]).toEqual([
      1,
      expect.stringMatching(/of an older Earshot \(schema 2\): start this one on it once/),
    ]);
    const long = await small(0);
    const store = await openFile(file(long));
    await put(store, { table: 'log', row: logRow('k'.repeat(3_000)) });
    await store.close();
    const tooLong = await move(schema, long);
    expect([tooLong.code, tooLong.err]).toEqual([
      1,
      expect.stringMatching(
        /log "k+" cannot be stored in PostgreSQL: keys of \d+ bytes are too long.*nothing was changed/,
      ),
    ]);
    const none = await earshot(['migrate', '--data', data]);
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('say where to with --to')]);
  });
});
