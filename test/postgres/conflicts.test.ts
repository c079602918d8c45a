// Two stores on one database, each with its own memory of what is stored. What one of them remembers wrongly must never
// be in an answer or on disk.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pauseFor } from '../../src/store/postgres/connections.ts';
import type { Store, Unit } from '../../src/store/store.ts';
import { counting, deliveryRow, inboxRow, logRow, put, seeing } from '../contract/store-rows.ts';
import { almostCommit } from './slow-commit.ts';
import { StoreSchema } from './store-schema.ts';

let schema: StoreSchema;
let first: Store;
let second: Store;
beforeEach(async () => {
  schema = new StoreSchema();
  first = await schema.open();
  second = await schema.open();
});
afterEach(() => schema.dispose());

/** Adds one to the attempts of the delivery, which the unit finds by reading it. */
function trying(key: string): Unit<number> {
  return {
    states: [],
    rows: [['delivery', key]],
    run(view) {
      const row = view.row('delivery', key) ?? deliveryRow(key);
      const attempt = row.attempt + 1;
      return { writes: [{ table: 'delivery', row: { ...row, attempt } }], result: attempt };
    },
  };
}

/** The next message of the room, under a key that tells who wrote it. */
function saying(from: string): Unit<number> {
  return {
    states: ['room'],
    run(view) {
      const seq = ((view.state('room') as number | undefined) ?? 0) + 1;
      const row = logRow(`${from} ${seq}`, { seq });
      return {
        writes: [
          { state: 'room', value: seq },
          { table: 'log', row },
        ],
        result: seq,
      };
    },
  };
}

/** Takes one of two keys if the other is free: never may both be taken. */
function taking(own: string, other: string): Unit<boolean> {
  return {
    states: [own, other],
    run(view) {
      const free = view.state(other) !== 'taken';
      return { writes: free ? [{ state: own, value: 'taken' }] : [], result: free };
    },
  };
}

