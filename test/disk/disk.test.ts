// What a running host does when its disk is full, broken, or loses the store's files. The host is a process of its own;
// the disk is faulty-disk.c.
import { once } from 'node:events';
import { copyFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { message, run, up, type Up } from '../server/up.ts';
import { faultyDisk, faultyFolder } from './faulty-disk.ts';

const BROKEN = 3;
const acknowledged = [202, 207];

/** Posts until the host has ended. Returns the ids it acknowledged meanwhile. */
async function postUntilEnd(host: Up): Promise<string[]> {
  const stored: string[] = [];
  const end = host.exit.then(() => 'end' as const);
  for (;;) {
    const event = message('is this kept?');
    const answer = await Promise.race([host.post(event).catch(() => 'gone' as const), end]);
    if (answer === 'gone' || answer === 'end') return stored;
    if (acknowledged.includes(answer.status)) stored.push(event.eventId);
    else expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  }
}

/** Every event is there: posted again, each is a repeat. */
async function expectKept(host: Up, events: readonly ReturnType<typeof message>[]): Promise<void> {
  for (const event of events) {
    expect((await host.post(event)).body).toMatchObject({
      events: [{ eventId: event.eventId, status: 'repeat' }],
    });
  }
}

/** What the process says on its way out, without the lines of its log. */
function lastWords(host: Up): string[] {
  return host
    .err()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'));
}

async function storeSome(host: Up, count: number) {
  const events = Array.from({ length: count }, (_, index) => message(`kept ${index}`));
  for (const event of events) expect((await host.post(event)).status).toBe(202);
  return events;
}

describe.skipIf(faultyDisk === undefined)('a disk that fails to sync', () => {
  it('ends the process with one line, acknowledges nothing, and the next start has all that was acknowledged', async () => {
    const disk = faultyFolder(faultyDisk ?? '');
    const host = await up({ data: disk.folder, env: disk.env });
    const kept = await storeSome(host, 20);
    disk.break('sync');
    expect(await postUntilEnd(host)).toEqual([]);
    expect(await host.exit).toBe(BROKEN);
    expect(lastWords(host)).toEqual([
      expect.stringMatching(
        /^earshot: the disk holding .*earshot\.db failed to sync \(EIO.*\).*Restart Earshot/,
      ),
    ]);
    // Nobody copied a WAL into the store of which nobody knows what is in it.
    expect(statSync(join(disk.folder, 'earshot.db-wal')).size).toBeGreaterThan(0);
    disk.mend();
    const again = await up({ data: disk.folder, env: disk.env });
    await expectKept(again, kept);
    expect((await again.post(message('and it goes on'))).status).toBe(202);
    await again.stop();
  });
});

describe.skipIf(faultyDisk === undefined)('a disk that fails to write', () => {
  it('ends the process with one line: only a want of room is waited for', async () => {
    const disk = faultyFolder(faultyDisk ?? '');
    const host = await up({ data: disk.folder, env: disk.env });
    await storeSome(host, 1);
    disk.break('write');
    expect(await postUntilEnd(host)).toEqual([]);
    expect(await host.exit).toBe(BROKEN);
    expect(lastWords(host)).toEqual([expect.stringMatching(/^earshot: .*failed to read or write: check/)]);
  });
});

describe.skipIf(faultyDisk === undefined).each([
  ['a full disk', 'full'],
  ['a quota that is used up', 'quota'],
] as const)('%s', (_, fault) => {
  it('is 503 on every way in and on /readyz, and ends by itself when there is room again', async () => {
    const disk = faultyFolder(faultyDisk ?? '');
    const host = await up({ data: disk.folder, env: disk.env });
    const kept = await storeSome(host, 20);
    const ready = () => host.call('GET', '/readyz');
    expect((await ready()).status).toBe(200);
    const { tokens } = host;
    const { dev = '' } = tokens.surfaces;
    const lead = tokens.agents['lead'] ?? '';
    const source = await openSocket(host, '/c2a', ['c2a', `bearer.${dev}`]);
    await source.ask('initialize', { protocolVersion: '2026-06-02' });
    const agent = await openSocket(host, '/c2a', ['c2a', `bearer.${lead}`]);
    await agent.ask('initialize', { protocolVersion: '2026-06-02' });
    const tab = await openSocket(host, '/web');
    const me = await tab.ask('hello', { token: (tokens as { people?: { you?: string } }).people?.you });
    const [channel] = (me.result as { conversations: { id: string }[] }).conversations;
    disk.break(fault);

    const late = message('@lead is there room?');
    for (const refused of [
      await host.post(late),
      await host.post([late, message('and another')]),
      await host.call('POST', '/v1/pairings', tokens.operator, { role: 'owner' }),
    ]) {
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
      expect(refused.text).toContain('The disk of the host is full');
    }
    const call = { name: 'chat.focus', arguments: { ttlMs: 60_000 } };
    const overHttp = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
    const refusals = [
      await source.ask('ingest/events', { events: [late] }),
      await agent.ask('tools/call', call),
      await agent.ask('turn/started', { turnId: 't1', eventIds: [kept[0]?.eventId] }),
      await tab.ask('post', { key: 'k', conversation: channel?.id, text: 'hello' }),
      (await host.call('POST', '/c2a', lead, overHttp)).body,
    ];
    for (const refusal of refusals)
      expect(JSON.stringify(refusal)).toMatch(/"name":"unavailable"|disk of the host is full/);

    const notReady = await ready();
    expect(notReady.status).toBe(503);
    expect(notReady.text).toContain('No event can be stored: the disk is full');
    expect((await host.call('GET', '/healthz')).status).toBe(200);

    disk.mend();
    // Nobody posts anything: /readyz finds out alone.
    expect((await ready()).status).toBe(200);
    expect((await host.post(late)).body).toMatchObject({ events: [{ status: 'accepted' }] });
    await expectKept(host, [...kept, late]);
    expect(await host.stop()).toBe(0);
  });

  it('is one line when the host is started on it, new or with a store', async () => {
    const disk = faultyFolder(faultyDisk ?? '');
    const starts = () =>
      run(['up', '--port', '0', '--no-demo', '--data', disk.folder], disk.folder, disk.env);
    const oneLine = {
      code: 1,
      out: '',
      err: expect.stringMatching(/^earshot: .*disk .*is full.*\n$/) as string,
    };
    disk.break(fault);
    expect(await starts()).toEqual(oneLine);
    disk.mend();
    const host = await up({ data: disk.folder, env: disk.env });
    await storeSome(host, 1);
    await host.stop();
    disk.break(fault);
    expect(await starts()).toEqual(oneLine);
  });
});

interface Answer {
  id?: unknown;
  result?: unknown;
  error?: unknown;
}

/** A WebSocket on which one request is asked at a time. */
async function openSocket(host: Up, path: string, protocols: string[] = []) {
  const socket = new WebSocket(`${host.url.replace('http', 'ws')}${path}`, protocols);
  await once(socket, 'open');
  let last = 0;
  return {
    ask(method: string, params: unknown): Promise<Answer> {
      const id = ++last;
      const { promise, resolve } = Promise.withResolvers<Answer>();
      const hear = ({ data }: MessageEvent): void => {
        const frame = JSON.parse(String(data)) as Answer;
        if (frame.id !== id || 'method' in frame) return;
        socket.removeEventListener('message', hear);
        resolve(frame);
      };
      socket.addEventListener('message', hear);
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      return promise;
    },
  };
}

describe('files that are not the ones it opened', () => {
  it('a deleted folder: nothing more is acknowledged, and the process ends with one line', async () => {
    const host = await up();
    await storeSome(host, 5);
    const token = host.tokens.surfaces['dev'];
    rmSync(host.data, { recursive: true });
    const event = message('into nothing?');
    const answer = await host.call('POST', '/v1/events', token, event).catch(() => undefined);
    expect([503, undefined]).toContain(answer?.status);
    expect(await host.exit).toBe(BROKEN);
    expect(lastWords(host)).toEqual([
      expect.stringMatching(/^earshot: .*earshot\.db was deleted while Earshot was using it/),
    ]);
  });

  it('a store that was replaced: /readyz notices, and the process ends', async () => {
    const host = await up();
    copyFileSync(join(host.data, 'earshot.db'), join(host.data, 'copy'));
    renameSync(join(host.data, 'copy'), join(host.data, 'earshot.db'));
    const answer = await host.call('GET', '/readyz');
    expect([answer.status, answer.text]).toEqual([503, expect.stringContaining('No event can be stored')]);
    expect(await host.exit).toBe(BROKEN);
    expect(lastWords(host)).toEqual([expect.stringContaining('earshot.db was replaced by another file')]);
  });
});
