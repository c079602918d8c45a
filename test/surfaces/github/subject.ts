// The GitHub surface against the GitHub of the tests, with its events posted as GitHub posts them.
import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/core';
import type { Clock } from '../../../src/runtime/clock.ts';
import { type GithubOptions, githubSurface } from '../../../src/surfaces/github/github.ts';
import type { Surface } from '../../../src/surfaces/surface.ts';
import { secret } from '../receiver.ts';
import { type Hub, REPOSITORY, TOKEN, WEBHOOK_SECRET } from './hub.ts';

export const PACKAGES = { Octokit, createAppAuth };
const HOUR = 3_600_000;

export function githubOver(hub: Hub, clock: Clock, more: Partial<GithubOptions> = {}): Surface {
  return githubSurface({
    id: 'github',
    clock,
    packages: PACKAGES,
    credentials: { token: secret('GITHUB_TOKEN', TOKEN) },
    repositories: [REPOSITORY],
    everyMs: HOUR,
    webhookSecret: secret('GITHUB_WEBHOOK_SECRET', WEBHOOK_SECRET),
    agents: ['lead'],
    apiUrl: hub.apiUrl,
    ...more,
  });
}

/** What people read of a comment: neither our mark nor the name of the agent in front. */
export function readable(body: string): string {
  return body.replace(/^<!-- earshot:\S+ -->\n/, '').replace(/^\*\*[^*\n]+\*\*\n\n/, '');
}
