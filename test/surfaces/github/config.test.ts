// GitHub from the configuration on: the whole of `earshot up`, and the page about it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseHostConfig } from '../../../src/cli/config.ts';
import { PEER_MAJORS } from '../../../src/runtime/manifest.ts';
import { EVENTS } from '../../../src/surfaces/github/login.ts';
import { MAX_CHARS } from '../../../src/surfaces/github/write.ts';
import { upHere } from '../../server/here.ts';
import { folder } from '../../server/up.ts';
import { until } from '../../wire/host.ts';
import { githubHub, REPOSITORY, TOKEN, WEBHOOK_SECRET } from './hub.ts';

describe('the configuration of GitHub', () => {
  it.each([
    ['repositories: [app]', /repositories\[0\]: expected owner\/name/],
    ['repositories: []', /repositories/],
    [
      'repositories: [a/b], token: ghp_abc',
      /token: expected where the secret is kept, env:NAME or file:PATH/,
    ],
    ['repositories: [a/b], events: push', /events: expected one of/],
    ['repositories: [a/b], agents: [nobody]', /agents\[0\]/],
    ['repositories: [a/b], nonsense: 1', /nonsense: unknown key/],
  ])('with %s says what is wrong, and never the value of a secret', (line, said) => {
    const text = `agents: [{ id: lead }]\nsurfaces:\n  - { type: github, ${line} }\n`;
    expect(() => parseHostConfig(text, 'c.yaml')).toThrow(said);
    expect(() => parseHostConfig(text, 'c.yaml')).not.toThrow(/ghp_abc/);
  });
});

describe('earshot up', () => {
  it('brings GitHub up, hears it, and shows no secret in its log', async () => {
    const hub = await githubHub((end) => onTestFinished(end));
    const data = folder();
    writeFileSync(
      join(data, 'earshot.yaml'),
      `agents: [{ id: lead }]
surfaces:
  - { type: github, repositories: [${REPOSITORY}], events: webhook, apiUrl: "${hub.apiUrl}", token: "file:${join(data, 'token')}" }
`,
    );
    writeFileSync(join(data, 'token'), TOKEN);
    const host = await upHere({ data, env: { GITHUB_WEBHOOK_SECRET: WEBHOOK_SECRET } });
    hub.listen(`${host.url}/v1/surfaces/github/events`);
    const number = await hub.open('ada', 'Oh no', `my token is ${TOKEN}`);
    const logged = await until(async () => {
      const answer = await fetch(`${host.url}/v1/log?last=true&limit=10`, {
        headers: { authorization: `Bearer ${host.tokens.operator}` },
      });
      const { log } = (await answer.json()) as { log: { eventId: string; text?: string }[] };
      return log.find(({ eventId }) => eventId === `issue:${number}`);
    });
    expect(logged.text).toBe('> Oh no\n\nmy token is [redacted]');
    expect(host.err()).not.toContain(TOKEN);
    expect(host.err()).not.toContain(WEBHOOK_SECRET);
  });
});

describe('docs/surfaces/github.md', () => {
  const page = readFileSync('docs/surfaces/github.md', 'utf8');
  const blocks = [...page.matchAll(/^( *)```yaml\n(.*?)^ *```/gms)].map(([, indent = '', text = '']) =>
    text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );

  it('shows configurations that are right', () => {
    const [poll = '', webhook = '', logins = ''] = blocks;
    expect(parseHostConfig(poll, 'github.md').surfaces).toMatchObject([{ type: 'github', events: 'poll' }]);
    expect(parseHostConfig(webhook, 'github.md').surfaces).toMatchObject([{ events: 'webhook' }]);
    expect(parseHostConfig(logins, 'github.md').surfaces).toMatchObject([{ logins: [{}, {}] }]);
  });

  it('names the packages that fit, the events of a webhook, and the longest comment', () => {
    for (const name of ['@octokit/core', '@octokit/auth-app'] as const)
      expect(page).toContain(`${name}@${PEER_MAJORS[name]}`);
    for (const name of Object.keys(EVENTS)) {
      const words = name.replaceAll('_', ' ');
      expect(page).toContain(`_${words.charAt(0).toUpperCase()}${words.slice(1)}_`);
    }
    expect(page).toContain(MAX_CHARS.toLocaleString('en'));
  });
});
