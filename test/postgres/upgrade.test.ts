// A newer Earshot brings the tables to its version while a node of the older one goes on under load: a column more and a
// commit function with the next number. The newer one is this Earshot with one migration more.
import { expect, it, onTestFinished, vi } from 'vitest';
import { createHostStateCodec } from '../../src/host/attend/rebuild-state.ts';
import { checkDecisions } from '../../src/host/check/check-decisions.ts';
import type { Host } from '../../src/host/host.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { everyNodeReads } from '../../src/store/nodes.ts';
import type { Store } from '../../src/store/store.ts';
import { until } from '../server/up.ts';
import { sharedSchema } from './host-nodes.ts';
import type { StoreSchema } from './store-schema.ts';
import { attention, CONFIG_VERSION, SOURCE, talk, talkingHost } from './talking-host.ts';

const LONG = { timeout: 120_000 };
const PATIENT = { timeout: 60_000, interval: 50 };
const [OLDER, NEWER] = ['1.4.0', '1.5.0'];
/** What each node has to store beside the other one. */
const ENOUGH = 40;

/** The store of the newer Earshot: it writes by the function with the next number, which fills the new column. */
async function openNewer(schema: StoreSchema): Promise<Store> {
  const { MIGRATIONS } = await import('../../src/store/postgres/migrate.ts');
  const { commit1 } = await import('../../src/store/postgres/migrations/0003-commit-1.ts');
  const { COMMIT } = await import('../../src/store/postgres/commit-parameters.ts');
  const commit2 = commit1
    .replaceAll('earshot_commit_1', 'earshot_commit_2')
    .replace('  at_ms := ', `  UPDATE log SET wrote = 'newer' WHERE version = written;\n  at_ms := `);
  const newer = [...MIGRATIONS, `ALTER TABLE log ADD COLUMN wrote text; ${commit2}`];
  const mocked = ['../../src/store/postgres/migrate.ts', '../../src/store/postgres/commit-parameters.ts'];
  vi.resetModules();
  vi.doMock(mocked[0] ?? '', async (original) => {
    type Migrate = (client: never, name: string, steps: readonly string[]) => Promise<void>;
    const { migrate } = await original<{ migrate: Migrate }>();
    return { MIGRATIONS: newer, migrate: (client: never, name: string) => migrate(client, name, newer) };
  });
  vi.doMock(mocked[1] ?? '', async (original) => {
    const { COMMIT: _, ...rest } = await original<Record<string, unknown>>();
    return { ...rest, COMMIT: { name: 'commit_2', text: COMMIT.text.replace('commit_1', 'commit_2') } };
  });
  onTestFinished(() => {
    for (const path of mocked) vi.doUnmock(path);
  });
  const { openPostgresStore } = await import('../../src/store/postgres/open.ts');
  const codec = createHostStateCodec(attention);
  const store = await openPostgresStore({ url: schema.url, schema: schema.name, clock: systemClock, codec });
  onTestFinished(() => store.close());
  return store;
}

interface Load {
  /** Resolves with the ids that were acknowledged. Fails with the first refusal. */
  stop(): Promise<string[]>;
}

/** Goes on until it is told to stop, or until something is refused. */
function load(host: Host, of: string): Load {
  const stored: string[] = [];
  const over = new AbortController();
  const run = async (): Promise<void> => {
    for (let round = 0; !over.signal.aborted; round++) {
      const events = [...talk(20, 6, round)].map((event, n) => ({
        ...event,
        eventId: `${of}-${round}-${n}`,
      }));
      for (const [at, result] of (await host.ingest(events, SOURCE)).entries()) {
        if (result.status === 'refused') throw new Error(`refused: ${JSON.stringify(result)}`);
        stored.push(events[at]?.eventId ?? '');
      }
    }
  };
  const running = run();
  running.catch(() => over.abort());
  onTestFinished(() => over.abort());
  return {
    async stop() {
      over.abort();
      await running;
      return stored;
    },
  };
}

it('loses and refuses nothing, and both write into the same conversations', LONG, async () => {
  const schema = sharedSchema();
  const older = await schema.open({ codec: createHostStateCodec(attention) });
  older.nodes.announce({ version: OLDER });
  const first = await talkingHost(older);
  onTestFinished(() => first.stop());
  const before = load(first, 'older');
  const newer = await openNewer(schema);
  newer.nodes.announce({ version: NEWER });
  const second = await talkingHost(newer);
  onTestFinished(() => second.stop());
  const beside = load(second, 'newer');
  const client = await schema.client();
  const by = async (): Promise<Map<string | null, number>> => {
    const { rows } = await client.query<{ wrote: string | null; n: number }>(
      'SELECT wrote, count(*)::int AS n FROM log GROUP BY wrote',
    );
    return new Map(rows.map(({ wrote, n }) => [wrote, n]));
  };
  // Both go on after the step: the older node stores more, in rows without the column.
  const atStep = (await by()).get(null) ?? 0;
  await vi.waitFor(async () => {
    const now = await by();
    expect(now.get(null) ?? 0).toBeGreaterThan(atStep + ENOUGH);
    expect(now.get('newer') ?? 0).toBeGreaterThan(ENOUGH);
  }, PATIENT);
  // What the older node could not read is not written yet.
  await until(
    async () => (await everyNodeReads(newer.nodes, OLDER)) && !(await everyNodeReads(newer.nodes, NEWER)),
  );
  const acknowledged = (await Promise.all([before.stop(), beside.stop()])).flat();
  const { rows } = await client.query<{ key: string; conversation: string; seq: string }>(
    'SELECT key, conversation, seq FROM log ORDER BY conversation, seq',
  );
  expect(rows.map(({ key }) => key).toSorted()).toEqual(acknowledged.toSorted());
  // Without gap or repeat in every conversation, whoever wrote it.
  const next = new Map<string, number>();
  for (const { conversation, seq } of rows) {
    expect([conversation, Number(seq)]).toEqual([conversation, (next.get(conversation) ?? 0) + 1]);
    next.set(conversation, Number(seq));
  }
  expect(await newer.check()).toEqual([]);
  // Either node would have decided as the other did.
  const settings = { attention, configVersion: CONFIG_VERSION };
  const conversations = [...next.keys()];
  expect(await checkDecisions(older, conversations, settings)).toEqual([]);
  expect(await checkDecisions(newer, conversations, settings)).toEqual([]);
  await first.stop();
  await older.close();
  await until(() => everyNodeReads(newer.nodes, NEWER));
});
