// Numbered steps, whoever comes first, and none half done.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate, MIGRATIONS } from '../../src/store/postgres/migrate.ts';
import { counting } from '../contract/store-rows.ts';
import { StoreSchema } from './store-schema.ts';

let schema: StoreSchema;
beforeEach(() => {
  schema = new StoreSchema();
});
afterEach(() => schema.dispose());

async function numbers(): Promise<unknown[]> {
  const client = await schema.client();
  return (await client.query(`SELECT number FROM migration ORDER BY number`)).rows.map(
    ({ number }: { number: number }) => number,
  );
}

describe('a schema', () => {
  it('is brought up once, however many nodes start at the same time', async () => {
    const stores = await Promise.all([1, 2, 3].map(() => schema.open()));
    expect(await numbers()).toEqual(MIGRATIONS.map((_, index) => index + 1));
    await Promise.all(stores.map((store) => store.transact(counting('n'))));
    expect(await stores[0]?.state('n')).toBe(3);
  });

  it('is left as it was by a step that fails, and goes on from there', async () => {
    const client = await schema.client();
    const broken = [...MIGRATIONS, 'CREATE TABLE extra (a int); SELECT nonsense'];
    await expect(migrate(client, schema.name, broken)).rejects.toThrow(
      `could not be brought to number ${MIGRATIONS.length + 1}`,
    );
    const before = MIGRATIONS.map((_, index) => index + 1);
    expect(await numbers()).toEqual(before);
    await migrate(client, schema.name, [...MIGRATIONS, 'CREATE TABLE extra (a int)']);
    expect(await numbers()).toEqual([...before, before.length + 1]);
  });

  it('is refused when a newer Earshot has written it', async () => {
    const client = await schema.client();
    await migrate(client, schema.name, [...MIGRATIONS, 'SELECT 1', 'SELECT 1']);
    await expect(schema.open()).rejects.toThrow(`has number ${MIGRATIONS.length + 2}`);
  });

  it('has a name that needs no quotes', async () => {
    await expect(schema.open({ schema: 'a b' })).rejects.toThrow('cannot be the name of a schema');
  });
});
