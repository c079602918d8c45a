// Messages of different conversations wait for no common row: by what their units name, and by what PostgreSQL says of locks
// while one conversation is held by hand.
import { expect, it, vi } from 'vitest';
import type { Unit } from '../../src/store/store.ts';
import { type OneServer, twoServers } from './two-servers.ts';

const LONG = { timeout: 120_000 };

function message(id: string, room: string, more: Record<string, unknown> = {}) {
  return {
    eventId: id,
    at: Date.now(),
    platform: 'dev',
    workspaceId: 'w',
    conversation: { id: room, kind: 'channel' },
    author: { id: 'ada', kind: 'human', displayName: 'Ada' },
    type: 'message',
    text: `@lead, what about ${id}?`,
    mentions: [{ kind: 'agent', id: 'lead' }],
    ...more,
  };
}

const thread = (n: number) => ({ conversation: { id: 'root', kind: 'thread', parentId: `room-${n}` } });

async function say({ host }: OneServer, ...events: Record<string, unknown>[]): Promise<void> {
  const results = await host.ingest(events, 'dev');
  expect(results.filter(({ status }) => status === 'refused')).toEqual([]);
}

/** The keys that a unit locks or writes. What it only looks at it does not lock. */
function namesOf({ states, rows = [], fresh }: Unit<unknown>): string[] {
  const all = fresh === undefined ? rows : [...rows, fresh];
  return [...states.map((key) => `state ${key}`), ...all.map(([table, key]) => `${table} ${key}`)];
}

it('units about messages of different conversations name no common row', LONG, async () => {
  const { here } = await twoServers();
  await say(here, message('root', 'room-0'));
  const asked = vi.spyOn(here.store, 'transact');
  const events = [
    message('plain', 'room-1'),
    message('direct', 'dm-2', { conversation: { id: 'dm-2', kind: 'dm' } }),
    message('reply', 'room-0', { replyTo: { eventId: 'root' } }),
    message('in-thread', 'room-0', thread(0)),
    message('from-agent', 'room-4', { author: { id: 'other', kind: 'agent' } }),
    message('to-role', 'room-5', { text: 'thanks all', mentions: [] }),
  ];
  const named: string[][] = [];
  for (const event of events) {
    asked.mockClear();
    await say(here, event);
    const [unit] = asked.mock.calls.map(([given]) => given);
    expect(unit).toBeDefined();
    if (unit !== undefined) named.push(namesOf(unit));
  }
  const shared = named.flatMap((names, at) =>
    named.slice(at + 1).flatMap((others) => names.filter((name) => others.includes(name))),
  );
  expect(shared).toEqual([]);
  expect(named.flat()).toContain('state c/dev/w/room-1');
});

it(
  'while one conversation is held, both nodes store others, and nobody waits but for whoever holds it',
  LONG,
  async () => {
    const { here, there, schema } = await twoServers();
    await say(here, message('x-0', 'x'), message('y-0', 'y'));
    const holder = await schema.client();
    const watcher = await schema.client();
    const { rows: own } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await holder.query('BEGIN');
    for (const table of ['state', 'log', 'delivery']) {
      const column = table === 'state' ? 'key' : 'conversation';
      const held = await holder.query(`SELECT key FROM ${table} WHERE ${column} = 'c/dev/w/x' FOR UPDATE`);
      expect([table, held.rowCount]).toEqual([table, 1]);
    }
    let isStored = false;
    const waits = say(here, message('x-1', 'x')).then(() => {
      isStored = true;
    });
    const blocked = new Map<number, number[]>();
    const look = async (): Promise<void> => {
      const { rows } = await watcher.query<{ pid: number; by: number[] }>(
        `SELECT DISTINCT l.pid, pg_blocking_pids(l.pid) AS by FROM pg_locks AS l JOIN pg_stat_activity AS a USING (pid)
       WHERE NOT l.granted AND a.application_name = $1`,
        [`earshot ${schema.name}`],
      );
      for (const { pid, by } of rows) if (by.length > 0) blocked.set(pid, by);
    };
    // Until somebody is seen to wait, and on while others are stored.
    while (blocked.size === 0) await look();
    for (let n = 1; n <= 20; n++) {
      await Promise.all([
        say(here, message(`here-${n}`, 'y'), message(`here-other-${n}`, `y-${n}`)),
        say(there, message(`there-${n}`, 'y'), message(`there-other-${n}`, `z-${n}`)),
        look(),
      ]);
    }
    expect(isStored).toBe(false);
    const held = own.map(({ pid }) => pid);
    // One backend waited, of the node that was told of it, and for the holder.
    const waiting = [...blocked].filter(([, by]) => by.some((pid) => held.includes(pid)));
    expect(waiting).toHaveLength(1);
    await holder.query('COMMIT');
    await waits;
    const stored = await there.store.scan('log', 'byPosition', { limit: 1_000 });
    expect(stored).toHaveLength(2 + 1 + 80);
  },
);
