// A store damaged by hand: doctor names each damage, and --fix mends what can be mended, after a copy.
import { existsSync, openSync, readFileSync, writeFileSync, writeSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { columnName, indexedFields } from '../../src/store/columns.ts';
import { message, run } from '../server/up.ts';
import { upHere } from '../server/here.ts';

/** The folder of a stopped host with a few events in three rooms, each to an agent. */
async function storedFolder(): Promise<string> {
  const host = await upHere();
  for (const id of ['general', 'gap', 'gone'])
    for (const n of [1, 2, 3]) {
      const event = {
        ...message(`@lead ${id} ${n}`),
        eventId: `${id}-${n}`,
        conversation: { id, kind: 'channel' },
      };
      expect((await host.post(event)).status).toBe(202);
    }
  await host.stop();
  return host.data;
}

const TORN_TOKENS = '{"operator": "ear_';
const PAGE_BYTES = 8_192;
/** Most of the pages of a young store, but not the first, which has its header. */
const TORN_BYTES = 20 * PAGE_BYTES;

function put(db: DatabaseSync, table: 'outbox', doc: Record<string, unknown>): void {
  const fields = ['key', ...indexedFields(table)];
  const values = fields.map((field) => `json_extract(:doc, '$.${field}')`);
  db.prepare(
    `INSERT INTO ${table} (${fields.map(columnName).join(', ')}, doc) VALUES (${values.join(', ')}, :doc)`,
  ).run({ doc: JSON.stringify(doc) });
}

const SEND = {
  key: 'lead:stuck',
  agent: 'lead',
  surface: 'dev',
  conversation: 'c/dev/local/general',
  kind: 'message',
  state: 'sending',
  eventId: 'out_1',
  inReplyTo: null,
  turnId: null,
  bodyHash: 'x',
  attempt: 1,
  dueAt: null,
  createdAt: 1,
  platformId: null,
  error: null,
  body: { text: 'hello', visibility: 'channel', directedness: 'to_me', mentions: [] },
};
const change = (db: DatabaseSync, key: string, set: string): unknown =>
  db.exec(`UPDATE delivery SET ${set} WHERE source = '${key}'`);

function damage(data: string): void {
  const db = new DatabaseSync(join(data, 'earshot.db'));
  put(db, 'outbox', SEND);
  change(
    db,
    'general-1',
    `doc = json_set(doc, '$.state', 'handed', '$.dueAt', null), state = 'handed', due_at = NULL`,
  );
  change(db, 'general-2', `agent = 'nobody'`);
  db.exec(`DELETE FROM log WHERE key = 'gap-2'; DELETE FROM log WHERE key = 'gone-3'`);
  db.exec(`UPDATE state SET text = 'torn' WHERE key = 'c/dev/local/gone'`);
  db.close();
  writeFileSync(join(data, 'tokens.json'), TORN_TOKENS);
}

const wrongIn = (out: string): string[] =>
  out
    .split('\n')
    .filter((line) => line.startsWith('!!'))
    .map((line) => line.slice('!!  '.length));
const doctor = (data: string, ...more: string[]) => run(['doctor', '--data', data, ...more], data);
const copyIn = (out: string): string => /files as they were are in (.*)/.exec(out)?.[1] ?? '';

const RESTORE = 'restore a backup, or report it';
const FIX = 'stop the host and run "earshot doctor --fix"';
/** Only a backup has what is missing. A state is rebuilt by the host. */
const STAYS = [
  `store    the log of conversation c/dev/local/gap has a gap or a repeated seq; ${RESTORE}`,
  `store    open delivery gap-2:agent_lead is about an event that is not in the log; ${RESTORE}`,
  `store    open delivery gone-3:agent_lead is about an event that is not in the log; ${RESTORE}`,
  expect.stringMatching(
    /^store {4}state c\/dev\/local\/gone cannot be read: .*; start the host: it rebuilds/,
  ) as string,
];

describe('doctor on a store damaged by hand', () => {
  it('names each damage and what to do; --fix mends what can be mended and keeps a copy', async () => {
    const data = await storedFolder();
    damage(data);
    const before = await doctor(data);
    expect([before.code, before.err]).toEqual([1, '']);
    const named = wrongIn(before.out);
    const expected = [
      ...STAYS,
      `tokens   ${join(data, 'tokens.json')} is damaged: start "earshot up" again, it writes a new one`,
      'store    send lead:stuck has no due time, and nothing will ever move it: restart the host, and it is due again',
      `store    send lead:stuck is sending and is never looked at again; ${FIX}`,
      'store    delivery general-1:agent_lead has no due time, and nothing will ever move it: restart the host, and it is due again',
      `store    delivery general-1:agent_lead is handed out and never comes back; ${FIX}`,
      `store    delivery general-2:agent_lead: its columns differ from its content; ${FIX}`,
    ];
    expect(named).toHaveLength(expected.length);
    expect(named).toEqual(expect.arrayContaining(expected));

    const fixed = await doctor(data, '--fix');
    expect([fixed.code, fixed.err]).toEqual([1, '']);
    expect(wrongIn(fixed.out)).toEqual(STAYS);
    const copy = copyIn(fixed.out);
    expect(readFileSync(join(copy, 'tokens.json'), 'utf8')).toBe(TORN_TOKENS);
    const old = new DatabaseSync(join(copy, 'earshot.db'));
    expect(old.prepare(`SELECT due_at FROM outbox WHERE key = 'lead:stuck'`).get()?.due_at).toBeNull();
    old.close();
  });

  it('a torn page: nothing is made up, the copy is kept, and a backup is asked for', async () => {
    const data = await storedFolder();
    const file = join(data, 'earshot.db');
    const torn = Buffer.alloc(TORN_BYTES, 0xa5);
    const handle = openSync(file, 'r+');
    writeSync(handle, torn, 0, torn.length, PAGE_BYTES);
    closeSync(handle);
    const before = readFileSync(file);
    const found = await doctor(data);
    expect([found.code, found.err]).toEqual([1, '']);
    expect(wrongIn(found.out).join()).toMatch(/damaged.*restore/);
    const fixed = await doctor(data, '--fix');
    expect(fixed.code).toBe(1);
    expect(fixed.err).toMatch(
      /^earshot: doctor --fix: .*earshot\.db is damaged: restore the newest backup.*\n$/,
    );
    expect(readFileSync(join(copyIn(fixed.out), 'earshot.db')).equals(before)).toBe(true);
  });

  it('--fix refuses while a host runs on the folder, and changes nothing', async () => {
    const host = await upHere();
    const { code, err } = await doctor(host.data, '--fix');
    expect([code, err]).toEqual([1, expect.stringMatching(/another Earshot is using .*: stop it first\n$/)]);
    expect(existsSync(join(host.data, 'backups'))).toBe(false);
    await host.stop();
  });
});
