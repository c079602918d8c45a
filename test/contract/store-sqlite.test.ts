// What only a file can do: be held, damaged, full, from the future, copied; and fail in COMMIT or in its sync.
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { indexedFields, TABLES } from '../../src/store/columns.ts';
import { connectWriter } from '../../src/store/sqlite/connect.ts';
import { Checkpoints } from '../../src/store/sqlite/checkpoints.ts';
import { MIGRATIONS, migrate } from '../../src/store/sqlite/migrate.ts';
import { openSqliteStore, type SqliteOptions } from '../../src/store/sqlite/open.ts';
import { inConversationSql } from '../../src/store/sqlite/in-conversation.ts';
import { isInConversation, scanSql } from '../../src/store/sqlite/rows.ts';
import type { SqliteParts } from '../../src/store/sqlite/sqlite-store.ts';
import type { ScanRange, Store, Write } from '../../src/store/store.ts';
import { INDEXES } from '../../src/store/tables.ts';
import { codec, counting, deliveryRow, keysOf, logRow, put } from './store-rows.ts';

let folder: string;
let file: string;
const opened: Store[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-sqlite-'));
  file = join(folder, 'store.db');
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
  rmSync(folder, { recursive: true });
});

async function open(over: Partial<SqliteOptions> = {}): Promise<Store> {
  const store = await openSqliteStore({ file, clock: systemClock, codec, ...over });
  opened.push(store);
  return store;
}

