// The login: which workspace and which user a token is, and what it may do. Tokens are read anew at every try, so a new
// one in a file is taken up without a restart.
import type { Failure } from '../failure.ts';
import type { Secret } from '../secret.ts';
import type { SurfaceHealth } from '../surface.ts';
import type { SlackApi } from './api.ts';
import type { Login } from './take.ts';

export type LoggedIn = { ok: true; login: Login; missing: string[] } | { ok: false; failure: Failure };

/** What each permission is for. The manifest in docs/surfaces/slack.md asks for all of them. */
export const SCOPES: Readonly<Record<string, string>> = {
  'channels:history': 'hears nothing in public channels',
  'groups:history': 'hears nothing in private channels',
  'im:history': 'hears no direct messages',
  'mpim:history': 'hears nothing in group direct messages',
  'chat:write': 'cannot say anything',
  'chat:write.customize': 'agents have the name of the app instead of their own',
  'reactions:read': 'hears no reactions',
  'reactions:write': 'cannot react',
  'users:read': 'shows ids instead of names, and cannot tell apps from people',
  'channels:read': 'does not know who is in a public channel',
  'groups:read': 'does not know who is in a private channel',
  'im:read': 'misses direct messages that begin while Earshot is down',
  'mpim:read': 'misses group direct messages that begin while Earshot is down',
  'im:write': 'cannot begin a direct message',
  'files:read': 'cannot read attached files',
  'files:write': 'cannot send files',
  commands: 'has neither the command /earshot nor the shortcut "Why?"',
};

interface AuthTest {
  team_id?: string;
  user_id?: string;
  user?: string;
  bot_id?: string;
  url?: string;
  response_metadata?: { scopes?: string[] };
}

export async function logIn(api: SlackApi): Promise<LoggedIn> {
  const called = await api.call<AuthTest>('auth.test');
  if (!called.ok) return called;
  const { team_id: team, user_id: user, user: name, bot_id: bot, url, response_metadata } = called.value;
  if (team === undefined || user === undefined)
    return { ok: false, failure: { type: 'lost', error: 'Slack did not say who the token is' } };
  const host = URL.parse(url ?? '')?.host;
  return {
    ok: true,
    login: { team, user, bot, host, name },
    missing: missingScopes(response_metadata?.scopes),
  };
}

/** None when Slack does not say what the token may do. */
function missingScopes(granted: readonly string[] | undefined): string[] {
  if (granted === undefined || granted.length === 0) return [];
  return Object.keys(SCOPES).filter((scope) => !granted.includes(scope));
}

export function healthOf(missing: readonly string[]): SurfaceHealth {
  if (missing.length === 0) return { state: 'up' };
  return { state: 'limited', missing: missing.map((scope) => `${scope}: ${SCOPES[scope]}`) };
}

export function deadLogin({ name }: Secret, error: string): SurfaceHealth {
  const fix =
    `Install the app in the workspace again and put its token into ${name}. ` +
    'A file is read again by itself; for a variable of the environment, restart Earshot.';
  return { state: 'down', error, fix };
}

export function missingSecret({ name }: Secret): SurfaceHealth {
  return {
    state: 'down',
    error: `${name} is missing`,
    fix: `Set ${name}. See docs/surfaces/slack.md for where Slack shows it.`,
  };
}
