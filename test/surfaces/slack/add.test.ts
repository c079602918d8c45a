// `earshot add slack`: from the manifest to a file that has Slack in it, checked with Slack itself.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { run } from '../../../src/cli/add.ts';
import type { Io } from '../../../src/cli/io.ts';
import { folder } from '../../server/up.ts';
import {
  APP_TOKEN,
  BOT_TOKEN,
  BUILDER_APP_TOKEN,
  BUILDER_TOKEN,
  slackWorkspace,
  type Workspace,
} from './workspace.ts';

const ENV = { SLACK_BOT_TOKEN: BOT_TOKEN, SLACK_APP_TOKEN: APP_TOKEN };
const FILE = '# ours\nagents:\n  - id: lead # the one\n';

interface Setup {
  slack: Workspace;
  file: string;
  add: (env: Record<string, string>, ...argv: string[]) => Promise<{ code: number; out: string }>;
}

async function setup(text = FILE): Promise<Setup> {
  const slack = await slackWorkspace((end) => onTestFinished(end));
  slack.socketUrl = 'ws://127.0.0.1:9';
  const file = join(folder(), 'earshot.yaml');
  writeFileSync(file, text.replace('API', slack.apiUrl));
  return {
    slack,
    file,
    async add(env, ...argv) {
      let out = '';
      const io = {
        out: (said: string) => Promise.resolve(void (out += said)),
        paint: (_: string, said: string) => said,
      } as unknown as Io;
      const code = await run(['slack', '--config', file, ...argv], io, { env, apiUrl: slack.apiUrl });
      return { code, out };
    },
  };
}

const WITH_SLACK = `${FILE}surfaces:\n  - { type: slack, apiUrl: "API" }\n`;

it('without tokens: the manifest, what to do with it, and nothing is written', async () => {
  const { add, file } = await setup();
  const { code, out } = await add({});
  expect(code).toBe(0);
  expect(out).toContain('socket_mode_enabled: true');
  expect(out).toMatch(/SLACK_BOT_TOKEN[\s\S]*SLACK_APP_TOKEN/);
  expect(readFileSync(file, 'utf8')).toBe(FILE);
  const { out: http } = await add({}, '--http', '--address', 'https://e.example', '--manifest');
  expect(parse(http)).toMatchObject({
    features: {
      slash_commands: [{ command: '/earshot', url: 'https://e.example/v1/surfaces/slack/actions' }],
    },
    settings: {
      event_subscriptions: { request_url: 'https://e.example/v1/surfaces/slack/events' },
      interactivity: { is_enabled: true, request_url: 'https://e.example/v1/surfaces/slack/actions' },
      socket_mode_enabled: false,
    },
  });
});

