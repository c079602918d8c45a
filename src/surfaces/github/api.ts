// GitHub's API through Octokit's core, which repeats nothing by itself: only the host knows whether a post may be
// repeated. (The app's authentication repeats a call that a fresh token was refused for, which did nothing.) One place
// says what a failure means.
import type { Octokit } from '@octokit/core';
import type { Clock } from '../../runtime/clock.ts';
import type { Called, Failure } from '../failure.ts';

export interface Answer {
  data: unknown;
  headers: Readonly<Record<string, string | number | undefined>>;
}

export interface Page {
  items: unknown[];
  /** There are pages after this one. */
  hasMore: boolean;
}

export interface GithubApi {
  /** Calls a route once, such as `GET /repos/{owner}/{repo}`. Never rejects. */
  ask(route: string, args?: Record<string, unknown>): Promise<Called<Answer>>;
  call<T = unknown>(route: string, args?: Record<string, unknown>): Promise<Called<T>>;
  /** One page of a list. */
  page(route: string, args: Record<string, unknown>): Promise<Called<Page>>;
}

/** What of Octokit is used. */
export type Client = Pick<Octokit, 'request'>;

/** Shorter than the host waits for a post, so that a hanging connection is closed before anybody asks again. */
const TIMEOUT_MS = 20_000;

export function createApi(client: Client, clock: Clock): GithubApi {
  const ask: GithubApi['ask'] = async (route, args = {}) => {
    const abort = new AbortController();
    const cancel = clock.after(TIMEOUT_MS, () => abort.abort());
    try {
      const { data, headers } = await client.request(route, { ...args, request: { signal: abort.signal } });
      return { ok: true, value: { data: data as unknown, headers } };
    } catch (error) {
      return { ok: false, failure: failureOf(error, clock.now()) };
    } finally {
      cancel();
    }
  };
  return {
    ask,
    async call<T>(route: string, args?: Record<string, unknown>): Promise<Called<T>> {
      const asked = await ask(route, args);
      return asked.ok ? { ok: true, value: asked.value.data as T } : asked;
    },
    async page(route, args) {
      const asked = await ask(route, args);
      if (!asked.ok) return asked;
      const { data, headers } = asked.value;
      const hasMore = /<[^>]+>;\s*rel="next"/.test(String(headers['link'] ?? ''));
      return { ok: true, value: { items: Array.isArray(data) ? (data as unknown[]) : [], hasMore } };
    },
  };
}

const LIMITED_MS = 60_000;

/** Octokit tells a broken connection as status 500. */
export function failureOf(error: unknown, now: number): Failure {
  const { status, message, response, request, name } = (error ?? {}) as {
    status?: number;
    message?: string;
    name?: string;
    request?: { url?: string };
    response?: { headers?: Record<string, string | undefined>; data?: { message?: unknown } };
  };
  const said = typeof response?.data?.message === 'string' ? response.data.message : message;
  if (name === 'AbortError' || status === undefined)
    return { type: 'lost', error: said ?? 'no answer from GitHub' };
  const headers = response?.headers ?? {};
  if (status === 429 || (status === 403 && isLimit(headers, said)))
    return { type: 'limited', error: 'GitHub asks to slow down', afterMs: waitOf(headers, now) };
  // An app that is uninstalled or suspended gets no token any more.
  const isLogin = request?.url?.endsWith('/access_tokens') === true && status < 500;
  if (status === 401 || isLogin) return { type: 'account', error: said ?? 'Bad credentials' };
  if (status >= 500 || status < 400)
    return { type: 'lost', error: said ?? `GitHub answered with HTTP ${status}` };
  const words = WORDS[status];
  const told = said === undefined || said === '' ? `HTTP ${status}` : said;
  return {
    type: 'refused',
    code: String(status),
    error: words === undefined ? told : `${told}: ${words}`,
  };
}

/** What a person can do about a refusal. */
const WORDS: Readonly<Record<number, string>> = {
  403: 'the login may not do this here: look at its permissions, and whether the conversation is locked',
  404: 'GitHub knows no such thing, or the login may not see it',
};

function isLimit(headers: Record<string, string | undefined>, said: string | undefined): boolean {
  return (
    headers['retry-after'] !== undefined ||
    headers['x-ratelimit-remaining'] === '0' ||
    /secondary rate limit|abuse detection/i.test(said ?? '')
  );
}

function waitOf(headers: Record<string, string | undefined>, now: number): number {
  const after = Number(headers['retry-after']);
  if (headers['retry-after'] !== undefined && Number.isFinite(after)) return after * 1_000;
  const reset = Number(headers['x-ratelimit-reset']) * 1_000;
  return headers['x-ratelimit-remaining'] === '0' && reset > now ? reset - now : LIMITED_MS;
}
