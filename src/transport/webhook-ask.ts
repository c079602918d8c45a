// One signed question to a source, for an attachment or for history. The answer is bytes, up to a limit. The request is
// signed like a webhook and follows no redirect, so only the configured address can answer. Asking again is safe.
import type { Clock } from '../runtime/clock.ts';
import { readBytes } from './http-response.ts';
import { secretProblem, signWebhook } from './webhook-signature.ts';

export interface WebhookQuestion {
  url: string;
  secret: string;
  /** Identifies this question. */
  id: string;
  body: string;
  clock: Clock;
  maxBytes: number;
  timeoutMs: number;
  signal?: AbortSignal;
  fetch?: typeof fetch;
}

export type WebhookQuestionReply =
  | { kind: 'answered'; bytes: Uint8Array; contentType: string }
  /** The source has nothing to give, or refuses. */
  | { kind: 'refused'; status: number }
  | { kind: 'too_large' }
  /** Asking again may help. */
  | { kind: 'failed'; problem: string };

const RETRYABLE: ReadonlySet<number> = new Set([408, 425, 429]);

export async function askWebhook(question: WebhookQuestion): Promise<WebhookQuestionReply> {
  const { url, secret, id, body, clock, maxBytes, timeoutMs, fetch: fetchIt = fetch } = question;
  const wrongSecret = secretProblem(secret);
  if (wrongSecret !== undefined) return { kind: 'failed', problem: wrongSecret };
  const abort = new AbortController();
  const cancelTimer = clock.after(timeoutMs, () => abort.abort());
  const { signal } = question;
  try {
    const response = await fetchIt(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...signWebhook(secret, { id, atMs: clock.now(), body }),
      },
      body,
      redirect: 'manual',
      signal: signal === undefined ? abort.signal : AbortSignal.any([signal, abort.signal]),
    });
    return await replied(response, maxBytes);
  } catch (error) {
    if (abort.signal.aborted) return { kind: 'failed', problem: `no answer within ${timeoutMs} ms` };
    if (error instanceof Error) return { kind: 'failed', problem: 'the request failed' };
    throw error;
  } finally {
    cancelTimer();
  }
}

async function replied(response: Response, maxBytes: number): Promise<WebhookQuestionReply> {
  const { status, headers } = response;
  if (status >= 200 && status < 300) {
    const bytes = await readBytes(response, maxBytes);
    const contentType = headers.get('content-type') ?? '';
    return bytes === undefined ? { kind: 'too_large' } : { kind: 'answered', bytes, contentType };
  }
  await response.body?.cancel();
  if (status === 413) return { kind: 'too_large' };
  const again = status >= 500 || RETRYABLE.has(status);
  return again ? { kind: 'failed', problem: `it answered ${status}` } : { kind: 'refused', status };
}
