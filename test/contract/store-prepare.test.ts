// The queue over a backend that must load before units run, and whose data other processes change. The backend of these
// tests answers when the test says so.
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { type Backend, type BatchNames, NotLoaded, Stale } from '../../src/store/backend.ts';
import type { AnyRow, Changes } from '../../src/store/batch.ts';
import { GroupCommit } from '../../src/store/group-commit.ts';
import { Held } from '../../src/store/held.ts';
import type { StoredState } from '../../src/store/state-cache.ts';
import type { Unit } from '../../src/store/store.ts';
import { counting, inboxRow, seeing, writing } from './store-rows.ts';

/** Everything is stored, but found only once it was named. */
class Remote implements Backend {
  readonly states = new Map<string, StoredState>();
  readonly rows = new Map<string, AnyRow>();
  readonly prepared: BatchNames[] = [];
  readonly commits: Changes[] = [];
  readonly #loaded = new Set<string>();
  held: Held | undefined;
  released = 0;
  /** Called before a commit; another process may write here. Throws what the commit is to fail with. */
  before: () => void = () => {};

  prepare(names: BatchNames): Promise<Held | undefined> {
    this.prepared.push(names);
    for (const [table, key] of names.rows) this.#loaded.add(`${table} ${key}`);
    const { held } = this;
    return Promise.resolve(held);
  }

  loadState(key: string): StoredState | undefined {
    return this.states.get(key);
  }

  loadRow(table: 'inbox', key: string): AnyRow | undefined {
    if (!this.#loaded.has(`${table} ${key}`)) throw new NotLoaded([table, key]);
    return this.rows.get(key);
  }

  commit(changes: Changes): Promise<void> {
    const { before } = this;
    this.before = () => {};
    try {
      before();
    } catch (error) {
      return Promise.reject(error);
    }
    this.commits.push(changes);
    for (const { key, value, wakeAt } of changes.states) this.states.set(key, { value, wakeAt });
    return Promise.resolve();
  }

  release(): Promise<void> {
    this.released++;
    this.held = undefined;
    return Promise.resolve();
  }
}

function setUp() {
  const backend = new Remote();
  const clock = new VirtualClock(50);
  const queue = new GroupCommit({ backend, clock, schedule: (run) => setImmediate(run), cachedStatesMax: 0 });
  return { backend, queue };
}

const refusing = (message: string): Unit<never> => ({
  states: ['n'],
  run(view) {
    if (view.state('n') === undefined) throw new Error(message);
    return { writes: [], result: undefined as never };
  },
});

describe('a backend that prepares', () => {
  it('is told once what all units of a batch name', async () => {
    const { backend, queue } = setUp();
    const looks: Unit<unknown> = {
      ...seeing(['a'], () => 1),
      reads: ['p'],
      rows: [['inbox', 'i']],
      fresh: ['inbox', 'new'],
    };
    await Promise.all([queue.transact(counting('n')), queue.transact(looks), queue.transact(counting('n'))]);
    expect(backend.prepared).toEqual([
      { states: new Set(['n', 'a']), reads: new Set(['p']), rows: [['inbox', 'i']] },
    ]);
  });

  it('loads a row that nobody named, and the batch runs again, once for all that were missing', async () => {
    const { backend, queue } = setUp();
    backend.rows.set('a', inboxRow('a')).set('b', inboxRow('b'));
    const results = await Promise.all([
      queue.transact(seeing([], (view) => view.row('inbox', 'a')?.key)),
      queue.transact(counting('n')),
      queue.transact(seeing([], (view) => view.row('inbox', 'b')?.key)),
    ]);
    expect(results).toEqual(['a', 1, 'b']);
    expect(backend.prepared.map(({ rows }) => rows.length)).toEqual([0, 2]);
    expect(backend.commits).toHaveLength(1);
  });

  it('runs a batch again whose data another process has changed', async () => {
    const { backend, queue } = setUp();
    backend.before = () => {
      backend.states.set('n', { value: 7, wakeAt: null });
      throw new Stale('state n');
    };
    expect(await queue.transact(counting('n'))).toBe(8);
  });

  it('hears of a unit that throws only once what it saw is known to be the newest', async () => {
    const { backend, queue } = setUp();
    backend.before = () => {
      backend.states.set('n', { value: 7, wakeAt: null });
      throw new Stale('state n');
    };
    expect(await queue.transact(refusing('it saw nothing'))).toBeUndefined();
    backend.states.delete('n');
    await expect(queue.transact(refusing('nothing is there'))).rejects.toThrow('nothing is there');
  });

  it('lets units wait for what others hold, in order, and those go on that need nothing of it', async () => {
    const { backend, queue } = setUp();
    const answered: string[] = [];
    const note = async (name: string, unit: Unit<unknown>) =>
      queue.transact(unit).then((result) => answered.push(`${name} ${String(result)}`));
    backend.held = new Held(['held'], [['inbox', 'row']]);
    const both: Unit<unknown> = { ...counting('shared'), states: ['shared', 'held'] };
    const unnamed: Unit<unknown> = {
      ...counting('late'),
      ...writing({ table: 'inbox', row: inboxRow('row') }),
    };
    const all = [
      note('held', counting('held')),
      note('free', counting('free')),
      note('both', both),
      // Not held itself, but the one before it is to go first.
      note('shared', counting('shared')),
      note('row', { ...unnamed, states: ['late'] }),
      note('late', counting('late')),
      note('free', counting('free')),
    ];
    await all[1];
    await all[6];
    expect(answered).toEqual(['free 1', 'free 2']);
    // The rest of the queue is held, so nothing can run until the backend says that it is worth trying.
    await Promise.all(all);
    expect(backend.released).toBe(1);
    expect(answered.slice(2)).toEqual(['held 1', 'both 1', 'shared 2', 'row undefined', 'late 1']);
  });

  it('counts positions from 1 in every batch', async () => {
    const { backend, queue } = setUp();
    for (const key of ['a', 'b']) await queue.transact(writing({ table: 'inbox', row: inboxRow(key) }));
    expect(backend.commits.map(({ rows }) => rows[0]?.position)).toEqual([1, 1]);
  });

  it('is told what units looked at and did not write', async () => {
    const { backend, queue } = setUp();
    const unit: Unit<unknown> = {
      states: ['a', 'b', 'unseen'],
      rows: [
        ['inbox', 'seen'],
        ['inbox', 'unseen'],
      ],
      run(view) {
        view.row('inbox', 'seen');
        return { writes: [{ state: 'a', value: view.state('b') ?? 1 }], result: undefined };
      },
    };
    await queue.transact(unit);
    expect(backend.commits[0]?.onlyRead()).toEqual({ states: ['b'], rows: [['inbox', 'seen']] });
  });
});
