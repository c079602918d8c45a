// What every store promises about its horizon: whoever reads up to it and remembers that, misses nothing.
import { expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import type { Current } from './store-contract.ts';
import { inboxRow, put } from './store-rows.ts';

async function lastPosition(store: Store): Promise<number> {
  const [row] = await store.scan('inbox', 'byPosition', { limit: 1, descending: true });
  return row?.position ?? 0;
}

export function horizonContract({ store, reopen }: Current): void {
  it('has everything at or below it, and everything stored later is beyond it', async () => {
    for (const key of ['a', 'b', 'c']) {
      const before = await store().horizon();
      await put(store(), { table: 'inbox', row: inboxRow(key) });
      const last = await lastPosition(store());
      expect(last).toBeGreaterThan(before);
      expect(await store().horizon()).toBeGreaterThanOrEqual(last);
    }
  });

  it('does not go back over a reopen, also where the last row was removed', async () => {
    await put(store(), { table: 'inbox', row: inboxRow('gone') });
    const before = await store().horizon();
    await put(store(), { table: 'inbox', remove: 'gone' });
    const again = await reopen();
    expect(await again.horizon()).toBeGreaterThanOrEqual(before);
    await put(again, { table: 'inbox', row: inboxRow('new') });
    expect(await lastPosition(again)).toBeGreaterThan(before);
  });
}
