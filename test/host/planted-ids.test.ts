// Every id that the host makes, planted by a source: before the host makes it, elsewhere, and afterwards, in its very
// place. The planted events are events like any others, under ids of their own, and the host stores what it stores
// without them, to the byte.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  derivationsOf,
  HOST_ID_MAKERS,
  HOST_ID_PREFIXES,
  isHostId,
  isHostIdOf,
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
      if (isHostId(eventId)) made.add(eventId);
      for (const id of isHostId(eventId) ? [eventId] : derivedFrom(eventId)) ids.add(id);
    }
  }
  return [...ids];
}

/** But for the web chat's: in these scenes its name is that of the source, and its ids are its own. */
function derivedFrom(id: string): string[] {
  return Object.entries(HOST_ID_MAKERS).flatMap(([kind, make]) => (kind === 'web' ? [] : [make(id, 'lead')]));
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
/** Those that the host itself has made in a scene. */
const made = new Set<string>();

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

/** Kinds that no scene makes, and where each is planted through the wire before the host makes it. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  web: 'test/wire/ids-planted.test.ts',
};

const kinds = Object.keys(HOST_ID_MAKERS) as (keyof typeof HOST_ID_MAKERS)[];

it('an id of every kind that the host makes was planted', () => {
  const prefixed = (Object.keys(HOST_ID_PREFIXES) as (keyof typeof HOST_ID_PREFIXES)[]).filter((kind) =>
    [...made].some((id) => isHostIdOf(kind, id)),
  );
  const derived = new Set<string>([...seen].flatMap((id) => derivationsOf(id).map(({ kind }) => kind)));
  const missing = kinds.filter((kind) => !prefixed.some((one) => one === kind) && !derived.has(kind));
  expect(missing.toSorted()).toEqual(Object.keys(ELSEWHERE).toSorted());
  for (const [kind, file] of Object.entries(ELSEWHERE)) {
    const prefix = HOST_ID_PREFIXES[kind as keyof typeof HOST_ID_PREFIXES];
    expect(readFileSync(file, 'utf8'), kind).toContain(prefix);
  }
});

it.each(kinds)(
  'the maker of %s makes ids that a source cannot have, also about one that was made',
  (kind) => {
    const id = HOST_ID_MAKERS[kind]('e1', 'lead');
    expect(isHostId(id)).toBe(true);
    for (const make of Object.values(HOST_ID_MAKERS)) expect(isHostId(make(id, 'lead'))).toBe(true);
  },
);

it('nobody else in the source writes such an id', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test|\.fixture)\.tsx?$/.test(file),
  );
  const written = new RegExp(`[\`'"](?:${Object.values(HOST_ID_PREFIXES).join('|')})[^\`'"]*\\$\\{`);
  const makers = files.filter((file) => written.test(readFileSync(join('src', file), 'utf8')));
  expect(makers).toEqual([]);
});
