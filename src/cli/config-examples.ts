// One correct line for every key of earshot.yaml. A complaint about a key shows its line.
import { limitsSchema } from '../attention/settings.ts';

export const MINIMAL_CONFIG = 'agents:\n  - id: lead\n    aliases: [boss]';

/** By path without list positions. A test checks that every key of the schema is here and that every line is right. */
export const CONFIG_EXAMPLES: Readonly<Record<string, string>> = {
  preset: 'preset: default',
  agents: 'agents: [{ id: lead }]',
  'agents.id': 'id: lead',
  'agents.name': 'name: Lead',
  'agents.aliases': 'aliases: [boss]',
  'agents.icon': 'icon: ":hammer:"',
  'agents.accounts': 'accounts: [U02LEAD]',
  'agents.roles': 'roles: [oncall]',
  'agents.owns': 'owns: { streams: [alerts] }',
  'agents.owns.streams': 'streams: [alerts]',
  'agents.owns.conversations': 'conversations: [C02INCIDENTS]',
  'agents.lead': 'lead: lead',
  'agents.budget': 'budget: { tokensPerDay: 2000000 }',
  'agents.conversations': 'conversations: ["*"]',
  'agents.respondTo': 'respondTo: ["*"]',
  'agents.ignore': 'ignore: ["human:U099"]',
  'agents.triggers': 'triggers: { dm: true, mention: true, reply: true }',
  'agents.triggers.dm': 'dm: true',
  'agents.triggers.mention': 'mention: true',
  'agents.triggers.reply': 'reply: true',
  'agents.stickiness': 'stickiness: exchange',
  'agents.attention': 'attention: balanced',
  'agents.attentionBias': 'attentionBias: -0.5',
  'agents.injection': 'injection: { digest: false }',
  conversations: 'conversations: [{ match: "slack/T1/C02GAMES", openFloor: true }]',
  'conversations.match': 'match: "slack/T1/C02GAMES"',
  'conversations.defaultResponder': 'defaultResponder: lead',
  'conversations.openFloor': 'openFloor: true',
  'conversations.replies': 'replies: room',
  'conversations.broadcastRole': 'broadcastRole: oncall',
  'conversations.stickiness': 'stickiness: exchange',
  'conversations.attention': 'attention: quiet',
  'conversations.mode': 'mode: mention_only',
  groups: 'groups: { slack/T1/S02LEAD: lead }',
  limits: 'limits: { composeMs: 2000 }',
  owner: 'owner: U01ADA',
  ...Object.fromEntries(
    Object.entries(limitsSchema.parse({})).map(([key, value]) => [`limits.${key}`, `${key}: ${value}`]),
  ),
};

const SECRET_EXAMPLE =
  'secret: whsec_… (24 to 64 random bytes in base64: "openssl rand -base64 32" makes them)';

/** For the section `host`. These lines stand under `host:`. */
const HOST_EXAMPLES: Readonly<Record<string, string>> = {
  host: 'host: { listen: { port: 7575 } }',
  'host.listen': 'listen: { host: 127.0.0.1, port: 7575 }',
  'host.listen.host': 'host: 127.0.0.1',
  'host.listen.port': 'port: 7575',
  'host.dataDir': 'dataDir: ./.earshot',
  'host.sources': 'sources: [{ id: bridge, platform: irc }]',
  'host.sources.secret': SECRET_EXAMPLE,
  'host.webhooks.secret': SECRET_EXAMPLE,
  'host.webhooks': 'webhooks: [{ agent: lead, url: "https://example.com/c2a", secret: whsec_… }]',
  'host.allowedHosts': 'allowedHosts: [earshot.example.com]',
  'host.invites': 'invites: everybody',
  'host.trustedProxies': 'trustedProxies: [loopback]',
  'host.limits': 'limits: { windowDeliveries: 64 }',
  'host.sensitive': 'sensitive: [{ reason: deploys, words: [deploy] }]',
};

/** For the section `surfaces`. */
const SURFACE_EXAMPLES: Readonly<Record<string, string>> = {
  surfaces: 'surfaces: [{ type: slack }]',
  'surfaces.type': 'type: slack',
  'surfaces.id': 'id: slack',
  'surfaces.events': 'events: socket',
  'surfaces.botToken': 'botToken: env:SLACK_BOT_TOKEN',
  'surfaces.appToken': 'appToken: env:SLACK_APP_TOKEN',
  'surfaces.signingSecret': 'signingSecret: file:/run/secrets/slack-signing-secret',
  'surfaces.logins': 'logins: [{ agents: [lead], botToken: env:SLACK_BOT_TOKEN_LEAD }]',
  'surfaces.logins.agents': 'agents: [lead]',
  'surfaces.logins.botToken': 'botToken: env:SLACK_BOT_TOKEN_LEAD',
  'surfaces.logins.appToken': 'appToken: env:SLACK_APP_TOKEN_LEAD',
  'surfaces.logins.signingSecret': 'signingSecret: env:SLACK_SIGNING_SECRET_LEAD',
  'surfaces.logins.token': 'token: env:GITHUB_TOKEN_LEAD',
  'surfaces.logins.appId': 'appId: 12345',
  'surfaces.logins.privateKey': 'privateKey: env:GITHUB_PRIVATE_KEY_LEAD',
  'surfaces.logins.webhookSecret': 'webhookSecret: env:GITHUB_WEBHOOK_SECRET_LEAD',
  'surfaces.replies': 'replies: room',
  'surfaces.agents': 'agents: [lead, builder]',
  'surfaces.apiUrl': 'apiUrl: "https://slack-gov.com/api/"',
  'surfaces.repositories': 'repositories: [acme/app]',
  'surfaces.pollEveryMs': 'pollEveryMs: 60000',
  'surfaces.token': 'token: env:GITHUB_TOKEN',
  'surfaces.appId': 'appId: 12345',
  'surfaces.privateKey': 'privateKey: file:/run/secrets/github-app.pem',
  'surfaces.webhookSecret': 'webhookSecret: env:GITHUB_WEBHOOK_SECRET',
};

/** The line for a key, or for the nearest key above it that has one. */
export function exampleFor(path: readonly PropertyKey[]): string | undefined {
  const names = path.filter((part) => typeof part !== 'number').map(String);
  for (let length = names.length; length > 0; length--) {
    const key = names.slice(0, length).join('.');
    const example = CONFIG_EXAMPLES[key] ?? HOST_EXAMPLES[key] ?? SURFACE_EXAMPLES[key];
    if (example !== undefined) return example;
  }
  return undefined;
}
