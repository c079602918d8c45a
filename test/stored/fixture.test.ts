// A data file written by the code of commit ba0f669 (make-fixture.ts), opened and carried on by today's. What was
// left open then is finished now: that is what an upgrade is.
import { createApply } from '../../src/host/kernel/change.ts';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approve } from '../../src/host/operator/approvals.ts';
import { createTokens } from '../../src/host/security/tokens.ts';
import { attentionSettingsSchema } from '../../src/attention/index.ts';
import { createHostStateCodec } from '../../src/host/attend/rebuild-state.ts';
import { hostStateCodec } from '../../src/host/kernel/conversation.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import { TABLES } from '../../src/store/columns.ts';
import { MIGRATIONS, schemaVersion } from '../../src/store/sqlite/migrate.ts';
import type { StateCodec } from '../../src/store/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { type World, world } from '../host/world.ts';
import { openDiskStore } from './disk-store.ts';
import { HOUSE } from './story.ts';

const FIXTURE = new URL('store-ba0f669.db.gz', import.meta.url);
/** When its host stopped. */
const STOPPED_AT = 1_780_391_782_500;
const MINUTE = 60_000;

let folder: string;
let file: string;
let w: World | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-fixture-'));
  file = join(folder, 'earshot.db');
  writeFileSync(file, gunzipSync(readFileSync(FIXTURE)));
});

afterEach(async () => {
  if (w !== undefined) {
    await w.advance(0);
    expect(await w.sound()).toEqual([]);
    await w.store.close();
    w = undefined;
  }
  rmSync(folder, { recursive: true });
});

async function opened(codec: StateCodec = hostStateCodec): Promise<World> {
  const here = await world({
    ...HOUSE,
    startAt: STOPPED_AT,
    openStore: (ports) => openDiskStore(file, codec, ports),
  });
  await here.advance(0);
  w = here;
  return here;
}

function tablesOf(db: DatabaseSync): string[] {
  const names = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  return names.map(({ name }) => String(name)).filter((name) => !name.startsWith('sqlite_'));
}

/** As the next event there would: what was rebuilt is stored. */
function rewrite({ store }: World, key: string): Promise<void> {
  return store.transact({
    states: [key],
    run: (view) => ({ writes: [{ state: key, value: view.state(key) }], result: undefined }),
  });
}

it('is brought to the newest schema, with every row, and is sound', async () => {
  const before = new DatabaseSync(file, { readOnly: true });
  expect(schemaVersion(before)).toBe(1);
  expect(tablesOf(before)).toContain('signal');
  before.close();
  const store = await openSqliteStore({ file, clock: systemClock, codec: hostStateCodec });
  expect(await store.check()).toEqual([]);
  expect(await store.stats()).toMatchObject({
    log: 36,
    delivery: 35,
    outbox: 8,
    inbox: 1,
    offer: 2,
    session: 2,
    state: 18,
    token: 2,
    pairing: 1,
    grant: 1,
    cursor: 4,
    audit: 5,
  });
  for (const key of await store.stateKeys('', '', 100)) expect(await store.state(key)).toBeDefined();
  for (const agent of ['lead', 'tester', 'builder']) {
    const rows = await store.scan('delivery', 'byAgent', { eq: [agent], limit: 100 });
    expect(rows.length).toBeGreaterThan(3);
    for (const { key, conversation, open } of rows) {
      const eq = [agent, conversation, open];
      const inConversation = await store.scan('delivery', 'byAgentConversation', { eq, limit: 100 });
      expect(inConversation.map((row) => row.key)).toContain(key);
    }
  }
  await store.close();
  const after = new DatabaseSync(file, { readOnly: true });
  expect(schemaVersion(after)).toBe(MIGRATIONS.length);
  expect(tablesOf(after)).toEqual([...TABLES, 'log_change', 'meta', 'state'].toSorted());
  after.close();
});

