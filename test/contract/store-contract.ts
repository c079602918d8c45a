// What every store promises, as one suite: `storeContract('sqlite', open)`. A store that passes can be used by the host
// in place of any other.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Clock, VirtualClock } from '../../src/runtime/clock.ts';
import type { Store, Unit, Write } from '../../src/store/store.ts';
import type { DeliveryState } from '../../src/store/tables.ts';
import { horizonContract } from './store-horizon-contract.ts';
import { logContract } from './store-log-contract.ts';
import { searchContract } from './store-search-contract.ts';
import { unreadableContract } from './store-unreadable-contract.ts';
import {
  counting,
  deliveryRow,
  inboxRow,
  keysOf,
  logRow,
  outboxRow,
  put,
  seeing,
  throwing,
  writing,
} from './store-rows.ts';

export interface OpenedStore {
  store: Store;
  /** Closes it and opens what was stored again; with the text of these states changed on the disk meanwhile. */
  reopen(changed?: Readonly<Record<string, string>>): Promise<Store>;
  dispose(): Promise<void>;
}

export type OpenStore = (clock: Clock, log: (line: string) => void) => Promise<OpenedStore>;

export function storeContract(name: string, open: OpenStore): void {
  describe(`${name} store`, () => {
    const clock = new VirtualClock(1_000);
    let opened: OpenedStore;
    let store: Store;
    const lines: string[] = [];
    beforeEach(async () => {
      lines.length = 0;
      opened = await open(clock, (line) => void lines.push(line));
      store = opened.store;
    });
    afterEach(() => opened.dispose());
    const reopen: OpenedStore['reopen'] = (changed) => opened.reopen(changed);
    const current: Current = { store: () => store, clock, reopen, lines };
    describe('units', () => unitContract(current));
    describe('rows', () => rowContract(current));
    describe('states', () => stateContract(current));
    describe('unreadable states', () => unreadableContract(current));
    describe('search', () => searchContract(current));
    describe('log', () => logContract(current.store));
    describe('horizon', () => horizonContract(current));
    describe('lifecycle', () => lifecycleContract(current));
  });
}

export interface Current {
  store: () => Store;
  clock: VirtualClock;
  reopen: OpenedStore['reopen'];
  /** What the store has told the operator. */
  lines: readonly string[];
}

function ingest(key: string): Unit<string> {
  return {
    states: [],
    rows: [['log', key]],
    run: (view) =>
      view.row('log', key) === undefined
        ? { writes: [{ table: 'log', row: logRow(key) }], result: 'stored' }
        : { writes: [], result: 'repeat' },
  };
}

/** The same, without looking first. */
function ingestFresh(key: string): Unit<string> {
  return { ...ingest(key), fresh: ['log', key] };
}

function inboxAt(key: string, createdAt: number): Write {
  return { table: 'inbox', row: { ...inboxRow(key), createdAt } };
}

