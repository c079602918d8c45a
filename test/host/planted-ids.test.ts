// Every id that the host makes, planted by a source: before the host makes it, elsewhere, and afterwards, in its very
// place. The planted events are events like any others, under ids of their own, and the host stores what it stores
// without them, to the byte.
import { afterEach, describe, expect, it } from 'vitest';
import {
  claimedId,
  derivationsOf,
  DERIVED_KINDS,
  escalatedId,
  FOLLOW_UP_KINDS,
  followUpId,
  HOST_ID_PREFIXES,
  isHostId,
  LADDER_KINDS,
  ladderId,
  loopStoppedId,
  OUTBOX_KINDS,
  outboxId,
  undeliveredId,
} from '../../src/protocol/derived-id.ts';
import { TABLES } from '../../src/store/columns.ts';
import type { MemoryImage } from '../../src/store/memory/disk.ts';
import { SCENES, type Scene } from '../stored/scenes.ts';
import { type World, world } from './world.ts';

let w: World;
afterEach(async () => {
  expect(await w.sound()).toEqual([]);
});

/** Everything stored but the planted events: they were said in a workspace of their own. Positions count them too. */
function stored({ tables, states }: MemoryImage): string[] {
  const rows = TABLES.flatMap((table) => (tables[table] ?? []).map(([, { doc }]) => `${table} ${doc}`));
  const all = [...rows, ...states.map(([key, { text }]) => `${key} ${text}`)];
  return all.filter((line) => !line.includes(PLANTED)).map((line) => line.replace(/"position":\d+/, ''));
}

const PLANTED = 'c/web/planted/';

/** The ids of events, deliveries and sends that the scene makes, and all that could be derived from its events. */
function idsIn({ tables }: MemoryImage): string[] {
  const ids = new Set<string>();
  for (const table of ['log', 'delivery', 'outbox'] as const) {
    for (const [key, { doc }] of tables[table] ?? []) {
      const { eventId = key } = JSON.parse(doc) as { eventId?: string };
      if (isHostId(eventId)) ids.add(eventId);
      else for (const id of derivedFrom(eventId)) ids.add(id);
    }
  }
  return [...ids];
}

function derivedFrom(id: string): string[] {
  return [
    claimedId(id),
    loopStoppedId(id),
    escalatedId(id, 'lead'),
    undeliveredId(id, 'out_1'),
    ...FOLLOW_UP_KINDS.map((kind) => followUpId(id, kind, 2)),
    ...LADDER_KINDS.map((kind) => ladderId(id, kind, 1)),
    ...OUTBOX_KINDS.map((kind) => outboxId(id, kind, 'lead')),
  ];
}

async function played({ options, play }: Scene, before: (there: World) => Promise<void> = async () => {}) {
  const there = await world(options);
  await before(there);
  await play(there);
  await there.drain();
  return there;
}

const planted = (there: World, id: string, more: Record<string, unknown>) =>
  there.event('nothing to see here', { id, by: 'mallory', in: 'P1', more });

const seen = new Set<string>();

describe.each(SCENES)('in the scene $name', (scene) => {
  it('nothing changes when every id of the host was planted elsewhere before', async () => {
    const first = (await played(scene)).store.crash();
    const ids = idsIn(first);
    for (const id of ids) seen.add(id);
    w = await played(scene, async (there) => {
      for (const id of ids) {
        const [result] = await there.ingest(planted(there, id, { workspaceId: 'planted' }));
        expect(result).toMatchObject({
          status: 'accepted',
          eventId: expect.stringMatching(/~[\w-]{12}$/),
          sourceId: id,
        });
      }
    });
    const image = w.store.crash();
    expect(stored(image)).toEqual(stored(first));
    await w.open(image);
  });

  it('nothing changes when every id of the host is planted in its own place afterwards', async () => {
    w = await played(scene);
    const rows = await w.logged();
    const before = new Map(rows.map((row) => [row.key, JSON.stringify(row)]));
    const deliveries = JSON.stringify(
      await Promise.all(['lead', 'builder', 'a', 'b'].map((one) => w.deliveries(one))),
    );
    for (const { key, record } of rows.filter((row) => isHostId(row.key))) {
      const { platform, workspaceId, conversation } = record.event;
      const place = platform === 'earshot' ? {} : { platform, workspaceId, conversation };
      const [result] = await w.host.ingest([planted(w, key, { ...place, origin: 'backfill' })], 'web');
      expect(result).toMatchObject({ status: 'accepted', sourceId: key });
    }
    for (const [key, text] of before) {
      const row = (await w.logged()).find((one) => one.key === key);
      expect(JSON.stringify(row)).toBe(text);
    }
    const now = await Promise.all(['lead', 'builder', 'a', 'b'].map((one) => w.deliveries(one)));
    expect(JSON.stringify(now)).toBe(deliveries);
  });
});

it('an id of every kind was planted, but for those of the web chat and of digests', () => {
  const { web: _web, digest: _digest, ...logged } = HOST_ID_PREFIXES;
  for (const prefix of Object.values(logged))
    expect(
      [...seen].some((id) => id.startsWith(prefix)),
      prefix,
    ).toBe(true);
  const derived = new Set([...seen].flatMap((id) => derivationsOf(id).map(({ kind }) => kind)));
  expect(DERIVED_KINDS.filter((kind) => !derived.has(kind))).toEqual([]);
});
