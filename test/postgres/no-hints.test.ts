// Nodes tell each other what is new by NOTIFY, after the commit. Here none of it arrives anywhere: what is stored is the
// truth, and every node looks for what is new.
import { expect, it, onTestFinished } from 'vitest';
import type { Here } from '../server/here.ts';
import { message, until } from '../server/up.ts';
import { signIn } from '../surfaces/web/tab.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { agentAt, answers, hereOn, sharedSchema } from './host-nodes.ts';

const LONG = { timeout: 120_000 };
const FILE = 'agents:\n  - id: lead\n  - id: builder\nlimits: { composeMs: 50 }\n';

it('with every notification lost, everything still arrives', LONG, async () => {
  const schema = sharedSchema();
  const proxy = await CuttingProxy.to(schema.url);
  proxy.swallowsNotifications = true;
  onTestFinished(() => proxy.close());
  const [a, b] = [await hereOn(schema, FILE, proxy.url), await hereOn(schema, FILE, proxy.url)];
  const { agents, operator, surfaces } = a.tokens;
  const say = async (host: Here, text: string): Promise<void> => {
    expect((await host.call('POST', '/v1/events', surfaces['dev'], message(text))).status).toBe(202);
  };
  const answered = (words: RegExp): Promise<unknown> =>
    until(async () => (await answers(b, surfaces['dev'])).some((text) => words.test(text)));

  // A node takes no session before the database has heard of it.
  for (const host of [a, b]) {
    const first = agentAt(host.url, agents['builder']);
    await until(async () => first.status === 'ready');
    await first.close();
  }

  // A delivery to a session of the other node, and one after the session has moved.
  const older = agentAt(b.url, agents['lead'], ' on b');
  await until(async () => older.status === 'ready');
  await say(a, '@lead, the first one?');
  await answered(/on b: .*the first one/);
  const newer = agentAt(a.url, agents['lead'], ' on a');
  expect(await older.closed).toBe('fenced');
  await say(b, '@lead, the second one?');
  await answered(/on a: .*the second one/);

  // A call that waits at the other node.
  const params = { name: 'chat.wait_events', arguments: { timeoutMs: 25_000 } };
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const waits = b.call('POST', '/c2a', agents['builder'], request);
  await say(a, '@builder, the third one?');
  expect((await waits).text).toContain('the third one');

  // Tabs: what is said at the other node, and the end of a token.
  const person = async (subject: string) => {
    const body = { kind: 'person', subject, label: subject };
    const made = await a.call('POST', '/v1/tokens', operator, body);
    return { key: made.body['key'] as string, token: made.body['token'] as string };
  };
  const [ada, bob] = [await person('ada'), await person('bob')];
  const there = await signIn(b.url, bob.token);
  const here = await signIn(a.url, ada.token);
  await here.tab.say('general', 'said at one, heard at the other');
  await there.tab.until('message', ({ message: { text } }) => text === 'said at one, heard at the other');
  expect((await a.call('DELETE', `/v1/tokens/${bob.key}`, operator)).status).toBe(200);
  await there.tab.closed;

  // Settings.
  const text = `${FILE}# changed\n`.replace('  - id: builder\n', '  - id: builder\n  - id: reviewer\n');
  const applied = await a.call('POST', '/v1/settings/apply', operator, { text, basedOn: 1 });
  expect(applied).toMatchObject({ status: 200, body: { number: 2 } });
  await until(async () => (await b.call('GET', '/v1/settings/file', operator)).body['number'] === 2);

  expect(proxy.swallowed).toBeGreaterThan(0);
  await newer.close();
});
