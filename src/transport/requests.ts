// JSON-RPC requests under way, in both directions. `Dispatcher` takes the other side's requests to handlers and encodes
// their answers; a peer and the HTTP endpoint share it. `PendingRequests` holds our own requests until they are
// answered. Invariants: every request gets exactly one answer, whatever its handler does; a notification gets none; an
// answer never exceeds a frame; each of our requests ends exactly once. No zod here: a handler checks its raw params
// itself.
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
  /** The other side may have carried it out. Ask again with the same idempotency key. */
  | { ok: false; kind: 'timeout' }
  /** Also here it may have been carried out, if it had been sent. */
  | { ok: false; kind: 'closed'; reason: CloseReason }
  /** The caller aborted it. */
  | { ok: false; kind: 'cancelled' }
  /** Nothing left this process. */
  | { ok: false; kind: 'not_sent'; error: WireError };

export interface RequestOptions {
  timeoutMs?: number;
  /** On a connection, aborting sends `notifications/cancelled`. To stop waiting without that, use `timeoutMs`. */
  signal?: AbortSignal;
  /** Called with the id of the request once it has left, on a connection. */
  onSent?: (id: string) => void;
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
  /** Called when a handler throws or returns something that is not JSON. The other side sees `internal`. */
  onError: (error: Error) => void;
  /** The answer to a call whose handler failed in a way that its caller can do something about. */
  answerTo?: ((error: unknown) => RpcAnswer | undefined) | undefined;
  frameBytes: number;
  /** How many requests may be handled at once. One more is answered `rate_limited`. */
  concurrent: number;
}

/** One request under way. The signal is created only when somebody asks for it. */
export class Call {
  readonly id: RpcId;
  readonly method: string;
  #controller: AbortController | undefined;
  #aborted = false;

  constructor(id: RpcId, method: string) {
    this.id = id;
    this.method = method;
  }

  /** Aborts when the other side cancels the request or disconnects. */
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

  /** The answer as text. Not a promise when the handler answered without one. */
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
      // The other side could not tell two answers with one id apart, so this refusal has no id.
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
    const answer = this.#options.answerTo?.(cause);
    if (answer !== undefined) return this.#settle(id, answer);
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
  /** Removes the listener on the caller's signal. */
  unlisten: (() => void) | undefined;
}

/** One timer serves all pending requests: a timer each would cost more than everything else about waiting. */
export class PendingRequests {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Waiting>();
  #cancelTimer: Cancel | undefined;
  /** When the timer fires: at the earliest time-out or before it. */
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

  /** Ignores an id that is not waiting. */
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
    // A timer may fire a millisecond early by the wall clock, so its own due time counts.
    const now = Math.max(this.#clock.now(), this.#wakesAt);
    let next = Number.POSITIVE_INFINITY;
    for (const [id, { endsAt }] of this.#waiting) {
      if (endsAt <= now) this.settle(id, { ok: false, kind: 'timeout' });
      else next = Math.min(next, endsAt);
    }
    if (this.#waiting.size > 0) this.#wakeIn(next - now, next);
  }
}
