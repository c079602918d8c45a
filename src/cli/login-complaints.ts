// Mistakes in the logins of a surface: what the schema cannot see, because it takes several keys together.
import type { GithubLoginSettings } from '../surfaces/github/settings.ts';
import type { SlackLoginSettings } from '../surfaces/slack/settings.ts';
import { type Complaint, isObject } from './complaint.ts';
import { suggestion } from './nearest.ts';
import type { SurfaceSettings } from './platforms.ts';

/** Keys of the form without a list. Their defaults hide whether they were written, so the file itself is asked. */
const ONE_LOGIN = {
  slack: ['botToken', 'appToken', 'signingSecret', 'agents'],
  github: ['token', 'appId', 'privateKey', 'webhookSecret', 'agents'],
} as const;

/** Two logins cannot have the same of these. A secret of webhooks is chosen by whoever sets them up. */
const OWN_SECRETS = ['botToken', 'appToken', 'signingSecret', 'token', 'privateKey'];

/** `written`: the section as it stands in the file. */
export function* loginComplaints(
  surfaces: readonly SurfaceSettings[],
  written: unknown,
  agents: readonly string[],
): Generator<Complaint> {
  for (const [index, surface] of surfaces.entries()) {
    const { logins, type } = surface;
    if (logins === undefined) continue;
    const path = ['surfaces', index];
    const entry: unknown = Array.isArray(written) ? written[index] : undefined;
    const both = ONE_LOGIN[type].find((key) => isObject(entry) && key in entry);
    if (both !== undefined)
      yield {
        path: [...path, both],
        expected: `it belongs to a surface with one login, and this one has "logins": move it to one of them`,
      };
    yield* ownerComplaints(logins, [...path, 'logins'], agents);
    yield* repeatedSecrets(logins, [...path, 'logins']);
    for (const [at, problem] of problemsOf(surface).entries())
      if (problem !== undefined)
        yield { path: [...path, 'logins', at, problem.key], expected: problem.expected };
    if (surface.type === 'github' && surface.events === 'webhook' && !surface.logins?.some(hasWebhook))
      yield {
        path: [...path, 'logins', 0, 'webhookSecret'],
        expected: 'with "events: webhook" one login at least needs the secret of its webhook',
      };
  }
}

type Logins = readonly { agents?: readonly string[] | undefined }[];

function* ownerComplaints(
  logins: Logins,
  path: readonly PropertyKey[],
  agents: readonly string[],
): Generator<Complaint> {
  const owners = new Map<string, number>();
  const shared: number[] = [];
  for (const [index, login] of logins.entries()) {
    if (login.agents === undefined) shared.push(index);
    for (const [at, agent] of (login.agents ?? []).entries()) {
      const where = [...path, index, 'agents', at];
      const first = owners.get(agent);
      if (!agents.includes(agent))
        yield { path: where, expected: `no agent has this id; ${suggestion(agent, agents)}` };
      else if (first !== undefined)
        yield {
          path: where,
          expected: `"${agent}" has a login already, logins[${first}]: leave it out at one`,
        };
      owners.set(agent, first ?? index);
    }
  }
  const [first, second] = shared;
  if (second !== undefined)
    yield {
      path: [...path, second],
      expected: `logins[${first}] is shared by all agents without a login of their own already: say whose this one is`,
    };
}

function* repeatedSecrets(logins: readonly object[], path: readonly PropertyKey[]): Generator<Complaint> {
  const first = new Map<string, string>();
  for (const [index, login] of logins.entries()) {
    for (const [key, place] of Object.entries(login)) {
      if (!OWN_SECRETS.includes(key) || typeof place !== 'string') continue;
      const before = first.get(place);
      if (before !== undefined)
        yield {
          path: [...path, index, key],
          expected: `"${place}" is ${before} already: every login has secrets of its own`,
        };
      else first.set(place, `logins[${index}].${key}`);
    }
  }
}

interface Problem {
  key: string;
  expected: string;
}

/** What is wrong with each login. */
function problemsOf(surface: SurfaceSettings): (Problem | undefined)[] {
  return surface.type === 'slack'
    ? (surface.logins ?? []).map((login) => slackProblem(login, surface.events))
    : (surface.logins ?? []).map(githubProblem);
}

function slackProblem(login: SlackLoginSettings, events: 'socket' | 'http'): Problem | undefined {
  const key = events === 'socket' ? 'appToken' : 'signingSecret';
  if (login[key] !== undefined) return undefined;
  return { key, expected: `with "events: ${events}" every login needs it, but it is missing` };
}

function githubProblem({ token, appId, privateKey }: GithubLoginSettings): Problem | undefined {
  if (token !== undefined && (appId !== undefined || privateKey !== undefined))
    return {
      key: 'token',
      expected: 'a login is an account with a token, or an app with appId and privateKey',
    };
  if (token === undefined && appId === undefined)
    return {
      key: 'token',
      expected: 'expected a token, or appId and privateKey of an app, but both are missing',
    };
  if (appId !== undefined && privateKey === undefined)
    return { key: 'privateKey', expected: 'an app needs its private key, but it is missing' };
  return undefined;
}

function hasWebhook({ webhookSecret }: GithubLoginSettings): boolean {
  return webhookSecret !== undefined;
}
