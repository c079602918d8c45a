// Opens a Slack surface from its settings. Slack's packages are loaded here, and only for who has configured Slack.
import { loadOptional } from '../../runtime/optional-package.ts';
import type { OpenPorts } from '../open.ts';
import type { Surface } from '../surface.ts';
import type { SlackSettings } from './settings.ts';
import { slackSurface } from './slack.ts';

export async function openSlack(settings: SlackSettings, { clock, secret }: OpenPorts): Promise<Surface> {
  const { id, events, botToken, appToken, signingSecret, replies, agents, apiUrl } = settings;
  const [{ WebClient }, { SocketModeClient }] = await loadOptional(
    ['@slack/web-api', '@slack/socket-mode'],
    () => Promise.all([import('@slack/web-api'), import('@slack/socket-mode')]),
  );
  const way =
    events === 'socket'
      ? { socket: { Client: SocketModeClient, appToken: secret(appToken) } }
      : { signingSecret: secret(signingSecret) };
  return slackSurface({ id, clock, WebClient, botToken: secret(botToken), replies, agents, apiUrl, ...way });
}