it('with tokens that work: says so, and where the app is', async () => {
  const { add } = await setup(WITH_SLACK);
  const { code, out } = await add(ENV);
  expect(out).toMatch(/ok +token +user U0EARSHOT in tests.slack.com/);
  expect(out).toMatch(/ok +events +over Socket Mode/);
  expect(out).toMatch(/ok +channels +#dev/);
  expect(out).toContain('has Slack already');
  expect(code).toBe(0);
});

it('says what is missing, what that costs and what to do', async () => {
  const { add, slack } = await setup(WITH_SLACK);
  slack.scopes = ['chat:write'];
  slack.invited = [];
  slack.dead.set(APP_TOKEN, 'invalid_auth');
  const { code, out } = await add(ENV);
  expect(code).toBe(1);
  expect(out).toContain('reactions:write is missing: cannot react; add it to the manifest');
  expect(out).toMatch(/!! +events +SLACK_APP_TOKEN: invalid_auth; Install the app/);
  expect(out).toMatch(/!! +channels .*\/invite @earshot/);
  slack.dead.set(BOT_TOKEN, 'account_inactive');
  expect((await add(ENV)).out).toMatch(/^!! +token +SLACK_BOT_TOKEN: account_inactive/);
  expect((await add({ SLACK_BOT_TOKEN: BOT_TOKEN })).out).not.toContain(BOT_TOKEN);
});

it('adds Slack to the file, and leaves the rest of it as it is', async () => {
  const { add, file } = await setup(`${FILE}surfaces: []\n`);
  const { code, out } = await add(ENV, '--http');
  expect(code).toBe(1);
  expect(out).toContain('SLACK_SIGNING_SECRET is missing');
  expect(out).toContain('has Slack now');
  const written = readFileSync(file, 'utf8');
  expect(written).toContain('# ours');
  expect(written).toContain('# the one');
  expect(parse(written)).toMatchObject({ surfaces: [{ type: 'slack', events: 'http' }] });
  expect(written).not.toContain('xoxb');
});

const TWO = FILE.replace('the one\n', 'the one\n  - id: builder\n');
const BUILDER_ENV = { SLACK_BOT_TOKEN_BUILDER: BUILDER_TOKEN, SLACK_APP_TOKEN_BUILDER: BUILDER_APP_TOKEN };
const BUILDER = {
  agents: ['builder'],
  botToken: 'env:SLACK_BOT_TOKEN_BUILDER',
  appToken: 'env:SLACK_APP_TOKEN_BUILDER',
};

it('--agent: the manifest of an app of its own, and its own names for the secrets', async () => {
  const { add, file } = await setup(TWO);
  const { code, out } = await add({}, '--agent', 'builder');
  expect(code).toBe(0);
  expect(out).toContain('display_name: builder');
  expect(out).toMatch(/SLACK_BOT_TOKEN_BUILDER[\s\S]*SLACK_APP_TOKEN_BUILDER/);
  expect(readFileSync(file, 'utf8')).toBe(TWO);
  const { out: http } = await add({}, '--agent', 'builder', '--http', '--manifest');
  expect(http).toContain('/v1/surfaces/slack/events/builder');
  await expect(add({}, '--agent', 'bilder')).rejects.toThrow(/no agent "bilder"; did you mean "builder"\?/);
});

it('--agent adds one more login, and keeps what is there', async () => {
  const { add, file } = await setup(
    `${TWO}surfaces:\n  - type: slack # ours\n    apiUrl: "API"\n    replies: room\n`,
  );
  const { code, out } = await add({ ...ENV, ...BUILDER_ENV }, '--agent', 'builder');
  expect(out).toMatch(/ok +token +user U0BUILDER[\s\S]*has Slack for builder now/);
  expect(code).toBe(1); // the app is in no channel yet
  expect(out).toContain('/invite @builder-bot');
  const shared = { botToken: 'env:SLACK_BOT_TOKEN', appToken: 'env:SLACK_APP_TOKEN' };
  const written = readFileSync(file, 'utf8');
  expect(written).toContain('type: slack # ours');
  expect(parse(written)).toMatchObject({ surfaces: [{ replies: 'room', logins: [shared, BUILDER] }] });
  expect((await add({ ...ENV, ...BUILDER_ENV }, '--agent', 'builder')).out).toContain(
    'has Slack for builder already',
  );
  // Without --agent every login is checked.
  const { out: all } = await add({ ...ENV, ...BUILDER_ENV });
  expect(all).toMatch(/user U0EARSHOT[\s\S]*user U0BUILDER[\s\S]*has Slack already/);
  await add({ SLACK_BOT_TOKEN_LEAD: BOT_TOKEN, SLACK_APP_TOKEN_LEAD: APP_TOKEN }, '--agent', 'lead');
  const [slack] = (parse(readFileSync(file, 'utf8')) as { surfaces: { logins: object[] }[] }).surfaces;
  expect(slack?.logins).toMatchObject([shared, BUILDER, { agents: ['lead'] }]);
});

it('--agent begins the surface where there is none', async () => {
  const { add, file } = await setup(TWO);
  await add(BUILDER_ENV, '--agent', 'builder');
  expect(parse(readFileSync(file, 'utf8'))).toMatchObject({
    surfaces: [{ type: 'slack', logins: [BUILDER] }],
  });
});
