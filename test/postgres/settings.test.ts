// The settings of several nodes, each with an `earshot.yaml` of its own: a change at one of them, by the page, the API or
// the file, is taken by all of them. The newest version of the database is the truth.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SettingsFileAnswer } from '../../src/protocol/settings-api.ts';
import type { Here } from '../server/here.ts';
import { message, run, until } from '../server/up.ts';
import { addressOf, agentAt, answers, hereOn, sharedSchema } from './host-nodes.ts';
import type { StoreSchema } from './store-schema.ts';

const LONG = { timeout: 120_000 };
const FILE = `agents:
  - id: lead
  - id: builder # by night
`;
const WITH_REVIEWER = `${FILE}  - id: reviewer\n`;
const WITHOUT_BUILDER = 'agents:\n  - id: lead\n';
const HOOK = (secret: string): string =>
  `${FILE}host:\n  webhooks:\n    - { agent: builder, url: "http://127.0.0.1:9/hook", secret: ${secret} }\n`;
const SECRET = 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQtMTIz';

let schema: StoreSchema;
const node = (text = FILE): Promise<Here> => hereOn(schema, text);

const file = (host: Here): string => readFileSync(join(host.data, 'earshot.yaml'), 'utf8');
const edit = (host: Here, text: string): void => writeFileSync(join(host.data, 'earshot.yaml'), text);

async function view(host: Here, token: string): Promise<SettingsFileAnswer> {
  return (await host.call('GET', '/v1/settings/file', token)).body as unknown as SettingsFileAnswer;
}

const apply = (host: Here, token: string, text: string, basedOn: number) =>
  host.call('POST', '/v1/settings/apply', token, { text, basedOn });

/** What decided about an event, as any node tells it. */
async function decidedBy(host: Here, token: string, eventId: string): Promise<string> {
  const { body } = await host.call('GET', '/v1/log?limit=100', token);
  const found = (body['log'] as { eventId: string; settings: string }[]).find(
    (row) => row.eventId === eventId,
  );
  return found?.settings ?? 'not logged';
}

const taken = (host: Here, token: string, number: number): Promise<SettingsFileAnswer> =>
  until(async () => {
    const now = await view(host, token);
    return now.number >= number && now;
  });

it('a change by the API at one node is taken by the other, into its file too', LONG, async () => {
  schema = sharedSchema();
  const [a, b] = [await node(), await node()];
  const { operator, surfaces } = a.tokens;
  const before = await view(b, operator);
  expect(before).toMatchObject({ number: 1, version: (await view(a, operator)).version });
  const applied = await apply(a, operator, WITH_REVIEWER, 1);
  expect(applied).toMatchObject({ status: 200, body: { number: 2 } });
  const now = await taken(b, operator, 2);
  expect(now).toMatchObject({ number: 2, version: applied.body['version'], problems: [] });
  expect(file(b)).toBe(WITH_REVIEWER);
  const asked = message('@reviewer, can you look?');
  expect((await b.call('POST', '/v1/events', surfaces['dev'], asked)).status).toBe(202);
  expect(await decidedBy(b, operator, asked.eventId)).toBe(applied.body['version']);
  const made = await a.call('POST', '/v1/tokens', operator, { kind: 'agent', subject: 'reviewer' });
  const agent = agentAt(b.url, made.body['token'] as string);
  await until(async () => (await answers(b, surfaces['dev'])).some((text) => text.includes('can you look')));
  await agent.close();
  // Back, from the other node, by the file.
  edit(b, FILE);
  await b.call('POST', '/v1/settings/reload', operator, {});
  expect((await taken(a, operator, 3)).version).toBe(before.version);
  expect(file(a)).toBe(FILE);
  const { body } = await b.call('GET', '/v1/settings/versions', operator);
  expect((body['versions'] as { number: number }[]).map(({ number }) => number)).toEqual([3, 2, 1]);
});

