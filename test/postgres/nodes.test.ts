// Several hosts on one database: an agent is served wherever it connects, whoever stores the event.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { message, type Up, until } from '../server/up.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { agentAt, answers, nodeOf } from './host-nodes.ts';
import { StoreSchema } from './store-schema.ts';

let schema: StoreSchema;
beforeEach(() => {
  schema = new StoreSchema();
});
afterEach(() => schema.dispose());

async function post(host: Up, tokens: Up['tokens'], text: string, room = 'general'): Promise<void> {
  const event = message(text, { conversation: { id: room, kind: 'channel' } });
  expect((await host.call('POST', '/v1/events', tokens.surfaces['dev'], event)).status).toBe(202);
}

async function answered(host: Up, tokens: Up['tokens'], words: string): Promise<void> {
  await until(async () => (await answers(host, tokens.surfaces['dev'])).some((text) => text.includes(words)));
}

describe('two nodes', () => {
  it('serve an agent on one that is asked on the other, also when every notification is lost', async () => {
    const proxy = await CuttingProxy.to(schema.url);
    const a = await nodeOf(schema);
    const b = await nodeOf(schema, { url: proxy.url });
    const { tokens } = a;
    const agent = agentAt(b.url, tokens.agents['lead']);
    await until(async () => agent.agent !== '');
    await post(a, tokens, '@lead first');
    await answered(a, tokens, 'first');
    proxy.swallowsNotifications = true;
    for (const word of ['second', 'third']) {
      await post(a, tokens, `@lead ${word}`, word);
      await answered(b, tokens, word);
    }
    await agent.close();
    await Promise.all([a.stop(), b.stop()]);
    await proxy.close();
  });

  it('move a session: whoever connects last has it, and the other node lets go', async () => {
    const [a, b] = [await nodeOf(schema), await nodeOf(schema)];
    const { tokens } = a;
    const older = agentAt(a.url, tokens.agents['lead'], ' on a');
    await post(b, tokens, '@lead first');
    await answered(b, tokens, 'Heard on a');
    const newer = agentAt(b.url, tokens.agents['lead'], ' on b');
    expect(await older.closed).toBe('fenced');
    await post(a, tokens, '@lead second', 'second');
    await answered(a, tokens, 'Heard on b');
    await newer.close();
    await Promise.all([a.stop(), b.stop()]);
  });

  it('go on when one is killed: its agents connect to the other, its leases move', async () => {
    const [a, b] = [await nodeOf(schema), await nodeOf(schema)];
    const { tokens } = a;
    const client = await schema.client();
    const leases = async () =>
      (await client.query<{ node: string }>('SELECT DISTINCT node FROM lease')).rows.map(({ node }) => node);
    const [first] = await until(async () => {
      const held = await leases();
      return held.length > 0 && held;
    });
    a.child.kill('SIGKILL');
    const agent = agentAt(b.url, tokens.agents['lead']);
    await post(b, tokens, '@lead are you there');
    await answered(b, tokens, 'are you there');
    await until(async () => !(await leases()).includes(first ?? '') && (await leases()).length === 1);
    await agent.close();
    await b.stop();
    expect(await leases()).toEqual([]);
  });
});

it('an idle node asks at most three times a second', async () => {
  const proxy = await CuttingProxy.to(schema.url);
  const [a, b] = [await nodeOf(schema), await nodeOf(schema, { url: proxy.url })];
  const agent = agentAt(b.url, a.tokens.agents['lead']);
  await until(async () => agent.agent !== '');
  // What a start and a connection ask is over once two seconds in a row asked little.
  const asked = async (seconds: number): Promise<number> => {
    const before = proxy.sent.extended + proxy.sent.simple;
    const client = await schema.client();
    await client.query('SELECT pg_sleep($1)', [seconds]);
    return proxy.sent.extended + proxy.sent.simple - before;
  };
  await until(async () => (await asked(1)) <= 3);
  expect(await asked(4)).toBeLessThanOrEqual(3 * 5);
  await agent.close();
  await Promise.all([a.stop(), b.stop()]);
  await proxy.close();
});
