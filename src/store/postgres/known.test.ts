import { expect, it } from 'vitest';
import { deliveryRow } from '../../../test/contract/store-rows.ts';
import type { Changes, RowChange } from '../batch.ts';
import { Known } from './known.ts';

/** A batch that wrote one delivery. */
function wrote(key: string, how: Partial<RowChange>): Changes {
  const change: RowChange = {
    table: 'delivery',
    key,
    row: deliveryRow(key),
    stored: undefined,
    assumedNew: false,
    position: 1,
    reinserted: false,
    unitIndex: 0,
    ...how,
  };
  return {
    rows: [change],
    states: [],
    lastPosition: 1,
    now: 1,
    onlyRead: () => ({ states: [], rows: [] }),
  };
}

const changed = (key: string) => wrote(key, { stored: deliveryRow(key) });
const made = (key: string) => wrote(key, { stored: null });

it('knows a delivery in the version in which it was written last', () => {
  const known = new Known();
  known.keep(made('a'), 1);
  expect(known.row(['delivery', 'a'])?.version).toBe(1);
  known.keep(changed('a'), 2);
  expect(known.row(['delivery', 'a'])?.version).toBe(2);
  known.keep(changed('a'), 3);
  expect(known.row(['delivery', 'a'])?.version).toBe(3);
});

it('forgets one that was removed, and knows it again when it is made again', () => {
  const known = new Known();
  known.keep(made('a'), 1);
  known.keep(changed('a'), 2);
  known.keep(wrote('a', { row: undefined, stored: deliveryRow('a') }), 3);
  expect(known.row(['delivery', 'a'])).toBeUndefined();
  known.keep(made('a'), 4);
  known.keep(changed('a'), 5);
  known.keep(wrote('a', { stored: deliveryRow('a'), reinserted: true }), 6);
  expect(known.row(['delivery', 'a'])?.version).toBe(6);
});

it('keeps what is new for thousands of further rows, and never an older version instead of a newer one', () => {
  const known = new Known();
  known.keep(made('a'), 1);
  for (let n = 0; n < 2_000; n++) known.keep(made(`new-${n}`), 2);
  expect(known.row(['delivery', 'a'])?.version).toBe(1);
  known.keep(changed('a'), 3);
  for (let n = 0; n < 10_000; n++) known.keep(made(`other-${n}`), 4);
  // It may be forgotten by now, but not known as it was before.
  expect([undefined, 3]).toContain(known.row(['delivery', 'a'])?.version);
  for (let n = 0; n < 2_000; n++) known.keep(changed(`other-${n}`), 5);
  expect(known.row(['delivery', 'a'])).toBeUndefined();
});
