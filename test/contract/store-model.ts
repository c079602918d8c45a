// Random commands for stores side by side: batches, reads and reopens. Each is asked of every store, and every answer is
// compared with that of the memory store. Positions may differ in value between stores, never in order.
import fc from 'fast-check';
import { expect } from 'vitest';
import type { MemoryStore } from '../../src/store/memory/open.ts';
import type { ScanRange, Store, Unit, UnitView, Write } from '../../src/store/store.ts';
import { INDEXES, type DeliveryState, type IndexName, type TableName } from '../../src/store/tables.ts';
import { deliveryRow, inboxRow, logRow, outboxRow } from './store-rows.ts';

export interface SideBySide {
  /** The model. It is never told that a row is new. */
  memory: MemoryStore;
  others: readonly Store[];
  reopen(): Promise<void>;
}
export type Command = (stores: SideBySide) => Promise<void>;

async function same(
  { memory, others }: SideBySide,
  ask: (store: Store, isModel: boolean) => Promise<unknown>,
): Promise<void> {
  const [expected, ...answers] = await Promise.all([
    ask(memory, true),
    ...others.map((store) => ask(store, false)),
  ]);
  for (const answer of answers) expect(answer).toEqual(expected);
}

/** Positions as ranks: what is promised is their order. */
function ranked(rows: readonly { position: number }[]): unknown[] {
  const order = rows.map(({ position }) => position).toSorted((a, b) => a - b);
  return rows.map((row) => ({ ...row, position: order.indexOf(row.position) }));
}

const NAMES = ['a', 'b', 'c', 'd'];
const VALUES: Record<string, readonly (string | number)[]> = {
  open: [0, 1],
  state: ['queued', 'handed', 'settled'],
  surface: [...NAMES, 'web'],
  eventId: NAMES.map((key) => `event ${key}`),
};
const name = fc.constantFrom(...NAMES);
const time = fc.integer({ min: 0, max: 9 });
const dueAt = fc.option(time, { nil: null });
const words = fc.constantFrom('red fish', 'Blue FISH', '東京 fish', '', 'one two red');
const deliveryState = fc.constantFrom<DeliveryState>('queued', 'handed', 'settled');

const write: fc.Arbitrary<Write> = fc.oneof(
  fc
    .record({ key: name, conversation: name, seq: time, text: words })
    .map(({ key, ...over }): Write => ({ table: 'log', row: logRow(key, over) })),
  fc
    .record({ key: name, agent: name, conversation: name, state: deliveryState, source: name, dueAt })
    .map(({ key, ...over }): Write => {
      const open = over.state === 'settled' ? 0 : 1;
      return { table: 'delivery', row: deliveryRow(key, { ...over, open }) };
    }),
  fc
    .record({ key: name, surface: name, turnId: fc.option(name, { nil: null }), dueAt })
    .map(({ key, ...over }): Write => ({ table: 'outbox', row: outboxRow(key, over) })),
  fc
    .record({ key: name, open: fc.constantFrom<0 | 1>(0, 1) })
    .map(({ key, open }): Write => ({ table: 'inbox', row: inboxRow(key, open) })),
  fc
    .record({ table: fc.constantFrom<TableName>('log', 'delivery', 'outbox', 'inbox'), remove: name })
    .map((removal): Write => removal as Write),
  fc
    .record({ state: name, value: fc.option(time, { nil: undefined }), wakeAt: dueAt })
    .map((put): Write => put),
  fc.record({ state: name, value: time }).map((put): Write => put),
);

/** Reads before it writes, sometimes throws, sometimes leaves what cannot be stored. */
const unit = fc
  .record({
    writes: fc.array(write, { maxLength: 4 }),
    reads: fc.array(fc.tuple(fc.constantFrom<TableName>('log', 'delivery', 'inbox'), name), { maxLength: 3 }),
    // A store may know the row it changes or not: both ways of writing.
    looks: fc.boolean(),
    fate: fc.constantFrom('fine', 'fine', 'fine', 'throws', 'no text'),
    fresh: fc.option(name, { nil: undefined }),
  })
  .map(
    ({ writes, reads, looks, fate, fresh }): Unit<unknown> => ({
      states: ['a', 'b', 'c', 'd'],
      ...(fresh === undefined ? {} : { fresh: ['log', fresh] as const }),
      run(view) {
        const first = fresh === undefined ? [] : ingested(fresh, view);
        const seen = [view.now, ...reads.map(([table, key]) => view.row(table, key)), view.state('a')];
        if (looks) for (const each of writes) seen.push(written(each, view));
        if (fate === 'throws') throw new Error('thrown');
        const spoiled: Write[] = fate === 'no text' ? [{ state: 'b', value: 'no text' }] : [];
        return { writes: [...first, ...writes, ...spoiled], result: JSON.stringify([first.length, ...seen]) };
      },
    }),
  );

