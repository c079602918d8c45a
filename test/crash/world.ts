// The world of the crash tests: people, a platform and harnesses in the parent, and a host that dies at a drawn moment and
// is started again. Moments are drawn from one seed; every life lasts a number of happenings, not a time.
import { join } from 'node:path';
import { expect } from 'vitest';
import { checkRows } from '../../src/host/check/check-rows.ts';
import { hostStateCodec } from '../../src/host/kernel/conversation.ts';
import { deliveryKey } from '../../src/protocol/identity.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import type { Random } from '../../src/runtime/random.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { Store } from '../../src/store/store.ts';
import { Harness } from './harness.ts';
import type { Life } from './lives.ts';
import { Platform } from './platform.ts';
import { AGENTS, PLATFORM, type StoreSettings, type ToChild } from './roles.ts';
import { Talk } from './talk.ts';

export const HOST = new URL('./host-child.ts', import.meta.url);

/** When the host dies: at the nth of one of these. */
const MOMENTS = {
  /** Before it is ready: the store is open, what the last life left is being taken up. */
  opening: 0,
  acknowledged: 120,
  delivered: 60,
  answered: 40,
  /** The platform has shown the message and not answered. */
  shown: 30,
} as const;
export type Moment = keyof typeof MOMENTS;
const ORDER: readonly Moment[] = ['acknowledged', 'shown', 'delivered', 'shown', 'answered'];

/** The moment of the nth life. Ten have one of every kind. */
export function momentOf(nth: number): Moment {
  return nth % 10 === 9 ? 'opening' : (ORDER[nth % ORDER.length] ?? 'acknowledged');
}

export interface World {
  platform: Platform;
  talk: Talk;
  harnesses: readonly Harness[];
  random: Random;
  file: string;
  platformUrl: string;
  /** How the store is opened, where it is not as usual. */
  opening?: StoreSettings;
}

export async function makeWorld(folder: string, random: Random): Promise<World> {
  const platform = new Platform();
  return {
    platform,
    random,
    talk: new Talk(random),
    harnesses: AGENTS.map((agent) => new Harness(agent)),
    file: join(folder, 'host.db'),
    platformUrl: await platform.start(),
  };
}

function openOrder({ file, platformUrl, opening }: World) {
  return { type: 'open', file, platformUrl, ...opening } satisfies ToChild;
}

/** Calls `kill` at the nth happening of this kind. */
function arm({ platform, talk, harnesses }: World, moment: Moment, nth: number, kill: () => void): void {
  let left = nth;
  const on =
    (kind: Moment, then = kill) =>
    (): boolean => {
      if (kind !== moment || left-- !== 1) return true;
      then();
      return false;
    };
  talk.onAcked = on('acknowledged');
  platform.onShown = on('shown');
  for (const harness of harnesses) {
    harness.onDelivered = on('delivered');
    harness.onAnswered = on('answered');
  }
}

async function connectAll({ harnesses, random }: World, port: number): Promise<void> {
  // Half of the time a harness has lost its memory too.
  await Promise.all(
    harnesses.map((harness) => harness.connect(`ws://127.0.0.1:${port}/c2a`, random.next() < 0.5)),
  );
}

export async function liveAndDie(world: World, life: Life, moment: Moment): Promise<void> {
  const { talk, harnesses, random } = world;
  const nth = 1 + Math.floor(random.next() * MOMENTS[moment]);
  arm(world, moment, nth, () => life.kill());
  const opening = life.open(openOrder(world));
  if (moment === 'opening') void life.stored().then(() => life.kill());
  const port = (await opening)?.port;
  if (port !== undefined) await Promise.all([connectAll(world, port), talk.run(port)]);
  expect(await life.ended, life.complaints.join('')).toBe('SIGKILL');
  for (const harness of harnesses) harness.close();
  talk.close();
}

