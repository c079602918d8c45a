// Which states are waited for and which are passed over, against a database that only says what is locked.
import { expect, it } from 'vitest';
import type { Connections } from './connections.ts';
import { Known } from './known.ts';
import type { Loader } from './loader.ts';
import { Locks } from './locks.ts';

/** Says what other nodes hold, what they claim, and which states there are. Notes what is asked. */
class FakeDatabase {
  readonly held = new Set<string>();
  readonly claimed = new Set<string>();
  readonly there = new Set<string>();
  /** Waiting for what is held takes too long. */
  isStopped = false;
  asked: string[] = [];
  /** What the last statement that waits was about. */
  waited: string[] = [];

  write = (statement: { name: string } | string, [list]: readonly unknown[] = []): Promise<unknown[]> => {
    const name = typeof statement === 'string' ? statement : statement.name;
    this.asked.push(name);
    const keys = Buffer.isBuffer(list) ? textsIn(list) : [];
    if (name === 'lock_states') {
      this.waited = keys;
      if (this.isStopped && keys.some((key) => this.held.has(key))) return Promise.reject(tookTooLong());
      return Promise.resolve(keys.filter((key) => this.there.has(key)).map((key) => [key, '1', null, null]));
    }
    if (name === 'lock_free_states') {
      const free = keys.filter((key) => this.there.has(key) && !this.held.has(key));
      return Promise.resolve(free.map((key) => [key, '1', null, null]));
    }
    if (name === 'claimed_states')
      return Promise.resolve(keys.flatMap((key) => (this.claimed.has(key) ? [[key]] : [])));
    if (name === 'states_there')
      return Promise.resolve(keys.flatMap((key) => (this.there.has(key) ? [[key]] : [])));
    return Promise.resolve([]);
  };
}

function tookTooLong(): Error {
  return Object.assign(new Error('canceling statement due to lock timeout'), {
    code: '55P03',
    severity: 'ERROR',
  });
}

/** The values of an array in PostgreSQL's binary format (arrays.ts). */
function textsIn(array: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 20; at < array.length; ) {
    const bytes = array.readInt32BE(at);
    texts.push(array.toString('utf8', at + 4, at + 4 + bytes));
    at += 4 + bytes;
  }
  return texts;
}

const ALL = ['a', 'b', 'c', 'd', 'e'];

function setUp() {
  const database = new FakeDatabase();
  for (const key of ALL) database.there.add(key);
  const connections = { write: database.write } as unknown as Connections;
  const loader = { take: () => Promise.resolve(), load: () => Promise.resolve() } as unknown as Loader;
  const locks = new Locks({ connections, known: new Known(), loader });
  /** One batch: what it has to wait for, and what was asked of the database. */
  const batch = async (...keys: string[]): Promise<{ held: string[]; asked: string[] }> => {
    database.asked = [];
    const held = await locks.take({ states: new Set(keys), reads: new Set(), rows: [] });
    const isHeld = (key: string) => held?.concerns({ states: [key], run: () => never() }) === true;
    await locks.rollBack();
    return { held: keys.filter(isHeld), asked: database.asked.filter((name) => name !== 'ROLLBACK') };
  };
  return { database, batch };
}

function never(): never {
  throw new Error('it does not run');
}

it('passes over what another node holds, and waits for nothing', async () => {
  const { database, batch } = setUp();
  expect(await batch(...ALL)).toEqual({ held: [], asked: ['BEGIN', 'lock_free_states'] });
  database.held.add('c');
  expect(await batch(...ALL)).toEqual({
    held: ['c'],
    asked: ['BEGIN', 'lock_free_states', 'claimed_states', 'states_there'],
  });
});

it('waits for what was passed over twice, before it locks anything else', async () => {
  const { database, batch } = setUp();
  database.held.add('c');
  for (const time of [1, 2]) expect([time, (await batch(...ALL)).held]).toEqual([time, ['c']]);
  const third = await batch(...ALL);
  expect(third.asked.slice(0, 3)).toEqual(['BEGIN', 'lock_states', 'lock_free_states']);
  expect(database.waited).toEqual(['c']);
});

it('waits for all at once where others hold most of a batch, and so do the next batches', async () => {
  const { database, batch } = setUp();
  for (const key of ['a', 'b', 'c']) database.held.add(key);
  expect(await batch(...ALL)).toMatchObject({ held: [] });
  expect(database.waited).toEqual(ALL);
  expect(await batch(...ALL)).toEqual({ held: [], asked: ['BEGIN', 'lock_states'] });
});

it('waits for the only state of a batch at once', async () => {
  const { database, batch } = setUp();
  database.held.add('c');
  expect(await batch('c')).toEqual({ held: [], asked: ['BEGIN', 'lock_states'] });
});

it('passes over what it has waited for in vain', async () => {
  const { database, batch } = setUp();
  database.held.add('c');
  database.isStopped = true;
  for (let time = 0; time < 3; time++) await batch(...ALL);
  database.waited = [];
  for (let time = 0; time < 10; time++) expect((await batch(...ALL)).held).toEqual(['c']);
  expect(database.waited).toEqual([]);
  database.held.clear();
  expect(await batch(...ALL)).toEqual({ held: [], asked: ['BEGIN', 'lock_free_states'] });
});

it('leaves a state that another node is about to make to it, but not for ever', async () => {
  const { database, batch } = setUp();
  database.claimed.add('new');
  for (const time of [1, 2]) expect([time, (await batch(...ALL, 'new')).held]).toEqual([time, ['new']]);
  expect((await batch(...ALL, 'new')).held).toEqual([]);
});

it('keeps what the open transaction could not lock until that ends', async () => {
  const { database } = setUp();
  const connections = { write: database.write } as unknown as Connections;
  const loader = { take: () => Promise.resolve(), load: () => Promise.resolve() } as unknown as Loader;
  const locks = new Locks({ connections, known: new Known(), loader });
  database.held.add('c');
  const held = await locks.take({ states: new Set(ALL), reads: new Set(), rows: [] });
  expect(locks.held).toBe(held);
  locks.ended();
  expect(locks.held).toBeUndefined();
});
