// `earshot up --store postgres://…` as a process: what works on a file works on a database, and a kill loses nothing.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connect } from '../../src/agent/connect.ts';
import { folder, message, run, type Up, until, up } from '../server/up.ts';
import { StoreSchema } from './store-schema.ts';

let schema: StoreSchema;
beforeEach(() => {
  schema = new StoreSchema();
});
afterEach(() => schema.dispose());

const address = (): string => `${schema.url}?schema=${schema.name}`;
const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

/** An agent of the SDK that answers everything, and stays while hosts come and go. */
function answering(host: Up, agent = 'lead') {
  const connection = connect({
    url: host.url,
    token: host.tokens.agents[agent],
    log: QUIET,
    compose: { quietMs: 10 },
    limits: { reconnectBaseMs: 20, reconnectCapMs: 100 },
  });
  return connection.onTurn((turn) => `Heard: ${turn.text}`);
}

/** What waits for the source to be shown. */
async function answers(host: Up): Promise<string[]> {
  const { body } = await host.call('GET', '/v1/outbox?limit=100', host.tokens.surfaces['dev']);
  return (body['messages'] as { text: string }[]).map(({ text }) => text);
}

it('stores in the database, an agent answers, and after kill -9 nothing is lost', async () => {
  const data = folder();
  const argv = ['--store', address()];
  const first = await up({ data, argv });
  const port = new URL(first.url).port;
  const agent = answering(first);
  expect((await first.post(message('@lead one'))).status).toBe(202);
  await until(async () => (await answers(first)).some((text) => /^Heard:.*one/.test(text)));
  const posts = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      first.post(message(`@lead what is n${n}?`, { conversation: { id: `room-${n}`, kind: 'channel' } })),
    ),
  );
  first.child.kill('SIGKILL');
  await first.exit;
  expect(posts.map(({ status }) => status)).toEqual(posts.map(() => 202));
  const second = await up({ data, argv: ['--port', port], env: { EARSHOT_STORE: address() } });
  const all = await until(async () => {
    const texts = await answers(second);
    return texts.filter((text) => /^Heard:.*\bn\d+/.test(text)).length === 20 && texts;
  });
  expect(new Set(all).size).toBe(all.length);
  await agent.close();
  expect(await second.stop()).toBe(0);
});

it('has the web chat, the operator API and the other commands', async () => {
  const data = folder();
  const env = { EARSHOT_STORE: address() };
  const token = await run(
    ['token', 'create', '--kind', 'operator', '--subject', 'ops', '--data', data],
    data,
    env,
  );
  expect([token.code, token.err]).toMatchObject([0, expect.any(String)]);
  const operator =
    token.out
      .trim()
      .split(/\s+/)
      .find((word) => word.startsWith('ear_')) ?? '';
  const host = await up({ data, env });
  const call = (method: string, path: string, body?: unknown) => host.call(method, path, operator, body);
  expect((await call('GET', '/v1/agents')).status).toBe(200);
  const person = await call('POST', '/v1/tokens', { kind: 'person', subject: 'ada', label: 'Ada' });
  const lead = await call('POST', '/v1/tokens', { kind: 'agent', subject: 'lead' });
  const agent = connect({ url: host.url, token: lead.body['token'] as string, log: QUIET });
  agent.onTurn(() => 'On it.');
  const say = await run(['say', '@lead hello?', '--url', host.url], data, {
    ...env,
    EARSHOT_TOKEN: person.body['token'] as string,
  });
  expect([say.code, say.out]).toMatchObject([0, expect.stringContaining('On it.')]);
  const doctor = await run(['doctor', '--data', data, '--json'], data, { ...env, EARSHOT_TOKEN: operator });
  const findings = doctor.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { what: string; ok: boolean; said: string });
  expect(findings.filter(({ what }) => what === 'store')).toMatchObject([
    { ok: true, said: expect.stringContaining('invariants hold') },
  ]);
  const backup = await run(['backup', 'copy.db', '--data', data], data, env);
  expect([backup.code, backup.err]).toEqual([1, expect.stringMatching(/^earshot: .*pg_dump.*\n$/)]);
  const restore = await run(['restore', 'earshot.yaml', '--data', data], data, env);
  expect(restore.code).toBe(1);
  await agent.close();
  await host.stop();
});

it('ends when it cannot start, after it has opened the database', async () => {
  const data = folder();
  const refused = await run(
    ['up', '--host', '0.0.0.0', '--port', '0', '--data', data, '--store', address()],
    data,
  );
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringMatching(/^earshot: not listening on 0\.0\.0\.0: .*\n$/),
  ]);
  const client = await schema.client();
  expect((await client.query('SELECT id FROM node')).rows).toEqual([]);
});

it('says in one line what is wrong with an address, and prints no password', async () => {
  const data = folder();
  const wrong = await run(['up', '--data', data, '--store', 'mysql://db/x'], data);
  expect([wrong.code, wrong.err]).toEqual([
    2,
    expect.stringMatching(/^earshot: --store: .*postgres:\/\/.*\n$/),
  ]);
  const url = new URL(address());
  url.pathname = '/no_such_database';
  url.password = 'hunter22secret';
  const gone = await run(['token', 'list', '--data', data, '--store', url.href], data);
  expect([gone.code, gone.err]).toEqual([1, expect.stringMatching(/^earshot: the store at postgres:.*\n$/)]);
  expect(gone.err).toContain('no_such_database');
  expect(gone.err).not.toContain('hunter22');
});
