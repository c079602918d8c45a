// A source that pulls, and kill -9 while many posts are under way: whatever was acknowledged to the agent is pulled after
// the restart, in order, and nothing is left that no timer and nobody will ever move.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hostStateCodec } from '../../src/host/kernel/conversation.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { cases, SEED } from '../long.ts';
import { earshot } from '../replay/fake-io.ts';
import { folder, message, type Up, up } from '../server/up.ts';

const ROOMS = 120;
const IN_EACH = 2;
const LIVES = cases(1, 12);
const PAGE = 200;

const CONFIG = `agents: [{ id: lead }]
host:
  sources: [{ id: bridge, platform: irc }]
  limits: { sendsPerMinute: 1000000, sendWaitMs: 30000 }
`;

async function prepared() {
  const data = folder();
  writeFileSync(join(data, 'earshot.yaml'), CONFIG);
  const create = async (kind: string, subject: string): Promise<string> =>
    (await earshot(['token', 'create', '--kind', kind, '--subject', subject, '--data', data])).out.trim();
  return { data, source: await create('surface', 'bridge'), agent: await create('agent', 'lead') };
}

const inRoom = (room: string, eventId: string) =>
  message('@lead tell us', { eventId, platform: 'irc', conversation: { id: room, kind: 'channel' } });

/** One send. False when the host died before it answered. */
async function send(host: Up, token: string, room: string, text: string): Promise<boolean> {
  const args = {
    target: `channel:${room}`,
    text,
    inReplyTo: `ask-${room}`,
    visibility: 'channel',
    directedness: 'to_other',
    idempotencyKey: text,
  };
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'chat.send_message', arguments: args },
  };
  const answer = await host.call('POST', '/c2a', token, call).catch(() => undefined);
  const result = answer?.body['result'] as { isError?: boolean } | undefined;
  return result !== undefined && result.isError !== true;
}

/** Everything the source can pull now, by room. */
async function pulled(host: Up, token: string): Promise<Map<string, string[]>> {
  const rooms = new Map<string, string[]>();
  for (let cursor = ''; ; ) {
    const { body } = await host.call('GET', `/v1/outbox?limit=${PAGE}${cursor}`, token);
    for (const { text, place } of body['messages'] as {
      text: string;
      place: { conversationId: string };
    }[])
      rooms.set(place.conversationId, [...(rooms.get(place.conversationId) ?? []), text]);
    const next = body['nextCursor'] as string | undefined;
    if (next === undefined) return rooms;
    cursor = `&cursor=${next}`;
  }
}

/** What the stopped host left behind. */
async function stuckRows(data: string): Promise<string[]> {
  const store = await openSqliteStore({
    file: join(data, 'earshot.db'),
    clock: systemClock,
    codec: hostStateCodec,
  });
  const rows = await Promise.all(
    (['sending', 'unknown'] as const).map((state) =>
      store.scan('outbox', 'bySurface', { eq: ['bridge', state], limit: 1_000 }),
    ),
  );
  await store.close();
  return rows.flat().flatMap(({ key, state, dueAt }) => (dueAt === null ? [`${key} ${state}`] : []));
}

it('a kill while many posts are under way leaves nothing that cannot move', {
  timeout: 120_000,
}, async () => {
  const { data, source, agent } = await prepared();
  const random = seededRandom(SEED);
  const acknowledged = new Map<string, string[]>();
  for (let life = 0; life < LIVES; life++) {
    const host = await up({ data, argv: ['--config', join(data, 'earshot.yaml')] });
    const rooms = Array.from({ length: ROOMS }, (_, n) => `r${life}-${n}`);
    const events = rooms.map((room) => inRoom(room, `ask-${room}`));
    expect((await host.call('POST', '/v1/events', source, { events })).status).toBe(202);
    let left = Math.floor(ROOMS * IN_EACH * (0.2 + 0.6 * random.next()));
    await Promise.all(
      rooms.map(async (room) => {
        for (let n = 0; n < IN_EACH; n++) {
          const text = `${room} line ${n}`;
          if (!(await send(host, agent, room, text))) return;
          acknowledged.set(room, [...(acknowledged.get(room) ?? []), text]);
          if (--left === 0) host.child.kill('SIGKILL');
        }
      }),
    );
    expect(await host.exit).toBe(137);
    expect(await stuckRows(data)).toEqual([]);
  }
  const host = await up({ data, argv: ['--config', join(data, 'earshot.yaml')] });
  expect(await send(host, agent, 'r0-0', 'the last')).toBe(true);
  const shown = await pulled(host, source);
  for (const [room, texts] of acknowledged) expect(shown.get(room)).toEqual(expect.arrayContaining(texts));
  await host.stop();
});