function unitContract({ store, clock }: Current): void {
  it('run in order of arrival, each seeing what those before it left', async () => {
    const counts = await Promise.all(Array.from({ length: 1_200 }, () => store().transact(counting('n'))));
    expect(counts).toEqual(Array.from({ length: 1_200 }, (_, i) => i + 1));
    expect(await store().state('n')).toBe(1_200);
  });

  it('see rows put and removed earlier in the same batch', async () => {
    const look = seeing([], (view) => view.row('log', 'a')?.seq);
    const seen = await Promise.all([
      store().transact(look),
      put(store(), { table: 'log', row: logRow('a', { seq: 7 }) }),
      store().transact(look),
      put(store(), { table: 'log', remove: 'a' }),
      store().transact(look),
    ]);
    expect([seen[0], seen[2], seen[4]]).toEqual([undefined, 7, undefined]);
  });

  it('that throw are rejected alone, with their cause, and leave nothing', async () => {
    const results = await Promise.allSettled([
      store().transact(counting('n')),
      store().transact(throwing('not today')),
      store().transact(counting('n')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({
      reason: { name: 'StoreError', kind: 'unit', retryable: false, cause: { message: 'not today' } },
    });
    expect(await store().state('n')).toBe(2);
  });

  it.each([
    ['a state without text', writing({ state: 'bad', value: 'no text' })],
    ['a row that is no JSON', writing({ table: 'delivery', row: deliveryRow('bad', { detail: { n: 1n } }) })],
    [
      'a row whose indexed field is no value',
      writing({ table: 'delivery', row: deliveryRow('bad', { agent: {} as unknown as string }) }),
    ],
    [
      'a row without an indexed field',
      writing({ table: 'delivery', row: deliveryRow('bad', { agent: undefined as unknown as string }) }),
    ],
    ['a row without a key', writing({ table: 'delivery', row: deliveryRow('') })],
  ])('writing %s are taken out and the rest goes on', async (_, bad) => {
    const results = await Promise.allSettled([
      store().transact(counting('n')),
      store().transact(bad),
      put(store(), { table: 'delivery', row: deliveryRow('good') }),
      store().transact(counting('n')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { kind: 'unit' } });
    expect(results[3]).toMatchObject({ value: 2 });
    expect(await store().get('delivery', 'good')).toMatchObject({ key: 'good' });
    expect(await store().get('delivery', 'bad')).toBeUndefined();
  });

  it('may not touch a state they do not name', async () => {
    const reads = seeing(['a'], (view) => view.state('b'));
    const writes = { ...writing({ state: 'b', value: 1 }), states: ['a'] };
    await expect(store().transact(reads)).rejects.toMatchObject({ kind: 'unit' });
    await expect(store().transact(writes)).rejects.toMatchObject({ kind: 'unit' });
    expect(await store().state('b')).toBeUndefined();
  });

  it('look at a state that they only read, as earlier units left it, and may not write it', async () => {
    const looks: Unit<unknown> = { ...seeing([], (view) => view.state('a')), reads: ['a'] };
    const writes: Unit<unknown> = { ...writing({ state: 'a', value: 9 }), states: [], reads: ['a'] };
    const results = await Promise.allSettled([
      put(store(), { state: 'a', value: 1 }),
      store().transact(looks),
      store().transact(writes),
    ]);
    expect(results).toMatchObject([{ status: 'fulfilled' }, { value: 1 }, { reason: { kind: 'unit' } }]);
    expect(await store().transact(looks)).toBe(1);
  });

  it('cannot change a row in place: an index would not notice', async () => {
    await put(store(), { table: 'delivery', row: deliveryRow('d') });
    const inPlace: Unit<undefined> = {
      states: [],
      rows: [['delivery', 'd']],
      run(view) {
        const row = view.row('delivery', 'd') ?? deliveryRow('d');
        row.state = 'handed';
        return { writes: [{ table: 'delivery', row }], result: undefined };
      },
    };
    const results = await Promise.allSettled([
      store().transact(inPlace),
      put(store(), { table: 'delivery', row: deliveryRow('d', { attempt: 1 }) }),
      store().transact(inPlace),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
    expect(keysOf(await store().scan('delivery', 'byState', { eq: ['queued'], limit: 9 }))).toEqual(['d']);
  });

  it('see a time that never goes back', async () => {
    const time = seeing([], (view) => view.now);
    const first = await store().transact(time);
    clock.advance(5);
    expect(await store().transact(time)).toBe(first + 5);
    expect(first).toBe(clock.now() - 5);
  });

  it('deduplicate themselves by the row they would write', async () => {
    const results = await Promise.all(['a', 'b', 'a'].map((key) => store().transact(ingest(key))));
    expect(results).toEqual(['stored', 'stored', 'repeat']);
    expect(await store().transact(ingest('b'))).toBe('repeat');
  });

  it('may take a row for new without looking, and see it when it is not', async () => {
    await store().transact(ingest('old'));
    const results = await Promise.all([
      store().transact(counting('n')),
      store().transact(ingestFresh('new')),
      store().transact(ingestFresh('old')),
      store().transact(ingestFresh('new')),
      store().transact(counting('n')),
    ]);
    expect(results).toEqual([1, 'stored', 'repeat', 'repeat', 2]);
    expect(await store().state('n')).toBe(2);
    expect(await store().transact(ingestFresh('new'))).toBe('repeat');
    expect(keysOf(await store().scan('log', 'byPosition', { limit: 9 }))).toEqual(['old', 'new']);
  });

  it('do not see what another one took for new, unless it wrote it', async () => {
    await store().transact(ingest('old'));
    const fails: Unit<never> = {
      ...ingestFresh('old'),
      run: (view) => fail(`saw ${view.row('log', 'old')?.key}`),
    };
    const looks = seeing([], (view) => view.row('log', 'old')?.key);
    const results = await Promise.allSettled([store().transact(fails), store().transact(looks)]);
    expect(results).toMatchObject([{ reason: { cause: { message: 'saw undefined' } } }, { value: 'old' }]);
  });

  it('that take a row for new must write it', async () => {
    const only: Unit<unknown> = {
      ...seeing([], (view) => view.row('log', 'a')),
      fresh: ['log', 'a'],
    };
    await expect(store().transact(only)).rejects.toMatchObject({ kind: 'unit' });
  });
}

function fail(message: string): never {
  throw new Error(message);
}

function rowContract({ store }: Current): void {
  it('are found by key as they were put, and not once removed', async () => {
    const row = deliveryRow('d', { detail: { text: 'ünïcode 東京 "quoted"', list: [1, null] }, dueAt: 12.5 });
    await put(store(), { table: 'delivery', row });
    expect(await store().get('delivery', 'd')).toEqual(row);
    expect(await store().get('delivery', 'other')).toBeUndefined();
    await put(store(), { table: 'delivery', remove: 'd' });
    expect(await store().get('delivery', 'd')).toBeUndefined();
  });

  it('keep their position when changed, and get a new one when removed and put again', async () => {
    const order = async () => keysOf(await store().scan('inbox', 'byPosition', { limit: 10 }));
    await put(store(), inboxAt('a', 1), inboxAt('b', 1));
    await put(store(), inboxAt('c', 1), inboxAt('a', 2));
    expect(await order()).toEqual(['a', 'b', 'c']);
    expect((await store().get('inbox', 'a'))?.createdAt).toBe(2);
    await put(store(), { table: 'inbox', remove: 'a' }, inboxAt('a', 3));
    expect(await order()).toEqual(['b', 'c', 'a']);
    await put(store(), { table: 'inbox', remove: 'b' });
    await put(store(), inboxAt('b', 4));
    expect(await order()).toEqual(['c', 'a', 'b']);
  });

  it('share one count of positions across tables, in order of insertion', async () => {
    await put(
      store(),
      { table: 'log', row: logRow('l1') },
      { table: 'inbox', row: inboxRow('i') },
      { table: 'log', row: logRow('l2', { seq: 2 }) },
    );
    const [first, last] = await store().scan('log', 'byPosition', { limit: 5 });
    const [inbox] = await store().scan('inbox', 'byPosition', { limit: 5 });
    const positions = [first?.position, inbox?.position, last?.position];
    expect(positions.every((position) => Number.isSafeInteger(position))).toBe(true);
    expect(positions).toEqual(positions.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
    expect(new Set(positions).size).toBe(3);
  });

  it('are scanned by every compared column, between exclusive bounds, either way, so many', async () => {
    const rows = Array.from({ length: 9 }, (_, i) =>
      logRow(`e${i}`, { conversation: i % 3 === 0 ? 'other' : 'room', seq: i }),
    );
    await put(store(), ...rows.map((row) => ({ table: 'log' as const, row })));
    const scan = async (range: object) =>
      keysOf(await store().scan('log', 'byConversation', { eq: ['room'], limit: 10, ...range }));
    expect(await scan({})).toEqual(['e1', 'e2', 'e4', 'e5', 'e7', 'e8']);
    expect(await scan({ after: 2, before: 8 })).toEqual(['e4', 'e5', 'e7']);
    expect(await scan({ descending: true, limit: 2 })).toEqual(['e8', 'e7']);
    expect(await scan({ descending: true, before: 5 })).toEqual(['e4', 'e2', 'e1']);
    // What does not hold the text may be left out; what does is there, and the limit counts all rows that were looked at.
    expect(await scan({ holding: '"key":"e4"' })).toContain('e4');
    expect(await scan({ holding: '"key":"e4"', descending: true, limit: 3 })).not.toContain('e4');
    expect(await scan({ limit: 0 })).toEqual([]);
    expect(await scan({ limit: 100_000 })).toHaveLength(6);
    await expect(scan({ eq: [] })).rejects.toThrow('compares conversation');
  });

  it('are in an index by what they say now, and in none ordered by a null', async () => {
    const due = async () => keysOf(await store().scan('delivery', 'byDue', { before: 100, limit: 10 }));
    const inState = async (state: DeliveryState) =>
      keysOf(await store().scan('delivery', 'byState', { eq: [state], limit: 10 }));
    const change = (over: object) =>
      store().transact({
        states: [],
        rows: [['delivery', 'a']],
        run: (view) => ({
          writes: [
            { table: 'delivery', row: { ...deliveryRow('a'), ...view.row('delivery', 'a'), ...over } },
          ],
          result: undefined,
        }),
      });
    await change({ dueAt: 50 });
    await put(store(), { table: 'delivery', row: deliveryRow('b', { dueAt: 40 }) });
    expect(await due()).toEqual(['b', 'a']);
    await change({ dueAt: 30, state: 'handed' });
    expect(await due()).toEqual(['a', 'b']);
    expect([await inState('queued'), await inState('handed')]).toEqual([['b'], ['a']]);
    await change({ dueAt: null, state: 'settled', open: 0 });
    expect(await due()).toEqual(['b']);
    expect(keysOf(await store().scan('delivery', 'byAgent', { eq: ['nova'], limit: 9 }))).toEqual(['a', 'b']);
    const open = await store().scan('delivery', 'openByAgent', { eq: ['nova', 1], limit: 9 });
    expect(keysOf(open)).toEqual(['b']);
  });

  it('that lack a compared value are not found by it', async () => {
    await put(
      store(),
      { table: 'outbox', row: outboxRow('none') },
      { table: 'outbox', row: outboxRow('one', { turnId: 't' }) },
    );
    expect(keysOf(await store().scan('outbox', 'byTurn', { eq: ['t'], limit: 9 }))).toEqual(['one']);
    await put(
      store(),
      { table: 'log', row: logRow('42') },
      { table: 'log', row: logRow('42~tag', { sourceId: '42', conversation: 'other' }) },
    );
    expect(keysOf(await store().scan('log', 'bySourceId', { eq: ['42'], limit: 9 }))).toEqual(['42~tag']);
  });
}

function stateContract({ store }: Current): void {
  it('are read as written, and gone when written undefined', async () => {
    await put(store(), { state: 'a', value: { deep: [1, 'two'] } });
    expect(await store().state('a')).toEqual({ deep: [1, 'two'] });
    await put(store(), { state: 'a', value: undefined });
    expect(await store().state('a')).toBeUndefined();
    expect(await store().stateKeys('', '', 10)).toEqual([]);
  });

  it('wake soonest first, keep their time unless told, and lose it by null', async () => {
    await put(store(), { state: 'a', value: 1, wakeAt: 30 }, { state: 'b', value: 1, wakeAt: 20 });
    await put(store(), { state: 'c', value: 1, wakeAt: 40 }, { state: 'a', value: 2 });
    expect(await store().dueStates(30, 10)).toEqual([
      { key: 'b', wakeAt: 20 },
      { key: 'a', wakeAt: 30 },
    ]);
    expect(await store().dueStates(100, 1)).toEqual([{ key: 'b', wakeAt: 20 }]);
    await put(store(), { state: 'b', value: 1, wakeAt: null });
    expect(await store().dueStates(30, 10)).toEqual([{ key: 'a', wakeAt: 30 }]);
  });

  it('are listed by prefix in one order, a page at a time', async () => {
    const keys = ['c/a', 'c/b', 'c/\u{FFFD}', 'c/\u{1F600}', 'd/a', 'b/z', 'c'];
    await put(store(), ...keys.map((state) => ({ state, value: 1 })));
    expect(await store().stateKeys('c/', '', 2)).toEqual(['c/a', 'c/b']);
    expect(await store().stateKeys('c/', 'c/b', 9)).toEqual(['c/\u{FFFD}', 'c/\u{1F600}']);
    expect(await store().stateKeys('c/', 'd', 9)).toEqual([]);
  });
}

function lifecycleContract({ store, reopen }: Current): void {
  it('keeps everything over a reopen, and gives no position twice', async () => {
    await put(store(), { table: 'log', row: logRow('a') }, { table: 'inbox', row: inboxRow('gone') });
    await put(store(), { state: 's', value: { n: 1 }, wakeAt: 5 });
    const [gone] = await store().scan('inbox', 'byPosition', { limit: 1 });
    await put(store(), { table: 'inbox', remove: 'gone' });
    const again = await reopen();
    expect(await again.get('log', 'a')).toEqual(logRow('a'));
    expect(await again.state('s')).toEqual({ n: 1 });
    expect(await again.dueStates(5, 9)).toEqual([{ key: 's', wakeAt: 5 }]);
    expect(keysOf(await again.search('words', 9))).toEqual(['a']);
    await put(again, { table: 'inbox', row: inboxRow('new') });
    const [fresh] = await again.scan('inbox', 'byPosition', { limit: 1 });
    expect(fresh?.position).toBeGreaterThan(gone?.position ?? Number.POSITIVE_INFINITY);
  });

  it('answers everything taken before close and refuses what comes after', async () => {
    const before = store().transact(counting('n'));
    const closed = store().close();
    const after = store().transact(counting('n'));
    await expect(after).rejects.toMatchObject({ kind: 'closed', retryable: false });
    expect(await before).toBe(1);
    await closed;
    await expect(store().state('n')).rejects.toMatchObject({ kind: 'closed' });
  });

  it('counts rows and finds nothing wrong with sound data', async () => {
    await put(
      store(),
      { table: 'log', row: logRow('a') },
      { table: 'log', row: logRow('b', { seq: 2 }) },
      { table: 'delivery', row: deliveryRow('a') },
      { state: 's', value: 1 },
    );
    expect(await store().stats()).toMatchObject({ log: 2, delivery: 1, outbox: 0, state: 1 });
    expect(await store().check()).toEqual([]);
  });

  it('finds no gap where old rows were removed around one that is kept, and every gap after it', async () => {
    const rows = [1, 2, 3, 4, 5, 6].map(
      (seq) => ({ table: 'log', row: logRow(`m${seq}`, { seq }) }) as const,
    );
    await put(store(), ...rows);
    await put(store(), { table: 'log', remove: 'm1' }, { table: 'log', remove: 'm3' });
    expect(await store().check()).toEqual([]);
    await put(store(), { table: 'log', row: logRow('m8', { seq: 8 }) });
    expect(await store().check()).toEqual(['the log of conversation room has a gap or a repeated seq']);
  });

  it('says in words what is wrong with the data', async () => {
    await put(
      store(),
      { table: 'log', row: logRow('a', { seq: 1 }) },
      { table: 'log', row: logRow('b', { seq: 3 }) },
      { table: 'delivery', row: deliveryRow('lost', { source: 'nowhere' }) },
      { table: 'delivery', row: deliveryRow('a', { state: 'settled' }) },
    );
    expect((await store().check()).toSorted()).toEqual([
      'delivery a is marked open but ended, or closed but not ended',
      'open delivery lost is about an event that is not in the log',
      'the log of conversation room has a gap or a repeated seq',
    ]);
  });
}
