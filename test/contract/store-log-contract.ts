// What every store promises of reading the log: filters, both ways, places by time and by count, and tallies.
import { expect, it } from 'vitest';
import { keepOutcome, type Outcome } from '../../src/store/kept-outcome.ts';
import type { LogFilter, LogRange } from '../../src/store/log-reader.ts';
import type { Store, Write } from '../../src/store/store.ts';
import { keysOf, logRow, put } from './store-rows.ts';

const MINUTE = 60_000;
const PLAIN = { directedness: 'to_me', context: 'none', intent: 'request', priority: 'normal' };

/** 240 records of two rooms, a minute apart; every third from an agent, every fifth wakes lead, the rest nobody. */
async function filled(store: Store): Promise<void> {
  const writes: Write[] = [];
  for (let n = 0; n < 240; n++) {
    const conversation = n % 2 === 0 ? 'room' : 'hall';
    const outcome: Outcome = {
      ...PLAIN,
      policy: n % 5 === 0 ? 'must_respond' : 'must_not_respond',
      mode: n % 5 === 0 ? 'buffered' : 'silent',
      reason: n % 5 === 0 ? 'mention' : 'ambient',
      decision: n % 5 === 0 ? 'engage' : 'observe',
      trace: { rung: n % 5 === 0 ? 'mention' : 'ambient', row: 'explicit', facts: { by: 'mention' } },
    };
    const quiet: Outcome = {
      ...outcome,
      policy: 'must_not_respond',
      mode: 'silent',
      reason: 'left',
      decision: 'observe',
    };
    const row = logRow(`e${n}`, {
      conversation,
      seq: Math.floor(n / 2) + 1,
      at: n * MINUTE,
      author: n % 3 === 0 ? 'agent:nova' : 'human:ann',
      text: n % 7 === 0 ? `the build number ${n}` : `line ${n}`,
      decisions: [
        // Rows of before have the outcome itself.
        { agents: ['lead'], outcome: n % 4 < 2 ? outcome : keepOutcome(outcome) },
        { agents: ['nova', 'builder'], outcome: keepOutcome(quiet) },
      ],
    });
    row.record.event.author =
      n % 3 === 0 ? { id: 'nova', kind: 'agent' } : { id: 'ann', kind: 'human', displayName: 'Ann B' };
    writes.push({ table: 'log', row });
    // Other tables take positions too: a position is no place in the list.
    if (n % 4 === 0) writes.push({ table: 'cursor', row: { key: `c${n}`, seq: n } });
  }
  await put(store, ...writes);
}

const expected = (wanted: (n: number) => boolean) =>
  Array.from({ length: 240 }, (_, n) => n)
    .filter(wanted)
    .map((n) => `e${n}`);

