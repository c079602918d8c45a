// One room heard through two doors is one log: the same app over Socket Mode and over HTTP, as two surfaces of one host.
import { SocketModeClient } from '@slack/socket-mode';
import { expect, it, onTestFinished } from 'vitest';
import { until } from '../../wire/host.ts';
import { secret } from '../receiver.ts';
import { office } from './office.ts';
import { socketServer } from './socket-server.ts';
import { logged, timesLogged } from './two-apps.ts';
import { APP_TOKEN, BOT } from './workspace.ts';

it('one room heard through two doors is one log, and what is said there is said once', async () => {
  const o = await office({
    slack: { socket: { Client: SocketModeClient, appToken: secret('SLACK_APP_TOKEN', APP_TOKEN) } },
    besides: [{ id: 'second' }],
    before: async (workspace) => {
      await socketServer(workspace, onTestFinished);
      const overSocket = workspace.tells;
      workspace.tells = (told, app) => {
        overSocket(told, app);
        return true;
      };
    },
    http: false,
  });
  o.slack.listen(`${o.wire.url}/v1/surfaces/second/events`);
  const { channel } = o.slack;
  const ts = await o.slack.say('ada', `<@${BOT}> is the build green?`);
  const seen = await o.handed(o.lead, ts);
  expect(await o.lead.reply(seen, 'It is.')).toMatchObject({ ok: true });
  await until(async () => (await o.posts()).length === 1);
  await o.slack.call('ada', 'chat.update', { channel, ts, text: 'is the build green now?' });
  await o.slack.call('bob', 'reactions.add', { channel, timestamp: ts, name: '+1' });
  await until(async () => (await logged(o)).some(({ type }) => type === 'reaction'));
  await o.wire.pass(5_000);
  expect(Object.values(await timesLogged(o))).toEqual([1, 1]);
  const rows = (await logged(o)).filter(({ type }) => type === 'edit' || type === 'reaction');
  expect(rows.map(({ type }) => type)).toEqual(['edit', 'reaction']);
  expect(await o.posts()).toHaveLength(1);
  expect(o.lead.seen.filter(({ eventId }) => eventId === ts)).toHaveLength(1);
});