describe('what was under way', () => {
  it('is handed over: what was queued, accepted, in a turn and held', async () => {
    const here = await opened();
    const [lead, tester, builder] = [
      await here.harness('lead'),
      await here.harness('tester'),
      await here.harness('builder', { obligations: true }),
    ];
    const had = (harness: typeof lead): string[] => harness.got.map(({ eventId }) => eventId);
    expect(had(lead)).toEqual(expect.arrayContaining(['private', 'taken']));
    expect(had(tester)).toEqual(expect.arrayContaining(['queued']));
    expect(had(builder)).toEqual(expect.arrayContaining(['claimed/claimed', 'owed/return-1']));
    expect(had(builder)).not.toContain('held');
    expect((await lead.reply('taken', 'Started.')).ok).toBe(true);
    expect(await here.ended('taken')).toBe('responded');
    await here.advance(11 * MINUTE); // the focus is over
    expect(had(builder)).toContain('held');
  });

  it('is posted: the acknowledgement of stop, and what was being sent', async () => {
    const here = await opened();
    await here.advance(MINUTE);
    expect(here.texts()).toContain('Okay, stopping. Mention me when you need me.');
    expect(here.texts()).toContain('I have read it.');
    expect((await here.outbox('lead', 'c/web/w/C2')).map(({ key, state }) => [key, state])).toContainEqual([
      'lead/ack-stop:stop',
      'visible',
    ]);
  });

  it('is agreed to: the send that waited for a person', async () => {
    const here = await opened();
    await approve(here.host.context, 'approval:lead:refund', 'human:ada');
    await here.advance(0);
    expect(here.texts()).toContain('I will refund it.');
    expect(await here.ended('refund')).toBe('responded');
  });

  it('comes back: the debt that is open, and not the one that was paid', async () => {
    const here = await opened();
    const [builder, tester] = [
      await here.harness('builder', { obligations: true }),
      await here.harness('tester', { obligations: true }),
    ];
    await here.advance(20 * MINUTE);
    const returned = [...builder.got, ...tester.got].map(({ eventId }) => eventId);
    expect(returned).toContain('owed/return-2');
    expect(returned.filter((id) => id.startsWith('paid/'))).toEqual([]);
  });

  it('goes round: the offer to the next holder, the claim until it lapses', async () => {
    const here = await opened();
    const tester = await here.harness('tester');
    await here.advance(20_000);
    expect(tester.got.map(({ eventId }) => eventId)).toContain('offered');
    expect((await here.store.get('offer', 'claimed'))?.open).toBe(1);
    await here.advance(31 * MINUTE);
    expect((await here.logged('tick')).map(({ conversation }) => conversation)).toContain('c/web/w/C8');
  });
});

