// Nothing waits for ever: a sweep that looked too early posts nothing again, what waits behind another send writes nothing,
// and what an earlier version left without a due time goes on after a start.
import { afterEach, describe, expect, it } from 'vitest';
import { createHostStateCodec } from '../../src/host/attend/rebuild-state.ts';
import { attentionSettingsSchema } from '../../src/attention/index.ts';
import type { MemoryImage } from '../../src/store/memory/disk.ts';
import { openMemoryStore } from '../../src/store/memory/open.ts';
import type { Store, Write } from '../../src/store/store.ts';
import type { OutboxRow } from '../../src/store/tables.ts';
import { type World, type WorldOptions, world } from './world.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

/** More than the rows that a store reads at once: the page of due sends is longer, and takes a while. */
const MANY = 80;
const OPEN = { settings: { limits: { sendsPerMinute: 1_000_000 } } } satisfies WorldOptions;

/** What every commit wrote, in bytes of its rows. */
interface Meter {
  commits: number;
  bytes: number;
}

const metered = (meter: Meter, store: Store): Store['transact'] => {
  return (unit) =>
    store.transact({
      ...unit,
      run(view) {
        const outcome = unit.run(view);
        if (outcome.writes.length > 0) meter.commits++;
        for (const write of outcome.writes) meter.bytes += bytesOf(write);
        return outcome;
      },
    });
};
const bytesOf = (write: Write): number => JSON.stringify(write).length;

async function late<T>(rows: Promise<T>): Promise<T> {
  const read = await rows;
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  return read;
}

/** A store whose long pages of sends come late, as SQLite's do from its worker. */
function lateStore(meter: Meter): NonNullable<WorldOptions['openStore']> {
  return ({ clock, schedule, track }) => {
    const codec = createHostStateCodec(attentionSettingsSchema.parse({ agents: [{ id: 'lead' }] }));
    const store = openMemoryStore({ clock, schedule, codec });
    const changed = {
      transact: metered(meter, store),
      scan: ((table, index, range) => {
        const rows = store.scan(table, index, range);
        return range.limit > 200 ? track(late(rows)) : rows;
      }) as Store['scan'],
    };
    return Promise.resolve(
      new Proxy(store, {
        get(target, name) {
          const own = (changed as Record<string | symbol, unknown>)[name];
          if (own !== undefined) return own;
          const value = Reflect.get(target, name, target) as unknown;
          return typeof value === 'function' ? value.bind(target) : value;
        },
      }),
    );
  };
}

async function askedIn(rooms: number) {
  const lead = await w.harness('lead');
  const asked: string[] = [];
  for (let n = 0; n < rooms; n++) asked.push(await w.say('@lead tell us', { in: `C${n}` }));
  return { lead, asked };
}

const rowsIn = (surface: string, state: string): Promise<OutboxRow[]> =>
  w.store.scan('outbox', 'bySurface', { eq: [surface, state], limit: 1_000 });

