// Asks GitHub whether everything is in place: the login, what it may do, and which repositories it sees.
import { type Finding, notOk } from '../finding.ts';
import type { Secret } from '../secret.ts';
import { deadLogin, type LoginDeps, logIn, missingSecret, secretOf } from './login.ts';

const GITHUB = { platform: 'GitHub', words: { missing: missingSecret, dead: deadLogin } };

export async function* checkGithub(deps: LoginDeps & { webhookSecret?: Secret }): AsyncGenerator<Finding> {
  const { webhookSecret, credentials } = deps;
  const what = 'token' in credentials ? 'token' : 'app';
  const result = await logIn(deps);
  if (!result.ok) return yield notOk(what, secretOf(credentials), result.failure, GITHUB);
  const { self, workspace, repositories, missing } = result.login;
  yield { what, ok: true, said: `${self.login} on ${workspace}` };
  for (const name of repositories) yield { what: 'repo', ok: true, said: name };
  for (const one of missing) yield { what: 'missing', ok: false, said: one, fix: fixOf(one) };
  if (webhookSecret === undefined) yield { what: 'events', ok: true, said: 'asked for' };
  else if ((await webhookSecret.read()) === undefined)
    yield notOk('events', webhookSecret, undefined, GITHUB);
  else yield { what: 'events', ok: true, said: 'posted by GitHub, and signed' };
}

function fixOf(missing: string): string {
  if (missing.startsWith('permission ') || missing.startsWith('event '))
    return 'add it in the settings of the app, and accept it where the app is installed';
  if (missing.startsWith('repo:')) return 'make a token with it';
  return 'give the login access to the repository, or leave it out';
}