describe('what is said next', () => {
  it('is decided by what was said then', async () => {
    const here = await opened();
    const lead = await here.harness('lead');
    const before = lead.turns.length;
    await here.say('still, lead is nice', { id: 'n1', in: 'C4', by: 'carol' });
    expect(lead.turns).toHaveLength(before); // it has left this room
    const inThread = await here.say('and the red one?', {
      id: 'n2',
      in: 'asked',
      kind: 'thread',
      parent: 'C1',
      by: 'bob',
    });
    await here.advance(3_000);
    expect(lead.turns.map(({ eventId }) => eventId)).toContain(inThread); // an exchange goes on
    const reply = await here.say('yes, go on', {
      id: 'n3',
      by: 'ada',
      more: { replyTo: { eventId: 'asked' } },
    });
    const row = (await here.logged('message')).at(-1);
    expect(row).toMatchObject({ key: reply, conversation: 'c/web/w/C1' });
    expect(row?.seq).toBeGreaterThan(3);
  });

  it('is decided the same when the states of then are damaged: they are rebuilt from the log', async () => {
    const db = new DatabaseSync(file);
    db.exec("UPDATE state SET text = substr(text, 1, length(text) - 4) WHERE key LIKE 'c/%'");
    db.exec("UPDATE state SET text = 'nonsense' WHERE key = 'obligations'");
    db.close();
    const here = await opened(createHostStateCodec(attentionSettingsSchema.parse({ agents: HOUSE.agents })));
    const [lead, builder] = [
      await here.harness('lead'),
      await here.harness('builder', { obligations: true }),
    ];
    const ids = ({ turns }: typeof lead): string[] => turns.map(({ eventId }) => eventId);
    const line = { id: 'n2', in: 'asked', kind: 'thread', parent: 'C1', by: 'bob' } as const;
    await here.say('and the red one?', line);
    await here.say('still, lead is nice', { id: 'n1', in: 'C4', by: 'carol' });
    await here.advance(20 * MINUTE);
    expect(ids(lead)).toContain('n2');
    expect(ids(lead)).not.toContain('n1');
    expect(ids(builder)).toContain('owed/return-2');
    const states = await here.store.stateKeys('c/', '', 100);
    const unwritten = (await here.store.check()).filter((finding) => finding.includes('cannot be read'));
    expect(unwritten.length).toBeLessThan(states.length);
    for (const key of states) await rewrite(here, key);
  });

  it('repeats no seq and no event', async () => {
    const here = await opened();
    const [again] = await here.ingest(here.event('@lead can you check the deploy?', { id: 'asked' }));
    expect(again).toMatchObject({ status: 'repeat' });
    await here.say('hello', { id: 'n4', in: 'C9', by: 'gina' });
    const seqs = (await here.logged())
      .filter((row) => row.conversation === 'c/web/w/C9')
      .map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });

  it('may use an id of then in another conversation, and each is known again', async () => {
    const here = await opened();
    const line = { id: 'asked', in: 'C9', by: 'gina' };
    const [elsewhere] = await here.ingest(here.event('@lead and here?', line));
    expect(elsewhere).toMatchObject({ status: 'accepted', sourceId: 'asked' });
    expect(elsewhere?.eventId).toMatch(/^asked~[\w-]{12}$/);
    const [again] = await here.ingest(here.event('@lead and here?', line));
    expect(again).toEqual({ ...elsewhere, status: 'repeat' });
    const [first] = await here.ingest(here.event('@lead can you check the deploy?', { id: 'asked' }));
    expect(first).toMatchObject({ eventId: 'asked', status: 'repeat' });
    const named = await here.store.scan('log', 'bySourceId', { eq: ['asked'], limit: 10 });
    expect(named.map(({ key, conversation }) => [key, conversation])).toEqual([
      [elsewhere?.eventId, 'c/web/w/C9'],
    ]);
    await here.edit('asked', '@lead and there?', { by: 'gina', in: 'C9', id: 'edit-there' });
    await here.edit('asked', '@lead check the deploy, please', { id: 'edit-then' });
    const edits = (await here.logged('edit')).slice(-2).map(({ record }) => record.event);
    expect(edits).toMatchObject([{ targetEventId: elsewhere?.eventId }, { targetEventId: 'asked' }]);
  });

  it('is let in by the tokens and roles of then', async () => {
    const here = await opened();
    const tokens = createTokens({
      store: here.store,
      apply: createApply(here.store),
      clock: here.clock,
      random: seededRandom(1),
    });
    expect((await tokens.list()).map(({ subject, revokedAt }) => [subject, revokedAt === null])).toEqual([
      ['lead', true],
      ['ops', false],
    ]);
    await here.say('hello', { id: 'n5', by: 'ada', in: 'C9' });
    const row = (await here.logged('message')).at(-1);
    expect(row?.record.facts.authorRoles).toEqual(['owner']);
    expect(await here.store.get('cursor', 'person/ada c/web/w/C1')).toEqual({
      key: 'person/ada c/web/w/C1',
      seq: 3,
    });
  });
});
