// The manifest of the Slack app, to be pasted where Slack makes a new app: what it may do, what it is told, and which
// command, shortcut and buttons it has.
import { WHY_SHORTCUT } from './act-payload.ts';
import { SCOPES } from './login.ts';

const EVENTS = [
  'message.channels',
  'message.groups',
  'message.im',
  'message.mpim',
  'reaction_added',
  'reaction_removed',
];

export interface ManifestOptions {
  /** Of the surface. */
  id?: string;
  /** `http` needs the address at which Slack reaches this host. */
  events: 'socket' | 'http';
  address?: string;
  /** The agent whose own app it is. */
  agent?: string;
}

export function manifestText({ id = 'slack', events, address, agent }: ManifestOptions): string {
  const own = agent === undefined ? '' : `/${agent}`;
  const url = (path: string): string => `${address ?? 'https://YOUR-HOST'}/v1/surfaces/${id}/${path}${own}`;
  const http = (indent: string, key: string, path: string): string =>
    events === 'http' ? `${indent}${key}: ${url(path)}\n` : '';
  return `display_information:
  name: ${agent ?? 'Earshot'}
features:
  app_home:
    messages_tab_enabled: true
    messages_tab_read_only_enabled: false
  bot_user:
    display_name: ${agent ?? 'earshot'}
    always_online: true
  shortcuts:
    - name: Why?
      type: message
      callback_id: ${WHY_SHORTCUT}
      description: Which agents heard this, and why each answers or not
  slash_commands:
    - command: /${agent ?? 'earshot'}
${http('      ', 'url', 'actions')}      description: Why agents answer or not, and what they hear
      usage_hint: why [LINK] | mode MODE AGENT | leave AGENT
      should_escape: false
oauth_config:
  scopes:
    bot:
${list(Object.keys(SCOPES), '      ')}settings:
  event_subscriptions:
${http('    ', 'request_url', 'events')}    bot_events:
${list(EVENTS, '      ')}  interactivity:
    is_enabled: true
${http('    ', 'request_url', 'actions')}  socket_mode_enabled: ${events === 'socket'}
`;
}

function list(items: readonly string[], indent: string): string {
  return items.map((item) => `${indent}- ${item}\n`).join('');
}