describe('two stores on one database', () => {
  it('see what the other wrote, though each has its own in memory', async () => {
    for (const count of [1, 3, 5]) {
      expect(await first.transact(counting('n'))).toBe(count);
      expect(await second.transact(counting('n'))).toBe(count + 1);
      expect(await first.transact(trying('d'))).toBe(count);
      expect(await second.transact(trying('d'))).toBe(count + 1);
    }
  });

  it('tell a row and a state that were removed and made again from what they had been', async () => {
    await put(first, { table: 'delivery', row: deliveryRow('d') }, { state: 's', value: 'old' });
    // A count of writes would now be what it was.
    await put(second, { table: 'delivery', remove: 'd' }, { state: 's', value: undefined });
    await put(
      second,
      { table: 'delivery', row: deliveryRow('d', { attempt: 7 }) },
      { state: 's', value: 'new' },
    );
    expect(await first.transact(trying('d'))).toBe(8);
    expect(await first.transact(seeing(['s'], (view) => view.state('s')))).toBe('new');
  });

  it('check a row that a unit has only read', async () => {
    await put(first, { table: 'delivery', row: deliveryRow('d') });
    await second.transact(trying('d'));
    const noting: Unit<number | undefined> = {
      states: [],
      rows: [['delivery', 'd']],
      run(view) {
        const attempt = view.row('delivery', 'd')?.attempt;
        const row = { ...inboxRow('note'), detail: { attempt } };
        return { writes: [{ table: 'inbox', row }], result: attempt };
      },
    };
    expect(await first.transact(noting)).toBe(1);
    expect(await first.get('inbox', 'note')).toMatchObject({ detail: { attempt: 1 } });
  });

  it.each(['states', 'reads'] as const)(
    'check a state that a unit has only read, named in %s',
    async (named) => {
      await put(first, { state: 'parent', value: 1 });
      await put(second, { state: 'parent', value: 2 });
      const copying: Unit<unknown> = {
        states: named === 'states' ? ['child', 'parent'] : ['child'],
        reads: ['parent'],
        run: (view) => ({
          writes: [{ state: 'child', value: view.state('parent') }],
          result: view.state('parent'),
        }),
      };
      expect(await first.transact(copying)).toBe(2);
      expect(await second.state('child')).toBe(2);
    },
  );

  it('run a batch once where both write, also with a state that is only read', async () => {
    await put(first, { state: 'parent', value: 1 }, { state: 'child', value: 0 });
    const locking = await schema.open({ lockFirst: true });
    let runs = 0;
    const copying: Unit<unknown> = {
      states: ['child'],
      reads: ['parent'],
      run(view) {
        runs++;
        return { writes: [{ state: 'child', value: view.state('parent') }], result: view.state('parent') };
      },
    };
    for (const parent of [2, 3, 4]) {
      await put(first, { state: 'parent', value: parent }, { state: 'child', value: 0 });
      expect(await locking.transact(copying)).toBe(parent);
    }
    expect(runs).toBe(3);
  });

  it('store a batch although what it only reads is changed before every commit', async () => {
    await put(first, { state: 'parent', value: 0 });
    const changing = await schema.open({
      async around(commit) {
        // Once the state is locked, this can come only after the commit.
        await Promise.race([second.transact(counting('parent')), pauseFor(150)]);
        await commit();
      },
    });
    const copying: Unit<unknown> = {
      states: ['child'],
      reads: ['parent'],
      run: (view) => ({
        writes: [{ state: 'child', value: view.state('parent') }],
        result: view.state('parent'),
      }),
    };
    const seen = await changing.transact(copying);
    expect(seen).toBeGreaterThan(0);
    expect(await second.state('child')).toBe(seen);
  });

  it('hold a unit back that reads what another process is changing, and no other', async () => {
    await put(
      first,
      { state: 'parent', value: 1 },
      { state: 'child', value: 0 },
      { state: 'free', value: 0 },
    );
    const slow = await almostCommit(schema, counting('parent'));
    const locking = await schema.open({ lockFirst: true });
    const reading: Unit<unknown> = {
      states: ['child'],
      reads: ['parent'],
      run: (view) => ({ writes: [], result: view.state('parent') }),
    };
    const answered: unknown[] = [];
    const all = [counting('parent'), reading, ...['a', 'b', 'c', 'd'].map((key) => counting(key))].map(
      async (unit) => void answered.push(await locking.transact<unknown>(unit)),
    );
    await locking.transact(counting('free'));
    await Promise.all(all.slice(2));
    const early = [...answered];
    await slow.query('COMMIT');
    await Promise.all(all);
    expect(early).toEqual([1, 1, 1, 1]);
    expect(answered).toEqual([1, 1, 1, 1, 3, 3]);
  });

  it('tell a unit that throws over an old state the newest first', async () => {
    await put(first, { state: 's', value: 'closed' });
    await put(second, { state: 's', value: 'open' });
    const entering: Unit<string> = {
      states: ['s'],
      run(view) {
        if (view.state('s') !== 'open') throw new Error('it is closed');
        return { writes: [], result: 'in' };
      },
    };
    expect(await first.transact(entering)).toBe('in');
  });

  it('prove that a row was new also when the same batch removes it again', async () => {
    await put(second, { table: 'log', row: logRow('a') });
    const ingest: Unit<string> = {
      states: [],
      fresh: ['log', 'a'],
      run: (view) =>
        view.row('log', 'a') === undefined
          ? { writes: [{ table: 'log', row: logRow('a') }], result: 'stored' }
          : { writes: [], result: 'repeat' },
    };
    const remove: Unit<undefined> = {
      states: [],
      run: () => ({ writes: [{ table: 'log', remove: 'a' }], result: undefined }),
    };
    const [status] = await Promise.all([first.transact(ingest), first.transact(remove)]);
    expect(status).toBe('repeat');
    expect(await second.get('log', 'a')).toBeUndefined();
  });

  it('lose no count while both write the same at once, and positions follow seq', async () => {
    const rounds = 40;
    const from = async (store: Store, name: string): Promise<number[]> => {
      const seqs: number[] = [];
      for (let round = 0; round < rounds; round++)
        seqs.push(...(await Promise.all([1, 2, 3].map(() => store.transact(saying(name))))));
      return seqs;
    };
    const seqs = (await Promise.all([from(first, 'first'), from(second, 'second')])).flat();
    const all = Array.from({ length: rounds * 6 }, (_, index) => index + 1);
    expect(seqs.toSorted((a, b) => a - b)).toEqual(all);
    const rows = await first.scan('log', 'byConversation', { eq: ['room'], limit: 1_000 });
    expect(rows.map(({ seq }) => seq)).toEqual(all);
    const positions = rows.map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  });

  it('do not both act on what the other is about to change', async () => {
    await put(first, { state: 'a', value: 'free' }, { state: 'b', value: 'free' });
    const slow = await almostCommit(schema, taking('a', 'b'));
    // This one has seen both free. It must wait for the other, and see that it may not.
    const late = first.transact(taking('b', 'a'));
    await first.transact(counting('meanwhile'));
    await slow.query('COMMIT');
    expect(await late).toBe(false);
    expect([await second.state('a'), await second.state('b')]).toEqual(['taken', 'free']);
  });

  it('take nothing twice when both try at once', async () => {
    for (let round = 0; round < 30; round++) {
      const [a, b] = [`a${round}`, `b${round}`];
      await put(first, { state: a, value: 'free' }, { state: b, value: 'free' });
      await second.transact(seeing([a, b], (view) => [view.state(a), view.state(b)]));
      const taken = await Promise.all([first.transact(taking(a, b)), second.transact(taking(b, a))]);
      expect(taken.filter(Boolean)).toHaveLength(1);
    }
  });
});

it('short reads are answered in the order in which they were asked', async () => {
  await put(first, { table: 'delivery', row: deliveryRow('d') });
  const answered: number[] = [];
  const asked = Array.from({ length: 60 }, async (_, number) => {
    await first.get('delivery', 'd');
    answered.push(number);
  });
  await Promise.all(asked);
  expect(answered).toEqual(answered.toSorted((a, b) => a - b));
});
