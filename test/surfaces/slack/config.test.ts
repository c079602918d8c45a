// Slack from the configuration on: the whole of `earshot up`, with its secrets in the environment or in a file.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseHostConfig } from '../../../src/cli/config.ts';
import { secretsOf } from '../../../src/cli/secrets.ts';
import { createRedactor } from '../../../src/host/security/redact.ts';
import { upHere } from '../../server/here.ts';
import { folder } from '../../server/up.ts';
import { until } from '../../wire/host.ts';
import { BOT_TOKEN, SIGNING_SECRET, slackWorkspace } from './workspace.ts';

describe('the configuration of Slack', () => {
  it.each([
    [
      'botToken: xoxb-1-abc',
      /c\.yaml:3: surfaces\[0\]\.botToken: expected where the secret is kept, env:NAME or file:PATH/,
    ],
    ['events: webhook', /events: expected one of/],
    ['id: web', /"web" is taken/],
    ['nonsense: 1', /nonsense: unknown key/],
  ])('with %s says what is wrong, and never the value of a secret', (line, said) => {
    const text = `agents: [{ id: lead }]\nsurfaces:\n  - { type: slack, ${line} }\n`;
    expect(() => parseHostConfig(text, 'c.yaml')).toThrow(said);
    expect(() => parseHostConfig(text, 'c.yaml')).not.toThrow(/abc/);
  });

  it('that names a platform nobody knows says which there are', () => {
    const text = 'agents: [{ id: lead }]\nsurfaces: [{ type: fax }]\n';
    expect(() => parseHostConfig(text, 'c.yaml')).toThrow(/surfaces\[0\]\.type: .*slack/);
  });
});

describe('a secret', () => {
  it('is read from its place at every use, and redacted from then on', async () => {
    const data = folder();
    onTestFinished(() => rmSync(data, { recursive: true }));
    const path = join(data, 'token');
    const redactor = createRedactor();
    const secret = secretsOf({ TOKEN: 'from-the-environment', EMPTY: ' ' }, redactor.learn);
    expect(await secret(`file:${path}`).read()).toBeUndefined();
    writeFileSync(path, 'open-sesame\n');
    expect(await secret(`file:${path}`).read()).toBe('open-sesame');
    writeFileSync(path, 'another one\n');
    expect(await secret(`file:${path}`).read()).toBe('another one');
    expect(await secret('env:TOKEN').read()).toBe('from-the-environment');
    expect(await secret('env:EMPTY').read()).toBeUndefined();
    expect(secret('env:TOKEN').name).toBe('TOKEN');
    const text = 'open-sesame, another one and from-the-environment';
    expect(redactor.clean(text)).toBe('[redacted], [redacted] and [redacted]');
  });
});

describe('earshot up', () => {
  it('brings Slack up, hears it, and shows no secret in its log', async () => {
    const slack = await slackWorkspace((end) => onTestFinished(end));
    const data = folder();
    writeFileSync(
      join(data, 'earshot.yaml'),
      `agents: [{ id: lead }]
surfaces:
  - { type: slack, events: http, apiUrl: "${slack.apiUrl}", botToken: "file:${join(data, 'bot')}" }
`,
    );
    writeFileSync(join(data, 'bot'), BOT_TOKEN);
    const host = await upHere({ data, env: { SLACK_SIGNING_SECRET: SIGNING_SECRET } });
    slack.listen(`${host.url}/v1/surfaces/slack/events`);
    const ts = await slack.say('ada', `my token is ${BOT_TOKEN}`);
    const logged = await until(async () => {
      const answer = await fetch(`${host.url}/v1/log?last=true&limit=10`, {
        headers: { authorization: `Bearer ${host.tokens.operator}` },
      });
      const { log } = (await answer.json()) as { log: { eventId: string; text?: string }[] };
      return log.find(({ eventId }) => eventId === ts);
    });
    expect(logged.text).toBe('my token is [redacted]');
    expect(host.err()).not.toContain(BOT_TOKEN);
    expect(host.err()).not.toContain(SIGNING_SECRET);
  });
});
