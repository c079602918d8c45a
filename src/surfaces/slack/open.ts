// Opens a Slack surface from its settings. Slack's packages are loaded here, and only for who has configured Slack.
import type { Clock } from '../../runtime/clock.ts';
import { loadOptional } from '../../runtime/optional-package.ts';
import type { Secret } from '../secret.ts';
import type { Surface } from '../surface.ts';
import type { SlackSettings } from './settings.ts';
import { slackSurface } from './slack.ts';

export interface OpenPorts {
  clock: Clock;
  /** The secret that is kept there. */
  secret: (place: string) => Secret;
}

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
