// Logins from the configuration on: what is wrong with a list of them, and `earshot up` with one that is dead at the start.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseHostConfig } from '../../src/cli/config.ts';
import { upHere } from '../server/here.ts';
import { folder } from '../server/up.ts';
import { until } from '../wire/host.ts';
import { BOT_TOKEN, BUILDER_BOT, BUILDER_TOKEN, SIGNING_SECRET, slackWorkspace } from './slack/workspace.ts';

const SLACK = 'type: slack, events: http';
const GITHUB = 'type: github, repositories: [a/b]';

describe('logins in the configuration', () => {
  it.each([
    [
      SLACK,
      '[{ agents: [lead], botToken: env:A, signingSecret: env:B }, { agents: [lead], botToken: env:C, signingSecret: env:D }]',
      /surfaces\[0\]\.logins\[1\]\.agents\[0\]: "lead" has a login already, logins\[0\]/,
    ],
    [
      SLACK,
      '[{ agents: [laed], botToken: env:A, signingSecret: env:B }]',
      /logins\[0\]\.agents\[0\]: no agent has this id; did you mean "lead"\?/,
    ],
    [
      `${SLACK}, botToken: env:X`,
      '[{ agents: [lead], botToken: env:A, signingSecret: env:B }]',
      /surfaces\[0\]\.botToken: it belongs to a surface with one login/,
    ],
    [
      `${SLACK}, agents: [lead]`,
      '[{ agents: [lead], botToken: env:A, signingSecret: env:B }]',
      /surfaces\[0\]\.agents: it belongs to a surface with one login/,
    ],
    [
      SLACK,
      '[{ agents: [lead], botToken: env:A, signingSecret: env:B }, { agents: [builder], botToken: env:A, signingSecret: env:D }]',
      /logins\[1\]\.botToken: "env:A" is logins\[0\]\.botToken already/,
    ],
    [
      SLACK,
      '[{ botToken: env:A, signingSecret: env:B }, { botToken: env:C, signingSecret: env:D }]',
      /logins\[1\]: logins\[0\] is shared .* already: say whose this one is/,
    ],
    [
      SLACK,
      '[{ agents: [lead], botToken: env:A }]',
      /logins\[0\]\.signingSecret: with "events: http" every login/,
    ],
    ['type: slack', '[{ agents: [lead], botToken: env:A }]', /logins\[0\]\.appToken: with "events: socket"/],
    [
      SLACK,
      '[{ agents: [lead], signingSecret: env:B }]',
      /logins\[0\]\.botToken: expected text, but it is missing/,
    ],
    [SLACK, '[]', /surfaces\[0\]\.logins/],
    [GITHUB, '[{ agents: [lead] }]', /logins\[0\]\.token: expected a token, or appId and privateKey/],
    [GITHUB, '[{ agents: [lead], appId: 1 }]', /logins\[0\]\.privateKey: an app needs its private key/],
    [
      GITHUB,
      '[{ agents: [lead], token: env:A, appId: 1, privateKey: env:B }]',
      /logins\[0\]\.token: a login is/,
    ],
    [`${GITHUB}, appId: 7`, '[{ agents: [lead], token: env:A }]', /surfaces\[0\]\.appId: it belongs/],
    [
      `${GITHUB}, events: webhook`,
      '[{ agents: [lead], token: env:A }]',
      /logins\[0\]\.webhookSecret: .* one login at least/,
    ],
  ])('with %s and %s says what is wrong', (surface, logins, said) => {
    const text = `agents: [{ id: lead }, { id: builder }]\nsurfaces:\n  - { ${surface}, logins: ${logins} }\n`;
    expect(() => parseHostConfig(text, 'c.yaml')).toThrow(said);
  });
});

it('a login that is dead at the start is known from before: who mentions it is heard through the others', async () => {
  const slack = await slackWorkspace((end) => onTestFinished(end));
  await slack.invite('builder');
  const data = folder();
  writeFileSync(
    join(data, 'earshot.yaml'),
    `agents: [{ id: lead }, { id: builder }]
surfaces:
  - type: slack
    events: http
    apiUrl: "${slack.apiUrl}"
    logins:
      - { agents: [lead], botToken: env:LEAD, signingSecret: env:SIGN_LEAD }
      - { agents: [builder], botToken: env:BUILDER, signingSecret: env:SIGN_BUILDER }
`,
  );
  const env = {
    LEAD: BOT_TOKEN,
    BUILDER: BUILDER_TOKEN,
    SIGN_LEAD: SIGNING_SECRET,
    SIGN_BUILDER: SIGNING_SECRET,
  };
  const up = async () => {
    const host = await upHere({ data, env });
    const events = `${host.url}/v1/surfaces/slack/events`;
    slack.listen(`${events}/lead`, `${events}/builder`);
    return host;
  };
  const first = await up();
  const heard = await slack.say('ada', 'the build is red');
  await first.stop();
  // While nobody listens, and then with one of the two revoked.
  slack.listen(undefined);
  const missed = await slack.say('ada', 'still red');
  slack.dead.set(BUILDER_TOKEN, 'token_revoked');
  const host = await up();
  const ts = await slack.say('bob', `<@${BUILDER_BOT}> can you build it?`);
  const call = async (path: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${host.tokens.operator}` };
    return (await fetch(`${host.url}${path}`, { headers })).json();
  };
  const log = await until(async () => {
    const { log: lines } = (await call('/v1/log?last=true&limit=100')) as { log: { eventId: string }[] };
    const ids = lines.map(({ eventId }) => eventId).filter((id) => /^\d+\.\d+$/.test(id));
    return ids.includes(missed) && ids.includes(ts) && ids;
  });
  expect(log.toSorted()).toEqual([heard, missed, ts].toSorted());
  const why = (await call(`/v1/why/${encodeURIComponent(ts)}?agent=builder`)) as { agents: object[] };
  expect(why.agents).toMatchObject([
    { agent: 'builder', decision: { reason: 'mention', policy: 'must_respond' } },
  ]);
  const { surfaces } = (await call('/v1/surfaces')) as { surfaces: { id: string }[] };
  expect(surfaces.find(({ id }) => id === 'slack')).toMatchObject({
    state: 'limited',
    said: expect.stringMatching(/login builder: .*token_revoked/),
  });
});
