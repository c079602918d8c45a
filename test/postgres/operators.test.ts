// What operators see of several hosts on one database: `earshot doctor`, `/metrics`, and the connections that PostgreSQL has.
import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { nodeFindings } from '../../src/cli/node-findings.ts';
import type { StoreHealth } from '../../src/host/operator/routes/health.ts';
import type { Here } from '../server/here.ts';
import { message, run, until } from '../server/up.ts';
import { logRow, writing } from '../contract/store-rows.ts';
import { addressOf, agentAt, answers, hereOn, nodeOf, sharedSchema } from './host-nodes.ts';
import { almostCommit } from './slow-commit.ts';
import type { StoreSchema } from './store-schema.ts';

const LONG = { timeout: 120_000 };
const FILE = 'agents: [{ id: lead }]\nlimits: { composeMs: 50 }\n';

interface Finding {
  what: string;
  ok: boolean;
  said: string;
}

/** What `earshot doctor` says of nodes, on the machine of this one. */
async function doctor(schema: StoreSchema, at: Here, operator: string): Promise<Finding[]> {
  const env = { EARSHOT_STORE: addressOf(schema), EARSHOT_TOKEN: operator };
  const { out } = await run(['doctor', '--data', at.data, '--json'], at.data, env);
  const all = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Finding);
  return all.filter(({ what }) => what === 'nodes');
}

it(
  'doctor names nodes, and what is wrong with them: silence, versions, a commit that hangs',
  LONG,
  async () => {
    const schema = sharedSchema();
    const [a, b] = [await hereOn(schema, FILE), await hereOn(schema, FILE)];
    const { operator } = a.tokens;
    const sound = await until(async () => {
      const found = await doctor(schema, b, operator);
      const isKnown = ({ url }: Here): boolean => found.some(({ said }) => said === `${url}: alive`);
      return [a, b].every(isKnown) && found.every(({ ok }) => ok) && found;
    });
    expect(sound.filter(({ ok }) => !ok)).toEqual([]);

    // A node of an older Earshot says once that it lives.
    const store = await schema.open({ node: 'silent' });
    store.nodes.announce({ url: 'http://silent', version: '0.0.1', config: 'other' });
    store.nodes.follow({ watch: () => NOTHING, found() {}, hinted() {}, fenced() {} })();
    const slow = await almostCommit(schema, writing({ table: 'log', row: logRow('slow') }));
    const patterns = [
      /^http:\/\/silent: silent for \d+ ms$/,
      /^versions differ: .*0\.0\.1 at http:\/\/silent/,
      /^settings differ: .*other at http:\/\/silent/,
      /^a commit has been under way for \d+ ms, and readers wait behind it$/,
    ];
    const said = new Set<string>();
    await until(async () => {
      const { body } = await b.call('GET', '/v1/doctor', operator);
      for (const finding of nodeFindings(body as unknown as StoreHealth))
        if (!finding.ok) said.add(finding.said);
      return patterns.every((pattern) => [...said].some((one) => pattern.test(one)));
    });
    await slow.query('ROLLBACK');
  },
);

it('a node that listens on all addresses is known by the name of its machine', LONG, async () => {
  const schema = sharedSchema();
  const alone = await hereOn(schema, FILE);
  const wild = await nodeOf(schema, { argv: ['--host', '0.0.0.0'] });
  const known = `http://${hostname()}:${new URL(wild.url).port}: alive`;
  await until(async () => {
    const found = await doctor(schema, alone, alone.tokens.operator);
    return found.some(({ said }) => said === known);
  });
  expect(await wild.stop()).toBe(0);
});

const has = (text: string, name: string): boolean =>
  text.split('\n').some((line) => line.startsWith(`${name}{`));

const NOTHING = { agents: [], deliveries: [], surfaces: [], sweeps: false };

it('every figure has the label of its node, and what is about the store is told by one', LONG, async () => {
  const schema = sharedSchema();
  const hosts = [await hereOn(schema, FILE), await hereOn(schema, FILE)];
  const client = await schema.client();
  const read = async () => Promise.all(hosts.map(async (host) => (await host.call('GET', '/metrics')).text));
  const STORE = [
    'earshot_deliveries',
    'earshot_outbox',
    'earshot_store_rows',
    'earshot_delivery_lag_seconds',
  ];
  const texts = await until(async () => {
    const now = await read();
    return now.some((text) => has(text, 'earshot_store_rows')) && now;
  });
  const { rows } = await client.query<{ id: string }>('SELECT id FROM node WHERE version IS NOT NULL');
  const labels = texts.map((text) => {
    const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const found = new Set(samples.map((line) => /[{,]node="([^"]+)"/.exec(line)?.[1]));
    expect(found.size).toBe(1);
    return [...found][0];
  });
  expect(new Set(labels)).toEqual(new Set(rows.map(({ id }) => id)));
  expect(new Set(labels).size).toBe(2);
  for (const name of STORE) expect(texts.filter((text) => has(text, name))).toHaveLength(1);
  for (const text of texts) expect(has(text, 'earshot_sessions')).toBe(true);
});

it('a node has four connections at most, whatever is asked of it', LONG, async () => {
  const schema = sharedSchema();
  const host = await nodeOf(schema);
  const { operator, agents, surfaces } = host.tokens;
  const client = await schema.client();
  const agent = agentAt(host.url, agents['lead']);
  await until(async () => agent.status === 'ready');
  let most = 0;
  const over = new AbortController();
  const look = async (): Promise<void> => {
    while (!over.signal.aborted) most = Math.max(most, (await schema.backends(client)).length);
  };
  const looking = look();
  const ask = async (n: number): Promise<void> => {
    const event = message(`@lead, what about number ${n}?`, {
      conversation: { id: `r${n}`, kind: 'channel' },
    });
    const reads = ['/v1/log?text=number', '/v1/doctor', '/v1/agents', '/v1/deliveries', '/metrics'];
    const [posted] = await Promise.all([
      host.call('POST', '/v1/events', surfaces['dev'], event),
      ...reads.map((path) => host.call('GET', path, operator)),
    ]);
    expect(posted.status).toBe(202);
  };
  for (let round = 0; round < 5; round++) await Promise.all([1, 2, 3, 4].map((n) => ask(round * 4 + n)));
  await until(async () => (await answers(host, surfaces['dev'])).length === 20);
  over.abort();
  await looking;
  expect(most).toBe(4);
  await agent.close();
  expect(await host.stop()).toBe(0);
  expect(await schema.backends(client)).toEqual([]);
});
