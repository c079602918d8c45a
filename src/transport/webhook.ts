// One signed POST to a harness or a source that keeps no connection. The outcome says what may be done next: `retry`
// when the other side has not taken it, `refused` when trying again is useless, `unknown` when the request left and no
// answer came. A receiver recognizes a repeat by `webhook-id`, which stays the same over all attempts.
import type { Clock } from '../runtime/clock.ts';
import { retryAfterMs, readCapped } from './http-response.ts';
import { secretProblem, signWebhook } from './webhook-signature.ts';

export const WEBHOOK_LIMITS = {
  timeoutMs: 15_000,
  /** Of a longer answer the rest is not read. */
  answerBytes: 65_536,
} as const;

export interface WebhookPost {
  url: string;
  /** Several while a secret is being replaced. */
  secret: string | readonly string[];
  /** Stays the same over all attempts. */
  id: string;
  body: string;
  /** How much of the answer is read. Default: `WEBHOOK_LIMITS.answerBytes`. */
  answerBytes?: number;
  clock: Clock;
  fetch?: typeof fetch;
  timeoutMs?: number;
  /** Aborting gives up. The outcome is `unknown`, as when no answer came. */
  signal?: AbortSignal;
  headers?: Readonly<Record<string, string>>;
}

export type WebhookOutcome =
  /** `body` is undefined when it was too large or broke off. The delivery counts all the same. */
  | { kind: 'delivered'; status: number; body: string | undefined }
  /** `afterMs` is set only if the other side named it. */
  | { kind: 'retry'; afterMs: number | undefined; problem: string }
  /** `gone`: the receiver asks never to be called again (410). */
  | { kind: 'refused'; gone: boolean; problem: string }
  | { kind: 'unknown'; problem: string };

const RETRYABLE: ReadonlySet<number> = new Set([408, 425, 429]);

export async function postWebhook(post: WebhookPost): Promise<WebhookOutcome> {
  const { clock, fetch: fetchIt = fetch, timeoutMs = WEBHOOK_LIMITS.timeoutMs } = post;
  const url = webUrl(post.url);
  if (url === undefined) return { kind: 'refused', gone: false, problem: 'the URL is not http: or https:' };
  const wrongSecret = [post.secret]
    .flat()
    .map(secretProblem)
    .find((problem) => problem !== undefined);
  if (wrongSecret !== undefined) return { kind: 'refused', gone: false, problem: wrongSecret };
  const abort = new AbortController();
  const cancelTimer = clock.after(timeoutMs, () => abort.abort());
  try {
    const response = await fetchIt(url, {
      method: 'POST',
      headers: {
        ...post.headers,
        'content-type': 'application/json',
        ...signWebhook(post.secret, { id: post.id, atMs: clock.now(), body: post.body }),
      },
      body: post.body,
      // A redirect would hand a signed body to an address nobody configured.
      redirect: 'manual',
      signal: post.signal === undefined ? abort.signal : AbortSignal.any([post.signal, abort.signal]),
    });
    return await answered(response, clock.now(), post.answerBytes ?? WEBHOOK_LIMITS.answerBytes);
  } catch (error) {
    if (post.signal?.aborted === true) return { kind: 'unknown', problem: 'it was given up' };
    if (abort.signal.aborted) return { kind: 'unknown', problem: `no answer within ${timeoutMs} ms` };
    return failed(error);
  } finally {
    cancelTimer();
  }
}

async function answered(response: Response, nowMs: number, answerBytes: number): Promise<WebhookOutcome> {
  const { status } = response;
  const read = await readCapped(response, answerBytes);
  const problem = `it answered ${status}`;
  if (status >= 200 && status < 300)
    return { kind: 'delivered', status, body: read.ok ? read.text : undefined };
  if (status >= 500 || RETRYABLE.has(status)) {
    return { kind: 'retry', afterMs: retryAfterMs(response.headers.get('retry-after'), nowMs), problem };
  }
  return { kind: 'refused', gone: status === 410, problem };
}

/** With these failures no byte of the request can have left. */
const NEVER_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
]);

function failed(error: unknown): WebhookOutcome {
  if (isBlockedPort(error)) return { kind: 'refused', gone: false, problem: 'fetch does not call this port' };
  const code = codeOf(error);
  const problem = `the request failed (${code})`;
  if (NEVER_SENT.has(code) || /CERT|SSL|TLS/.test(code))
    return { kind: 'retry', afterMs: undefined, problem };
  return { kind: 'unknown', problem };
}

/** fetch wraps the reason. If several addresses failed, the AggregateError has the code of the first. */
function codeOf(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return 'no code';
}

function isBlockedPort(error: unknown): boolean {
  return error instanceof TypeError && error.cause instanceof Error && error.cause.message === 'bad port';
}

function webUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined;
}
