// What `earshot add github` knows of GitHub. It has no manifest to paste, but addresses of its forms with everything
// filled in.
import { systemClock } from '../runtime/clock.ts';
import { checkGithub } from '../surfaces/github/check.ts';
import { newAppUrl, newTokenUrl } from '../surfaces/github/manifest.ts';
import { credentialsOf, loadPackages } from '../surfaces/github/open.ts';
import { type GithubSettings, githubSettingsSchema } from '../surfaces/github/settings.ts';
import type { Adding, Asked } from './add.ts';
import { CommandError } from './io.ts';

export const addGithub: Adding<GithubSettings> = {
  name: 'GitHub',
  settings: settingsOf,
  firstSecret: ({ appId, token, privateKey }) => (appId === undefined ? token : privateKey),
  manifest: ({ appId, events, repositories }, { address }) =>
    appId === undefined && events === 'poll'
      ? newTokenUrl(repositories)
      : newAppUrl({ repositories, ...(events === 'webhook' && { address: address ?? 'https://YOUR-HOST' }) }),
  steps: (settings, manifest, secret) =>
    settings.appId === undefined && settings.events === 'poll'
      ? tokenSteps(manifest, secret(settings.token).name)
      : appSteps(
          manifest,
          secret(settings.privateKey).name,
          settings.events === 'webhook' ? secret(settings.webhookSecret).name : undefined,
        ),
  async check(settings, secret) {
    const { repositories, events, webhookSecret, apiUrl } = settings;
    return checkGithub({
      packages: await loadPackages(),
      clock: systemClock,
      credentials: credentialsOf(settings, secret),
      repositories,
      webhook: events === 'webhook',
      apiUrl,
      ...(events === 'webhook' && { webhookSecret: secret(webhookSecret) }),
    });
  },
  entry: ({ repositories, events, appId }) => ({
    type: 'github',
    repositories,
    ...(events === 'webhook' && { events }),
    ...(appId !== undefined && { appId }),
  }),
};

function settingsOf({ http, repositories, app, apiUrl }: Asked): GithubSettings {
  const parsed = githubSettingsSchema.safeParse({
    type: 'github',
    repositories,
    events: http ? 'webhook' : 'poll',
    ...(app !== undefined && { appId: Number(app) }),
    apiUrl,
  });
  if (parsed.success) return parsed.data;
  const isApp = parsed.error.issues.some(({ path }) => path[0] === 'appId');
  throw new CommandError(
    2,
    isApp
      ? `add: --app takes the number that GitHub shows as the app's id, not "${app}"`
      : 'add: say which repositories: earshot add github --repo acme/app',
  );
}

function tokenSteps(address: string, name: string): string {
  return `1. As the account that is to speak for your agents (with your own, they speak under your name), open

   ${address}

   choose the repositories, and make the token.
2. Put it into ${name}.
3. Run this command again: it checks it and adds GitHub to the file.

As a GitHub App instead, whose events come by webhook: earshot add github --repo OWNER/NAME --http --address URL
`;
}

function appSteps(address: string, key: string, hook: string | undefined): string {
  const second = hook === undefined ? '' : `,\n   and the secret of its webhook into ${hook}`;
  return `1. Open this and make the app:

   ${address}

2. Make a private key there, and put it into ${key}${second}.
3. Install the app on the repositories.
4. Run this command again with --app ID: it checks all that and adds GitHub to the file.
`;
}
