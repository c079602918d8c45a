// What became of a request, as a value: the same for a peer on a connection and for a client over HTTP.
import { wireError, type WireError } from '../protocol/errors.ts';
import type { RpcError } from '../protocol/jsonrpc.ts';
import type { CloseReason } from './transport.ts';

export type RequestOutcome =
  | { ok: true; kind: 'result'; result: unknown }
  | { ok: false; kind: 'error'; error: RpcError }
  /** It may have been done: ask again with the same idempotency key. */
  | { ok: false; kind: 'timeout' }
  /** Likewise, if it had been sent. */
  | { ok: false; kind: 'closed'; reason: CloseReason }
  /** By the caller's own signal. */
  | { ok: false; kind: 'cancelled' }
  /** Nothing left this process. */
  | { ok: false; kind: 'not_sent'; error: WireError };

export interface RequestOptions {
  timeoutMs?: number;
  /** On a connection, aborting sends `notifications/cancelled`; to merely stop waiting, use `timeoutMs`. */
  signal?: AbortSignal;
}

export function tooLarge(limitBytes: number): RequestOutcome {
  return { ok: false, kind: 'not_sent', error: wireError('too_large', { limit: limitBytes, unit: 'bytes' }) };
}

export function tooManyPending(retryAfterMs: number): RequestOutcome {
  return { ok: false, kind: 'not_sent', error: wireError('rate_limited', { retryAfterMs }) };
}
