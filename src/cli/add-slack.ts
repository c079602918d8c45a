// What `earshot add slack` knows of Slack.
import { loadOptional } from '../runtime/optional-package.ts';
import { createApi } from '../surfaces/slack/api.ts';
import { checkSlack } from '../surfaces/slack/check.ts';
import { manifestText } from '../surfaces/slack/manifest.ts';
import { slackLogins, type SlackSettings, slackSettingsSchema } from '../surfaces/slack/settings.ts';
import type { Adding } from './add.ts';
import { ownVariable } from './add-login.ts';

export const addSlack: Adding<SlackSettings> = {
  name: 'Slack',
  settings: ({ http, apiUrl }) =>
    slackSettingsSchema.parse({ type: 'slack', events: http ? 'http' : 'socket', apiUrl }),
  firstSecret: ({ botToken }) => botToken,
  manifest: ({ id, events }, { address, agent }) =>
    manifestText({
      id,
      events,
      ...(address !== undefined && { address }),
      ...(agent !== undefined && { agent }),
    }),
  steps(settings, manifest, secret) {
    const second =
      settings.events === 'socket'
        ? `an app-level token with connections:write (Basic Information) into ${secret(settings.appToken).name}`
        : `the signing secret (Basic Information) into ${secret(settings.signingSecret).name}`;
    return `1. Open https://api.slack.com/apps, Create New App, From a manifest, and paste:

${manifest}
2. Install the app. Put its bot token (OAuth & Permissions) into ${secret(settings.botToken).name},
   ${second}.
3. Run this command again: it checks them and adds Slack to the file.
`;
  },
  async check(settings, secret) {
    const { WebClient } = await loadOptional(
      ['@slack/web-api', '@slack/socket-mode'],
      () => import('@slack/web-api'),
    );
    return checkSlack({
      botToken: secret(settings.botToken),
      ...(settings.events === 'socket'
        ? { appToken: secret(settings.appToken) }
        : { signingSecret: secret(settings.signingSecret) }),
      makeApi: (token: string) => createApi(WebClient, token, settings.apiUrl),
    });
  },
  entry: ({ events }) => (events === 'http' ? { type: 'slack', events } : { type: 'slack' }),
  eachLogin: (settings) =>
    slackLogins(settings).map(({ agents, botToken, appToken, signingSecret }) => ({
      ...settings,
      logins: undefined,
      agents,
      botToken,
      appToken: appToken ?? settings.appToken,
      signingSecret: signingSecret ?? settings.signingSecret,
    })),
  loginFor: (agent, { events }) => ({
    agents: [agent],
    botToken: ownVariable('SLACK_BOT_TOKEN', agent),
    ...(events === 'socket'
      ? { appToken: ownVariable('SLACK_APP_TOKEN', agent) }
      : { signingSecret: ownVariable('SLACK_SIGNING_SECRET', agent) }),
  }),
  oneLogin: ({ events, botToken, appToken, signingSecret }) => ({
    keys: ['agents', 'botToken', 'appToken', 'signingSecret'],
    needs: { botToken, ...(events === 'socket' ? { appToken } : { signingSecret }) },
  }),
};