export function logContract(store: () => Store): void {
  const every = async (filter: LogFilter, range: Omit<LogRange, 'limit'> = {}) => {
    const keys: string[] = [];
    const at = { ...range };
    for (;;) {
      const { rows, reached } = await store().log.find(filter, { ...at, limit: 7 });
      keys.push(...keysOf(rows));
      if (reached === undefined) return keys;
      if (at.descending === true) at.before = reached;
      else at.after = reached;
    }
  };

  it('finds by every filter, alone and together, in both directions', async () => {
    await filled(store());
    const cases: [LogFilter, (n: number) => boolean][] = [
      [{}, () => true],
      [{ conversation: 'hall' }, (n) => n % 2 === 1],
      [{ reason: 'mention' }, (n) => n % 5 === 0],
      [{ agent: 'lead', policy: 'must_not_respond' }, (n) => n % 5 !== 0],
      [{ agent: 'builder', policy: 'must_respond' }, () => false],
      [{ decision: 'engage', conversation: 'room' }, (n) => n % 10 === 0],
      [{ author: 'ann' }, (n) => n % 3 !== 0],
      [{ author: 'ann b', reason: 'mention' }, (n) => n % 3 !== 0 && n % 5 === 0],
      [{ author: 'agent:nova' }, (n) => n % 3 === 0],
      [{ words: 'BUILD' }, (n) => n % 7 === 0],
      [{ words: 'build', conversation: 'hall' }, (n) => n % 14 === 7],
      [{ words: 'build', reason: 'mention' }, (n) => n % 35 === 0],
      [{ types: ['edit', 'message'] }, () => true],
      [{ types: ['edit'] }, () => false],
      [{ agent: 'nobody' }, () => false],
    ];
    for (const [filter, wanted] of cases) {
      expect([filter, await every(filter)]).toEqual([filter, expected(wanted)]);
      expect([filter, await every(filter, { descending: true })]).toEqual([
        filter,
        expected(wanted).toReversed(),
      ]);
    }
  });

  it('keeps to the positions between two others', async () => {
    await filled(store());
    const { rows } = await store().log.find({}, { limit: 240 });
    const [after, before] = [rows[9]?.position ?? 0, rows[20]?.position ?? 0];
    const between = expected((n) => n > 9 && n < 20);
    expect(await every({}, { after, before })).toEqual(between);
    expect(await every({}, { after, before, descending: true })).toEqual(between.toReversed());
    expect(await every({ words: 'build' }, { after, before })).toEqual(['e14']);
  });

  it('says how long it is, and finds a place by time and by count', async () => {
    expect(await store().log.extent()).toEqual({ total: 0, before: 0, first: undefined, last: undefined });
    expect(await store().log.seek({ at: 5 })).toBeUndefined();
    expect(await store().log.seek({ offset: 0 })).toBeUndefined();
    await filled(store());
    const { rows } = await store().log.find({}, { limit: 240 });
    const position = (n: number) => rows[n]?.position;
    expect(await store().log.extent(undefined, position(100))).toEqual({
      total: 240,
      before: 100,
      first: { position: position(0), at: 0 },
      last: { position: position(239), at: 239 * MINUTE },
    });
    expect(await store().log.extent('hall', position(100))).toMatchObject({ total: 120, before: 50 });
    for (const n of [0, 1, 57, 119, 120, 238, 239]) {
      expect(await store().log.seek({ at: n * MINUTE })).toBe(position(n));
      expect(await store().log.seek({ at: n * MINUTE - 1 })).toBe(position(n));
      expect(await store().log.seek({ offset: n })).toBe(position(n));
    }
    expect(await store().log.seek({ at: 240 * MINUTE })).toBeUndefined();
    expect(await store().log.seek({ offset: 240 })).toBeUndefined();
    expect(await store().log.seek({ offset: 3, conversation: 'hall' })).toBe(position(7));
  });

  it('tallies a period by bucket, and only it', async () => {
    await filled(store());
    const query = { from: 60 * MINUTE, to: 180 * MINUTE, bucketMs: 60 * MINUTE };
    const { entries, reached } = await store().log.tally(query);
    expect(reached).toBeUndefined();
    const sum = (wanted: Partial<(typeof entries)[number]>) =>
      entries
        .filter((entry) => Object.entries(wanted).every(([key, value]) => entry[key as 'agent'] === value))
        .reduce((count, entry) => count + entry.count, 0);
    expect(new Set(entries.map(({ at }) => at))).toEqual(new Set([60 * MINUTE, 120 * MINUTE]));
    expect(sum({ author: 'human:' }) + sum({ author: 'agent:nova' })).toBe(120);
    expect(sum({ author: 'agent:nova', agent: '' })).toBe(40);
    expect(sum({ agent: 'lead', mode: 'buffered' })).toBe(24);
    expect(sum({ agent: 'lead', mode: 'buffered', at: 60 * MINUTE, conversation: 'room' })).toBe(6);
    const one = await store().log.tally({ ...query, agent: 'lead', conversation: 'hall' });
    expect(new Set(one.entries.map(({ agent }) => agent))).toEqual(new Set(['', 'lead']));
    const decided = one.entries.filter(({ agent }) => agent === 'lead');
    expect(decided.reduce((count, entry) => count + entry.count, 0)).toBe(60);
  });
}
