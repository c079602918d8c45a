// What `earshot add github` knows of GitHub. It has no manifest to paste, but addresses of its forms with everything
// filled in.
import { systemClock } from '../runtime/clock.ts';
import { checkGithub } from '../surfaces/github/check.ts';
import { newAppUrl, newTokenUrl } from '../surfaces/github/manifest.ts';
import { credentialsOf, loadPackages } from '../surfaces/github/open.ts';
import { githubLogins, type GithubSettings, githubSettingsSchema } from '../surfaces/github/settings.ts';
import type { Adding, Asked } from './add.ts';
import { ownVariable } from './add-login.ts';
import { CommandError } from './io.ts';

export const addGithub: Adding<GithubSettings> = {
  name: 'GitHub',
  settings: settingsOf,
  firstSecret: ({ appId, token, privateKey }) => (appId === undefined ? token : privateKey),
  manifest: ({ id, appId, events, repositories }, { address, agent }) =>
    appId === undefined && events === 'poll'
      ? newTokenUrl(repositories)
      : newAppUrl({
          id,
          repositories,
          ...(events === 'webhook' && { address: address ?? 'https://YOUR-HOST' }),
          ...(agent !== undefined && { agent }),
        }),
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
  eachLogin: (settings) =>
    githubLogins(settings).map(({ agents, token, appId, privateKey, webhookSecret }) => ({
      ...settings,
      logins: undefined,
      // Another login has the webhook.
      events: webhookSecret === undefined ? 'poll' : settings.events,
      agents,
      appId,
      token: token ?? settings.token,
      privateKey: privateKey ?? settings.privateKey,
      webhookSecret: webhookSecret ?? settings.webhookSecret,
    })),
  // One webhook is enough for all. An app has one of its own.
  loginFor: (agent, { events, logins }, { app, http }) => ({
    agents: [agent],
    ...(app === undefined
      ? { token: ownVariable('GITHUB_TOKEN', agent) }
      : { appId: appIdOf(app), privateKey: ownVariable('GITHUB_PRIVATE_KEY', agent) }),
    ...(events === 'webhook' &&
      (app !== undefined || (http && logins === undefined)) && {
        webhookSecret: ownVariable('GITHUB_WEBHOOK_SECRET', agent),
      }),
  }),
  oneLogin: ({ events, appId, token, privateKey, webhookSecret }) => ({
    keys: ['agents', 'token', 'appId', 'privateKey', 'webhookSecret'],
    needs: {
      ...(appId === undefined ? { token } : { privateKey }),
      ...(events === 'webhook' && { webhookSecret }),
    },
  }),
};

function appIdOf(app: string): number {
  const id = Number(app);
  if (Number.isInteger(id) && id > 0) return id;
  throw new CommandError(2, NO_APP_ID(app));
}

const NO_APP_ID = (app: string): string =>
  `add: --app takes the number that GitHub shows as the app's id, not "${app}"`;

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
    isApp ? NO_APP_ID(app ?? '') : 'add: say which repositories: earshot add github --repo acme/app',
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
