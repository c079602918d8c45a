// Opens a GitHub surface from its settings. GitHub's packages are loaded here, and only for who has configured GitHub.
import { loadOptional } from '../../runtime/optional-package.ts';
import type { OpenPorts } from '../open.ts';
import type { Surface } from '../surface.ts';
import type { LoginOptions } from './account.ts';
import { githubSurface } from './github.ts';
import type { Credentials, Packages } from './login.ts';
import { githubLogins, type GithubLoginSettings, type GithubSettings } from './settings.ts';

/** Webhooks tell nearly everything, so the lists are read seldom beside them. */
const BESIDE_WEBHOOK_MS = 10 * 60_000;

export async function loadPackages(): Promise<Packages> {
  const [{ Octokit }, { createAppAuth }] = await loadOptional(['@octokit/core', '@octokit/auth-app'], () =>
    Promise.all([import('@octokit/core'), import('@octokit/auth-app')]),
  );
  return { Octokit, createAppAuth };
}

export async function openGithub(settings: GithubSettings, { clock, secret }: OpenPorts): Promise<Surface> {
  const { id, events, repositories, pollEveryMs, apiUrl } = settings;
  const isHeard = events === 'webhook';
  const [first, ...more] = githubLogins(settings).map((login): LoginOptions => {
    const { agents, webhookSecret } = login;
    const credentials = credentialsOf(login, secret);
    return isHeard && webhookSecret !== undefined
      ? { agents, credentials, webhookSecret: secret(webhookSecret) }
      : { agents, credentials };
  });
  if (first === undefined) throw new Error('the schema asks for one login at least');
  const packages = await loadPackages();
  const everyMs = isHeard ? BESIDE_WEBHOOK_MS : pollEveryMs;
  return githubSurface({ id, clock, packages, repositories, apiUrl, everyMs, ...first, more });
}

export function credentialsOf(
  { token, appId, privateKey }: GithubLoginSettings,
  secret: OpenPorts['secret'],
): Credentials {
  if (appId !== undefined && privateKey !== undefined) return { appId, privateKey: secret(privateKey) };
  if (token === undefined) throw new Error('a login is a token, or an app with its key');
  return { token: secret(token) };
}
