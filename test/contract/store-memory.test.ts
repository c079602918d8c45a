// The crash model: what a simulated crash may take, and what it may not.
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/runtime/clock.ts';
import type { CommitFault, MemoryStoreFaults } from '../../src/store/memory/open.ts';
import { openMemoryStore } from '../../src/store/memory/open.ts';
import { codec, counting } from './store-rows.ts';

function setUp(faults: MemoryStoreFaults) {
  const clock = new VirtualClock();
  const turns: (() => void)[] = [];
  const schedule = (run: () => void) => void turns.push(run);
  const store = openMemoryStore({ clock, codec, faults, schedule });
  const turn = (): void => turns.splice(0).forEach((run) => run());
  return { clock, store, turn };
}

const answered = async (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => true), Promise.resolve().then(() => false)]);

describe('memory store', () => {
  it('answers nobody before its sync has ended on the clock', async () => {
    const { clock, store, turn } = setUp({ syncDelayMs: () => 5 });
    const done = store.transact(counting('n'));
    turn();
    clock.advance(4);
    expect(await answered(done)).toBe(false);
    clock.advance(1);
    expect(await done).toBe(1);
  });

  it.each([
    [false, 1],
    [true, 2],
  ])('may keep (%s) a batch whose sync had not ended, never loses one that had', async (keeps, count) => {
    const { clock, store, turn } = setUp({ syncDelayMs: () => 5, crashKeepsUnsynced: () => keeps });
    const first = store.transact(counting('n'));
    turn();
    clock.advance(5);
    await first;
    await Promise.resolve();
    const second = store.transact(counting('n'));
    turn();
    const image = store.crash();
    clock.advance(100);
    expect(await answered(second)).toBe(false);
    const again = openMemoryStore({ clock, codec, image });
    expect(await again.state('n')).toBe(count);
    await expect(store.transact(counting('n'))).rejects.toMatchObject({ kind: 'closed' });
  });

  it.each([
    ['kept', 2],
    ['lost', 1],
  ] as const)('reports "unknown" for a commit that was %s', async (fault, count) => {
    const plan: CommitFault[] = ['none', fault, 'none'];
    const { store, turn } = setUp({ commit: () => plan.shift() ?? 'none' });
    const first = store.transact(counting('n'));
    turn();
    await first;
    const second = store.transact(counting('n'));
    turn();
    await expect(second).rejects.toMatchObject({ kind: 'unknown', retryable: true });
    expect(await store.state('n')).toBe(count);
    const retry = store.transact(counting('n'));
    turn();
    expect(await retry).toBe(count + 1);
  });
});
