// The database is away for a while: callers wait, supervisors hear that the node is not ready, and nobody does anything.
import { expect, it, onTestFinished } from 'vitest';
import { message, until } from '../server/up.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { agentAt, answers, hereOn, sharedSchema } from './host-nodes.ts';

const LONG = { timeout: 120_000 };
const FILE = 'agents: [{ id: lead }]\nlimits: { composeMs: 50 }\n';

it('callers wait for it, and what was said meanwhile is answered once it is back', LONG, async () => {
  const schema = sharedSchema();
  const proxy = await CuttingProxy.to(schema.url);
  onTestFinished(() => proxy.close());
  const host = await hereOn(schema, FILE, proxy.url);
  const { agents, surfaces } = host.tokens;
  const agent = agentAt(host.url, agents['lead']);
  await until(async () => agent.status === 'ready');
  const say = (text: string) => host.call('POST', '/v1/events', surfaces['dev'], message(text));
  expect((await say('@lead, before?')).status).toBe(202);

  const client = await schema.client();
  proxy.refuse();
  await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = ANY ($1)', [
    await schema.backends(client),
  ]);
  let isAnswered = false;
  const during = say('@lead, meanwhile?').then((answer) => {
    isAnswered = true;
    return answer;
  });
  const ready = await until(async () => {
    const answer = await host.call('GET', '/readyz');
    return answer.status !== 200 && answer;
  });
  expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  expect(ready.body).toMatchObject({ error: { code: 'unavailable' } });
  expect(isAnswered).toBe(false);

  proxy.accept();
  expect((await during).status).toBe(202);
  expect((await host.call('GET', '/readyz')).status).toBe(200);
  const said = await until(async () => {
    const all = (await answers(host, surfaces['dev'])).filter((text) => text.startsWith('Heard'));
    return /before[^]*meanwhile/.test(all.join('\n')) && all;
  });
  expect(said.join('\n').match(/meanwhile/g)).toHaveLength(1);
  await agent.close();
});
