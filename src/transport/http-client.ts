// The harness's side of HTTP: one JSON-RPC request per POST, with the same outcomes as a peer's. A proxy may answer in
// the host's place, so the status counts only when the body is not a JSON-RPC answer to this request.
import { wireError } from '../protocol/errors.ts';
import {
  decode,
  encodeNotification,
  encodeRequest,
  type RpcParams,
  type RpcResponse,
} from '../protocol/jsonrpc.ts';
import type { Clock } from '../runtime/clock.ts';
import { readCapped, retryAfterMs } from './http-response.ts';
import { type RequestOutcome, type RequestOptions, tooLarge } from './requests.ts';
import { isLargerThan, TRANSPORT_LIMITS } from './transport.ts';

export interface HttpClientOptions {
  url: string;
  clock: Clock;
  token?: string;
  /** Further headers of every request. */
  headers?: Readonly<Record<string, string>>;
  fetch?: typeof fetch;
  /** Must be longer than the host holds a long poll (25 s). */
  timeoutMs?: number;
}

export interface HttpClient {
  request(method: string, params?: RpcParams, options?: RequestOptions): Promise<RequestOutcome>;
  /** The result is null when the host has accepted it. */
  notify(method: string, params?: RpcParams, options?: RequestOptions): Promise<RequestOutcome>;
}

const TIMEOUT_MS = 35_000;
const RETRY_AFTER_MS = 1_000;

export function httpClient(options: HttpClientOptions): HttpClient {
  let lastId = 0;
  return {
    request(method, params, requestOptions = {}) {
      const id = String(++lastId);
      return post(options, encodeRequest(id, method, params), id, requestOptions);
    },
    notify(method, params, requestOptions = {}) {
      return post(options, encodeNotification(method, params), null, requestOptions);
    },
  };
}

async function post(
  {
    url,
    clock,
    token,
    headers,
    fetch: fetchIt = fetch,
    timeoutMs: patienceMs = TIMEOUT_MS,
  }: HttpClientOptions,
  body: string,
  id: string | null,
  { signal, timeoutMs = patienceMs }: RequestOptions,
): Promise<RequestOutcome> {
  if (isAborted(signal)) return { ok: false, kind: 'cancelled' };
  if (isLargerThan(body, TRANSPORT_LIMITS.frameBytes)) return tooLarge(TRANSPORT_LIMITS.frameBytes);
  const timeout = new AbortController();
  const cancelTimer = clock.after(timeoutMs, () => timeout.abort());
  try {
    const response = await fetchIt(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body,
      // A redirect would hand the token to another address.
      redirect: 'manual',
      signal: signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]),
    });
    const read = await readCapped(response, TRANSPORT_LIMITS.frameBytes);
    if (!read.ok && isAborted(signal)) return { ok: false, kind: 'cancelled' };
    if (!read.ok && timeout.signal.aborted) return { ok: false, kind: 'timeout' };
    if (!read.ok && read.problem === 'broke_off') return { ok: false, kind: 'closed', reason: 'lost' };
    return (read.ok ? answerIn(read.text, id) : undefined) ?? statusOutcome(response, id, clock.now());
  } catch (error) {
    if (isAborted(signal)) return { ok: false, kind: 'cancelled' };
    if (timeout.signal.aborted) return { ok: false, kind: 'timeout' };
    if (error instanceof Error) return { ok: false, kind: 'closed', reason: 'lost' };
    throw error;
  } finally {
    cancelTimer();
  }
}

/** An error without an id is about this request too, because nothing else was sent with it. */
function answerIn(text: string, id: string | null): RequestOutcome | undefined {
  const decoded = decode(text);
  if (!decoded.ok || decoded.batch) return undefined;
  const response = decoded.messages.find(
    (message): message is RpcResponse =>
      message.kind === 'response' && (message.id === id || (!message.ok && message.id === null)),
  );
  if (response === undefined) return undefined;
  if (response.ok) return { ok: true, kind: 'result', result: response.result };
  return { ok: false, kind: 'error', error: response.error };
}

function statusOutcome({ status, headers }: Response, id: string | null, nowMs: number): RequestOutcome {
  if (status === 401 || status === 403) return { ok: false, kind: 'closed', reason: 'unauthorized' };
  if (status === 413) return tooLarge(TRANSPORT_LIMITS.frameBytes);
  if (status === 429 || status === 503) {
    const waitMs = retryAfterMs(headers.get('retry-after'), nowMs) ?? RETRY_AFTER_MS;
    return { ok: false, kind: 'error', error: wireError('rate_limited', { retryAfterMs: waitMs }) };
  }
  if (id === null && status >= 200 && status < 300) return { ok: true, kind: 'result', result: null };
  const what = `The host (the answer was ${status} and no JSON-RPC)`;
  return { ok: false, kind: 'error', error: wireError('unavailable', { what }) };
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
