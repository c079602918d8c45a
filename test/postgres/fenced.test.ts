// A node is a row. Whoever raises its epoch has fenced it: its next write is refused, and it goes on under a new epoch.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { counting, put } from '../contract/store-rows.ts';
import { StoreSchema } from './store-schema.ts';

let schema: StoreSchema;
beforeEach(() => {
  schema = new StoreSchema();
});
afterEach(() => schema.dispose());

it('a fenced node stores nothing, says so once, and goes on under a new epoch', async () => {
  let fenced = 0;
  const store = await schema.open({ node: 'a', onFenced: () => void fenced++ });
  expect(await store.transact(counting('n'))).toBe(1);
  const operator = await schema.client();
  await operator.query(`UPDATE node SET epoch = epoch + 1 WHERE id = 'a'`);
  await expect(store.transact(counting('n'))).rejects.toMatchObject({ kind: 'unavailable', retryable: true });
  expect([fenced, await store.state('n')]).toEqual([1, 1]);
  expect(await store.transact(counting('n'))).toBe(2);
  expect(fenced).toBe(1);
  const { rows } = await operator.query(`SELECT epoch, batch FROM node WHERE id = 'a'`);
  expect(rows).toEqual([{ epoch: '3', batch: '2' }]);
});

it('of two stores under one name the older is fenced', async () => {
  const older = await schema.open({ node: 'a' });
  await put(older, { state: 's', value: 1 });
  const newer = await schema.open({ node: 'a' });
  await put(newer, { state: 's', value: 2 });
  await expect(put(older, { state: 's', value: 3 })).rejects.toMatchObject({ kind: 'unavailable' });
  expect(await newer.state('s')).toBe(2);
});

it('a store that is closed leaves no row, and one that reads writes none', async () => {
  const operator = await schema.client();
  const store = await schema.open({ node: 'a' });
  const batch = async () => (await operator.query(`SELECT batch FROM node WHERE id = 'a'`)).rows as unknown[];
  await put(store, { state: 's', value: 1 });
  await store.transact({ states: ['s'], run: (view) => ({ writes: [], result: view.state('s') }) });
  expect(await batch()).toEqual([{ batch: '1' }]);
  await store.close();
  expect(await batch()).toEqual([]);
});
