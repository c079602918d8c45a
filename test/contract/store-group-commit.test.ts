// The queue alone, over a backend that records what it is asked to commit and can be told to fail or to take its time.
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/runtime/clock.ts';
import type { Backend } from '../../src/store/backend.ts';
import { type Changes, stateText } from '../../src/store/batch.ts';
import { GroupCommit, type GroupCommitOptions } from '../../src/store/group-commit.ts';
import type { StoredState } from '../../src/store/state-cache.ts';
import { codec, counting, inboxRow, seeing, throwing, writing } from './store-rows.ts';

class Recorder implements Backend {
  readonly commits: Changes[] = [];
  readonly stored = new Map<string, StoredState>();
  readonly loads: string[] = [];
  next: (changes: Changes) => void | Promise<void> = () => {};

  loadState(key: string): StoredState | undefined {
    this.loads.push(key);
    return this.stored.get(key);
  }

  loadRow(): undefined {
    return undefined;
  }

  commit(changes: Changes): void | Promise<void> {
    for (const change of changes.states) stateText(codec, change);
    this.commits.push(changes);
    const pending = this.next(changes);
    if (pending === undefined) this.keep(changes);
    return pending;
  }

  keep(changes: Changes): void {
    for (const { key, value, wakeAt } of changes.states) this.stored.set(key, { value, wakeAt });
  }
}

function setUp(over: Partial<GroupCommitOptions> = {}) {
  const backend = new Recorder();
  const turns: (() => void)[] = [];
  const clock = new VirtualClock(50);
  const schedule = (run: () => void) => void turns.push(run);
  const queue = new GroupCommit({ backend, clock, schedule, lastPosition: 0, ...over });
  const turn = (): void => turns.splice(0).forEach((run) => run());
  return { backend, queue, turn, turns, clock };
}

describe('group commit', () => {
  it('commits once a turn and writes each state once', async () => {
    const { backend, queue, turn } = setUp();
    const results = Promise.all([1, 2, 3].map(() => queue.transact(counting('n'))));
    expect(backend.commits).toHaveLength(0);
    turn();
    expect(await results).toEqual([1, 2, 3]);
    expect(backend.commits).toHaveLength(1);
    expect(backend.commits[0]?.states).toMatchObject([{ key: 'n', value: 3 }]);
  });

  it('does not wait for the turn once a batch is full', async () => {
    const { backend, queue, turn } = setUp({ batchUnitsMax: 2 });
    const results = [1, 2, 3].map(() => queue.transact(counting('n')));
    expect(await results[1]).toBe(2);
    expect(backend.commits).toHaveLength(1);
    turn();
    expect(await results[2]).toBe(3);
  });

  it('collects the next batch while one commits, and starts it only after', async () => {
    const { backend, queue, turn } = setUp();
    const sync = Promise.withResolvers<void>();
    backend.next = () => sync.promise;
    const first = queue.transact(counting('n'));
    turn();
    backend.next = () => {};
    const second = queue.transact(counting('n'));
    const third = queue.transact(counting('n'));
    turn();
    expect(backend.commits).toHaveLength(1);
    sync.resolve();
    expect(await first).toBe(1);
    await queue.settled();
    turn();
    expect(await Promise.all([second, third])).toEqual([2, 3]);
    expect(backend.commits).toHaveLength(2);
  });

  it('refuses out loud, as retryable, above its limit', async () => {
    const { queue, turn } = setUp({ queueUnitsMax: 2 });
    const taken = [queue.transact(counting('n')), queue.transact(counting('n'))];
    await expect(queue.transact(counting('n'))).rejects.toMatchObject({ kind: 'full', retryable: true });
    turn();
    expect(await Promise.all(taken)).toEqual([1, 2]);
  });

  it('takes out a unit that throws: the rest commits as if it had never been', async () => {
    const { backend, queue, turn } = setUp();
    const results = Promise.allSettled([
      queue.transact(counting('n')),
      queue.transact(throwing()),
      queue.transact(counting('n')),
    ]);
    turn();
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(backend.commits.map(({ states }) => states.map(({ value }) => value))).toEqual([[2]]);
  });

  it('runs the rest again when what a unit left cannot be stored, so that nobody saw it', async () => {
    const { queue, turn } = setUp();
    const spoil = writing({ state: 'n', value: 'no text' });
    const look = seeing(['n'], (view) => view.state('n'));
    const results = Promise.allSettled([
      queue.transact(counting('n')),
      queue.transact(spoil),
      queue.transact(look),
    ]);
    turn();
    expect(await results).toMatchObject([{ value: 1 }, { reason: { kind: 'unit' } }, { value: 1 }]);
  });

  it.each([
    [
      'at once',
      (error: Error) => {
        throw error;
      },
    ],
    ['later', (error: Error) => Promise.reject(error)],
  ] as const)(
    'tells every waiter "unknown" when the commit fails %s, and reads states again',
    async (_, fail) => {
      const { backend, queue, turn } = setUp();
      const first = queue.transact(counting('n'));
      turn();
      await first;
      backend.next = () => fail(new Error('disk on fire'));
      const results = Promise.allSettled([queue.transact(counting('n')), queue.transact(counting('m'))]);
      turn();
      const unknown = { kind: 'unknown', retryable: true, cause: { message: 'disk on fire' } };
      expect(await results).toMatchObject([{ reason: unknown }, { reason: unknown }]);
      await queue.settled();
      backend.next = () => {};
      // It did happen after all: the retry must see it.
      backend.stored.set('n', { value: 2, wakeAt: null });
      const retry = queue.transact(counting('n'));
      turn();
      expect(await retry).toBe(3);
    },
  );

  it('loads a state once, however many batches use it', async () => {
    const { backend, queue, turn } = setUp();
    for (let i = 0; i < 3; i++) {
      const done = queue.transact(counting('n'));
      turn();
      await done;
    }
    expect(backend.loads).toEqual(['n']);
  });

  it('keeps so many states and no more', async () => {
    const { backend, queue, turn } = setUp({ cachedStatesMax: 2 });
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) {
      const done = queue.transact(counting(key));
      turn();
      await done;
    }
    expect(backend.loads).toEqual(['a', 'b', 'c', 'b']);
  });

  it('gives positions in order and none twice, also after a failed commit', async () => {
    const { backend, queue, turn } = setUp({ lastPosition: 10 });
    backend.next = () => Promise.reject(new Error('unknown'));
    const lost = queue.transact(writing({ table: 'inbox', row: inboxRow('a') }));
    turn();
    await expect(lost).rejects.toMatchObject({ kind: 'unknown' });
    await queue.settled();
    backend.next = () => {};
    const kept = queue.transact(writing({ table: 'inbox', row: inboxRow('b') }));
    turn();
    await kept;
    expect(backend.commits.map(({ rows }) => rows[0]?.position)).toEqual([11, 12]);
  });

  it('answers what it has taken before it closes', async () => {
    const { queue } = setUp();
    const taken = queue.transact(counting('n'));
    await queue.close();
    expect(await taken).toBe(1);
    await expect(queue.transact(counting('n'))).rejects.toMatchObject({ kind: 'closed' });
  });

  it('gives time as it was at most once', async () => {
    let now = 100;
    const { queue, turn } = setUp({ clock: { now: () => now } });
    const times: number[] = [];
    for (const at of [100, 90, 110]) {
      now = at;
      const done = queue.transact(seeing([], (view) => view.now));
      turn();
      times.push(await done);
    }
    expect(times).toEqual([100, 100, 110]);
  });
});
