// The login: who a token or an app is, which repositories it sees and what it may do there. Secrets are read anew at every
// try, so a new one in a file is taken up without a restart.
import { createPrivateKey } from 'node:crypto';
import type { Octokit } from '@octokit/core';
import type { createAppAuth } from '@octokit/auth-app';
import type { Clock } from '../../runtime/clock.ts';
import type { Called, Failure } from '../failure.ts';
import type { Secret } from '../secret.ts';
import type { SurfaceHealth } from '../surface.ts';
import { createApi, type GithubApi } from './api.ts';
import type { Self } from './read-text.ts';

export type Credentials = { token: Secret } | { appId: number; privateKey: Secret };

/** GitHub's own packages, loaded by the caller. */
export interface Packages {
  Octokit: typeof Octokit;
  createAppAuth: typeof createAppAuth;
}

export interface LoginDeps {
  packages: Packages;
  clock: Clock;
  credentials: Credentials;
  repositories: readonly string[];
  /** Whether GitHub posts the events. */
  webhook: boolean;
  apiUrl?: string | undefined;
}

export interface Login {
  self: Self;
  /** The host of GitHub: `github.com`. */
  workspace: string;
  /** As GitHub spells them, of those that the login sees. */
  repositories: readonly string[];
  /** Of an app: the installations in which they are. */
  installations: ReadonlySet<number>;
  /** Undefined: nothing of this owner is configured, or it cannot be seen. */
  apiFor(owner: string): GithubApi | undefined;
  /** What it lacks, and what that costs. */
  missing: readonly string[];
  /** By the earlier of GitHub's clock and ours. */
  at: number;
}

/** What each permission of an app is for. The steps in docs/surfaces/github.md ask for all of them. */
export const PERMISSIONS: Readonly<Record<string, string>> = {
  issues: 'cannot answer in issues',
  pull_requests: 'cannot answer in pull requests, and hears no reviews',
};
/** What a webhook must be told. */
export const EVENTS: Readonly<Record<string, string>> = {
  issues: 'does not hear of new issues and assignments as they happen',
  issue_comment: 'does not hear comments as they happen',
  pull_request: 'does not hear of new pull requests and requested reviews as they happen',
  pull_request_review: 'does not hear reviews as they happen',
  pull_request_review_comment: 'does not hear review comments as they happen',
};

export function secretOf(credentials: Credentials): Secret {
  return 'token' in credentials ? credentials.token : credentials.privateKey;
}

/** The host whose issues these are. GitHub's own API is on a host of its own. */
export function workspaceOf(apiUrl: string | undefined): string {
  return apiUrl === undefined ? 'github.com' : new URL(apiUrl).hostname.replace(/^api\./, '');
}

/** `undefined` as a failure: the secret is missing. */
export async function logIn(
  deps: LoginDeps,
): Promise<{ ok: true; login: Login } | { ok: false; failure: Failure | undefined }> {
  const secret = await secretOf(deps.credentials).read();
  if (secret === undefined) return { ok: false, failure: undefined };
  const found = await ('token' in deps.credentials
    ? withToken(deps, secret)
    : withApp(deps, deps.credentials.appId, secret));
  if (!found.ok) return found;
  const { self, at, apis, installations } = found.value;
  const missing = [...found.value.missing];
  const repositories: string[] = [];
  for (const name of deps.repositories) {
    const [owner = '', repo = ''] = name.split('/');
    const api = apis.get(owner.toLowerCase());
    if (api === undefined) continue;
    const called = await api.call<{ full_name?: string }>('GET /repos/{owner}/{repo}', { owner, repo });
    if (called.ok) repositories.push(called.value.full_name ?? name);
    else if (called.failure.type !== 'refused') return called;
    else missing.push(`${name}: hears and says nothing there (${called.failure.error})`);
  }
  const workspace = workspaceOf(deps.apiUrl);
  const apiFor = (owner: string): GithubApi | undefined => apis.get(owner.toLowerCase());
  return { ok: true, login: { self, workspace, repositories, installations, apiFor, missing, at } };
}

interface Found {
  self: Self;
  at: number;
  apis: ReadonlyMap<string, GithubApi>;
  installations: ReadonlySet<number>;
  missing: readonly string[];
}

