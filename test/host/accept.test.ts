// More acknowledgements at once than one unit takes.
import { expect, it } from 'vitest';
import { createAcceptance } from '../../src/host/deliver/lane.ts';
import { createApply } from '../../src/host/kernel/change.ts';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { openMemoryStore } from '../../src/store/memory/open.ts';
import { codec, deliveryRow, keysOf, put } from '../contract/store-rows.ts';

const TOGETHER = 600;

it('acknowledgements that come together are all written, however many', async () => {
  const clock = new VirtualClock(1_000);
  const store = openMemoryStore({ clock, codec });
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const settings = { limits: { retryBaseMs: 100 } };
  const accepted = createAcceptance({ apply: createApply(store), log: silent, clock, settings });
  const rows = Array.from({ length: TOGETHER }, (_, index) => deliveryRow(`d${index}`, { source: 'e' }));
  await put(store, ...rows.map((row) => ({ table: 'delivery', row }) as const));
  for (const delivery of rows) accepted({ delivery });
  await new Promise((resolve) => setImmediate(resolve));
  const scan = (state: string) =>
    store.scan('delivery', 'byState', { eq: [state], limit: TOGETHER }).then(keysOf);
  expect(await scan('queued')).toEqual([]);
  expect(await scan('accepted')).toEqual(rows.map(({ key }) => key));
  await store.close();
});
