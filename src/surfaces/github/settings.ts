// The settings of a GitHub surface, as they stand in earshot.yaml.
import { z } from 'zod';
import { secretPlaceSchema } from '../secret.ts';
import { agentsField, idField, LOGINS_MAX, ownersField } from '../settings-fields.ts';

/** One of several accounts or apps. */
export const githubLoginSchema = z.strictObject({
  agents: ownersField('login'),
  token: secretPlaceSchema.optional().describe('Where the token of this account is kept.'),
  appId: z.int().positive().optional().describe('A GitHub App instead of a token: its id.'),
  privateKey: secretPlaceSchema
    .optional()
    .describe('With `appId`: where the private key of this app is kept, in PEM.'),
  webhookSecret: secretPlaceSchema
    .optional()
    .describe(
      'With `events: webhook`: where the secret of its webhook is kept, which posts to `/v1/surfaces/ID/events/AGENT`, of its first agent. One webhook is enough for all.',
    ),
});
export type GithubLoginSettings = z.infer<typeof githubLoginSchema>;

export const githubSettingsSchema = z.strictObject({
  type: z
    .literal('github')
    .describe('Issues and pull requests of repositories. See docs/surfaces/github.md.'),
  id: idField('github', 'login'),
  repositories: z
    .array(z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'expected owner/name, such as acme/app'))
    .min(1)
    .max(100)
    .describe('Whose issues and pull requests are heard: `owner/name`.'),
  events: z
    .enum(['poll', 'webhook'])
    .default('poll')
    .describe(
      'How events come: Earshot asks for what is new, or GitHub posts it to `/v1/surfaces/ID/events`.',
    ),
  pollEveryMs: z
    .int()
    .min(5_000)
    .max(3_600_000)
    .default(60_000)
    .describe('With `events: poll`: how often it is asked. Four calls a repository, of 5,000 an hour.'),
  token: secretPlaceSchema
    .default('env:GITHUB_TOKEN')
    .describe('Where the token of the account is kept that speaks there. Unused with `appId`.'),
  appId: z.int().positive().optional().describe('A GitHub App instead of a token: its id.'),
  privateKey: secretPlaceSchema
    .default('env:GITHUB_PRIVATE_KEY')
    .describe('With `appId`: where the private key of the app is kept, in PEM.'),
  webhookSecret: secretPlaceSchema
    .default('env:GITHUB_WEBHOOK_SECRET')
    .describe('With `events: webhook`: where the secret of the webhook is kept.'),
  agents: agentsField(
    'Ids of the agents that speak through the login. Left out: all. One alone needs no name in its posts.',
  ),
  logins: z
    .array(githubLoginSchema)
    .min(1)
    .max(LOGINS_MAX)
    .optional()
    .describe(
      'A login for each agent, instead of one: see docs/surfaces/github.md#one-login-for-each-agent.',
    ),
  apiUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Another address of the API: `https://HOST/api/v3` of an Enterprise Server.'),
});
export type GithubSettings = z.infer<typeof githubSettingsSchema>;

/** The logins. One alone may be written without a list. */
export function githubLogins(settings: GithubSettings): GithubLoginSettings[] {
  const { logins, agents, token, appId, privateKey, webhookSecret } = settings;
  if (logins !== undefined) return logins;
  return [{ agents, webhookSecret, ...(appId === undefined ? { token } : { appId, privateKey }) }];
}
