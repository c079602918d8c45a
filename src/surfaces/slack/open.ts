// Opens a Slack surface from its settings. Slack's packages are loaded here, and only for who has configured Slack.
import { loadOptional } from '../../runtime/optional-package.ts';
import type { OpenPorts } from '../open.ts';
import type { Surface } from '../surface.ts';
import type { LoginOptions } from './bot.ts';
import { slackLogins, type SlackLoginSettings, type SlackSettings } from './settings.ts';
import { slackSurface } from './slack.ts';
import type { SocketClient } from './socket.ts';

export async function openSlack(settings: SlackSettings, { clock, secret }: OpenPorts): Promise<Surface> {
  const { id, events, replies, apiUrl } = settings;
  const [{ WebClient }, { SocketModeClient }] = await loadOptional(
    ['@slack/web-api', '@slack/socket-mode'],
    () => Promise.all([import('@slack/web-api'), import('@slack/socket-mode')]),
  );
  const Client = events === 'socket' ? SocketModeClient : undefined;
  const [first, ...more] = slackLogins(settings).map((login) => loginOf(login, secret, Client));
  if (first === undefined) throw new Error('the schema asks for one login at least');
  return slackSurface({ id, clock, WebClient, replies, apiUrl, ...first, more });
}

function loginOf(
  { agents, botToken, appToken, signingSecret }: SlackLoginSettings,
  secret: OpenPorts['secret'],
  Client: SocketClient | undefined,
): LoginOptions {
  const login = { agents, botToken: secret(botToken) };
  if (Client === undefined)
    return signingSecret === undefined ? login : { ...login, signingSecret: secret(signingSecret) };
  return appToken === undefined ? login : { ...login, socket: { Client, appToken: secret(appToken) } };
}
