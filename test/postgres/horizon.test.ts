// Readers that remember how far they have read. A commit that took its positions early and ends late is the case in which
// one without the horizon misses a row.
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { logRow, put, writing } from '../contract/store-rows.ts';
import { almostCommit } from './slow-commit.ts';
import { StoreSchema } from './store-schema.ts';

let schema: StoreSchema;
let store: Store;
beforeEach(async () => {
  schema = new StoreSchema();
  store = await schema.open();
});
afterEach(() => schema.dispose());

/** Reads from where it stopped. The control reads whatever is there. */
class Tail {
  readonly #bound: () => Promise<number>;
  readonly seen: string[] = [];
  #cursor = 0;

  constructor(bound: () => Promise<number>) {
    this.#bound = bound;
  }

  async read(): Promise<void> {
    const before = (await this.#bound()) + 1;
    const rows = await store.scan('log', 'byPosition', { after: this.#cursor, before, limit: 10_000 });
    for (const { key, position } of rows) {
      this.seen.push(key);
      this.#cursor = position;
    }
  }
}

const withHorizon = (): Tail => new Tail(() => store.horizon());
const without = (): Tail => new Tail(() => Promise.resolve(Number.MAX_SAFE_INTEGER - 1));

const slowly = (key: string): Promise<pg.Client> =>
  almostCommit(schema, writing({ table: 'log', row: logRow(key) }));

describe('a commit that took its positions first and ends last', () => {
  it('is missed by a reader without the horizon, and by none that keeps to it', async () => {
    const [kept, control] = [withHorizon(), without()];
    await put(store, { table: 'log', row: logRow('before', { seq: 1 }) });
    const slow = await slowly('slow');
    await put(store, { table: 'log', row: logRow('after', { seq: 3 }) });
    await Promise.all([kept.read(), control.read()]);
    expect(kept.seen).toEqual(['before']);
    expect(control.seen).toEqual(['before', 'after']);
    await slow.query('COMMIT');
    await Promise.all([kept.read(), control.read()]);
    expect(kept.seen).toEqual(['before', 'slow', 'after']);
    expect(control.seen).toEqual(['before', 'after']);
  });

  it('is in the search index too, though others were indexed while it ran', async () => {
    const slow = await slowly('slow');
    await put(store, { table: 'log', row: logRow('after', { seq: 3 }) });
    await store.search('words', 9);
    await slow.query('COMMIT');
    expect((await store.search('words', 9)).map(({ key }) => key)).toEqual(['after', 'slow']);
  });

  it('holds nobody up once it is rolled back', async () => {
    const slow = await slowly('slow');
    await put(store, { table: 'log', row: logRow('after') });
    await slow.query('ROLLBACK');
    const kept = withHorizon();
    await kept.read();
    expect(kept.seen).toEqual(['after']);
  });

  it('holds nobody up in another schema', async () => {
    await slowly('slow');
    const other = new StoreSchema();
    const elsewhere = await other.open();
    await put(elsewhere, { table: 'log', row: logRow('a') });
    const [row] = await elsewhere.scan('log', 'byPosition', { limit: 1 });
    expect(await elsewhere.horizon()).toBeGreaterThanOrEqual(row?.position ?? Number.POSITIVE_INFINITY);
    await other.dispose();
  });
});

it('a reader below the horizon sees every row once while three stores write', async () => {
  const writers = [store, await schema.open(), await schema.open()];
  const tail = withHorizon();
  const left = new Set(writers);
  const writes = writers.map(async (writer, number) => {
    for (let seq = 1; seq <= 60; seq++) {
      const row = logRow(`${number} ${seq}`, { conversation: `room ${number}`, seq });
      await put(writer, { table: 'log', row });
    }
    left.delete(writer);
  });
  while (left.size > 0) await tail.read();
  await Promise.all(writes);
  await tail.read();
  const rows = await store.scan('log', 'byPosition', { limit: 1_000 });
  expect(tail.seen).toEqual(rows.map(({ key }) => key));
  expect(rows).toHaveLength(180);
});

it('a batch with more rows than a block has positions keeps them in order', async () => {
  const rows = Array.from({ length: 2_500 }, (_, n) => ({
    table: 'log' as const,
    row: logRow(`m${n}`, { seq: n }),
  }));
  await put(store, ...rows);
  const found = await store.scan('log', 'byPosition', { limit: 3_000 });
  expect(found.map(({ seq }) => seq)).toEqual(rows.map(({ row }) => row.seq));
  expect(await store.horizon()).toBeGreaterThanOrEqual(found.at(-1)?.position ?? Number.POSITIVE_INFINITY);
});
