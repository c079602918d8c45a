// Slack over Socket Mode, of two host processes on one database: one of them is connected. When it is killed the other
// connects, hears what was said meanwhile, and nothing is answered twice.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { folder, up, until } from '../server/up.ts';
import { socketServer } from '../surfaces/slack/socket-server.ts';
import { APP_TOKEN, BOT, BOT_TOKEN, slackWorkspace } from '../surfaces/slack/workspace.ts';
import { addressOf, agentAt, sharedSchema } from './host-nodes.ts';

const LONG = { timeout: 120_000 };

it('one host is connected, and another one once that is killed', LONG, async () => {
  const schema = sharedSchema();
  const slack = await slackWorkspace(
    (end) => onTestFinished(end),
    () => performance.timeOrigin + performance.now(),
  );
  const sockets = await socketServer(slack, onTestFinished);
  const config = join(folder(), 'earshot.yaml');
  writeFileSync(
    config,
    `agents: [{ id: lead, accounts: [${BOT}] }]\nsurfaces: [{ type: slack, apiUrl: "${slack.apiUrl}" }]\n`,
  );
  const env = { SLACK_BOT_TOKEN: BOT_TOKEN, SLACK_APP_TOKEN: APP_TOKEN, EARSHOT_STORE: addressOf(schema) };
  const hosts = [
    await up({ argv: ['--config', config], env }),
    await up({ argv: ['--config', config], env }),
  ];
  const token = hosts[0]?.tokens.agents['lead'];
  const client = await schema.client();
  const holder = async () => {
    const { rows } = await client.query<{ url: string }>(
      `SELECT url FROM node JOIN lease ON lease.node = node.id WHERE name = 'surface/slack'`,
    );
    return hosts.find(({ url }) => url === rows[0]?.url);
  };
  const answeredOnce = async (words: string): Promise<void> => {
    const answers = await until(async () => {
      const said = (await slack.shown()).filter(({ user, text }) => user === BOT && text.includes(words));
      return said.length > 0 && said;
    });
    expect(answers).toHaveLength(1);
  };
  const first = await until(holder);
  const second = hosts.find((host) => host !== first);
  if (second === undefined) throw new Error('there are two');
  await until(async () => sockets.open.length === 1);
  // The agent is at the host that is not on Slack.
  const agent = agentAt(second.url, token);
  await until(async () => agent.status === 'ready');
  await slack.say('ada', `<@${BOT}> the first one?`);
  await answeredOnce('the first one');

  first.child.kill('SIGKILL');
  await first.exit;
  await until(async () => sockets.open.length === 0);
  await slack.say('ada', `<@${BOT}> said to nobody?`);
  await until(async () => (await holder()) === second && sockets.open.length === 1);
  await slack.say('ada', `<@${BOT}> the second one?`);
  await answeredOnce('the second one');
  await answeredOnce('said to nobody');
  expect([sockets.count, sockets.most]).toEqual([2, 1]);
  await agent.close();
  expect(await second.stop()).toBe(0);
});
