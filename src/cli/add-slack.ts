// What `earshot add slack` knows of Slack.
import { loadOptional } from '../runtime/optional-package.ts';
import { createApi } from '../surfaces/slack/api.ts';
import { checkSlack } from '../surfaces/slack/check.ts';
import { manifestText } from '../surfaces/slack/manifest.ts';
import { type SlackSettings, slackSettingsSchema } from '../surfaces/slack/settings.ts';
import type { Adding } from './add.ts';

export const addSlack: Adding<SlackSettings> = {
  name: 'Slack',
  settings: ({ http, apiUrl }) =>
    slackSettingsSchema.parse({ type: 'slack', events: http ? 'http' : 'socket', apiUrl }),
  firstSecret: ({ botToken }) => botToken,
  manifest: ({ events }, { address }) => manifestText({ events, ...(address !== undefined && { address }) }),
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
};