it('an agent that is removed at one node is asked nothing more at the other', LONG, async () => {
  schema = sharedSchema();
  const [a, b] = [await node(), await node()];
  const { operator, surfaces } = a.tokens;
  const asked = [message('@builder, one?'), message('@builder, two?')];
  for (const [n, host] of [a, b].entries())
    expect((await host.call('POST', '/v1/events', surfaces['dev'], asked[n])).status).toBe(202);
  expect((await apply(a, operator, WITHOUT_BUILDER, 1)).status).toBe(200);
  await taken(b, operator, 2);
  await b.call('POST', '/v1/events', surfaces['dev'], message('@builder, three?'));
  const client = await schema.client();
  await until(async () => {
    const { rows } = await client.query('SELECT key FROM delivery WHERE agent = $1 AND open = 1', [
      'builder',
    ]);
    return rows.length === 0;
  });
  // Both nodes have ended what was open for it: each asker was told once.
  const { body } = await b.call('GET', '/v1/inbox', operator);
  const letters = (body['inbox'] as { kind: string }[]).filter(({ kind }) => kind === 'dead_letter');
  expect(letters).toHaveLength(2);
});

it('of two changes at the same time one is refused, and both nodes decide by the other', LONG, async () => {
  schema = sharedSchema();
  const [a, b] = [await node(), await node()];
  const { operator } = a.tokens;
  const [one, other] = await Promise.all([
    apply(a, operator, WITH_REVIEWER, 1),
    apply(b, operator, WITHOUT_BUILDER, 1),
  ]);
  expect([one.status, other.status].toSorted((x, y) => x - y)).toEqual([200, 409]);
  const version = (one.status === 200 ? one : other).body['version'];
  for (const host of [a, b]) {
    await until(async () => (await view(host, operator)).version === version);
    expect(file(host)).toBe(one.status === 200 ? WITH_REVIEWER : WITHOUT_BUILDER);
  }
});

it(
  'a node whose file says what was in force before takes the newest; one with news brings it',
  LONG,
  async () => {
    const a = await node();
    const { operator } = a.tokens;
    expect((await apply(a, operator, WITH_REVIEWER, 1)).status).toBe(200);
    const late = await node();
    expect(await view(late, operator)).toMatchObject({
      number: 2,
      version: (await view(a, operator)).version,
    });
    expect(file(late)).toBe(WITH_REVIEWER);
    const news = await node(WITHOUT_BUILDER);
    for (const host of [a, late, news])
      await until(async () => (await view(host, operator)).text === WITHOUT_BUILDER);
  },
);

it('a node that cannot take a change says so, decides by what it had, and is named', LONG, async () => {
  schema = sharedSchema();
  const [a, b] = [await node(), await node()];
  const { operator, surfaces } = a.tokens;
  const before = await view(b, operator);
  // No secret is stored in the database, so the other node does not know this one.
  const applied = await apply(a, operator, HOOK(SECRET), 1);
  expect(applied.status).toBe(200);
  const refusing = await until(async () => {
    const now = await view(b, operator);
    return now.problems.length > 0 && now;
  });
  expect(refusing).toMatchObject({ number: 1, version: before.version });
  expect(JSON.stringify(refusing.problems)).toContain('secret');
  const asked = message('@builder, can you look?');
  await b.call('POST', '/v1/events', surfaces['dev'], asked);
  expect(await decidedBy(a, operator, asked.eventId)).toBe(before.version);
  const doctor = async (): Promise<string[]> => {
    const args = ['doctor', '--data', a.data, '--json'];
    const { out } = await run(args, a.data, { EARSHOT_STORE: addressOf(schema), EARSHOT_TOKEN: operator });
    const found = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { ok: boolean; said: string });
    return found.flatMap(({ ok, said }) => (ok || !said.startsWith('settings differ') ? [] : [said]));
  };
  const [said] = await until(async () => {
    const found = await doctor();
    return found.length > 0 && found;
  });
  expect(said).toContain(a.url);
  expect(said).toContain(b.url);
  // With the secret in its file it has the same settings.
  edit(b, HOOK(SECRET));
  await until(async () => (await view(b, operator)).version === applied.body['version']);
  await until(async () => (await doctor()).length === 0);
  const { body } = await b.call('GET', '/v1/settings/versions', operator);
  expect(body['versions']).toHaveLength(2);
});
