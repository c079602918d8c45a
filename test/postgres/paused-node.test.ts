// A host that stands still for longer than its lease (SIGSTOP, a frozen machine). The others take over what was its own;
// woken, it may store nothing under the name that was given up, and it serves again under a new epoch.
import { expect, it } from 'vitest';
import { message, type Up, until } from '../server/up.ts';
import { agentAt, answers, nodeOf, sharedSchema } from './host-nodes.ts';

const LONG = { timeout: 120_000 };

it('what it had is served elsewhere, and woken it begins anew', LONG, async () => {
  const schema = sharedSchema();
  const client = await schema.client();
  const [a, b] = [await nodeOf(schema), await nodeOf(schema)];
  const { agents, surfaces } = a.tokens;
  const source = surfaces['dev'];
  const said = async (host: Up, text: string): Promise<number> =>
    (await host.call('POST', '/v1/events', source, message(text))).status;
  const answered = (words: RegExp): Promise<unknown> =>
    until(async () => (await answers(b, source)).some((text) => words.test(text)));
  const [row] = await until(async () => {
    const { rows } = await client.query<{ id: string; epoch: string }>(
      'SELECT id, epoch FROM node WHERE url = $1',
      [a.url],
    );
    return rows.length === 1 && rows;
  });
  const [id, before] = [row?.id, Number(row?.epoch)];
  const node = async (): Promise<{ epoch: number; url: string | null } | undefined> => {
    const { rows } = await client.query<{ epoch: string; url: string | null }>(
      'SELECT epoch, url FROM node WHERE id = $1',
      [id],
    );
    return rows.map(({ epoch, url }) => ({ epoch: Number(epoch), url }))[0];
  };
  const leases = async (): Promise<string[]> =>
    (await client.query<{ name: string }>('SELECT name FROM lease WHERE node = $1', [id])).rows.map(
      ({ name }) => name,
    );
  const stays = agentAt(a.url, agents['builder'], ' on a');
  const elsewhere = agentAt(b.url, agents['lead'], ' on b');
  await until(async () => stays.status === 'ready' && elsewhere.status === 'ready');
  await until(async () => (await leases()).length > 0);

  a.child.kill('SIGSTOP');
  expect(await said(b, '@lead while one of us sleeps')).toBe(202);
  await answered(/on b: .*one of us sleeps/);
  await until(async () => (await leases()).length === 0);
  expect(await node()).toEqual({ epoch: before + 1, url: null });

  a.child.kill('SIGCONT');
  await until(async () => (await node())?.url === a.url);
  expect((await node())?.epoch).toBeGreaterThan(before + 1);
  expect(a.err()).toContain('taken for dead');
  await until(async () => (await said(a, '@builder awake again')) === 202);
  await answered(/on a: .*awake again/);
  expect(await said(a, '@lead and now?')).toBe(202);
  await answered(/on b: .*and now/);
  await Promise.all([stays.close(), elsewhere.close()]);
  expect(await Promise.all([a.stop(), b.stop()])).toEqual([0, 0]);
});
