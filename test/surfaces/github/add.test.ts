// `earshot add github`: from the forms to a file that has GitHub in it, checked with GitHub itself.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { run } from '../../../src/cli/add.ts';
import type { Io } from '../../../src/cli/io.ts';
import { folder } from '../../server/up.ts';
import { APP_ID, BOT, BUILDER, BUILDER_TOKEN, githubHub, type Hub, REPOSITORY, TOKEN } from './hub.ts';

const FILE = '# ours\nagents:\n  - id: lead # the one\n';

interface Setup {
  hub: Hub;
  file: string;
  add: (env: Record<string, string>, ...argv: string[]) => Promise<{ code: number; out: string }>;
}

async function setup(text = FILE): Promise<Setup> {
  const hub = await githubHub((end) => onTestFinished(end));
  const file = join(folder(), 'earshot.yaml');
  writeFileSync(file, text);
  return {
    hub,
    file,
    async add(env, ...argv) {
      let out = '';
      const io = {
        out: (said: string) => Promise.resolve(void (out += said)),
        paint: (_: string, said: string) => said,
      } as unknown as Io;
      const code = await run(['github', '--config', file, ...argv], io, { env, apiUrl: hub.apiUrl });
      return { code, out };
    },
  };
}

it('without a token: where to make one, and nothing is written', async () => {
  const { add, file } = await setup();
  const { code, out } = await add({}, '--repo', REPOSITORY);
  expect(code).toBe(0);
  expect(out).toMatch(/https:\/\/github\.com\/settings\/personal-access-tokens\/new\?\S*issues=write/);
  expect(out).toContain('Put it into GITHUB_TOKEN');
  expect(readFileSync(file, 'utf8')).toBe(FILE);
  const app = ['--repo', REPOSITORY, '--http', '--address', 'https://e.example'];
  const { out: steps } = await add({}, ...app);
  expect(steps).toMatch(/GITHUB_PRIVATE_KEY,\s+and the secret of its webhook into GITHUB_WEBHOOK_SECRET/);
  const { out: link } = await add({}, ...app, '--manifest');
  const form = new URL(link.trim());
  expect(form.pathname).toBe('/organizations/acme/settings/apps/new');
  expect(form.searchParams.get('webhook_url')).toBe('https://e.example/v1/surfaces/github/events');
  expect(form.searchParams.getAll('events[]')).toContain('issue_comment');
});

it('says which repository, where none is named', async () => {
  const { add } = await setup();
  await expect(add({})).rejects.toThrow('earshot add github --repo acme/app');
  await expect(add({}, '--repo', REPOSITORY, '--app', 'mine')).rejects.toThrow(/--app takes the number/);
});

it('with a token that works: says so, and adds GitHub to the file, leaving the rest of it as it is', async () => {
  const { add, file } = await setup();
  const { code, out } = await add({ GITHUB_TOKEN: TOKEN }, '--repo', REPOSITORY);
  expect(out).toMatch(new RegExp(`ok +token +${BOT} on 127.0.0.1`));
  expect(out).toMatch(/ok +repo +acme\/app/);
  expect(out).toMatch(/ok +events +asked for/);
  expect(out).toContain('has GitHub now');
  expect(code).toBe(0);
  const written = readFileSync(file, 'utf8');
  expect(written).toContain('# the one');
  expect(parse(written)).toMatchObject({ surfaces: [{ type: 'github', repositories: [REPOSITORY] }] });
  expect(written + out).not.toContain(TOKEN);
});

it('with an app: checks where it is installed and what it may do', async () => {
  const { add, hub, file } = await setup();
  const env = { GITHUB_PRIVATE_KEY: hub.privateKey };
  const argv = ['--repo', REPOSITORY, '--repo', 'bob/notes', '--app', String(APP_ID), '--http'];
  const { code, out } = await add(env, ...argv);
  expect(code).toBe(1);
  expect(out).toMatch(/ok +app +earshot\[bot\] on /);
  expect(out).toMatch(/!! +missing +bob\/notes: the app is not installed there; give the login access/);
  expect(out).toMatch(/!! +events +GITHUB_WEBHOOK_SECRET is missing; Set GITHUB_WEBHOOK_SECRET/);
  expect(parse(readFileSync(file, 'utf8'))).toMatchObject({
    surfaces: [{ type: 'github', events: 'webhook', appId: APP_ID }],
  });
});

it('says what is missing, what that costs and what to do', async () => {
  const { add, hub } = await setup();
  hub.scopes = 'read:user';
  const named = ['--repo', REPOSITORY, '--repo', 'acme/secret'];
  const { code, out } = await add({ GITHUB_TOKEN: TOKEN }, ...named);
  expect(code).toBe(1);
  expect(out).toContain('repo: cannot answer; make a token with it');
  expect(out).toMatch(/!! +missing +acme\/secret: hears and says nothing there/);
});

it('says when the token is dead', async () => {
  const { add, hub } = await setup();
  hub.dead.add(TOKEN);
  const { code, out } = await add({ GITHUB_TOKEN: TOKEN }, '--repo', REPOSITORY);
  expect(code).toBe(1);
  expect(out).toMatch(/^!! +token +GITHUB_TOKEN: Bad credentials; Make a new token/);
});

it('--agent adds one more login, and keeps what is there', async () => {
  const { add, file, hub } = await setup(`${FILE}  - id: builder\n`);
  const named = ['--repo', REPOSITORY];
  const env = { GITHUB_PRIVATE_KEY_LEAD: hub.privateKey, GITHUB_TOKEN_BUILDER: BUILDER_TOKEN };
  const { out: steps } = await add({}, ...named, '--agent', 'builder');
  expect(steps).toContain('Put it into GITHUB_TOKEN_BUILDER');
  await add(env, ...named, '--agent', 'lead', '--app', String(APP_ID));
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('type: github', `type: github\n    apiUrl: "${hub.apiUrl}"`),
  );
  const { code, out } = await add(env, '--agent', 'builder');
  expect(out).toMatch(new RegExp(`ok +token +${BUILDER} on [\\s\\S]*has GitHub for builder now`));
  expect(code).toBe(0);
  expect(parse(readFileSync(file, 'utf8'))).toMatchObject({
    surfaces: [
      {
        repositories: [REPOSITORY],
        logins: [
          { agents: ['lead'], appId: APP_ID, privateKey: 'env:GITHUB_PRIVATE_KEY_LEAD' },
          { agents: ['builder'], token: 'env:GITHUB_TOKEN_BUILDER' },
        ],
      },
    ],
  });
});
