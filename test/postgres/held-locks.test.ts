// Somebody holds locks and does not go on: whatever needs nothing of it goes on at once, and what needs it afterwards, in
// order.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store, Unit } from '../../src/store/store.ts';
import { counting, deliveryRow, put } from '../contract/store-rows.ts';
import { StoreSchema } from './store-schema.ts';

let schema: StoreSchema;
let store: Store;
beforeEach(async () => {
  schema = new StoreSchema();
  store = await schema.open();
});
afterEach(() => schema.dispose());

/** Notes the order in which units are answered. */
function noting(answered: string[]): (name: string, unit: Unit<unknown>) => Promise<void> {
  return async (name, unit) => void answered.push(`${name} ${String(await store.transact(unit))}`);
}

/** Resolves when so many units were answered for a key that nobody holds: batches go on. */
async function goOn(key: string, times: number): Promise<void> {
  for (let time = 0; time < times; time++) await store.transact(counting(key));
}

/** Writes a row without having read it. */
function blind(key: string, attempt: number): Unit<undefined> {
  const row = deliveryRow(key, { attempt });
  return { states: [], run: () => ({ writes: [{ table: 'delivery', row }], result: undefined }) };
}

describe('while a transaction holds locks', () => {
  it('on a state, other conversations go on, and its own afterwards, in order', async () => {
    await put(store, { state: 'held', value: 10 }, { state: 'shared', value: 0 });
    const holder = await schema.client();
    await holder.query(`BEGIN; SELECT FROM state WHERE key = 'held' FOR UPDATE`);
    const answered: string[] = [];
    const note = noting(answered);
    const waiting = [
      note('held', counting('held')),
      note('both', { ...counting('shared'), states: ['shared', 'held'] }),
      note('shared', counting('shared')),
      note('held', counting('held')),
    ];
    await goOn('free', 5);
    expect(answered).toEqual([]);
    await holder.query('ROLLBACK');
    await Promise.all(waiting);
    expect(answered).toEqual(['held 11', 'both 1', 'shared 2', 'held 12']);
  });

  it('on a row, units that need nothing of it go on, and those that do afterwards', async () => {
    await put(
      store,
      { table: 'delivery', row: deliveryRow('d') },
      { table: 'delivery', row: deliveryRow('e') },
    );
    const holder = await schema.client();
    await holder.query(`BEGIN; SELECT FROM delivery WHERE key = 'd' FOR UPDATE`);
    const answered: string[] = [];
    const note = noting(answered);
    const waiting = [note('d', blind('d', 1)), note('d', blind('d', 2))];
    await store.transact(blind('e', 5));
    await goOn('free', 5);
    expect(answered).toEqual([]);
    await holder.query('ROLLBACK');
    await Promise.all(waiting);
    expect(await store.get('delivery', 'd')).toMatchObject({ attempt: 2 });
    expect(await store.get('delivery', 'e')).toMatchObject({ attempt: 5 });
  });

  it('a state that is gone is told from one that is held', async () => {
    await put(store, { state: 'gone', value: 1 }, { state: 'held', value: 1 });
    const other = await schema.open();
    await put(other, { state: 'gone', value: undefined });
    const holder = await schema.client();
    await holder.query(`BEGIN; SELECT FROM state WHERE key = 'held' FOR UPDATE`);
    const answered: string[] = [];
    const waiting = noting(answered)('held', counting('held'));
    // In the same batch as the one that waits. Taken for held, it would wait with it.
    expect(await store.transact(counting('gone'))).toBe(1);
    expect(answered).toEqual([]);
    await holder.query('ROLLBACK');
    await waiting;
  });
});

describe('a process that is stopped while it holds locks', () => {
  it('holds up its own conversation until the database ends its transaction, and counts once when it wakes', async () => {
    await put(store, { state: 'held', value: 0 });
    const path = new URL('./stopped-child.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, [path, schema.url, schema.name], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    expect(await lines.next()).toMatchObject({ value: 'stops' });
    const own = store.transact(counting('held'));
    await goOn('free', 3);
    expect(await own).toBe(1);
    child.kill('SIGCONT');
    expect(await lines.next()).toMatchObject({ value: 'counted 2' });
    child.stdin.end();
    await once(child, 'exit');
    expect(await store.state('held')).toBe(2);
  });
});