/** The last life: nothing new is said, everything that is open comes to its end. */
export async function settle(world: World, life: Life): Promise<void> {
  const { talk, harnesses } = world;
  arm(world, 'opening', 0, () => {});
  talk.quiet();
  const port = (await life.open(openOrder(world)))?.port;
  expect(port).toBeDefined();
  await Promise.all([connectAll(world, port ?? 0), talk.run(port ?? 0)]);
  expect(await life.drain()).toBe(true);
  expect(await life.close()).toBe(0);
  for (const harness of harnesses) harness.close();
}

const PAGE = 1_000;

async function all<Row extends { position: number }>(
  page: (after: number) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let next = await page(0); next.length > 0; next = await page(rows.at(-1)?.position ?? 0)) {
    rows.push(...next);
  }
  return rows;
}

export const wholeLog = (store: Store) =>
  all((after) => store.scan('log', 'byPosition', { after, limit: PAGE }));
const deliveriesOf = (store: Store, agent: string) =>
  all((after) => store.scan('delivery', 'byAgent', { eq: [agent], after, limit: PAGE }));
const visibleRows = (store: Store) =>
  all((after) => store.scan('outbox', 'bySurface', { eq: [PLATFORM, 'visible'], after, limit: PAGE }));

function twice(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.size === seen.add(value).size);
}

export async function judge(world: World): Promise<void> {
  const { platform, talk, harnesses, file } = world;
  const store = await openSqliteStore({ file, clock: systemClock, codec: hostStateCodec });
  try {
    const log = await wholeLog(store);
    const seqOf = new Map(log.map((row) => [row.key, row.seq]));
    // Acknowledged means in the log, once, under the seq that was acknowledged.
    expect([...talk.acked].filter(([eventId, seq]) => seqOf.get(eventId) !== seq)).toEqual([]);
    expect([...talk.said.keys()].filter((eventId) => !talk.acked.has(eventId))).toEqual([]);
    expect(talk.problems).toEqual([]);
    for (const [conversation, rows] of Map.groupBy(log, (row) => row.conversation)) {
      const seqs = rows.map(({ seq }) => seq).toSorted((a, b) => a - b);
      expect(seqs, conversation).toEqual(seqs.map((_, index) => index + 1));
    }
    // Every delivery is accounted for: answered where it had to be, passed over in silence elsewhere.
    const deliveries = (await Promise.all(AGENTS.map((agent) => deliveriesOf(store, agent)))).flat();
    const keys = new Set(deliveries.map(({ key }) => key));
    const asked = [...talk.said.values()].filter(({ to }) => to !== undefined);
    expect(asked.filter(({ eventId, to }) => !keys.has(deliveryKey(eventId, to ?? '')))).toEqual([]);
    const due = deliveries.filter(({ policy }) => policy === 'must_respond');
    expect(due.filter(({ disposition }) => disposition !== 'responded')).toEqual([]);
    expect(deliveries.filter(({ open, disposition }) => open === 1 || disposition === null)).toEqual([]);
    // One visible message for each that had to be answered, none for anything else, none twice by key or by content.
    const shownKeys = platform.shown.map(({ idempotencyKey }) => idempotencyKey);
    expect(twice(shownKeys)).toEqual([]);
    expect(twice(platform.shown.map(({ text }) => text))).toEqual([]);
    expect(shownKeys.toSorted()).toEqual(
      due.map(({ agent, eventId }) => `${agent}:answer-${eventId}`).toSorted(),
    );
    expect(harnesses.flatMap(({ refusals }) => refusals)).toEqual([]);
    // What is visible on the platform is visible in the log.
    const outbox = await visibleRows(store);
    expect(outbox.map(({ key }) => key).toSorted()).toEqual(shownKeys.toSorted());
    expect(outbox.filter(({ eventId }) => !seqOf.has(eventId))).toEqual([]);
    expect([...(await store.check()), ...(await checkRows(store))]).toEqual([]);
  } finally {
    await store.close();
  }
}
