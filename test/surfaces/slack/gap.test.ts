// What happened on Slack while nobody listened: everything that a history shows of it reaches the host, once.
import { SocketModeClient } from '@slack/socket-mode';
import { expect, it, onTestFinished } from 'vitest';
import type { LogRow } from '../../../src/store/tables.ts';
import { until } from '../../wire/host.ts';
import { type Office, office } from './office.ts';
import { secret } from '../receiver.ts';
import { type SocketServer, socketServer } from './socket-server.ts';
import { APP_TOKEN, BOT } from './workspace.ts';

interface Away {
  o: Office;
  /** Somebody says something that the host hears. */
  heard: (who: 'ada' | 'bob', text: string) => Promise<string>;
  /** From now on nobody listens. */
  leave: () => Promise<void>;
  /** Until it listens again and has caught up. */
  back: () => Promise<void>;
  logged: () => Promise<LogRow[]>;
}

async function away(): Promise<Away> {
  let socket!: SocketServer;
  const o = await office({
    http: false,
    slack: { socket: { Client: SocketModeClient, appToken: secret('SLACK_APP_TOKEN', APP_TOKEN) } },
    before: async (workspace) => {
      socket = await socketServer(workspace, onTestFinished);
    },
  });
  const { store } = o.wire.host.context;
  return {
    o,
    async heard(who, text) {
      const ts = await o.slack.say(who, text);
      await until(() => store.get('log', ts));
      return ts;
    },
    async leave() {
      socket.drop();
      await until(() => socket.open.length === 0);
    },
    async back() {
      await until(async () => {
        await o.wire.pass(1_000);
        return socket.open.length > 0 && (await store.state('surface/slack/gap')) === '';
      }, 'the gap to be filled');
    },
    logged: () => store.scan('log', 'byPosition', { limit: 1_000 }),
  };
}

const events = (rows: readonly LogRow[], type: string): object[] =>
  rows.filter((row) => row.type === type).map(({ record }) => record.event);

it('the first answer in a thread on something that was heard before is heard', async () => {
  const { o, heard, leave, back } = await away();
  const root = await heard('bob', 'the build is red');
  await leave();
  const ts = await o.slack.say('ada', `<@${BOT}> why?`, { thread_ts: root });
  await back();
  const seen = await o.handed(o.lead, ts);
  expect(seen).toMatchObject({ policy: 'must_respond', text: '@earshot why?' });
});

it('a direct message that began meanwhile is heard', async () => {
  const { o, heard, leave, back } = await away();
  await heard('bob', 'the build is red');
  await leave();
  const ts = await o.slack.say('ada', `<@${BOT}> why?`, { channel: await o.slack.direct('ada') });
  await back();
  expect(await o.handed(o.lead, ts)).toMatchObject({ policy: 'must_respond' });
});

it('an edit of something that was heard before is used', async () => {
  const { o, heard, leave, back, logged } = await away();
  const { channel } = o.slack;
  const ts = await o.slack.say('ada', `<@${BOT}> deploy the old one`);
  await heard('bob', 'one');
  await leave();
  await o.slack.call('ada', 'chat.update', { channel, ts, text: `<@${BOT}> deploy the new one` });
  await back();
  await o.wire.pass(3_000);
  await o.lead.next(({ text }) => text.includes('the new one'));
  expect(events(await logged(), 'edit')).toMatchObject([
    { targetEventId: ts, text: '@earshot deploy the new one' },
  ]);
  // Heard once, however often it is looked for.
  await leave();
  await back();
  expect(events(await logged(), 'edit')).toHaveLength(1);
});

it('reactions to what was missed are heard', async () => {
  const { o, heard, leave, back, logged } = await away();
  const { channel } = o.slack;
  await heard('bob', 'the build is red');
  await o.wire.pass(1_000);
  await leave();
  const ts = await o.slack.say('ada', 'it is green again');
  await o.slack.call('bob', 'reactions.add', { channel, timestamp: ts, name: '+1' });
  await back();
  const expected = [{ targetEventId: ts, signal: 'agree', author: { id: o.slack.users.bob } }];
  expect(events(await logged(), 'reaction')).toMatchObject(expected);
});

it('what is still being caught up is not taken for history', async () => {
  const { o, heard, leave, back } = await away();
  const root = await heard('bob', 'the build is red');
  await o.wire.pass(1_000);
  await leave();
  const ts = await o.slack.say('ada', `<@${BOT}> why?`, { thread_ts: root });
  // The next line is heard before the gap is filled, and opens the conversation.
  o.slack.proxy.fault = (path) => (path.includes('conversations.history') ? 'limited' : 'pass');
  await until(async () => {
    await o.wire.pass(1_000);
    return o.slack.proxy.requests.some(({ fault }) => fault === 'limited');
  });
  const next = await o.slack.say('bob', 'no idea', { thread_ts: root });
  await until(() => o.wire.host.context.store.get('log', next));
  o.slack.proxy.fault = () => 'pass';
  await back();
  expect(await o.handed(o.lead, ts)).toMatchObject({ policy: 'must_respond' });
});

it('it is looked for again when it could not be read, also after a restart', async () => {
  const { o, heard, leave } = await away();
  const { store } = o.wire.host.context;
  await heard('bob', 'the build is red');
  await leave();
  o.slack.proxy.fault = (path) => (path.includes('conversations.history') ? 'failed' : 'pass');
  const ts = await o.slack.say('ada', 'it is green again');
  await until(async () => {
    await o.wire.pass(1_000);
    return o.health().ignored['gap_not_filled'] === 1;
  });
  expect(Number(await store.state('surface/slack/gap'))).toBeGreaterThan(0);
  // What is heard now does not hide what was missed.
  const live = await o.slack.say('bob', 'back again');
  await until(() => store.get('log', live));
  o.slack.proxy.fault = () => 'pass';
  await leave();
  await until(async () => {
    await o.wire.pass(1_000);
    return store.get('log', ts);
  });
});
