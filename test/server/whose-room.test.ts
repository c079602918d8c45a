// Whose a room is does not depend on who posted in it first. Once a source is named for the platform, what agents say there
// goes to that source, also before it has said anything itself, and the other one is out.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../src/cli/config.ts';
import { upHere } from './here.ts';
import { folder, message } from './up.ts';

type Here = Awaited<ReturnType<typeof upHere>>;

const irc = (text: string) =>
  message(text, { platform: 'irc', conversation: { id: 'ops', kind: 'channel' } });

async function tokenFor(host: Here, subject: string): Promise<string> {
  const { body } = await host.call('POST', '/v1/tokens', host.tokens.operator, {
    kind: 'surface',
    subject,
    label: '',
  });
  return String(body['token']);
}

async function waiting(host: Here, token: string): Promise<string[]> {
  const { body } = await host.call('GET', '/v1/outbox', token);
  return (body['messages'] as { text: string }[]).map(({ text }) => text);
}

function say(host: Here, text: string) {
  const args = {
    target: 'channel:ops',
    text,
    visibility: 'channel',
    directedness: 'ambient',
    idempotencyKey: text,
  };
  const params = { name: 'chat.send_message', arguments: args };
  return host.call('POST', '/c2a', host.tokens.agents['lead'], {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params,
  });
}

it('a source that is named for a platform gets the sends of its rooms, whoever posted there first', async () => {
  const data = folder();
  const config = (sources: string) =>
    writeFileSync(join(data, DEFAULT_CONFIG), `agents: [{ id: lead }]\nhost: { sources: [${sources}] }\n`);
  config('');
  const first = await upHere({ data });
  expect((await first.post(irc('first!'))).status).toBe(202);
  const bridge = await tokenFor(first, 'bridge');
  await first.stop();

  config('{ id: bridge, platform: irc }');
  const host = await upHere({ data });
  await say(host, 'Nightly build is green.');
  expect(await waiting(host, bridge)).toEqual(['Nightly build is green.']);
  expect(await waiting(host, host.tokens.surfaces['dev'] ?? '')).toEqual([]);

  const refused = await host.post(irc('still here'));
  expect([refused.status, refused.body['error']]).toEqual([
    403,
    expect.objectContaining({ code: 'wrong_platform' }),
  ]);
  expect((await host.call('POST', '/v1/events', bridge, irc('hello'))).status).toBe(202);
  await say(host, 'And deployed.');
  expect(await waiting(host, bridge)).toEqual(['Nightly build is green.', 'And deployed.']);
});

it('a token with the name of an adapter does not speak for its platform', async () => {
  const data = folder();
  writeFileSync(
    join(data, DEFAULT_CONFIG),
    'agents: [{ id: lead }]\nsurfaces: [{ type: slack, id: team, events: http, apiUrl: "http://127.0.0.1:9/" }]\n',
  );
  const env = { SLACK_BOT_TOKEN: 'xoxb-none', SLACK_SIGNING_SECRET: 'none' };
  const host = await upHere({ data, env });
  const team = await tokenFor(host, 'team');
  await host.stop();
  const again = await upHere({ data, env });
  const { status, body } = await again.call('POST', '/v1/events', team, message('hi', { platform: 'slack' }));
  expect([status, body['error']]).toEqual([409, expect.objectContaining({ code: 'unknown_source' })]);
});