/** Runs `before`, then COMMIT itself unless it throws, then `after`. */
function withCommit(parts: SqliteParts, before: () => void, after: () => void): SqliteParts {
  const db = new Proxy(parts.db, {
    get(target, name) {
      if (name === 'prepare') {
        return (sql: string) => {
          const statement = target.prepare(sql);
          if (sql !== 'COMMIT') return statement;
          const run = () => {
            before();
            statement.run();
            after();
          };
          return { run };
        };
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { ...parts, db };
}

describe('a file', () => {
  it('is held by one Earshot in this process', async () => {
    await open();
    await expect(open()).rejects.toThrow(`another Earshot is using ${file} (pid ${process.pid})`);
  });

  it('is held by one Earshot on this machine, and free again once that one is gone', async () => {
    const store = await open();
    const opening = `import { openSqliteStore } from ${JSON.stringify(import.meta.resolve('../../src/store/sqlite/open.ts'))};
      try { const s = await openSqliteStore({ file: process.argv[1], clock: { now: () => 1 }, codec: {} });
        await s.close(); console.log('opened'); } catch (error) { console.log(error.message); }`;
    const other = async () => {
      const run = promisify(execFile);
      return (await run(process.execPath, ['--input-type=module', '-e', opening, file])).stdout.trim();
    };
    expect(await other()).toBe(`another Earshot is using ${file} (pid ${process.pid})`);
    await store.close();
    expect(await other()).toBe('opened');
  });

  it.each([
    ['without its first sector', (lock: Buffer) => lock.fill(0, 0, 512)],
    ['with other bytes in its place', (lock: Buffer) => lock.fill('x')],
    ['cut after a half', (lock: Buffer) => lock.subarray(0, lock.length / 2)],
    ['of zeros', (lock: Buffer) => lock.fill(0)],
  ])('opens beside a lock %s, as a power cut may leave it, and is held again', async (_, damaged) => {
    await (await open()).close();
    writeFileSync(`${file}-lock`, damaged(readFileSync(`${file}-lock`)));
    expect(await (await open()).transact(counting('n'))).toBe(1);
    await expect(open()).rejects.toThrow(`another Earshot is using ${file} (pid ${process.pid})`);
  });

  it('of a newer schema is refused and left alone', async () => {
    await (await open()).close();
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 99');
    db.close();
    await expect(open()).rejects.toThrow(
      `${file} has schema 99, this Earshot knows up to ${MIGRATIONS.length}`,
    );
  });

  it('takes the migrations it has not had, each whole or not at all', () => {
    const db = connectWriter(file);
    migrate(db, file, ['CREATE TABLE one (a)']);
    const broken = ['CREATE TABLE one (a)', 'CREATE TABLE two (a)', 'CREATE TABLE three (a); nonsense'];
    expect(() => migrate(db, file, broken)).toThrow();
    expect(db.prepare('PRAGMA user_version').get()?.user_version).toBe(2);
    expect(db.prepare('SELECT name FROM sqlite_schema').all()).toHaveLength(2);
    db.close();
  });

  it.each([
    ['is no database', () => writeFileSync(file, 'x'.repeat(5_000)), 'is not an Earshot store'],
    ['cannot be opened', () => rmSync(folder, { recursive: true }), 'cannot be opened'],
  ])('that %s is refused in one line', async (_, spoil, words) => {
    spoil();
    const error = await open().catch((reason: unknown) => reason as Error);
    expect((error as Error).message).toContain(words);
    expect((error as Error).message).not.toContain('\n');
    if (words === 'cannot be opened') folder = mkdtempSync(join(tmpdir(), 'earshot-sqlite-'));
  });

  it('that lost its end is found damaged, not read as if it were whole', async () => {
    const store = await open();
    await put(
      store,
      ...Array.from({ length: 300 }, (_, i) => ({ table: 'log' as const, row: logRow(`e${i}`, { seq: i }) })),
    );
    await store.close();
    truncateSync(file, Math.floor(statSync(file).size / 8_192) * 4_096);
    const damaged = open().then((again) => again.check());
    const findings = await damaged.catch((error: unknown) => [(error as Error).message]);
    expect(findings.join('\n')).toMatch(/damaged|malformed/);
  });
});

describe('a commit', () => {
  it('on a full disk is "unknown" in words, and works again once there is room', async () => {
    let db: DatabaseSync | undefined;
    const store = await open({ wrap: (parts) => ((db = parts.db), parts) });
    const size = Number(db?.prepare('PRAGMA page_count').get()?.page_count);
    db?.exec(`PRAGMA max_page_count = ${size + 2}`);
    const big = { state: 's', value: 'x'.repeat(100_000) };
    await expect(put(store, big)).rejects.toThrow(`the disk holding ${file} is full`);
    await expect(put(store, big)).rejects.toMatchObject({ kind: 'no_room', retryable: true });
    await expect(store.ready()).rejects.toMatchObject({ kind: 'no_room' });
    db?.exec('PRAGMA max_page_count = 1000000');
    await store.ready();
    await put(store, big);
    expect(await store.state('s')).toBe(big.value);
  });

  it.each([
    ['before it happened', true, 2],
    ['after it happened', false, 3],
  ])('that fails %s is "unknown" to all, and the next reads what is stored', async (_, before, next) => {
    let failing = false;
    const fail = (now: boolean) => (): void => {
      if (failing && now) throw new Error('COMMIT failed');
    };
    const store = await open({ wrap: (parts) => withCommit(parts, fail(before), fail(!before)) });
    expect(await store.transact(counting('n'))).toBe(1);
    failing = true;
    const results = await Promise.allSettled([store.transact(counting('n')), store.transact(counting('m'))]);
    expect(results).toMatchObject([{ reason: { kind: 'unknown' } }, { reason: { kind: 'unknown' } }]);
    failing = false;
    expect(await store.transact(counting('n'))).toBe(next);
    expect(await store.transact(counting('m'))).toBe(before ? 1 : 2);
  });

  it('whose sync fails is "unknown", and the store takes no more until it is opened again', async () => {
    let failing = false;
    const wrap = (parts: SqliteParts): SqliteParts => ({
      ...parts,
      wal: {
        ...parts.wal,
        sync: () => (failing ? Promise.reject(new Error('EIO')) : parts.wal.sync()),
      },
    });
    const reasons: string[] = [];
    const store = await open({ wrap, onStop: ({ message }) => reasons.push(message) });
    await store.transact(counting('n'));
    failing = true;
    await expect(store.transact(counting('n'))).rejects.toMatchObject({ kind: 'unknown' });
    failing = false;
    await expect(store.transact(counting('n'))).rejects.toThrow('failed to sync (EIO)): restart Earshot');
    await expect(store.ready()).rejects.toMatchObject({ kind: 'closed' });
    expect(reasons).toEqual([`the disk holding ${file} failed to sync (EIO)`]);
    await store.close();
    expect(await (await open()).transact(counting('n'))).toBeGreaterThanOrEqual(2);
  });

  it.each(
    ['', '-wal', '-shm', '-lock'].flatMap((suffix) => [
      [suffix, 'deleted'],
      [suffix, 'replaced'],
    ]),
  )('is not acknowledged once earshot.db%s was %s', async (suffix, what) => {
    const stopped = Promise.withResolvers<Error>();
    const store = await open({ onStop: stopped.resolve });
    await store.transact(counting('n'));
    await store.ready();
    if (what === 'replaced') copyFileSync(file + suffix, `${file}-copy`);
    rmSync(file + suffix);
    if (what === 'replaced') renameSync(`${file}-copy`, file + suffix);
    await expect(store.transact(counting('n'))).rejects.toMatchObject({ kind: 'unknown' });
    expect((await stopped.promise).message).toContain(`${file}${suffix} was ${what}`);
    await expect(store.transact(counting('n'))).rejects.toMatchObject({ kind: 'closed' });
  });

  it('is not read by anybody before its sync has ended', async () => {
    const sync = Promise.withResolvers<void>();
    const wrap = (parts: SqliteParts): SqliteParts => ({
      ...parts,
      wal: { ...parts.wal, sync: () => sync.promise },
    });
    const turns: (() => void)[] = [];
    const store = await open({ wrap, schedule: (run) => void turns.push(run) });
    const written = put(store, { table: 'log', row: logRow('a') });
    turns.pop()?.();
    const order: string[] = [];
    const read = store.get('log', 'a').then((row) => order.push(`read ${row?.key}`));
    order.push('synced');
    sync.resolve();
    await Promise.all([written, read]);
    expect(order).toEqual(['synced', 'read a']);
  });
});

describe('the schema', () => {
  it('has a column for every indexed field and answers every scan from an index, without sorting', async () => {
    const db = connectWriter(file);
    migrate(db, file);
    for (const table of TABLES) {
      const columns = db.prepare(`SELECT * FROM "${table}"`).columns().length;
      expect([table, columns]).toEqual([table, indexedFields(table).length + 3]);
      for (const index of Object.keys(INDEXES[table])) {
        for (const descending of [false, true]) {
          const statements = isInConversation(table, index)
            ? Object.values(inConversationSql(descending))
            : [scanSql(table, index, descending)];
          for (const sql of statements) {
            const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
            const words = plan.map(({ detail }) => String(detail)).join('; ');
            expect(words).toContain('SEARCH');
            expect(words).not.toMatch(/SCAN|TEMP B-TREE/);
          }
        }
      }
    }
    db.close();
  });
});

describe('the deliveries of one agent in one conversation', () => {
  const NOVAS = 40;
  /** More than two blocks of positions. */
  const DELIVERIES = 10_000;

  it('are found over all blocks in order', async () => {
    const store = await open();
    const writes: Write[] = Array.from({ length: DELIVERIES }, (_, at) => {
      const conversation = at % 2 === 0 ? 'room' : 'hall';
      // In the block between, nothing is nova's.
      const agent = at % 9_000 < NOVAS ? 'nova' : 'lead';
      const isOpen = at % 4 < 2 ? 0 : 1;
      return { table: 'delivery', row: deliveryRow(`d${at}`, { agent, conversation, open: isOpen }) };
    });
    await put(store, ...writes);
    const all = await store.scan('delivery', 'byAgent', { eq: ['nova'], limit: DELIVERIES });
    expect(all).toHaveLength(2 * NOVAS);
    for (const conversation of ['room', 'hall', 'nowhere']) {
      for (const isOpen of [0, 1]) {
        const of = all.filter((row) => row.conversation === conversation && row.open === isOpen);
        const eq = ['nova', conversation, isOpen];
        const scan = (range: Omit<ScanRange, 'eq'>) =>
          store.scan('delivery', 'byAgentConversation', { eq, ...range });
        const middle = of[of.length >> 1]?.position ?? 5_000;
        expect(await scan({ limit: 100 })).toEqual(of);
        expect(await scan({ limit: 100, descending: true })).toEqual(of.toReversed());
        expect(await scan({ limit: 4 })).toEqual(of.slice(0, 4));
        expect(await scan({ limit: 4, descending: true })).toEqual(of.toReversed().slice(0, 4));
        expect(await scan({ after: middle, limit: 100 })).toEqual(
          of.filter(({ position }) => position > middle),
        );
        expect(await scan({ before: middle, limit: 100, descending: true })).toEqual(
          of.filter(({ position }) => position < middle).toReversed(),
        );
        expect(await scan({ limit: 0 })).toEqual([]);
      }
    }
  });
});

describe('off the hot path', () => {
  it('a backup taken while writing opens as a sound store', async () => {
    const store = await open();
    const write = (i: number) =>
      put(store, { table: 'log', row: logRow(`e${i}`, { seq: i }) }, { state: 's', value: i });
    await write(1);
    const copy = join(folder, 'copy.db');
    const copied = store.backup(copy);
    for (let i = 2; i <= 50; i++) await write(i);
    await copied;
    await expect(store.backup(file)).rejects.toThrow('cannot replace');
    const backup = await open({ file: copy });
    expect(await backup.check()).toEqual([]);
    const count = (await backup.stats()).log;
    expect(count).toBeGreaterThanOrEqual(1);
    expect(await backup.state('s')).toBe(count);
  });

  it('scrubbed words leave the search file for good', async () => {
    const store = await open();
    await put(store, { table: 'log', row: logRow('a', { text: 'xylophone' }) });
    expect(keysOf(await store.search('xylophone', 1))).toEqual(['a']);
    await put(store, { table: 'log', row: logRow('a', { text: '' }) });
    await store.close();
    const bytes = ['', '-search'].map((suffix) => readFileSync(file + suffix, 'latin1')).join('');
    expect(bytes).not.toContain('xylophone');
  });

  it('a damaged search index is made again', async () => {
    const store = await open();
    await put(store, { table: 'log', row: logRow('a') });
    await store.search('words', 1);
    await store.close();
    writeFileSync(`${file}-search`, 'x'.repeat(9_000));
    expect(keysOf(await (await open()).search('words', 1))).toEqual(['a']);
  });

  it('a state that does not decode is found, and harms only the units that name it', async () => {
    const store = await open();
    await put(store, { state: 's', value: 1 });
    await store.close();
    const db = new DatabaseSync(file);
    db.exec("UPDATE state SET text = 'nonsense'");
    db.exec(`UPDATE log SET conversation = 'x'`);
    db.close();
    const again = await open();
    expect(await again.check()).toEqual(['state s cannot be read: s is not a state']);
    await expect(again.transact(counting('s'))).rejects.toMatchObject({ kind: 'unit' });
    expect(await again.transact(counting('t'))).toBe(1);
  });

  it('the WAL starts again after a checkpoint, and at its limit the next batch waits for that', async () => {
    const db = connectWriter(file);
    migrate(db, file);
    const limits = {
      checkpointBytes: 600_000,
      finishBytes: 20_000,
      walBytesMax: 1_000_000,
      stallMs: 2_000,
      readerWaitMs: 50,
    };
    const steps: string[] = [];
    const lines: string[] = [];
    let pass = Promise.withResolvers<void>();
    const checkpoints = new Checkpoints(
      db,
      {
        pass: () => (steps.push('pass'), pass.promise),
        hold: async () => void steps.push('hold'),
        release: () => void steps.push('release'),
        failed: (error) => steps.push(String(error)),
        after: () => new Promise(() => {}),
        log: (line) => lines.push(line),
      },
      limits,
    );
    const insert = db.prepare("INSERT INTO state (key, text) VALUES (?, '')");
    const write = (): Promise<unknown> | undefined => {
      insert.run(`${Math.random()}`);
      return checkpoints.betweenBatches();
    };
    /** Writes until a batch has to wait. */
    const fill = (): Promise<unknown> => {
      for (;;) {
        const waits = write();
        if (waits !== undefined) return waits;
      }
    };
    const first = fill();
    expect(checkpoints.measure().walBytes).toBeLessThan(limits.walBytesMax + 50_000);
    expect(steps).toEqual(['pass']);
    pass.resolve();
    await first;
    // Nobody moved anything in `pass`, so it was tried again; then the writer took the rest.
    expect(steps).toEqual([...Array(8).fill('pass'), 'hold', 'release']);
    await write();
    expect(checkpoints.measure().walBytes).toBeLessThan(limits.checkpointBytes);

    const reader = new DatabaseSync(file, { readOnly: true });
    reader.exec('BEGIN; SELECT count(*) FROM state');
    pass = Promise.withResolvers();
    pass.resolve();
    await fill();
    expect(lines[0]).toContain('a long read');
    expect(write()).toBeUndefined(); // nobody waits for a reader that does not end
    reader.close();
    await fill();
    await write();
    expect(checkpoints.measure().walBytes).toBeLessThan(limits.checkpointBytes);
    db.close();
  });

  it('columns that differ from their row are found', async () => {
    const store = await open();
    await put(store, { table: 'log', row: logRow('d') }, { table: 'delivery', row: deliveryRow('d') });
    await store.close();
    const db = new DatabaseSync(file);
    db.exec("UPDATE delivery SET agent = 'other'");
    db.close();
    expect(await (await open()).check()).toEqual(['delivery d: its columns differ from its content']);
  });
});