/** Only if it is not there. */
function ingested(key: string, view: UnitView): Write[] {
  return view.row('log', key) === undefined ? [{ table: 'log', row: logRow(key) }] : [];
}

/** What one store takes for new without looking, the other looks for: nobody may see a difference. */
function looking(eager: Unit<unknown>): Unit<unknown> {
  return { states: eager.states, run: (view) => eager.run(view) };
}

function written(each: Write, view: UnitView): unknown {
  if ('state' in each) return view.state(each.state);
  return view.row(each.table, 'row' in each ? each.row.key : each.remove);
}

const batch = fc.array(unit, { minLength: 1, maxLength: 5 }).map(
  (units): Command =>
    async (stores) => {
      await same(stores, async (store, isModel) => {
        const results = await Promise.allSettled(
          units.map((each) => store.transact(isModel ? looking(each) : each)),
        );
        return results.map((result) => (result.status === 'fulfilled' ? result.value : 'rejected'));
      });
    },
);

const INDEX_NAMES = (['log', 'delivery', 'outbox', 'inbox'] as const).flatMap((table) =>
  Object.entries(INDEXES[table]).map(([index, { eq }]) => ({ table, index, eq: eq as readonly string[] })),
);

const scan = fc
  .record({
    at: fc.constantFrom(...INDEX_NAMES),
    values: fc.array(name, { minLength: 3, maxLength: 3 }),
    flag: fc.constantFrom(0, 1),
    state: deliveryState,
    after: fc.option(time, { nil: undefined }),
    before: fc.option(time, { nil: undefined }),
    limit: fc.constantFrom(0, 1, 2, 50, 1_000),
    descending: fc.boolean(),
  })
  .map(({ at, values, flag, state, after, before, ...rest }): Command => {
    const eq = at.eq.map((field, i) =>
      field === 'open' ? flag : field === 'state' ? state : (values[i] ?? 'a'),
    );
    const range: ScanRange = { eq, ...rest };
    const bounded = 'dueAt seq'.includes(
      (INDEXES[at.table] as Record<string, { order: string }>)[at.index]?.order ?? '',
    );
    if (bounded && after !== undefined) range.after = after;
    if (bounded && before !== undefined) range.before = before;
    return (stores) =>
      same(stores, async (store) =>
        ranked(await store.scan(at.table, at.index as IndexName<typeof at.table>, range)),
      );
  });

const row = fc.tuple(fc.constantFrom<TableName>('log', 'delivery', 'outbox', 'inbox'), name).map(
  ([table, key]): Command =>
    (stores) =>
      same(stores, (store) => store.get(table, key)),
);

const states = fc.tuple(name, time, time).map(
  ([key, until, limit]): Command =>
    (stores) =>
      same(stores, async (store) => [
        await store.state(key),
        await store.dueStates(until, limit),
        await store.stateKeys('', key, limit),
      ]),
);

const search = fc.constantFrom('fish', 'red', '東京', 'two red').map(
  (text): Command =>
    (stores) =>
      same(stores, async (store) => ranked(await store.search(text, 3))),
);

export const check: Command = (stores) => same(stores, async (store) => (await store.check()).toSorted());
/** Every index, by every combination of values there is. */
const EVERY_SCAN = INDEX_NAMES.flatMap(({ table, index, eq }) => {
  let combinations: (string | number)[][] = [[]];
  for (const field of eq)
    combinations = combinations.flatMap((list) => (VALUES[field] ?? NAMES).map((value) => [...list, value]));
  return combinations.map((values) => ({ table, index: index as IndexName<typeof table>, values }));
});
export const everything: Command = (stores) =>
  same(stores, (store) =>
    Promise.all(
      EVERY_SCAN.map(async ({ table, index, values }) =>
        ranked(await store.scan(table, index, { eq: values, limit: 200 })),
      ),
    ),
  );

/** Removes all that these commands can have stored, through the store itself. */
export const emptied: Unit<void> = {
  states: NAMES,
  run: () => ({
    writes: NAMES.flatMap((key): Write[] => [
      ...(['log', 'delivery', 'outbox', 'inbox'] as const).map((table) => ({ table, remove: key }) as Write),
      { state: key, value: undefined },
    ]),
    result: undefined,
  }),
};
const reopenAll: Command = (stores) => stores.reopen();

/** Search, check and reopening start a thread: seldom, so that the many cheap cases fit in the time. */
const command = fc.oneof(
  { weight: 40, arbitrary: batch },
  { weight: 30, arbitrary: scan },
  { weight: 10, arbitrary: row },
  { weight: 10, arbitrary: states },
  { weight: 3, arbitrary: fc.constant(everything) },
  { weight: 2, arbitrary: search },
  { weight: 1, arbitrary: fc.constant(check) },
  { weight: 2, arbitrary: fc.constant(reopenAll) },
);

export function commandLists(most: number): fc.Arbitrary<Command[]> {
  return fc.array(command, { minLength: 1, maxLength: most, size: 'max' });
}
