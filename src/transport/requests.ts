// JSON-RPC requests under way, in both directions. `Dispatcher` takes the other side's requests to handlers and turns
// their answers into text; a peer and the HTTP endpoint share it. `PendingRequests` holds our own until they are answered.
// Invariants: every request gets exactly one answer, whatever its handler does; a notification gets none; an answer
// never exceeds a frame; each of our requests ends exactly once. No zod here: a handler checks its raw params itself.
import { wireError, type WireError } from '../protocol/errors.ts';
import {
  encodeError,
  encodeResult,
  type RpcError,
  type RpcId,
  type RpcNotification,
  type RpcParams,
  type RpcRequest,
} from '../protocol/jsonrpc.ts';
import type { Cancel, Clock } from '../runtime/clock.ts';
import { isLargerThan, type CloseReason } from './transport.ts';

/** What became of a request of ours. A peer on a connection and a client over HTTP report it alike. */
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

export type RpcAnswer = { ok: true; result: unknown } | { ok: false; error: RpcError };
export type RpcHandler = (params: RpcParams | undefined, call: Call) => RpcAnswer | Promise<RpcAnswer>;
export type RpcHandlers = Readonly<Record<string, RpcHandler>>;
export type OnNotification = (method: string, params: RpcParams | undefined) => void | Promise<void>;

export interface DispatchOptions {
  handlers: RpcHandlers;
  onNotification?: OnNotification;
  /** What a handler threw, or a result that is no JSON: bugs, which the other side sees as `internal`. */
  onError: (error: Error) => void;
  frameBytes: number;
  /** Requests being handled at once; one more is answered `rate_limited`. */
  concurrent: number;
}

/** One request under way. The signal costs nothing until somebody asks for it. */
export class Call {
  readonly id: RpcId;
  readonly method: string;
  #controller: AbortController | undefined;
  #aborted = false;

  constructor(id: RpcId, method: string) {
    this.id = id;
    this.method = method;
  }

  /** Aborted when the other side cancels the request or is gone. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  abort(): void {
    this.#aborted = true;
    this.#controller?.abort();
  }
}

const CANCELLED = 'notifications/cancelled';
const RETRY_AFTER_MS = 100;

export class Dispatcher {
  readonly #options: DispatchOptions;
  readonly #calls = new Map<RpcId, Call>();

  constructor(options: DispatchOptions) {
    this.#options = options;
  }

  /** How many requests are being handled. */
  get serving(): number {
    return this.#calls.size;
  }

  /** The answer as text, at once where the handler was. */
  request({ id, method, params }: RpcRequest): string | Promise<string> {
    const { handlers } = this.#options;
    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
    if (handler === undefined) {
      const supported = Object.keys(handlers);
      return encodeError(id, wireError('unknown_method', { method, supported }));
    }
    const refusal = this.#refusal(id);
    if (refusal !== undefined) return refusal;
    const call = new Call(id, method);
    this.#calls.set(id, call);
    try {
      const answer = handler(params, call);
      if (!(answer instanceof Promise)) return this.#settle(id, answer);
      return answer.then(
        (value) => this.#settle(id, value),
        (error: unknown) => this.#broken(id, error),
      );
    } catch (error) {
      return this.#broken(id, error);
    }
  }

  notification({ method, params }: RpcNotification): void {
    const { onNotification, onError } = this.#options;
    if (method === CANCELLED && params !== undefined && 'requestId' in params) {
      this.#calls.get(params.requestId as RpcId)?.abort();
    }
    try {
      onNotification?.(method, params)?.catch((error: unknown) => onError(asError(error)));
    } catch (error) {
      onError(asError(error));
    }
  }

  /** Nobody waits for the answers any more. */
  abort(): void {
    for (const call of this.#calls.values()) call.abort();
  }

  #refusal(id: RpcId): string | undefined {
    if (this.#calls.has(id)) {
      // Two answers under one id could not be told apart, so this one goes under none.
      const problem = 'a request with this id is under way';
      return encodeError(null, wireError('invalid_request', { problem }));
    }
    if (this.#calls.size < this.#options.concurrent) return undefined;
    return encodeError(id, wireError('rate_limited', { retryAfterMs: RETRY_AFTER_MS }));
  }

  #settle(id: RpcId, answer: RpcAnswer): string {
    this.#calls.delete(id);
    const { frameBytes } = this.#options;
    try {
      const text = answer.ok ? encodeResult(id, answer.result) : encodeError(id, answer.error);
      if (!isLargerThan(text, frameBytes)) return text;
      return encodeError(id, wireError('too_large', { limit: frameBytes, unit: 'bytes in an answer' }));
    } catch (error) {
      return this.#broken(id, error);
    }
  }

  #broken(id: RpcId, cause: unknown): string {
    this.#calls.delete(id);
    this.#options.onError(asError(cause));
    return encodeError(id, wireError('internal'));
  }
}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error('a handler threw what is no Error', { cause });
}

interface Waiting {
  resolve: (outcome: RequestOutcome) => void;
  endsAt: number;
  /** Takes back what listens for the caller's signal. */
  unlisten: (() => void) | undefined;
}

export class PendingRequests {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Waiting>();
  #cancelTimer: Cancel | undefined;
  /** When the timer comes: at the first end there is, or before it. */
  #wakesAt = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Resolves when it is settled, or with `timeout`. */
  add(id: string, timeoutMs: number, unlisten: (() => void) | undefined): Promise<RequestOutcome> {
    return new Promise((resolve) => {
      const endsAt = this.#clock.now() + timeoutMs;
      this.#waiting.set(id, { resolve, endsAt, unlisten });
      if (endsAt < this.#wakesAt) this.#wakeIn(timeoutMs, endsAt);
    });
  }

  /** Whatever is not waiting is ignored. */
  settle(id: string, outcome: RequestOutcome): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#rest();
    waiting.unlisten?.();
    waiting.resolve(outcome);
  }

  settleAll(outcome: RequestOutcome): void {
    for (const id of this.#waiting.keys()) this.settle(id, outcome);
  }

  #wakeIn(ms: number, at: number): void {
    this.#cancelTimer?.();
    this.#wakesAt = at;
    this.#cancelTimer = this.#clock.after(ms, () => this.#wake());
  }

  #rest(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#wakesAt = Number.POSITIVE_INFINITY;
  }

  #wake(): void {
    // The timer has the last word: by the time of day it may come a millisecond early.
    const now = Math.max(this.#clock.now(), this.#wakesAt);
    let next = Number.POSITIVE_INFINITY;
    for (const [id, { endsAt }] of this.#waiting) {
      if (endsAt <= now) this.settle(id, { ok: false, kind: 'timeout' });
      else next = Math.min(next, endsAt);
    }
    if (this.#waiting.size > 0) this.#wakeIn(next - now, next);
  }
}
