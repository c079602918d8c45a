// The manifest of the Slack app, to be pasted where Slack makes a new app: what it may do, and what it is told.
import { SCOPES } from './login.ts';

const EVENTS = [
  'message.channels',
  'message.groups',
  'message.im',
  'message.mpim',
  'reaction_added',
  'reaction_removed',
];

/** `events: http` needs the address at which Slack reaches this host. */
export function manifestText({ events, address }: { events: 'socket' | 'http'; address?: string }): string {
  const http = `    request_url: ${address ?? 'https://YOUR-HOST'}/v1/surfaces/slack/events\n`;
  return `display_information:
  name: Earshot
features:
  app_home:
    messages_tab_enabled: true
    messages_tab_read_only_enabled: false
  bot_user:
    display_name: earshot
    always_online: true
oauth_config:
  scopes:
    bot:
${list(Object.keys(SCOPES), '      ')}settings:
  event_subscriptions:
${events === 'http' ? http : ''}    bot_events:
${list(EVENTS, '      ')}  socket_mode_enabled: ${events === 'socket'}
`;
}

function list(items: readonly string[], indent: string): string {
  return items.map((item) => `${indent}- ${item}\n`).join('');
}