describe('a source that pulls', () => {
  it('gets each send once, also when a sweep has looked before the post ended', async () => {
    const gate = Promise.withResolvers<void>();
    const slow: NonNullable<WorldOptions['surface']> = (surface) => ({
      ...surface,
      capabilities: { ...surface.capabilities, pulled: true },
      post: (message) => gate.promise.then(() => surface.post(message)),
    });
    w = await world({ ...OPEN, openStore: lateStore({ commits: 0, bytes: 0 }), surface: slow });
    const { lead, asked } = await askedIn(MANY);
    w.platform.script = Array.from({ length: 10 * MANY }, () => 'pending');
    const answers = asked.map((id) => lead.reply(id, `to ${id}`));
    await w.drain();
    w.host.context.bus.publish({ type: 'due' });
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    gate.resolve(); // the posts end while the page is on its way
    await w.advance(1_000);
    expect((await Promise.all(answers)).every(({ ok }) => ok)).toBe(true);
    expect(w.platform.posts).toHaveLength(MANY);
    const waiting = await rowsIn('web', 'queued');
    expect(waiting.map(({ dueAt, attempt }) => [dueAt, attempt])).toEqual(
      Array.from({ length: MANY }, () => [null, 1]),
    );
  });

  it.each(['sending', 'unknown'] as const)(
    'a send that was left %s without a due time is posted after the next start, and so is what came later',
    async (state) => {
      w = await world({ ...OPEN, surface: pulledFrom });
      const { lead, asked } = await askedIn(1);
      w.platform.script = ['pending', 'pending', 'pending'];
      await lead.reply(asked[0] as string, 'the first');
      await lead.reply(asked[0] as string, 'the second');
      await w.crash(0, (image) => withFirstSend(image, { state, dueAt: null }));
      await w.advance(100);
      const rows = await w.outbox('lead', 'c/web/w/C0');
      expect(rows.map((row) => [row.state, row.dueAt])).toEqual([
        ['queued', null],
        ['queued', null],
      ]);
    },
  );

  it('what waited to be pulled is posted once the source is not pulled from any more', async () => {
    w = await world(OPEN);
    const { lead, asked } = await askedIn(1);
    w.platform.script = ['pending'];
    await lead.reply(asked[0] as string, 'hello');
    expect(w.texts()).toEqual([]);
    await w.crash();
    expect(w.texts()).toEqual(['hello']);
  });
});

const pulledFrom: NonNullable<WorldOptions['surface']> = (surface) => ({
  ...surface,
  capabilities: { ...surface.capabilities, pulled: true, idempotentForMs: Infinity },
});

/** The image as an earlier version might have left it. */
function withFirstSend(image: MemoryImage, change: Partial<OutboxRow>): MemoryImage {
  const [first, ...others] = image.tables.outbox ?? [];
  if (first === undefined) throw new Error('nothing was sent');
  const [key, row] = first;
  const doc = JSON.stringify({ ...(JSON.parse(row.doc) as OutboxRow), ...change });
  return { ...image, tables: { ...image.tables, outbox: [[key, { ...row, doc }], ...others] } };
}

/** The platform knows nothing of the first answer in the room, so the others wait behind it. */
async function answeredBehindOne(others: number): Promise<void> {
  const lead = await w.harness('lead');
  w.platform.findKnows = false;
  w.platform.script = ['unknown_lost'];
  for (let n = 0; n <= others; n++) {
    const id = await w.say('@lead tell us', { in: 'C0' });
    void lead.reply(id, `line ${n}`);
    await w.drain();
  }
}

describe('behind a send without an outcome', () => {
  it('a hundred others wait, in order, and nothing is written for them', async () => {
    const meter = { commits: 0, bytes: 0 };
    w = await world({ ...OPEN, openStore: lateStore(meter) });
    await answeredBehindOne(100);
    await w.advance(120_000);
    const first = (await w.outbox('lead', 'c/web/w/C0'))[0] as OutboxRow;
    Object.assign(meter, { commits: 0, bytes: 0 });
    await w.advance(600_000);
    const attempts = ((await w.outbox('lead', 'c/web/w/C0'))[0] as OutboxRow).attempt - first.attempt;
    expect(attempts).toBeGreaterThan(5);
    expect(meter.commits).toBeLessThanOrEqual(2 * attempts); // those of the first, and no others
    w.platform.findKnows = true;
    await w.advance(61_000);
    expect(w.texts()).toEqual(Array.from({ length: 101 }, (_, n) => `line ${n}`));
  });

  it('they go on after a crash as soon as it has its outcome', async () => {
    w = await world(OPEN);
    await answeredBehindOne(70);
    await w.advance(10_000);
    await w.crash();
    await w.advance(10_000);
    w.platform.findKnows = true;
    await w.advance(61_000);
    expect(w.texts()).toEqual(Array.from({ length: 71 }, (_, n) => `line ${n}`));
  });

  it('they go on after a crash that came right after its outcome', async () => {
    w = await world(OPEN);
    await answeredBehindOne(3);
    await w.crash(0, (image) => withFirstSend(image, { state: 'failed', dueAt: null, error: 'refused' }));
    await w.advance(1_000);
    expect(w.texts()).toEqual(['line 1', 'line 2', 'line 3']);
  });
});

