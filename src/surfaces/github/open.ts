// Opens a GitHub surface from its settings. GitHub's packages are loaded here, and only for who has configured GitHub.
import { loadOptional } from '../../runtime/optional-package.ts';
import type { OpenPorts } from '../open.ts';
import type { Surface } from '../surface.ts';
import { githubSurface } from './github.ts';
import type { Credentials, Packages } from './login.ts';
import type { GithubSettings } from './settings.ts';

/** Webhooks tell nearly everything, so the lists are read seldom beside them. */
const BESIDE_WEBHOOK_MS = 10 * 60_000;

export async function loadPackages(): Promise<Packages> {
  const [{ Octokit }, { createAppAuth }] = await loadOptional(['@octokit/core', '@octokit/auth-app'], () =>
    Promise.all([import('@octokit/core'), import('@octokit/auth-app')]),
  );
  return { Octokit, createAppAuth };
}

export async function openGithub(settings: GithubSettings, { clock, secret }: OpenPorts): Promise<Surface> {
  const { id, events, repositories, pollEveryMs, webhookSecret, agents, apiUrl } = settings;
  return githubSurface({
    id,
    clock,
    packages: await loadPackages(),
    credentials: credentialsOf(settings, secret),
    repositories,
    agents,
    apiUrl,
    ...(events === 'webhook'
      ? { everyMs: BESIDE_WEBHOOK_MS, webhookSecret: secret(webhookSecret) }
      : { everyMs: pollEveryMs }),
  });
}

export function credentialsOf(
  { token, appId, privateKey }: GithubSettings,
  secret: OpenPorts['secret'],
): Credentials {
  return appId === undefined ? { token: secret(token) } : { appId, privateKey: secret(privateKey) };
}
