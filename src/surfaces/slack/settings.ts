// The settings of a Slack surface, as they stand in earshot.yaml.
import { z } from 'zod';
import { secretPlaceSchema } from '../secret.ts';
import { agentsField, idField, LOGINS_MAX, ownersField } from '../settings-fields.ts';

/** One of several apps in the workspace. */
export const slackLoginSchema = z.strictObject({
  agents: ownersField('app'),
  botToken: secretPlaceSchema.describe('Where the bot token of this app is kept, `xoxb-…`.'),
  appToken: secretPlaceSchema
    .optional()
    .describe('With `events: socket`: where its app-level token is kept, `xapp-…`.'),
  signingSecret: secretPlaceSchema
    .optional()
    .describe(
      'With `events: http`: where its signing secret is kept. It posts to `/v1/surfaces/ID/events/AGENT`, of its first agent.',
    ),
});
export type SlackLoginSettings = z.infer<typeof slackLoginSchema>;

export const slackSettingsSchema = z.strictObject({
  type: z.literal('slack').describe('One workspace, through one app or several. See docs/surfaces/slack.md.'),
  id: idField('slack', 'workspace'),
  events: z
    .enum(['socket', 'http'])
    .default('socket')
    .describe(
      'How events come: over a connection that Earshot opens, or posted by Slack to `/v1/surfaces/ID/events`.',
    ),
  botToken: secretPlaceSchema
    .default('env:SLACK_BOT_TOKEN')
    .describe('Where the bot token is kept, `xoxb-…`.'),
  appToken: secretPlaceSchema
    .default('env:SLACK_APP_TOKEN')
    .describe('With `events: socket`: where the app-level token is kept, `xapp-…`.'),
  signingSecret: secretPlaceSchema
    .default('env:SLACK_SIGNING_SECRET')
    .describe('With `events: http`: where the signing secret is kept.'),
  replies: z
    .enum(['thread', 'room'])
    .default('thread')
    .describe('Where answers go, unless the conversation says otherwise.'),
  agents: agentsField(
    'Ids of the agents that speak through the app. Left out: all. A mention of the app is for one of them.',
  ),
  logins: z
    .array(slackLoginSchema)
    .min(1)
    .max(LOGINS_MAX)
    .optional()
    .describe('An app for each agent, instead of one: see docs/surfaces/slack.md#one-app-for-each-agent.'),
  apiUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Another address of the Web API, with a slash at its end: GovSlack, or an emulator.'),
});
export type SlackSettings = z.infer<typeof slackSettingsSchema>;

/** The apps. One app alone may be written without a list. */
export function slackLogins(settings: SlackSettings): SlackLoginSettings[] {
  const { logins, agents, botToken, appToken, signingSecret } = settings;
  return logins ?? [{ agents, botToken, appToken, signingSecret }];
}