it('an idle host writes nothing, however much waits', async () => {
  const meter = { commits: 0, bytes: 0 };
  const settings = {
    limits: { sendsPerMinute: 1_000_000 },
    sensitive: [{ words: ['secret plan'], reason: 'plans' }],
    approvers: ['human:ada'],
  };
  w = await world({ settings, openStore: lateStore(meter), surface: pulledFrom });
  const { lead, asked } = await askedIn(MANY);
  w.platform.script = Array.from({ length: MANY }, () => 'pending');
  for (const id of asked.slice(0, 30)) await lead.reply(id, `to ${id}`);
  const ttlMs = 7_200_000;
  for (const inReplyTo of asked.slice(30, 60)) {
    void lead.call('chat.defer', { inReplyTo, reason: 'later', ttlMs });
    await w.drain();
  }
  for (const id of asked.slice(60)) {
    void lead.reply(id, 'the secret plan');
    await w.drain();
  }
  lead.close();
  await w.advance(1_800_000);
  Object.assign(meter, { commits: 0, bytes: 0 });
  await w.advance(1_800_000);
  expect(meter).toEqual({ commits: 0, bytes: 0 });
});

describe('rows that cannot move', () => {
  it.each([
    ['outbox', { state: 'sending', dueAt: null }, /^send .* has no due time/],
    ['outbox', { state: 'awaiting_approval', dueAt: null }, /^send .* has no due time/],
    ['outbox', { state: 'visible', dueAt: 1 }, /^send .* has ended and is still due/],
    ['delivery', { state: 'handed', dueAt: null, dueFor: null }, /^delivery .* has no due time/],
    ['delivery', { state: 'held', dueAt: null, dueFor: null }, /^delivery .* has no due time/],
    ['delivery', { state: 'settled', open: 0, dueAt: 1 }, /^delivery .* has ended and is still due/],
    ['offer', { open: 1, dueAt: null }, /^offer .* answer or resolve the event by hand/],
    ['offer', { open: 0, dueAt: 1 }, /^offer .* has ended and is still due/],
  ] as const)(
    'a damaged %s %o is named, and moves after a start where it can',
    async (table, damage, words) => {
      w = await world({ agents: [{ id: 'lead', roles: ['ops'] }] });
      await w.say('@lead hello', { in: 'C3' });
      await w.say('@ops tell us');
      const lead = await w.harness('lead');
      await lead.reply(await w.say('@lead and you?', { in: 'C2' }), 'me');
      const image = damagedIn(w.store.crash(), table, damage);
      const codec = createHostStateCodec(attentionSettingsSchema.parse({ agents: [{ id: 'lead' }] }));
      const damaged = openMemoryStore({ clock: w.clock, codec, image });
      const findings = (await damaged.check()).filter((line) => words.test(line));
      expect(findings).toHaveLength(1);
      await w.crash(0, (left) => damagedIn(left, table, damage));
      await w.advance(120_000);
      const left = (await w.store.check()).filter((line) => words.test(line));
      if (table !== 'offer' || damage.open === 0) expect(left).toEqual([]);
      else {
        expect(left).toHaveLength(1);
        await w.crash(0, (stored) => damagedIn(stored, table, { dueAt: 1 }));
      }
    },
  );
});

/** The first row of a table, as damage might leave it. */
function damagedIn(
  image: MemoryImage,
  table: 'outbox' | 'delivery' | 'offer',
  change: Record<string, unknown>,
): MemoryImage {
  const [first, ...others] = image.tables[table] ?? [];
  if (first === undefined) throw new Error(`there is no ${table}`);
  const [key, row] = first;
  const doc = JSON.stringify({ ...(JSON.parse(row.doc) as object), ...change });
  return { ...image, tables: { ...image.tables, [table]: [[key, { ...row, doc }], ...others] } };
}
