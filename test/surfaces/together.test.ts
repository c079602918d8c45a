// Slack and GitHub in one `earshot up`, one agent on both: when the login of one is dead, the other works on, and doctor
// says what to do. What was said meanwhile is kept.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/agent/index.ts';
import { earshot } from '../replay/fake-io.ts';
import { upHere } from '../server/here.ts';
import { folder } from '../server/up.ts';
import { until } from '../wire/host.ts';
import { githubHub, REPOSITORY, TOKEN, WEBHOOK_SECRET, BOT as GITHUB_BOT } from './github/hub.ts';
import { BOT, BOT_TOKEN, SIGNING_SECRET, slackWorkspace } from './slack/workspace.ts';

const SECRETS = {
  SLACK_BOT_TOKEN: BOT_TOKEN,
  SLACK_SIGNING_SECRET: SIGNING_SECRET,
  GITHUB_TOKEN: TOKEN,
  GITHUB_WEBHOOK_SECRET: WEBHOOK_SECRET,
};

async function both() {
  const slack = await slackWorkspace((end) => onTestFinished(end));
  const hub = await githubHub((end) => onTestFinished(end));
  const data = folder();
  writeFileSync(
    join(data, 'earshot.yaml'),
    `agents: [{ id: lead }]
limits: { composeMs: 50 }
surfaces:
  - { type: slack, events: http, apiUrl: "${slack.apiUrl}" }
  - { type: github, repositories: [${REPOSITORY}], events: webhook, apiUrl: "${hub.apiUrl}" }
`,
  );
  const host = await upHere({ data, env: SECRETS });
  slack.listen(`${host.url}/v1/surfaces/slack/events`);
  hub.listen(`${host.url}/v1/surfaces/github/events`);
  const lead = connect({
    url: `${host.url.replace('http', 'ws')}/c2a`,
    token: host.tokens.agents['lead'] ?? '',
    compose: { quietMs: 50 },
  });
  lead.onTurn(() => 'It is green.');
  onTestFinished(() => lead.close());
  return { slack, hub, host, doctor: () => earshot(['doctor', '--data', data]) };
}

it('one dead login: the other platform is answered, doctor says what to do, and nothing is lost', async () => {
  const { slack, hub, host, doctor } = await both();
  expect((await doctor()).out).toMatch(/ok {2}surface {2}.*slack.*github.*: up\n/);
  slack.dead.set(BOT_TOKEN, 'token_revoked');
  const asked = await slack.say('ada', `<@${BOT}> is it green?`);
  const down = await until(async () => {
    const { code, out } = await doctor();
    return code === 1 && /!! {2}surface {2}(slack: .*)\n/.exec(out)?.[1];
  });
  expect(down).toContain('token_revoked');
  expect(down).toContain('SLACK_BOT_TOKEN');

  const number = await hub.open('bob', 'The build', `@${GITHUB_BOT} is it green?`);
  await until(async () => (await hub.comments(number)).some(({ body }) => body.includes('It is green.')));
  expect((await doctor()).out).toMatch(/ok {2}surface {2}.*github.*: up\n/);

  const { operator } = host.tokens;
  const why = await host.call('GET', `/v1/why/${asked}`, operator);
  expect(why.status).toBe(200);
  expect((await slack.shown()).filter(({ user }) => user === BOT)).toEqual([]);
});
