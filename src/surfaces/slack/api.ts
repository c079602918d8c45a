// Slack's Web API through its own client. One place says what a failure means: the SDK's retries are off, because only
// the host knows whether a post may be repeated.
import type { WebClient, WebClientOptions } from '@slack/web-api';
import type { Called, Failure } from '../failure.ts';

export interface SlackApi {
  /** Calls a method once. Never rejects. */
  call<T = Record<string, unknown>>(method: string, args?: Record<string, unknown>): Promise<Called<T>>;
}

/** Shorter than the host waits for a post, so that a hanging connection is closed before anybody asks again. */
const TIMEOUT_MS = 20_000;

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => 'error',
  setName: () => undefined,
};
/** What goes wrong is told by outcomes; the SDK's own lines could hold tokens. */
export const SILENT = silent as unknown as NonNullable<WebClientOptions['logger']>;

/** The options of every client: nothing is repeated, nothing is logged. */
export function clientOptions(apiUrl: string | undefined): WebClientOptions {
  return {
    logger: SILENT,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: TIMEOUT_MS,
    ...(apiUrl !== undefined && { slackApiUrl: apiUrl }),
  };
}

export function createApi(
  Client: new (token: string, options: WebClientOptions) => WebClient,
  token: string,
  apiUrl: string | undefined,
): SlackApi {
  const client = new Client(token, clientOptions(apiUrl));
  return {
    call: async (method, args = {}) => {
      try {
        return { ok: true, value: (await client.apiCall(method, args)) as never };
      } catch (error) {
        return { ok: false, failure: failureOf(error) };
      }
    },
  };
}

const ACCOUNT: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'token_revoked',
  'token_expired',
  'account_inactive',
  'team_access_not_granted',
  'org_login_required',
]);
/** Slack says of these itself that part of it may have been done. */
const LOST: ReadonlySet<string> = new Set([
  'fatal_error',
  'internal_error',
  'service_unavailable',
  'request_timeout',
  'rollup_error',
]);
/** What a person can do about a refusal. */
const WORDS: Readonly<Record<string, string>> = {
  channel_not_found: 'Slack knows no such channel, or the app is not in it: invite it there with /invite',
  not_in_channel: 'the app is not in this channel: invite it there with /invite',
  is_archived: 'the channel is archived',
  msg_too_long: 'the message is longer than Slack takes: shorten or split it',
  missing_scope: 'the app lacks a permission: add the scopes of the manifest and install it again',
  message_not_found: 'the message is gone',
  cant_update_message: 'the app did not post this message, or Slack no longer lets it be edited',
  edit_window_closed: 'the workspace lets messages be edited for a while only',
  cant_delete_message: 'the workspace does not let the app delete this message',
  restricted_action: 'the workspace does not let apps post here',
};
const LIMITED_MS = 30_000;

export function failureOf(error: unknown): Failure {
  const { code, data, retryAfter, statusCode, message } = (error ?? {}) as {
    code?: string;
    data?: { error?: string };
    retryAfter?: number;
    statusCode?: number;
    message?: string;
  };
  switch (code) {
    case 'slack_webapi_rate_limited_error':
      return limited(retryAfter);
    case 'slack_webapi_platform_error':
      return platformFailure(data?.error ?? 'unknown_error');
    case 'slack_webapi_http_error':
      if (statusCode === 429) return limited(undefined);
      return statusCode !== undefined && statusCode < 500
        ? { type: 'refused', code: `http_${statusCode}`, error: `Slack answered with HTTP ${statusCode}` }
        : { type: 'lost', error: `Slack answered with HTTP ${statusCode}` };
    case undefined:
    default:
      return { type: 'lost', error: message ?? 'the connection to Slack broke' };
  }
}

function limited(seconds: number | undefined): Failure {
  const afterMs = seconds === undefined ? LIMITED_MS : seconds * 1_000;
  return { type: 'limited', error: 'Slack asks to slow down', afterMs };
}

function platformFailure(code: string): Failure {
  if (code === 'ratelimited' || code === 'rate_limited') return limited(undefined);
  if (ACCOUNT.has(code)) return { type: 'account', error: code };
  if (LOST.has(code)) return { type: 'lost', error: code };
  const words = WORDS[code];
  return { type: 'refused', code, error: words === undefined ? code : `${code}: ${words}` };
}