async function withToken(deps: LoginDeps, token: string): Promise<Called<Found>> {
  const api = createApi(new deps.packages.Octokit({ ...options(deps), auth: token }), deps.clock);
  const asked = await api.ask('GET /user');
  if (!asked.ok) return asked;
  const { data, headers } = asked.value;
  const { login } = data as { login?: string };
  if (login === undefined) return lost('GitHub did not say who the token is');
  const owners = deps.repositories.map((name) => name.split('/')[0]?.toLowerCase() ?? '');
  return {
    ok: true,
    value: {
      self: { login: login.toLowerCase(), isApp: false },
      at: earlier(deps.clock, headers),
      apis: new Map(owners.map((owner) => [owner, api])),
      installations: new Set(),
      missing: missingScopes(headers['x-oauth-scopes']),
    },
  };
}

/** Only older tokens say what they may do. */
function missingScopes(scopes: string | number | undefined): string[] {
  if (typeof scopes !== 'string' || scopes === '') return [];
  const may = scopes.split(',').map((scope) => scope.trim());
  return may.includes('repo') || may.includes('public_repo') ? [] : ['repo: cannot answer'];
}

async function withApp(deps: LoginDeps, appId: number, key: string): Promise<Called<Found>> {
  const privateKey = key.replaceAll('\\n', '\n');
  if (!isKey(privateKey))
    return { ok: false, failure: { type: 'account', error: 'it is no private key in PEM' } };
  const { Octokit: Client, createAppAuth: authStrategy } = deps.packages;
  const as = (auth: object): GithubApi =>
    createApi(
      new Client({ ...options(deps), authStrategy, auth: { appId, privateKey, ...auth } }),
      deps.clock,
    );
  const app = as({});
  const asked = await app.ask('GET /app');
  if (!asked.ok) return asked;
  const { slug } = asked.value.data as { slug?: string };
  if (slug === undefined) return lost('GitHub did not say which app it is');
  const apis = new Map<string, GithubApi>();
  const installations = new Set<number>();
  const missing = new Set<string>();
  for (const name of deps.repositories) {
    const [owner = '', repo = ''] = name.split('/');
    if (apis.has(owner.toLowerCase())) continue;
    const called = await app.call<Installation>('GET /repos/{owner}/{repo}/installation', { owner, repo });
    if (!called.ok && called.failure.type !== 'refused') return called;
    if (!called.ok) missing.add(`${name}: the app is not installed there`);
    else {
      const { id } = called.value;
      apis.set(owner.toLowerCase(), as({ installationId: id }));
      installations.add(id);
      for (const one of lacks(called.value, deps.webhook)) missing.add(one);
    }
  }
  const self = { login: `${slug.toLowerCase()}[bot]`, isApp: true };
  const at = earlier(deps.clock, asked.value.headers);
  return { ok: true, value: { self, at, apis, installations, missing: [...missing] } };
}

interface Installation {
  id: number;
  permissions?: Record<string, string>;
  events?: string[];
}

function lacks({ permissions = {}, events = [] }: Installation, webhook: boolean): string[] {
  const may = Object.keys(PERMISSIONS).filter((name) => permissions[name] !== 'write');
  const hears = webhook ? Object.keys(EVENTS).filter((name) => !events.includes(name)) : [];
  return [
    ...may.map((name) => `permission ${name}: ${PERMISSIONS[name]}`),
    ...hears.map((name) => `event ${name}: ${EVENTS[name]}`),
  ];
}

function isKey(text: string): boolean {
  try {
    createPrivateKey(text);
    return true;
  } catch {
    return false;
  }
}

const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** What goes wrong is told by outcomes; lines of the SDK could hold tokens. */
function options({ apiUrl }: LoginDeps) {
  return {
    userAgent: 'earshot',
    log: SILENT,
    ...(apiUrl !== undefined && { baseUrl: apiUrl.replace(/\/$/, '') }),
  };
}

function earlier(clock: Clock, headers: Readonly<Record<string, unknown>>): number {
  const told = Date.parse(String(headers['date']));
  return Number.isNaN(told) ? clock.now() : Math.min(clock.now(), told);
}

function lost(error: string): { ok: false; failure: Failure } {
  return { ok: false, failure: { type: 'lost', error } };
}

export function healthOf({ missing }: Pick<Login, 'missing'>): SurfaceHealth {
  return missing.length === 0 ? { state: 'up' } : { state: 'limited', missing };
}

export function deadLogin({ name }: Secret, error: string): SurfaceHealth {
  const fix =
    `Make a new token, or a new private key of the app, and put it into ${name}. ` +
    'A file is read again by itself; for a variable of the environment, restart Earshot.';
  return { state: 'down', error, fix };
}

export function missingSecret({ name }: Secret): SurfaceHealth {
  return {
    state: 'down',
    error: `${name} is missing`,
    fix: `Set ${name}. See docs/surfaces/github.md for where GitHub shows it.`,
  };
}
